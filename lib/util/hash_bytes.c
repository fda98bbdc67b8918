// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/hash_bytes.h"

#include <string.h>

void dict_init(struct dict *d, struct arena *arena, size_t value_size)
{
	memset(d, 0, sizeof(*d));
	map_init(&d->hashes, arena, sizeof(struct dict_entry *));
	d->value_size = value_size;
	d->last = &d->first;
}

/* FNV-1a, eight bytes at a time where there are as many. */
static uint64_t hash_of(const unsigned char *key, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325ULL, word;

	for (; size >= sizeof(word); key += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, key, sizeof(word));
		hash = (hash ^ word) * 0x100000001b3ULL;
		hash ^= hash >> 32;
	}
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ key[i]) * 0x100000001b3ULL;
	return hash;
}

static struct dict_entry *add(struct dict *d, struct dict_entry **place, const void *key,
			      size_t size)
{
	struct arena *arena = d->hashes.arena;
	struct dict_entry *e = arena_alloc(arena, sizeof(*e) + size);
	void *value = arena_alloc(arena, d->value_size);

	if (!e || !value)
		return NULL;
	memcpy(e->key, key, size);
	e->key_size = size;
	e->value = value;
	e->same = *place;
	*place = e;
	*d->last = e;
	d->last = &e->next;
	d->n++;
	return e;
}

struct dict_entry *dict_get(struct dict *d, const void *key, size_t size, bool *is_new)
{
	bool is_new_hash;
	struct dict_entry **place = map_get(&d->hashes, hash_of(key, size), &is_new_hash);

	*is_new = false;
	if (!place)
		return NULL;
	for (struct dict_entry *e = *place; e; e = e->same)
		if (e->key_size == size && !memcmp(e->key, key, size))
			return e;
	*is_new = true;
	return add(d, place, key, size);
}

const char *dict_text(struct dict *d, const char *text)
{
	struct dict_entry *e;
	bool is_new;

	if (!text)
		return NULL;
	e = dict_get(d, text, strlen(text) + 1, &is_new);
	return e ? (const char *)e->key : NULL;
}
