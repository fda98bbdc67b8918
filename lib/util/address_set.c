// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/address_set.h"

#define PART_SHIFT 12 /* 64 bytes of bits, one for every 8 bytes: 32 objects of 128 bytes */
#define PART_WORDS ((1 << PART_SHIFT) / 8 / 64)

void address_set_init(struct address_set *s, struct arena *arena)
{
	*s = (struct address_set){ .last = 0 };
	hash_u64_init(&s->parts, arena, PART_WORDS * sizeof(uint64_t));
}

/* Those that are not aligned have parts of their own. */
static uint64_t part_of(uint64_t address)
{
	return address >> PART_SHIFT << PART_SHIFT | (address & 7);
}

static unsigned int place_in(uint64_t address)
{
	return address >> 3 & (PART_WORDS * 64 - 1);
}

bool address_set_add(struct address_set *s, uint64_t address)
{
	const unsigned int at = place_in(address);
	const uint64_t bit = 1ULL << (at & 63);

	if (!s->bits || s->last != part_of(address)) {
		s->last = part_of(address);
		s->bits = hash_u64_get(&s->parts, s->last, NULL);
	}
	if (s->bits[at / 64] & bit)
		return false;
	s->bits[at / 64] |= bit;
	s->n++;
	return true;
}

bool address_set_has(const struct address_set *s, uint64_t address)
{
	const unsigned int at = place_in(address);
	const uint64_t *bits = hash_u64_find(&s->parts, part_of(address));

	return bits && bits[at / 64] >> (at & 63) & 1;
}
