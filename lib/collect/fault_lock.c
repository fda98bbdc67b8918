// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/fault_lock.h"

#include "collect/places.h"
#include "dump/layout.h"

static const struct layout_row rows[] = {
	FIELD_ROW("struct vm_area_struct", OPTIONAL, "6.4 to 6.14, CONFIG_PER_VMA_LOCK", "vm_lock"),
	FIELD_ROW("struct vma_lock", OPTIONAL, "6.4 to 6.14, CONFIG_PER_VMA_LOCK", "lock"),
};

enum status fault_locks_open(struct dump *d, const struct field *mmap_lock, struct fault_locks *ret)
{
	struct field f[ARRAY_SIZE(rows)];
	enum status st = layout_resolve(d, rows, ARRAY_SIZE(rows), f);

	if (st == ST_OK)
		*ret = (struct fault_locks){ d, *mmap_lock, f[0], f[1] };
	return st;
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
	bool gives_back = false, has = false;

	for (unsigned int i = 0; i < at->frames.n; i++) {
		const char *name = task_frames_name(at, i);
		enum place place = place_of(name);

		if (is_function(name, "handle_mm_fault") || is_function(name, "__handle_mm_fault"))
			break;
		/* It gives it back the second time, too. */
		if (is_function(name, "handle_userfault"))
			return false;
		gives_back |= may_give_back(name);
		has |= place == PLACE_ALLOCATOR || place == PLACE_CHARGE ||
		       is_function(name, "do_page_mkwrite");
	}
	if (!(flags & VM_FAULT_ALLOW_RETRY) || flags & (VM_FAULT_RETRY_NOWAIT | VM_FAULT_TRIED))
		return true;
	return has && !gives_back;
}

enum status fault_lock_find(struct fault_locks *l, struct task_frames *at,
			    const struct in_fault *fault, struct fault_lock *ret)
{
	struct fault_lock found = { .mmap_lock = fault->vma.mm + l->mmap_lock.offset };
	bool of_vma = fault->flags & VM_FAULT_VMA_LOCK;
	uint64_t lock;

	if (!fault->has_flags || at->frames.lacks_inner)
		return dump_fail(l->dump, ST_ABSENT,
				 "no struct vm_fault of the page fault is known");
	if (has_lock(at, fault->flags) && !of_vma) {
		found.lock = found.mmap_lock;
	} else if (has_lock(at, fault->flags) && l->vma_lock.present && l->vma_rwsem.present) {
		enum status st = dump_u64(l->dump, fault->vma.address + l->vma_lock.offset, &lock,
					  "lock of a VMA");

		if (st != ST_OK)
			return st;
		found.lock = lock + l->vma_rwsem.offset;
		found.vma_start = fault->vma.start;
	}
	*ret = found;
	return ST_OK;
}
