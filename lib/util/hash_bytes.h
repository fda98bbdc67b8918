/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a key of any bytes to a value of fixed size; neither ever moves. */
#pragma once

#include "util/hash_u64.h"

struct hash_bytes_entry {
	struct hash_bytes_entry *next; /* in order of first use */
	struct hash_bytes_entry *same; /* another key with this hash */
	size_t key_size;
	const unsigned char *key;
	void *value; /* data */
	_Alignas(8) unsigned char data[];
};

struct hash_bytes {
	struct hash_u64 hashes; /* of struct hash_bytes_entry * */
	size_t value_size;
	size_t n;
	struct hash_bytes_entry *first, *last;
};

/* That of a key. */
uint64_t hash_bytes_of(const void *bytes, size_t size);

void hash_bytes_init(struct hash_bytes *d, struct arena *arena, size_t value_size);

/* The entry of a key, its value zeroed when it is new; is_new may be NULL. */
__attribute__((returns_nonnull)) struct hash_bytes_entry *hash_bytes_get(struct hash_bytes *d,
									 const void *key,
									 size_t size, bool *is_new);

static inline struct hash_bytes_entry *hash_bytes_entry_of(const void *value)
{
	return (void *)((uintptr_t)value - offsetof(struct hash_bytes_entry, data));
}

static inline void *hash_bytes_value(const struct hash_bytes_entry *e)
{
	return e ? e->value : NULL;
}

/* Values, in order of first use. */
#define hash_bytes_for_each(type, value, map)                     \
	for (type *value = hash_bytes_value((map)->first); value; \
	     value = hash_bytes_value(hash_bytes_entry_of(value)->next))

/* The value of a key; NULL: it has none. */
void *hash_bytes_find(const struct hash_bytes *d, const void *key, size_t size);

/* One address for each text: equal texts have equal addresses. NULL is NULL. */
const char *intern(struct hash_bytes *d, const char *text);
