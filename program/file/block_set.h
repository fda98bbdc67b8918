/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which blocks of memory are in a file: a bit each, and how many come before one. */
#pragma once

#include "file/input.h"

struct block_set {
	uint64_t start, end; /* numbers of blocks; none is in it outside */
	uint64_t n;	     /* that are in it */
	uint64_t base;	     /* start, rounded down to a word */
	uint64_t *words;
	uint64_t *ranks; /* how many before each RANK_BITS */
};

/*
 * Of the blocks from start to end, by the bitmap of all blocks that stands at an offset.
 * ST_UNREADABLE: the file does not have it.
 */
enum status block_set_read(struct dump *d, const struct input *in, uint64_t at, uint64_t start,
			   uint64_t end, struct block_set *ret);

/* Keeps the first n blocks of it. */
void block_set_cut(struct block_set *s, uint64_t n);

bool block_set_has(const struct block_set *s, uint64_t block);

/* Of one that it has. */
uint64_t block_set_rank(const struct block_set *s, uint64_t block);

/* The first run at or above *block, up to *end; false: none. */
bool block_set_next(const struct block_set *s, uint64_t *block, uint64_t *end);
