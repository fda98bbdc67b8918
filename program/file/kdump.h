/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory in a compressed kdump: behind the headers a bitmap of the blocks that are in the file, a
 * descriptor for each of those, and the blocks, compressed one by one.  A split one is several such
 * files, each with a part of the blocks.
 */
#pragma once

#include "file/input.h"
#include "file/kdump_header.h"
#include "file/vmcore.h"

struct kdump;

/* The files are kept.  ST_USAGE, ST_UNKNOWN, ST_CORRUPT with a message. */
enum status kdump_open(struct dump *d, const struct input *files, size_t n,
		       struct vmcore_facts *facts, struct kdump **ret);

/*
 * A whole block, facts->block_bytes of it.  ST_UNREADABLE: it was left out or the file ends before
 * it; ST_CORRUPT: it does not uncompress.
 */
enum status kdump_block(struct kdump *k, uint64_t block, void *buf);

/* The first bytes of a block as codec_start() has them; false: as a whole alone. */
bool kdump_start(struct kdump *k, uint64_t block, void *buf, size_t len);

/* Bytes that a block takes in the file; 0: it is not compressed, or not there. */
size_t kdump_stored(struct kdump *k, uint64_t block);

/* The first run of blocks at or above *block, up to *end; false: none. */
bool kdump_next(const struct kdump *k, uint64_t *block, uint64_t *end);
