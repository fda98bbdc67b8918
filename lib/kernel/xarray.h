/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entries of an XArray, which an IDR is as well (include/linux/xarray.h, 4.20 and later), or of the
 * radix tree that was there before (include/linux/radix-tree.h).
 *
 *	for (xa_begin(&x, d, head); xa_next(&x, &index, &entry);)
 *		...
 *	st = xa_end(&x);
 */
#pragma once

#include "dump/structure.h"

#define XA_DEPTH 12 /* nodes of 64 entries above an index of 64 bits */
#define XA_SLOTS 64 /* XA_CHUNK_SIZE */

struct xa_entries {
	struct dump *dump;
	struct field shift, slots; /* of a node */
	uint64_t mark, head;
	bool is_open;
	unsigned int nodes, depth;
	struct first_problem problem; /* of a node that was left out, with all below it */
	struct xa_level {
		uint64_t index;
		uint8_t shift, next, slots[XA_SLOTS * 8];
	} path[XA_DEPTH];
};

/* head: the value of xa_head, or of rnode. */
void xa_begin(struct xa_entries *x, struct dump *d, uint64_t head);

/* The head of the tree of an IDR. ST_UNKNOWN: no such symbol. */
enum status idr_open(struct dump *d, const char *name, uint64_t *head);
/* The same of an IDR at an address. */
enum status idr_head(struct dump *d, uint64_t idr, const char *name, uint64_t *head);

/* The next entry that is a pointer, by rising index; false: there is none, or the user has asked to stop. */
bool xa_next(struct xa_entries *x, uint64_t *index, uint64_t *entry);

/* ST_OK: all were given; else what was left out first; ST_STOPPED. */
enum status xa_end(const struct xa_entries *x);
