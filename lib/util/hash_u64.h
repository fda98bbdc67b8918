/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a 64-bit key to a value of fixed size; values never move. */
#pragma once

#include <stdint.h>

#include "util/arena.h"

struct hash_u64_entry {
	struct hash_u64_entry *next; /* in order of first use */
	uint64_t key;
	_Alignas(8) unsigned char value[];
};

/* The key stands here too: most of those asked for are found, or are not, in one line of cache. */
struct hash_u64_slot {
	uint64_t key;
	struct hash_u64_entry *entry; /* NULL: free */
};

struct hash_u64 {
	struct arena *arena;
	size_t value_size;
	struct hash_u64_slot *slots;
	size_t nslots, n;
	struct hash_u64_entry *first, *last; /* NULL: it has none; a copy may be filled as well */
};

void hash_u64_init(struct hash_u64 *m, struct arena *arena, size_t value_size);

static inline size_t hash_u64_slot_of(const struct hash_u64 *m, uint64_t key)
{
	/* Fibonacci hashing: the high bits are the mixed ones. */
	return (key * 0x9e3779b97f4a7c15ULL) >> 32 & (m->nslots - 1);
}

/* The value of a key, zeroed when it is new; is_new may be NULL. */
__attribute__((returns_nonnull)) void *hash_u64_get(struct hash_u64 *m, uint64_t key, bool *is_new);

static inline struct hash_u64_entry *hash_u64_entry_of(const void *value)
{
	return (void *)((uintptr_t)value - offsetof(struct hash_u64_entry, value));
}

static inline uint64_t hash_u64_key(const void *value)
{
	return hash_u64_entry_of(value)->key;
}

static inline void *hash_u64_value(struct hash_u64_entry *e)
{
	return e ? e->value : NULL;
}

/* Fetches ahead what the next look-up of the key reads first. */
static inline void hash_u64_fetch(const struct hash_u64 *m, uint64_t key)
{
	if (m->nslots)
		__builtin_prefetch(&m->slots[hash_u64_slot_of(m, key)]);
}

/* For a set: whether the key was not in it. */
static inline bool hash_u64_add(struct hash_u64 *m, uint64_t key)
{
	bool is_new;

	hash_u64_get(m, key, &is_new);
	return is_new;
}

/* Values, in order of first use. */
#define hash_u64_for_each(type, value, map)                     \
	for (type *value = hash_u64_value((map)->first); value; \
	     value = hash_u64_value(hash_u64_entry_of(value)->next))

bool hash_u64_has(const struct hash_u64 *m, uint64_t key);

/* The value of a key, NULL if it has none. */
const void *hash_u64_find(const struct hash_u64 *m, uint64_t key);

/* A set of pfns: a bit each, for the parts of memory that have any. */

struct pfnset {
	struct hash_u64 chunks;
	uint64_t end;	      /* no pfn from here on */
	uint64_t n;	      /* members */
	uint64_t last;	      /* chunk that was asked for last */
	const uint64_t *bits; /* of it; NULL: it has none */
};

void pfnset_init(struct pfnset *s, struct arena *arena, uint64_t end);

/* A pfn that cannot be is left out. */
void pfnset_add(struct pfnset *s, uint64_t pfn);

bool pfnset_has(struct pfnset *s, uint64_t pfn);

/* The first member from pfn on, or a pfn before it from which it can be asked again. */
uint64_t pfnset_next(struct pfnset *s, uint64_t pfn);
