/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many descriptors of a process are taken, by the bits of its table (fs/file.c). */
#pragma once

#include "dump/structure.h"

#define FD_TABLE_MOST (1U << 22) /* of one table; fs.nr_open is 2^20 unless it was raised */

struct fd_bits {
	struct dump *dump;
	struct field task_files; /* of struct task_struct */
	struct structure files, table;
};

/* ST_UNKNOWN: a layout that this build does not know. */
enum status fd_bits_open(struct dump *d, struct fd_bits *ret);

/*
 * Taken ones below limit, of the process of this task_struct; 0 too where its table has no room for least of them,
 * or it has none any more.  ST_CORRUPT: it has more room than a table can have.
 */
enum status fd_bits_count(const struct fd_bits *f, uint64_t task, uint64_t limit, uint64_t least,
			  uint64_t *ret);
