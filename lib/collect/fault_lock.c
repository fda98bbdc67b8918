// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/fault_lock.h"

#include "collect/places.h"

static const struct layout_row rows[] = {
	FIELD_ROW("struct vm_area_struct", OPTIONAL, "6.4 to 6.14, CONFIG_PER_VMA_LOCK", "vm_lock"),
	FIELD_ROW("struct vma_lock", OPTIONAL, "6.4 to 6.14, CONFIG_PER_VMA_LOCK", "lock"),
	FIELD_ROW("struct vm_area_struct", OPTIONAL, "6.15, CONFIG_PER_VMA_LOCK", "vm_refcnt"),
	FIELD_ROW("struct mm_struct", OPTIONAL, "6.15, CONFIG_PER_VMA_LOCK",
		  "vma_writer_wait.task"),
};

/* Of vm_refcnt: a writer waits for the readers to go, who count one each (VMA_LOCK_OFFSET, a macro). */
#define HAS_WRITER 0x40000000U

enum status fault_locks_open(struct dump *d, const struct field *mmap_lock, struct fault_locks *ret)
{
	struct field f[ARRAY_SIZE(rows)];
	enum status st = layout_resolve(d, rows, ARRAY_SIZE(rows), f);

	if (st == ST_OK && f[2].present != f[3].present)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: who waits for vm_refcnt of a VMA");
	if (st == ST_OK)
		*ret = (struct fault_locks){
			d, *mmap_lock, f[0], f[1], f[2], f[3], !f[0].present && !f[2].present
		};
	return st;
}

enum status fault_lock_writer(const struct fault_locks *l, uint64_t mm, uint64_t *ret)
{
	*ret = 0;
	return l->vma_writer.present
		       ? dump_u64(l->dump, mm + l->vma_writer.offset, ret, "vma_writer_wait")
		       : ST_OK;
}

/* What gives the lock back, if at all, before it waits (mm/filemap.c, mm/memory.c, fs/userfaultfd.c, drivers). */
static bool may_give_back(const char *name)
{
	static const char *const functions[] = {
		"__do_fault",
		"filemap_fault",
		"shmem_fault",
		"hugetlb_fault",
		"__folio_lock_or_retry",
		"__lock_page_or_retry",
		"folio_wait_bit_common",
		"wait_on_page_bit_common",
	};

	return FUNCTION_FIND(functions, name);
}

/* A fault that may be tried again has its lock in what neither waits for a page nor runs a driver. */
static bool has_lock(struct task_frames *at, uint64_t flags)
{
	static const char *const handlers[] = { "handle_mm_fault", "__handle_mm_fault" };
	bool gives_back = false, has = false;

	for (unsigned int i = 0; i < at->frames.n; i++) {
		const char *name = task_frames_name(at, i);
		enum place place = place_of(name);

		if (FUNCTION_FIND(handlers, name))
			break;
		/* It gives it back the second time, too. */
		if (is_function(name, "handle_userfault"))
			return false;
		gives_back |= may_give_back(name);
		has |= place == PLACE_ALLOCATOR || place == PLACE_CHARGE;
	}
	if (!(flags & VM_FAULT_ALLOW_RETRY) || flags & (VM_FAULT_RETRY_NOWAIT | VM_FAULT_TRIED))
		return true;
	return has && !gives_back;
}

static enum status find_vma_lock(const struct fault_locks *l, const struct in_fault *fault,
				 struct fault_lock *ret)
{
	uint64_t lock = 0;
	uint32_t count;
	enum status st = ST_OK;

	if (l->vma_count.present) {
		st = dump_u32(l->dump, fault->vma.address + l->vma_count.offset, &count,
			      "vm_refcnt of a VMA");
		if (st == ST_OK && count & HAS_WRITER)
			lock = fault->vma.mm + l->vma_writer.offset;
	} else if (l->vma_lock.present && l->vma_rwsem.present) {
		st = dump_u64(l->dump, fault->vma.address + l->vma_lock.offset, &lock,
			      "lock of a VMA");
		lock += l->vma_rwsem.offset;
	}
	if (st == ST_OK && lock) {
		ret->lock = lock;
		ret->vma_start = fault->vma.start;
	}
	return st;
}

/*
 * While a file system makes a page writable, the flags do not tell which of the two it has (do_page_mkwrite()): it
 * has one to the end.
 */
enum status fault_lock_find(struct fault_locks *l, struct task_frames *at,
			    const struct in_fault *fault, struct fault_lock *ret)
{
	struct fault_lock found = { .mmap_lock = fault->vma.mm + l->mmap_lock.offset };
	bool either = fault->flags & VM_FAULT_MKWRITE && !l->only_mmap_lock;
	enum status st = ST_OK;

	if (!fault->has_flags || at->frames.lacks_inner)
		return dump_fail(l->dump, ST_ABSENT,
				 "no struct vm_fault of the page fault is known");
	if (either)
		found.mmap_lock = 0;
	if (either || (fault->flags & VM_FAULT_VMA_LOCK && has_lock(at, fault->flags)))
		st = find_vma_lock(l, fault, &found);
	else if (!(fault->flags & VM_FAULT_VMA_LOCK) && has_lock(at, fault->flags))
		found.lock = found.mmap_lock;
	if (st == ST_OK)
		*ret = found;
	return st;
}
