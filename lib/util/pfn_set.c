// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/pfn_set.h"

#define CHUNK_SHIFT 15 /* 4 KiB of bits: 128 MiB of memory in pages of 4 KiB */
#define CHUNK_BYTES ((1 << CHUNK_SHIFT) / 8) /* a bit for each page of a chunk */

void pfnset_init(struct pfnset *s, struct arena *arena, uint64_t end)
{
	hash_u64_init(&s->chunks, arena, CHUNK_BYTES);
	s->end = end;
	s->n = 0;
	s->last = UINT64_MAX;
	s->bits = NULL;
}

void pfnset_add(struct pfnset *s, uint64_t pfn)
{
	uint64_t at = pfn & ((1 << CHUNK_SHIFT) - 1), bit = 1ULL << (at & 63), *bits;
	bool is_new;

	if (pfn >= s->end)
		return;
	bits = hash_u64_get(&s->chunks, pfn >> CHUNK_SHIFT, &is_new);
	s->last = UINT64_MAX;
	s->n += !(bits[at / 64] & bit);
	bits[at / 64] |= bit;
}

/* The bits of a pfn's chunk; NULL: it has none. */
static const uint64_t *bits_of(struct pfnset *s, uint64_t pfn)
{
	if (s->last != pfn >> CHUNK_SHIFT) {
		s->last = pfn >> CHUNK_SHIFT;
		s->bits = hash_u64_find(&s->chunks, s->last);
	}
	return s->bits;
}

bool pfnset_has(struct pfnset *s, uint64_t pfn)
{
	uint64_t at = pfn & ((1 << CHUNK_SHIFT) - 1);
	const uint64_t *bits = pfn < s->end ? bits_of(s, pfn) : NULL;

	return bits && bits[at / 64] >> (at & 63) & 1;
}

uint64_t pfnset_next(struct pfnset *s, uint64_t pfn)
{
	uint64_t chunk = pfn >> CHUNK_SHIFT << CHUNK_SHIFT, at = pfn - chunk;
	const uint64_t *bits = pfn < s->end ? bits_of(s, pfn) : NULL;

	if (pfn >= s->end)
		return UINT64_MAX;
	for (; bits && at < 1 << CHUNK_SHIFT; at = (at | 63) + 1) {
		uint64_t word = bits[at / 64] >> (at & 63);

		if (word)
			return chunk + at + __builtin_ctzll(word);
	}
	return chunk + (1 << CHUNK_SHIFT);
}
