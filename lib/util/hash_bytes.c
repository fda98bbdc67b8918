// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/hash_bytes.h"

#include <string.h>

void hash_bytes_init(struct hash_bytes *d, struct arena *arena, size_t value_size)
{
	memset(d, 0, sizeof(*d));
	hash_u64_init(&d->hashes, arena, sizeof(struct hash_bytes_entry *));
	d->value_size = value_size;
}

/* FNV-1a, eight bytes at a time where there are as many. */
uint64_t hash_bytes_of(const void *bytes, size_t size)
{
	const unsigned char *key = bytes;
	uint64_t hash = 0xcbf29ce484222325ULL, chunk;

	for (; size >= sizeof(chunk); key += sizeof(chunk), size -= sizeof(chunk)) {
		memcpy(&chunk, key, sizeof(chunk));
		hash = (hash ^ chunk) * 0x100000001b3ULL;
		hash ^= hash >> 32;
	}
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ key[i]) * 0x100000001b3ULL;
	return hash;
}

static struct hash_bytes_entry *add(struct hash_bytes *d, struct hash_bytes_entry **slot,
				    const void *key, size_t size)
{
	size_t value_size = (d->value_size + 7) & ~(size_t)7;
	struct hash_bytes_entry *e = arena_alloc(d->hashes.arena, sizeof(*e) + value_size + size);

	e->value = e->data;
	e->key = memcpy(e->data + value_size, key, size);
	e->key_size = size;
	e->same = *slot;
	*slot = e;
	if (d->last)
		d->last->next = e;
	else
		d->first = e;
	d->last = e;
	d->n++;
	return e;
}

struct hash_bytes_entry *hash_bytes_get(struct hash_bytes *d, const void *key, size_t size,
					bool *is_new)
{
	struct hash_bytes_entry **slot = hash_u64_get(&d->hashes, hash_bytes_of(key, size), NULL);
	struct hash_bytes_entry *e = *slot;

	while (e && (e->key_size != size || memcmp(e->key, key, size) != 0))
		e = e->same;
	if (is_new)
		*is_new = !e;
	return e ?: add(d, slot, key, size);
}

void *hash_bytes_find(const struct hash_bytes *d, const void *key, size_t size)
{
	struct hash_bytes_entry *const *slot = hash_u64_find(&d->hashes, hash_bytes_of(key, size));

	for (struct hash_bytes_entry *e = slot ? *slot : NULL; e; e = e->same)
		if (e->key_size == size && !memcmp(e->key, key, size))
			return e->value;
	return NULL;
}

const char *intern(struct hash_bytes *d, const char *text)
{
	return text ? (const char *)hash_bytes_get(d, text, strlen(text) + 1, NULL)->key : NULL;
}
