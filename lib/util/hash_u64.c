// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/hash_u64.h"

#include <string.h>

#define FIRST_SLOTS 16 /* many have few: files of a process */

void hash_u64_init(struct hash_u64 *m, struct arena *arena, size_t value_size)
{
	*m = (struct hash_u64){ .arena = arena, .value_size = value_size };
}

static void put_in_slot(struct hash_u64 *m, struct hash_u64_slot slot)
{
	size_t i = hash_u64_slot_of(m, slot.key);

	while (m->slots[i].entry)
		i = (i + 1) & (m->nslots - 1);
	m->slots[i] = slot;
}

/* Doubles the table, entries not touched.  The old one is left to the arena. */
static void grow(struct hash_u64 *m)
{
	size_t n = m->nslots ? m->nslots * 2 : FIRST_SLOTS;
	struct hash_u64_slot *old = m->slots;
	const size_t nold = m->nslots;

	m->slots = arena_alloc(m->arena, n * sizeof(*m->slots));
	m->nslots = n;
	for (size_t i = 0; i < nold; i++)
		if (old[i].entry)
			put_in_slot(m, old[i]);
	arena_forget(old, nold * sizeof(*old));
}

static struct hash_u64_entry *find(const struct hash_u64 *m, uint64_t key)
{
	if (!m->nslots)
		return NULL;
	for (size_t i = hash_u64_slot_of(m, key); m->slots[i].entry; i = (i + 1) & (m->nslots - 1))
		if (m->slots[i].key == key)
			return m->slots[i].entry;
	return NULL;
}

bool hash_u64_has(const struct hash_u64 *m, uint64_t key)
{
	return find(m, key);
}

const void *hash_u64_find(const struct hash_u64 *m, uint64_t key)
{
	const struct hash_u64_entry *e = find(m, key);

	return e ? e->value : NULL;
}

void *hash_u64_get(struct hash_u64 *m, uint64_t key, bool *is_new)
{
	struct hash_u64_entry *e = find(m, key);

	if (is_new)
		*is_new = !e;
	if (e)
		return e->value;
	if (m->n * 4 >= m->nslots * 3)
		grow(m);
	e = arena_alloc(m->arena, sizeof(*e) + m->value_size);
	e->key = key;
	if (m->last)
		m->last->next = e;
	else
		m->first = e;
	m->last = e;
	m->n++;
	put_in_slot(m, (struct hash_u64_slot){ key, e });
	return e->value;
}

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

	if (pfn >= s->end)
		return;
	bits = hash_u64_get(&s->chunks, pfn >> CHUNK_SHIFT, NULL);
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
