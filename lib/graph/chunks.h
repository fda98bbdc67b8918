/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array that grows without a copy: blocks of a fixed number of items.  What it may take is counted
 * in a budget that several share.
 */
#pragma once

#include "util/spill.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHUNK_ITEMS 4096u

/* Bytes that may be taken of memory, and what is left of them; behind them, a file. */
struct budget {
	uint64_t total, left;
	struct spill *spill; /* NULL: there is none */
};

struct chunks {
	struct arena *arena;
	struct budget *budget;
	uint8_t **blocks;
	size_t item, nblocks, room;
	uint64_t taken; /* of the budget */
	uint32_t n;
};

void chunks_init(struct chunks *c, struct arena *arena, struct budget *budget, size_t item);

/* A new item, zeroed; NULL: the budget is spent, or there are 2^31 of them. */
void *chunks_add(struct chunks *c);

/* Gives all of it back, of memory and of the budget: nothing else is in its arena. It is empty then. */
void chunks_free(struct chunks *c);

/* Memory of bytes zeroed, in the file where the budget has not so much; NULL: nor has the file. */
void *budget_alloc(struct budget *b, struct arena *arena, uint64_t bytes);

/* i: below c->n. */
static inline void *chunks_at(const struct chunks *c, uint32_t i)
{
	return c->blocks[i / CHUNK_ITEMS] + (i % CHUNK_ITEMS) * c->item;
}
