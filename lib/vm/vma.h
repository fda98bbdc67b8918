/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The VMA of a user address, from the maple tree (6.1 and later) or the rb tree of its mm. */
#pragma once

#include "files/dentry_path.h"
#include "kernel/maple_tree.h"

struct vmas {
	struct dump *dump;
	struct structure vma, mm;
	struct field shared, rb;	/* of struct vm_area_struct */
	struct field mm_mt, mm_rb;	/* of struct mm_struct */
	struct field root, left, right; /* of struct rb_root, rb_node */
	struct field ops_name, mapping_name, anon_name_text;
	struct maple maple;	      /* where mm_struct has mm_mt */
	struct first_problem no_tree; /* of maple: without it no address is found */
	uint64_t special_name;	      /* address of special_mapping_name(), 0: unknown */
	struct file_paths paths;
	struct first_problem no_paths;
};

/* Bits of vma.flags, the same since 2.6 (include/linux/mm.h). */
#define VMA_READ 0x1ULL
#define VMA_WRITE 0x2ULL
#define VMA_EXEC 0x4ULL
#define VMA_MAYSHARE 0x80ULL
#define VMA_LOCKED 0x2000ULL

struct vma {
	uint64_t address;    /* of vm_area_struct */
	uint64_t mm;	     /* of mm_struct */
	uint64_t start, end; /* bytes; end is the first one behind it */
	uint64_t pgoff;	     /* pages into the file, or the address of anonymous memory in pages */
	uint64_t flags;	     /* VMA_READ and so on */
	uint64_t file;	     /* of struct file, 0: none */
	uint64_t ops, private, anon_name;
};

/* *ret must stay where it is, as struct file_paths. */
enum status vmas_open(struct dump *d, struct vmas *ret);

/* The VMA of mm that has addr in it; ST_ABSENT: there is none. */
enum status vma_find(const struct vmas *v, uint64_t mm, uint64_t addr, struct vma *ret);

/* The vm_area_struct at an address; ST_CORRUPT: it cannot be one. */
enum status vma_read(const struct vmas *v, uint64_t addr, struct vma *ret);

/*
 * Its name as /proc/PID/maps has it: path of the file, "[heap]", "[stack]", "[vdso]",
 * "[anon:NAME]"; NULL: the kernel prints none.  *ret lives as long as the command.
 */
enum status vma_name(struct vmas *v, const struct vma *vma, const char **ret);

#define VMA_PERMS_BYTES 5 /* four letters and the end */
/* "rw-p" */
void vma_perms(const struct vma *vma, char ret[VMA_PERMS_BYTES]);
