// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/signal_fault.h"

#include "util/units.h"

#define TRAP_PAGE_FAULT 14 /* X86_TRAP_PF, arch/x86/include/asm/trapnr.h */
#define ERROR_WRITE 2	   /* X86_PF_WRITE */

struct thread {
	uint64_t address, trap, error;
};
struct opened {
	uint64_t inode;
};
struct super_info {
	uint64_t info;
};
struct space {
	uint64_t blocks, used;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct signal_faults, task, "struct task_struct"),
	POINTS(struct thread, address, OPTIONAL, "x86", "thread.cr2"),
	POINTS(struct thread, trap, OPTIONAL, "x86", "thread.trap_nr"),
	POINTS(struct thread, error, OPTIONAL, "x86", "thread.error_code"),
	STRUCTURE(struct signal_faults, file, "struct file"),
	POINTS(struct opened, inode, REQUIRED, "3.9", "f_inode"),
	STRUCTURE(struct signal_faults, super, "struct super_block"),
	POINTS(struct super_info, info, REQUIRED, "all", "s_fs_info"),
	/* Blocks of a page (mm/shmem.c). */
	STRUCTURE(struct signal_faults, shmem, "struct shmem_sb_info"),
	POINTS(struct space, blocks, OPTIONAL, "all", "max_blocks"),
	PLACES(struct space, used, OPTIONAL, "all", "used_blocks"),
};

enum status signal_faults_open(struct dump *d, struct signal_faults *ret)
{
	enum status st;

	*ret = (struct signal_faults){ .dump = d };
	st = STRUCTS_OPEN(d, rows, ret);
	if (st == ST_OK && !struct_has_all(&ret->task))
		st = dump_absent(d, "this architecture keeps no address of a fault");
	return st ?: vmas_open(d, &ret->vmas) ?: inodes_open(d, &ret->inodes) ?:
		percpu_counters_open(d, &ret->counters);
}

/* max_blocks 0: without a limit. */
static enum status read_space(struct signal_faults *x, const struct inode *inode,
			      struct signal_fault *ret)
{
	const unsigned int shift = x->dump->page_shift;
	struct super_info super = { 0 };
	struct space space = { 0 };
	int64_t used;
	enum status st;

	if (inode->super->status != ST_OK || !inode->super->is_shmem || !struct_has_all(&x->shmem))
		return ST_OK;
	st = struct_read(&x->super, inode->sb, &super)
		     ?: struct_read(&x->shmem, super.info, &space);
	if (st != ST_OK || !space.blocks)
		return st;
	st = percpu_counter_sum(&x->counters, space.used, &used);
	if (st != ST_OK || used < 0 || space.blocks > UINT64_MAX >> shift ||
	    (uint64_t)used > UINT64_MAX >> shift)
		return st;
	ret->has_space = true;
	ret->space = space.blocks << shift;
	ret->used = (uint64_t)used << shift;
	ret->is_full = (uint64_t)used >= space.blocks;
	return ST_OK;
}

static enum status read_file(struct signal_faults *x, const struct vma *vma,
			     struct signal_fault *ret)
{
	const uint64_t page = dump_page_size(x->dump);
	struct opened file = { 0 };
	struct inode inode;
	enum status st = vma_name(&x->vmas, vma, &ret->file);

	ret->offset = (vma->pgoff << x->dump->page_shift) + (ret->address - vma->start);
	st = st ?: struct_read(&x->file, vma->file, &file) ?:
		inode_read(&x->inodes, file.inode, &inode);
	if (st != ST_OK)
		return st;
	ret->has_size = true;
	ret->size = inode.bytes;
	ret->is_beyond = ret->offset / page >= inode.bytes / page + (inode.bytes % page != 0);
	st = read_space(x, &inode, ret);
	if (st != ST_OK)
		dump_lacks(x->dump, "whether the tmpfs of the file is full", st, "%s",
			   dump_why(x->dump));
	return ST_OK;
}

enum status signal_fault_read(struct signal_faults *x, uint64_t task, uint64_t mm,
			      struct signal_fault *ret)
{
	struct dump *d = x->dump;
	struct thread thread = { 0 };
	struct signal_fault found;
	struct vma vma;
	enum status st = struct_read(&x->task, task, &thread);

	if (st == ST_OK && thread.trap != TRAP_PAGE_FAULT)
		st = dump_absent(d, "no signal of the task came of a page fault");
	if (st != ST_OK)
		return st;
	found = (struct signal_fault){ .address = thread.address,
				       .is_write = thread.error & ERROR_WRITE };
	st = mm ? vma_find(&x->vmas, mm, thread.address, &vma) : ST_ABSENT;
	if (st == ST_OK && vma.file)
		st = read_file(x, &vma, &found);
	return RESULT(st == ST_ABSENT ? ST_OK : st, ret, found);
}

#define PATH_SHOWN 200

void signal_fault_words(const struct signal_fault *f, struct strbuf *b)
{
	strbuf_add(b, "a %s ", f->is_write ? "write to" : "read of");
	if (!f->file) {
		strbuf_add(b, "%#lx", f->address);
		return;
	}
	strbuf_add(b, "byte %lu of %.*s", f->offset, PATH_SHOWN, f->file);
	if (f->is_beyond && !f->size)
		strbuf_add(b, ", which is empty");
	else if (f->is_beyond)
		strbuf_add(b, ", which ends before it, at %s", SIZE_TEXT(f->size));
	else if (f->is_full)
		strbuf_add(b, " (%s), whose tmpfs is full: %s of %s are used", SIZE_TEXT(f->size),
			   SIZE_TEXT(f->used), SIZE_TEXT(f->space));
	else if (f->has_size)
		strbuf_add(b, " (%s)", SIZE_TEXT(f->size));
}
