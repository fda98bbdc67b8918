// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/chunks.h"

#include <string.h>

#define MAX_ITEMS (1u << 31) /* numbers of nodes and edges have 32 bits */

static bool take(struct budget *b, uint64_t bytes)
{
	if (bytes > b->left)
		return false;
	b->left -= bytes;
	return true;
}

void *budget_alloc(struct budget *b, struct arena *arena, uint64_t bytes)
{
	if (bytes > SIZE_MAX)
		return NULL;
	if (take(b, bytes))
		return arena_alloc(arena, bytes ? bytes : 1);
	return b->spill ? spill_alloc(b->spill, arena, bytes) : NULL;
}

void chunks_init(struct chunks *c, struct arena *arena, struct budget *budget, size_t item)
{
	*c = (struct chunks){ .arena = arena, .budget = budget, .item = item };
}

static void *take_for(struct chunks *c, uint64_t bytes)
{
	uint64_t left = c->budget->left;
	void *ret = budget_alloc(c->budget, c->arena, bytes);

	c->taken += left - c->budget->left;
	return ret;
}

static bool add_block(struct chunks *c)
{
	uint64_t bytes = CHUNK_ITEMS * c->item;

	if (c->nblocks == c->room) {
		size_t room = c->room ? 2 * c->room : 64;
		uint8_t **blocks = take_for(c, room * sizeof(*blocks));

		if (!blocks)
			return false;
		if (c->nblocks)
			memcpy(blocks, c->blocks, c->nblocks * sizeof(*blocks));
		c->blocks = blocks;
		c->room = room;
	}
	c->blocks[c->nblocks] = take_for(c, bytes);
	if (!c->blocks[c->nblocks])
		return false;
	c->nblocks++;
	return true;
}

void *chunks_add(struct chunks *c)
{
	if (c->n == MAX_ITEMS || (c->n == c->nblocks * CHUNK_ITEMS && !add_block(c)))
		return NULL;
	return chunks_at(c, c->n++);
}

void chunks_free(struct chunks *c)
{
	arena_reset(c->arena);
	c->budget->left += c->taken;
	chunks_init(c, c->arena, c->budget, c->item);
}
