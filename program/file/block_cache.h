/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of memory that were read last, for those who ask for parts of them. */
#pragma once

#include "dump/dump.h"

struct block_cache {
	unsigned int shift; /* of the bytes of a block */
	size_t sets;
	uint64_t *blocks; /* number of that in each slot, or UINT64_MAX */
	uint8_t *oldest;  /* of each set: the slot that is taken next */
	/* Of each slot, from its first block on: few blocks are side by side, in few pages of memory. */
	uint8_t **places;
	uint8_t *bytes;
	size_t used; /* of these */
};

/* Of blocks of 1 << shift bytes, 4096 to 65536; 8 MiB in all. */
void block_cache_open(struct dump *d, unsigned int shift, struct block_cache *ret);

/* Its bytes, until the next block_cache_take(); NULL: it is not there. */
const uint8_t *block_cache_find(const struct block_cache *c, uint64_t block);

/* Room for a block in place of another: what is written there becomes it by block_cache_keep(). */
uint8_t *block_cache_take(struct block_cache *c, uint64_t block);
void block_cache_keep(struct block_cache *c, uint64_t block);
