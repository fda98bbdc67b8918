// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/vma.h"

#include "util/utf8.h"

#define MAX_DEPTH 64 /* an rb tree of 2^32 nodes is no deeper */
#define MAX_NAME 256 /* ANON_VMA_NAME_MAX_LEN is 80, a special mapping's is shorter */

struct mm_areas {
	uint64_t brk, start_brk, start_stack;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct vmas, vma, "struct vm_area_struct"),
	READS(struct vma, start, REQUIRED, "all", "vm_start"),
	READS(struct vma, end, REQUIRED, "all", "vm_end"),
	READS(struct vma, pgoff, REQUIRED, "all", "vm_pgoff"),
	READS(struct vma, flags, REQUIRED, "all", "vm_flags"),
	READS(struct vma, mm, REQUIRED, "all", "vm_mm"),
	READS(struct vma, file, REQUIRED, "all", "vm_file"),
	READS(struct vma, ops, REQUIRED, "all", "vm_ops"),
	READS(struct vma, private, REQUIRED, "all", "vm_private_data"),
	READS(struct vma, anon_name, OPTIONAL, "5.17, CONFIG_ANON_VMA_NAME", "anon_name"),
	FINDS(struct vmas, shared, "struct vm_area_struct", OPTIONAL, "all", "shared"),
	FINDS(struct vmas, rb, "struct vm_area_struct", OPTIONAL, "to 6.0", "vm_rb"),
	FINDS(struct vmas, mm_mt, "struct mm_struct", OPTIONAL, "6.1", "mm_mt"),
	FINDS(struct vmas, mm_rb, "struct mm_struct", OPTIONAL, "to 6.0", "mm_rb"),
	STRUCTURE(struct vmas, mm, "struct mm_struct"),
	READS(struct mm_areas, brk, REQUIRED, "all", "brk"),
	READS(struct mm_areas, start_brk, REQUIRED, "all", "start_brk"),
	READS(struct mm_areas, start_stack, REQUIRED, "all", "start_stack"),
	FINDS(struct vmas, root, "struct rb_root", OPTIONAL, "all", "rb_node"),
	FINDS(struct vmas, left, "struct rb_node", OPTIONAL, "all", "rb_left"),
	FINDS(struct vmas, right, "struct rb_node", OPTIONAL, "all", "rb_right"),
	FINDS(struct vmas, ops_name, "struct vm_operations_struct", OPTIONAL, "3.16", "name"),
	FINDS(struct vmas, mapping_name, "struct vm_special_mapping", OPTIONAL, "3.16", "name"),
	FINDS(struct vmas, anon_name_text, "struct anon_vma_name", OPTIONAL, "5.17", "name"),
};

enum status vmas_open(struct dump *d, struct vmas *ret)
{
	struct vmas v = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &v);

	if (st == ST_OK && !v.mm_mt.present &&
	    (!v.mm_rb.present || !v.rb.present || !v.left.present || !v.right.present ||
	     !v.root.present))
		st = dump_unknown(d, "struct mm_struct has neither mm_mt nor mm_rb");
	if (st != ST_OK)
		return st;
	if (dump_ask(d, symbol, "special_mapping_name", &v.special_name) != ST_OK)
		v.special_name = 0;
	if (v.mm_mt.present)
		v.no_tree = problem_of_part(d, maple_open(d, &v.maple));
	if (v.no_tree.text)
		dump_lacks(d, "mappings of addresses", v.no_tree.status, "%s", d->error);
	*ret = v;
	ret->no_paths = problem_of_part(d, file_paths_open(d, &ret->paths));
	if (ret->no_paths.text)
		dump_lacks(d, "names of files", ret->no_paths.status, "%s", d->error);
	return ST_OK;
}

enum status vma_read(const struct vmas *v, uint64_t addr, struct vma *ret)
{
	struct dump *d = v->dump;
	struct vma vma = { .address = addr };
	enum status st = struct_read(&v->vma, addr, &vma);

	if (st != ST_OK)
		return st;
	if (vma.start >= vma.end || (vma.start | vma.end) & (dump_page_size(d) - 1))
		return dump_corrupt(d, "vm_area_struct at %#lx is from %#lx to %#lx", addr,
				    vma.start, vma.end);
	*ret = vma;
	return ST_OK;
}

static enum status no_vma(struct dump *d, uint64_t addr)
{
	return dump_absent(d, "no VMA has %#lx", addr);
}

/* The rb tree is in order of addresses, and its VMAs do not overlap (find_vma()). */
static enum status find_in_rb_tree(const struct vmas *v, uint64_t mm, uint64_t addr,
				   struct vma *ret)
{
	struct dump *d = v->dump;
	uint64_t at = mm + v->mm_rb.offset + v->root.offset, node;

	for (unsigned int depth = 0; depth < MAX_DEPTH; depth++) {
		enum status st = dump_u64(d, at, &node, "mm_rb");

		if (st == ST_OK && !node)
			return no_vma(d, addr);
		st = st ?: vma_read(v, node - v->rb.offset, ret);
		if (st != ST_OK || (addr >= ret->start && addr < ret->end))
			return st;
		at = node + (addr < ret->start ? v->left.offset : v->right.offset);
	}
	return dump_corrupt(d, "the tree of VMAs loops at %#lx", at);
}

enum status vma_find(const struct vmas *v, uint64_t mm, uint64_t addr, struct vma *ret)
{
	struct dump *d = v->dump;
	struct vma vma;
	uint64_t found;
	enum status st;

	if (v->no_tree.text)
		return first_problem_end(d, &v->no_tree);
	if (v->mm_mt.present) {
		st = maple_find(&v->maple, mm + v->mm_mt.offset, addr, &found);
		if (st == ST_ABSENT)
			return no_vma(d, addr);
		st = st ?: vma_read(v, found, &vma);
	} else {
		st = find_in_rb_tree(v, mm, addr, &vma);
	}
	if (st != ST_OK)
		return st;
	if (vma.mm != mm || addr < vma.start || addr >= vma.end)
		return dump_corrupt(d, "vm_area_struct at %#lx is of another mm or has not %#lx",
				    vma.address, addr);
	*ret = vma;
	return ST_OK;
}

/* A name of the dump between brackets: control characters must not reach a terminal. */
static enum status bracketed(struct dump *d, const char *format, uint64_t addr, const char **ret)
{
	char name[MAX_NAME];
	enum status st = dump_string(d, addr, name, sizeof(name), "name of a VMA");

	if (st != ST_OK)
		return st;
	printable(name);
	*ret = dump_text(d, format, name);
	return ST_OK;
}

static enum status anon_name(const struct vmas *v, const struct vma *vma, const char *format,
			     const char **ret)
{
	return bracketed(v->dump, format, vma->anon_name + v->anon_name_text.offset, ret);
}

/* Up to 6.1 the name of anonymous memory shares its bytes with the interval tree of a file. */
static bool is_named(const struct vmas *v, const struct vma *vma)
{
	const struct field *name = STRUCT_FIELD(&v->vma, struct vma, anon_name),
			   *shared = &v->shared;
	bool overlaid = shared->present && name->offset >= shared->offset &&
			name->offset < shared->offset + shared->size;

	if (vma->file && overlaid)
		return false;
	return vma->anon_name && v->anon_name_text.present;
}

/* [vdso] and its like: vm_ops->name is special_mapping_name() (mm/mmap.c). */
static enum status special_name(const struct vmas *v, const struct vma *vma, const char **ret)
{
	struct dump *d = v->dump;
	uint64_t function, name;
	enum status st;

	if (vma->ops && !v->special_name)
		dump_lacks(d, "names of special mappings", ST_UNKNOWN,
			   "unknown layout: no symbol special_mapping_name");
	if (!vma->ops || !v->special_name || !v->ops_name.present || !v->mapping_name.present)
		return ST_OK;
	st = dump_u64(d, vma->ops + v->ops_name.offset, &function, "vm_operations_struct");
	if (st != ST_OK || function != v->special_name)
		return st;
	return dump_u64(d, vma->private + v->mapping_name.offset, &name, "vm_special_mapping")
		       ?: bracketed(d, "%s", name, ret);
}

/* As vma_is_initial_heap() and vma_is_initial_stack() (include/linux/mm.h). */
static enum status area_name(const struct vmas *v, const struct vma *vma, const char **ret)
{
	struct mm_areas mm;
	enum status st = struct_read(&v->mm, vma->mm, &mm);

	if (st != ST_OK)
		return st;
	if (vma->start < mm.brk && vma->end > mm.start_brk)
		*ret = "[heap]";
	else if (vma->start <= mm.start_stack && vma->end >= mm.start_stack)
		*ret = "[stack]";
	return ST_OK;
}

/* In the order of show_map_vma() (fs/proc/task_mmu.c). */
enum status vma_name(struct vmas *v, const struct vma *vma, const char **ret)
{
	const char *name = NULL;
	enum status st = ST_OK;

	if (vma->file && is_named(v, vma))
		st = anon_name(v, vma, "[anon_shmem:%s]", &name);
	else if (vma->file && v->no_paths.text)
		return first_problem_end(v->dump, &v->no_paths);
	else if (vma->file)
		st = file_path(&v->paths, vma->file, &name);
	else
		st = special_name(v, vma, &name);
	if (st == ST_OK && !name)
		st = area_name(v, vma, &name);
	if (st == ST_OK && !name && is_named(v, vma))
		st = anon_name(v, vma, "[anon:%s]", &name);
	return RESULT(st, ret, name);
}

void vma_perms(const struct vma *vma, char ret[VMA_PERMS_BYTES])
{
	ret[0] = vma->flags & VMA_READ ? 'r' : '-';
	ret[1] = vma->flags & VMA_WRITE ? 'w' : '-';
	ret[2] = vma->flags & VMA_EXEC ? 'x' : '-';
	ret[3] = vma->flags & VMA_MAYSHARE ? 's' : 'p';
	ret[4] = '\0';
}
