// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/block_cache.h"

#define ALL_BYTES (8u << 20) /* of decompressed pages that are kept */
#define WAYS 4
#define NO_BLOCK UINT64_MAX

void block_cache_open(struct dump *d, unsigned int shift, struct block_cache *ret)
{
	size_t slots = ALL_BYTES >> shift;
	struct block_cache c = { .shift = shift, .sets = slots / WAYS };

	c.blocks = dump_alloc(d, slots * sizeof(*c.blocks));
	c.oldest = dump_alloc(d, c.sets);
	c.places = dump_alloc(d, slots * sizeof(*c.places));
	c.bytes = dump_alloc(d, ALL_BYTES);
	for (size_t i = 0; i < slots; i++)
		c.blocks[i] = NO_BLOCK;
	*ret = c;
}

const uint8_t *block_cache_find(const struct block_cache *c, uint64_t block)
{
	size_t set = block % c->sets * WAYS;

	for (size_t i = set; i < set + WAYS; i++)
		if (c->blocks[i] == block)
			return c->places[i];
	return NULL;
}

static size_t next_slot(const struct block_cache *c, uint64_t block)
{
	return block % c->sets * WAYS + c->oldest[block % c->sets];
}

uint8_t *block_cache_take(struct block_cache *c, uint64_t block)
{
	size_t slot = next_slot(c, block);

	c->blocks[slot] = NO_BLOCK;
	if (!c->places[slot]) {
		c->places[slot] = c->bytes + c->used;
		c->used += (size_t)1 << c->shift;
	}
	return c->places[slot];
}

void block_cache_keep(struct block_cache *c, uint64_t block)
{
	size_t set = block % c->sets;

	c->blocks[next_slot(c, block)] = block;
	c->oldest[set] = (c->oldest[set] + 1) % WAYS;
}
