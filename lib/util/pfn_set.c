// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/pfn_set.h"

#define CHUNK_SHIFT 15 /* 4 KiB of bits: 128 MiB of memory in pages of 4 KiB */
#define CHUNK_BYTES ((1 << CHUNK_SHIFT) / 8)

void pfnset_init(struct pfnset *s, struct arena *arena, uint64_t end)
{
	hash_u64_init(&s->chunks, arena, CHUNK_BYTES);
	s->end = end;
	s->n = 0;
	s->last = UINT64_MAX;
	s->bits = NULL;
}

bool pfnset_add(struct pfnset *s, uint64_t pfn)
{
	uint64_t at = pfn & ((1 << CHUNK_SHIFT) - 1), bit = 1ULL << (at & 63), *bits;
	bool is_new;

	if (pfn >= s->end)
		return true;
	bits = hash_u64_get(&s->chunks, pfn >> CHUNK_SHIFT, &is_new);
	if (!bits)
		return false;
	s->last = UINT64_MAX;
	s->n += !(bits[at / 64] & bit);
	bits[at / 64] |= bit;
	return true;
}

bool pfnset_has(struct pfnset *s, uint64_t pfn)
{
	uint64_t at = pfn & ((1 << CHUNK_SHIFT) - 1);

	if (pfn >= s->end)
		return false;
	if (s->last != pfn >> CHUNK_SHIFT) {
		s->last = pfn >> CHUNK_SHIFT;
		s->bits = hash_u64_find(&s->chunks, s->last);
	}
	return s->bits && s->bits[at / 64] >> (at & 63) & 1;
}
