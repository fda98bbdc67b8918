/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The VMA of a user address, from the maple tree (6.1 and later) or the rb tree of its mm. */
#ifndef MEMOWNER_VM_VMA_H
#define MEMOWNER_VM_VMA_H

#include "dump/dump.h"
#include "dump/layout.h"
#include "files/dentry_path.h"
#include "kernel/maple_tree.h"

enum vma_field {
	VMA_START,
	VMA_END,
	VMA_PGOFF,
	VMA_FLAGS,
	VMA_MM,
	VMA_FILE,
	VMA_OPS,
	VMA_PRIVATE,
	VMA_ANON_NAME,
	VMA_SHARED,
	VMA_RB,
	VMA_FIELDS
};

enum vma_mm_field { MM_MT, MM_RB, MM_BRK, MM_START_BRK, MM_START_STACK, VMA_MM_FIELDS };

enum vma_other_field {
	RB_ROOT,
	RB_LEFT,
	RB_RIGHT,
	OPS_NAME,
	SPECIAL_NAME,
	ANON_NAME_TEXT,
	VMA_OTHER_FIELDS
};

struct vmas {
	struct dump *dump;
	struct field f[VMA_FIELDS], mm[VMA_MM_FIELDS], other[VMA_OTHER_FIELDS];
	struct maple maple;	 /* where mm_struct has mm_mt */
	enum status tree_status; /* of maple: without it no address is found */
	const char *tree_error;
	struct layout_buffer copy; /* of what is read of a struct vm_area_struct */
	uint64_t special_name;	   /* address of special_mapping_name(), 0: unknown */
	struct file_paths paths;
	enum status paths_status; /* of paths */
	const char *paths_error;
};

/* Bits of vma.flags, the same since 2.6 (include/linux/mm.h). */
#define VMA_READ 0x1ULL
#define VMA_WRITE 0x2ULL
#define VMA_EXEC 0x4ULL
#define VMA_MAYSHARE 0x80ULL

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

#define VMA_PERMS_BYTES 5
/* "rw-p" */
void vma_perms(const struct vma *vma, char ret[VMA_PERMS_BYTES]);

#endif
