// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)64 * 1024)

struct arena_chunk {
	struct arena_chunk *next;
	size_t size; /* of data */
	alignas(max_align_t) unsigned char data[];
};

struct arena_hook {
	struct arena_hook *next;
	void (*fn)(void *arg);
	void *arg;
};

static struct arena_chunk *chunk_new(struct arena *a, size_t size)
{
	struct arena_chunk *c = calloc(1, sizeof(*c) + size);

	if (!c)
		return NULL;
	c->size = size;
	a->bytes += sizeof(*c) + size;
	return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct arena_chunk *c = a->chunks;
	void *ret;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + align - 1) & ~(align - 1);
	if (c && c->size - a->used >= size) {
		ret = c->data + a->used;
		a->used += size;
		return ret;
	}
	c = chunk_new(a, size > CHUNK_BYTES / 4 ? size : CHUNK_BYTES);
	if (!c)
		return NULL;
	if (a->chunks && c->size != CHUNK_BYTES) {
		/* A chunk of its own: the newest stays open for small ones. */
		c->next = a->chunks->next;
		a->chunks->next = c;
		return c->data;
	}
	c->next = a->chunks;
	a->chunks = c;
	a->used = size;
	return c->data;
}

char *arena_strdup(struct arena *a, const char *s)
{
	size_t len = strlen(s) + 1;
	char *ret = arena_alloc(a, len);

	if (ret)
		memcpy(ret, s, len);
	return ret;
}

bool arena_at_reset(struct arena *a, void (*fn)(void *arg), void *arg)
{
	struct arena_hook *h = arena_alloc(a, sizeof(*h));

	if (!h)
		return false;
	*h = (struct arena_hook){ .next = a->hooks, .fn = fn, .arg = arg };
	a->hooks = h;
	return true;
}

void arena_reset(struct arena *a)
{
	while (a->hooks) {
		struct arena_hook *h = a->hooks;

		a->hooks = h->next;
		h->fn(h->arg);
	}
	while (a->chunks) {
		struct arena_chunk *next = a->chunks->next;

		free(a->chunks);
		a->chunks = next;
	}
	a->used = 0;
	a->bytes = 0;
}
