// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/hash_u64.h"

#include <string.h>

#define FIRST_SLOTS 256

void hash_u64_init(struct hash_u64 *m, struct arena *arena, size_t value_size)
{
	memset(m, 0, sizeof(*m));
	m->arena = arena;
	m->value_size = value_size;
}

static size_t slot_of(const struct hash_u64 *m, uint64_t key)
{
	/* Fibonacci hashing: the high bits are the mixed ones. */
	return (key * 0x9e3779b97f4a7c15ULL) >> 32 & (m->nslots - 1);
}

static void put_in_slot(struct hash_u64 *m, struct hash_u64_entry *e)
{
	size_t i = slot_of(m, e->key);

	while (m->slots[i].entry)
		i = (i + 1) & (m->nslots - 1);
	m->slots[i] = (struct hash_u64_slot){ e->key, e };
}

/* Doubles the table.  The old one stays in the arena: all of them together are as large as the new. */
static void grow(struct hash_u64 *m)
{
	size_t n = m->nslots ? m->nslots * 2 : FIRST_SLOTS;
	struct hash_u64_slot *slots = arena_alloc(m->arena, n * sizeof(*slots));

	m->slots = slots;
	m->nslots = n;
	for (struct hash_u64_entry *e = m->first; e; e = e->next)
		put_in_slot(m, e);
}

static struct hash_u64_entry *find(const struct hash_u64 *m, uint64_t key)
{
	if (!m->nslots)
		return NULL;
	for (size_t i = slot_of(m, key); m->slots[i].entry; i = (i + 1) & (m->nslots - 1))
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
	put_in_slot(m, e);
	return e->value;
}
