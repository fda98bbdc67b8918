/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory in a compressed kdump (makedumpfile's IMPLEMENTATION; QEMU writes the same): a header, a bitmap
 * of the blocks that are in the file, a descriptor for each of those, and the blocks, compressed one by one.
 */
#ifndef MEMOWNER_FILE_KDUMP_H
#define MEMOWNER_FILE_KDUMP_H

#include "file/input.h"
#include "file/vmcore.h"

#define KDUMP_SIGNATURE "KDUMP   "
#define KDUMP_MOST_BLOCK 65536

struct kdump;

/* ST_UNKNOWN, ST_CORRUPT with a message; ST_NOMEM. */
enum status kdump_open(struct dump *d, const struct input *in, struct vmcore_facts *facts,
		       struct kdump **ret);

/*
 * A whole block, facts->block_bytes of it.  ST_UNREADABLE: it was left out or the file ends before it;
 * ST_CORRUPT: it does not uncompress.
 */
enum status kdump_block(struct kdump *k, uint64_t block, void *buf);

/* The first run of blocks at or above *block, up to *end; false: none. */
bool kdump_next(const struct kdump *k, uint64_t *block, uint64_t *end);

#endif
