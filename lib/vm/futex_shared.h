/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Futexes that processes share, of a file or of shared memory: where they are in the memory of one process, and which
 * processes map the same file. Its key has the i_sequence of the inode, before 5.6 the address of the inode, and the
 * page of the file (kernel/futex/core.c).
 */
#pragma once

#include "kernel/rb_tree.h"
#include "vm/futex.h"
#include "vm/vma.h"

struct shared_futexes {
	struct dump *dump;
	struct field inode;    /* of struct file */
	struct field sequence; /* of struct inode */
	struct field mapping;  /* the same */
	struct field tree;     /* of struct address_space: its root node */
	struct field node, mm; /* of struct vm_area_struct */
	struct rb_types rb;
	struct vmas vmas;
};

/* *ret must stay where it is. ST_UNKNOWN: a layout that this build does not know. */
enum status shared_futexes_open(struct dump *d, struct shared_futexes *ret);

struct shared_futex {
	uint64_t address; /* in the memory of the one that waits */
	uint64_t inode;
	const char *name; /* of the file; NULL: unknown */
};

/*
 * By its key and the stack of the one that waits, where a system call saved the address that it was given: of these
 * words the one whose mapping has the inode and the page of the key. ST_ABSENT: none has.
 */
enum status shared_futex_find(struct shared_futexes *x, uint64_t mm, const struct futex_key *key,
			      const struct task_stack *s, struct shared_futex *ret);

/* Whether a process maps the file. ST_UNREADABLE, ST_CORRUPT: it was not found among those that are known. */
enum status shared_futex_is_mapped(const struct shared_futexes *x, uint64_t inode, uint64_t mm,
				   bool *ret);
