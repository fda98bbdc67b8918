// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/vma.h"

#include <stdio.h>
#include <string.h>

#include "dump/layout.h"
#include "util/printable.h"

#define MAX_DEPTH 64 /* an rb tree of 2^32 nodes is no deeper */
#define MAX_NAME 256 /* ANON_VMA_NAME_MAX_LEN is 80, a special mapping's is shorter */

static const struct layout_row rows[VMA_FIELDS] = {
	[VMA_START] = { "struct vm_area_struct", { "vm_start" }, REQUIRED, "all" },
	[VMA_END] = { "struct vm_area_struct", { "vm_end" }, REQUIRED, "all" },
	[VMA_PGOFF] = { "struct vm_area_struct", { "vm_pgoff" }, REQUIRED, "all" },
	[VMA_FLAGS] = { "struct vm_area_struct", { "vm_flags" }, REQUIRED, "all" },
	[VMA_MM] = { "struct vm_area_struct", { "vm_mm" }, REQUIRED, "all" },
	[VMA_FILE] = { "struct vm_area_struct", { "vm_file" }, REQUIRED, "all" },
	[VMA_OPS] = { "struct vm_area_struct", { "vm_ops" }, REQUIRED, "all" },
	[VMA_PRIVATE] = { "struct vm_area_struct", { "vm_private_data" }, REQUIRED, "all" },
	[VMA_ANON_NAME] = { "struct vm_area_struct",
			    { "anon_name" },
			    OPTIONAL,
			    "5.17, CONFIG_ANON_VMA_NAME" },
	[VMA_SHARED] = { "struct vm_area_struct", { "shared" }, OPTIONAL, "all" },
	[VMA_RB] = { "struct vm_area_struct", { "vm_rb" }, OPTIONAL, "to 6.0" },
};

static const struct layout_row mm_rows[VMA_MM_FIELDS] = {
	[MM_MT] = { "struct mm_struct", { "mm_mt" }, OPTIONAL, "6.1" },
	[MM_RB] = { "struct mm_struct", { "mm_rb" }, OPTIONAL, "to 6.0" },
	[MM_BRK] = { "struct mm_struct", { "brk" }, REQUIRED, "all" },
	[MM_START_BRK] = { "struct mm_struct", { "start_brk" }, REQUIRED, "all" },
	[MM_START_STACK] = { "struct mm_struct", { "start_stack" }, REQUIRED, "all" },
};

static const struct layout_row other_rows[VMA_OTHER_FIELDS] = {
	[RB_ROOT] = { "struct rb_root", { "rb_node" }, OPTIONAL, "all" },
	[RB_LEFT] = { "struct rb_node", { "rb_left" }, OPTIONAL, "all" },
	[RB_RIGHT] = { "struct rb_node", { "rb_right" }, OPTIONAL, "all" },
	[OPS_NAME] = { "struct vm_operations_struct", { "name" }, OPTIONAL, "3.16" },
	[SPECIAL_NAME] = { "struct vm_special_mapping", { "name" }, OPTIONAL, "3.16" },
	[ANON_NAME_TEXT] = { "struct anon_vma_name", { "name" }, OPTIONAL, "5.17" },
};

enum status vmas_open(struct dump *d, struct vmas *ret)
{
	struct vmas v = { .dump = d };
	enum status st = layout_resolve(d, rows, VMA_FIELDS, v.f);

	if (st == ST_OK)
		st = layout_resolve(d, mm_rows, VMA_MM_FIELDS, v.mm);
	if (st == ST_OK)
		st = layout_resolve(d, other_rows, VMA_OTHER_FIELDS, v.other);
	if (st == ST_OK)
		st = layout_buffer(d, "struct vm_area_struct", layout_span(v.f, VMA_FIELDS),
				   &v.copy);
	if (st == ST_OK && !v.mm[MM_MT].present &&
	    (!v.mm[MM_RB].present || !v.f[VMA_RB].present || !v.other[RB_LEFT].present ||
	     !v.other[RB_RIGHT].present || !v.other[RB_ROOT].present))
		st = dump_fail(d, ST_UNKNOWN,
			       "unknown layout: struct mm_struct has neither mm_mt nor mm_rb");
	if (st != ST_OK)
		return st;
	if (d->ops->symbol(d->priv, "special_mapping_name", &v.special_name) != ST_OK)
		v.special_name = 0;
	if (v.mm[MM_MT].present)
		v.tree_status = maple_open(d, &v.maple);
	if (v.tree_status != ST_OK) {
		v.tree_error = arena_strdup(d->arena, d->error);
		dump_lacks(d, "mappings of addresses", v.tree_status, "%s", d->error);
	}
	*ret = v;
	ret->paths_status = file_paths_open(d, &ret->paths);
	if (ret->paths_status != ST_OK) {
		ret->paths_error = arena_strdup(d->arena, d->error);
		dump_lacks(d, "names of files", ret->paths_status, "%s", d->error);
	}
	return ST_OK;
}

enum status vma_read(const struct vmas *v, uint64_t addr, struct vma *ret)
{
	struct dump *d = v->dump;
	const uint8_t *raw = v->copy.raw;
	struct vma vma;
	enum status st = layout_read(d, addr, &v->copy, "vm_area_struct");

	if (st != ST_OK)
		return st;
	vma = (struct vma){
		.address = addr,
		.mm = field_get(&v->f[VMA_MM], raw),
		.start = field_get(&v->f[VMA_START], raw),
		.end = field_get(&v->f[VMA_END], raw),
		.pgoff = field_get(&v->f[VMA_PGOFF], raw),
		.flags = field_get(&v->f[VMA_FLAGS], raw),
		.file = field_get(&v->f[VMA_FILE], raw),
		.ops = field_get(&v->f[VMA_OPS], raw),
		.private = field_get(&v->f[VMA_PRIVATE], raw),
		.anon_name = field_get(&v->f[VMA_ANON_NAME], raw),
	};
	if (vma.start >= vma.end || (vma.start | vma.end) & (dump_page_size(d) - 1))
		return dump_fail(d, ST_CORRUPT, "vm_area_struct at %#llx is from %#llx to %#llx",
				 (unsigned long long)addr, (unsigned long long)vma.start,
				 (unsigned long long)vma.end);
	*ret = vma;
	return ST_OK;
}

static enum status no_vma(struct dump *d, uint64_t addr)
{
	return dump_fail(d, ST_ABSENT, "no VMA has %#llx", (unsigned long long)addr);
}

/* The rb tree is in order of addresses, and its VMAs do not overlap (find_vma()). */
static enum status find_in_rb_tree(const struct vmas *v, uint64_t mm, uint64_t addr,
				   struct vma *ret)
{
	struct dump *d = v->dump;
	uint64_t at = mm + v->mm[MM_RB].offset + v->other[RB_ROOT].offset, node;

	for (unsigned int depth = 0; depth < MAX_DEPTH; depth++) {
		enum status st = dump_u64(d, at, &node, "mm_rb");

		if (st == ST_OK && !node)
			return no_vma(d, addr);
		if (st == ST_OK)
			st = vma_read(v, node - v->f[VMA_RB].offset, ret);
		if (st != ST_OK || (addr >= ret->start && addr < ret->end))
			return st;
		at = node + v->other[addr < ret->start ? RB_LEFT : RB_RIGHT].offset;
	}
	return dump_fail(d, ST_CORRUPT, "the tree of VMAs loops at %#llx", (unsigned long long)at);
}

enum status vma_find(const struct vmas *v, uint64_t mm, uint64_t addr, struct vma *ret)
{
	struct dump *d = v->dump;
	struct vma vma;
	uint64_t found;
	enum status st;

	if (v->tree_status != ST_OK)
		return dump_fail(d, v->tree_status, "%s", v->tree_error);
	if (v->mm[MM_MT].present) {
		st = maple_find(&v->maple, mm + v->mm[MM_MT].offset, addr, &found);
		if (st == ST_ABSENT)
			return no_vma(d, addr);
		if (st == ST_OK)
			st = vma_read(v, found, &vma);
	} else {
		st = find_in_rb_tree(v, mm, addr, &vma);
	}
	if (st != ST_OK)
		return st;
	if (vma.mm != mm || addr < vma.start || addr >= vma.end)
		return dump_fail(d, ST_CORRUPT,
				 "vm_area_struct at %#llx is of another mm or has not %#llx",
				 (unsigned long long)vma.address, (unsigned long long)addr);
	*ret = vma;
	return ST_OK;
}

/* A name of the dump between brackets: control characters must not reach a terminal. */
static enum status bracketed(struct dump *d, const char *format, uint64_t addr, const char **ret)
{
	char name[MAX_NAME], text[MAX_NAME + 16];
	enum status st = dump_string(d, addr, name, sizeof(name), "name of a VMA");

	if (st != ST_OK)
		return st;
	printable(name);
	snprintf(text, sizeof(text), format, name);
	*ret = arena_strdup(d->arena, text);
	return *ret ? ST_OK : dump_no_memory(d);
}

static enum status anon_name(const struct vmas *v, const struct vma *vma, const char *format,
			     const char **ret)
{
	return bracketed(v->dump, format, vma->anon_name + v->other[ANON_NAME_TEXT].offset, ret);
}

/* Up to 6.1 the name of anonymous memory shares its bytes with the interval tree of a file. */
static bool is_named(const struct vmas *v, const struct vma *vma)
{
	const struct field *name = &v->f[VMA_ANON_NAME], *shared = &v->f[VMA_SHARED];
	bool overlaid = shared->present && name->offset >= shared->offset &&
			name->offset < shared->offset + shared->size;

	if (vma->file && overlaid)
		return false;
	return vma->anon_name && v->other[ANON_NAME_TEXT].present;
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
	if (!vma->ops || !v->special_name || !v->other[OPS_NAME].present ||
	    !v->other[SPECIAL_NAME].present)
		return ST_OK;
	st = dump_u64(d, vma->ops + v->other[OPS_NAME].offset, &function, "vm_operations_struct");
	if (st != ST_OK || function != v->special_name)
		return st;
	st = dump_u64(d, vma->private + v->other[SPECIAL_NAME].offset, &name, "vm_special_mapping");
	return st == ST_OK ? bracketed(d, "%s", name, ret) : st;
}

/* As vma_is_initial_heap() and vma_is_initial_stack() (include/linux/mm.h). */
static enum status area_name(const struct vmas *v, const struct vma *vma, const char **ret)
{
	struct dump *d = v->dump;
	uint64_t brk, start_brk, start_stack;
	enum status st = dump_u64(d, vma->mm + v->mm[MM_BRK].offset, &brk, "mm_struct");

	if (st == ST_OK)
		st = dump_u64(d, vma->mm + v->mm[MM_START_BRK].offset, &start_brk, "mm_struct");
	if (st == ST_OK)
		st = dump_u64(d, vma->mm + v->mm[MM_START_STACK].offset, &start_stack, "mm_struct");
	if (st != ST_OK)
		return st;
	if (vma->start < brk && vma->end > start_brk)
		*ret = "[heap]";
	else if (vma->start <= start_stack && vma->end >= start_stack)
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
	else if (vma->file && v->paths_status != ST_OK)
		return dump_fail(v->dump, v->paths_status, "%s", v->paths_error);
	else if (vma->file)
		st = file_path(&v->paths, vma->file, &name);
	else
		st = special_name(v, vma, &name);
	if (st == ST_OK && !name)
		st = area_name(v, vma, &name);
	if (st == ST_OK && !name && is_named(v, vma))
		st = anon_name(v, vma, "[anon:%s]", &name);
	if (st == ST_OK)
		*ret = name;
	return st;
}

void vma_perms(const struct vma *vma, char ret[VMA_PERMS_BYTES])
{
	ret[0] = vma->flags & VMA_READ ? 'r' : '-';
	ret[1] = vma->flags & VMA_WRITE ? 'w' : '-';
	ret[2] = vma->flags & VMA_EXEC ? 'x' : '-';
	ret[3] = vma->flags & VMA_MAYSHARE ? 's' : 'p';
	ret[4] = '\0';
}
