/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One file of a compressed kdump: its blocks as they stand there, compressed. */
#pragma once

#include "file/block_set.h"
#include "file/kdump_header.h"
#include "file/window.h"

/* Pieces of the table of descriptors that were read last. */
struct desc_cache {
	unsigned int slots;
	uint64_t *pieces; /* in each slot a number, plus one */
	uint8_t *bytes;
};

struct kdump_part {
	const struct input *input;
	struct kdump_header header;
	struct block_set blocks; /* those that have a descriptor */
	bool is_cut;		 /* there should be more descriptors */
	struct desc_cache descs;
	struct window data;
};

struct kdump_desc {
	uint64_t at;	    /* offset in the file; 0: the block could not be written */
	unsigned int bytes; /* as compressed */
	unsigned int flags; /* of codec.h; 0: it is not compressed */
};

/* One of that many files.  ST_CORRUPT, ST_UNKNOWN with a message. */
enum status kdump_part_open(struct dump *d, const struct input *in, size_t files,
			    struct kdump_part *ret);

/*
 * Of a block that is in part->blocks.  ST_UNREADABLE: the file ends before it; ST_CORRUPT: it
 * cannot be.
 */
enum status kdump_part_desc(struct kdump_part *part, uint64_t block, struct kdump_desc *ret);

/*
 * The first n bytes of it, at most desc->bytes, until the next call; NULL: the file does not have
 * them.
 */
const uint8_t *kdump_part_bytes(struct kdump_part *part, const struct kdump_desc *desc, size_t n);

/* Why blocks are missing that should be there; NULL: none is known to be. */
const char *kdump_part_incomplete(struct kdump_part *part);
