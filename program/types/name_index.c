// SPDX-License-Identifier: GPL-2.0-or-later
#include "types/name_index.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/arena.h"

#define FIRST_SLOTS 4096
#define MOST_ROWS (1u << 26)	/* types and enumerators of a kernel: some 100,000 */
#define MOST_STRINGS (1u << 31) /* bytes of all names */

/* FNV-1a. */
static uint32_t hash_of(enum name_kind kind, const char *name)
{
	uint32_t h = 2166136261u ^ kind;

	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * 16777619u;
	return h;
}

static void release(void *arg)
{
	struct name_index *x = arg;

	if (x->map) {
		munmap(x->map, x->map_bytes);
	} else {
		free(x->rows);
		free(x->slots);
		free(x->strings);
	}
	memset(x, 0, sizeof(*x));
}

void name_index_open(struct name_index *ret, struct arena *arena)
{
	memset(ret, 0, sizeof(*ret));
	arena_at_reset(arena, release, ret);
}

/* Where the number of a row that is to be the last of its slot is written. */
static uint32_t *end_of_slot(struct name_index *x, uint32_t hash)
{
	uint32_t *at = &x->slots[hash & (x->nslots - 1)];

	while (*at)
		at = &x->rows[*at - 1].next;
	return at;
}

/* With room for more than twice as many names as there are. */
static bool make_slots(struct name_index *x)
{
	uint32_t nslots = FIRST_SLOTS, *slots;

	while (nslots <= 2 * x->n)
		nslots *= 2;
	slots = calloc(nslots, sizeof(*slots));
	if (!slots)
		return false;
	free(x->slots);
	x->slots = slots;
	x->nslots = nslots;
	/* From the last on, so that the first of a slot comes first. */
	for (uint32_t i = x->n; i--;) {
		uint32_t *slot = &slots[x->rows[i].hash & (x->nslots - 1)];

		x->rows[i].next = *slot;
		*slot = i + 1;
	}
	return true;
}

static bool reserve(struct name_index *x, size_t len)
{
	void *p;

	if (x->n >= MOST_ROWS || len >= MOST_STRINGS - x->string_bytes)
		return false;
	if (x->n == x->room) {
		uint32_t room = x->room ? x->room * 2 : FIRST_SLOTS;

		p = realloc(x->rows, room * sizeof(*x->rows));
		if (!p)
			return false;
		x->rows = p;
		x->room = room;
	}
	if (x->string_room - x->string_bytes < len) {
		uint64_t room = 2 * (uint64_t)x->string_room + len + 65536;

		p = realloc(x->strings, room);
		if (!p || room > UINT32_MAX) {
			x->strings = p ? p : x->strings;
			return false;
		}
		x->strings = p;
		x->string_room = room;
	}
	return !x->slots || x->n < x->nslots || make_slots(x);
}

void name_index_add(struct name_index *x, enum name_kind kind, const char *name, uint64_t id)
{
	size_t len = strlen(name) + 1;
	uint32_t hash = hash_of(kind, name);

	if (x->failed || x->map || !reserve(x, len)) {
		x->failed = true;
		return;
	}
	memcpy(x->strings + x->string_bytes, name, len);
	x->rows[x->n] = (struct name_row){
		.hash = hash,
		.name = x->string_bytes,
		.kind = kind,
		.id = id,
	};
	x->string_bytes += len;
	if (x->slots)
		*end_of_slot(x, hash) = x->n + 1;
	x->n++;
}

const struct name_row *name_index_find(struct name_index *x, enum name_kind kind, const char *name,
				       const struct name_row *after)
{
	uint32_t hash = hash_of(kind, name), at;

	if (!x->slots && !make_slots(x))
		arena_fail(x->n);
	at = after ? after->next : x->slots[hash & (x->nslots - 1)];
	while (at) {
		const struct name_row *r = &x->rows[at - 1];

		if (r->hash == hash && r->kind == kind && !strcmp(x->strings + r->name, name))
			return r;
		at = r->next;
	}
	return NULL;
}

/* Each row's next lies behind it: as they were added, and as grow_slots() puts them. */
bool name_index_sound(const struct name_index *x)
{
	if (!x->nslots || x->nslots & (x->nslots - 1) || !x->string_bytes ||
	    x->strings[x->string_bytes - 1])
		return false;
	for (uint32_t i = 0; i < x->nslots; i++)
		if (x->slots[i] > x->n)
			return false;
	for (uint32_t i = 0; i < x->n; i++) {
		const struct name_row *r = &x->rows[i];

		if ((r->next && (r->next <= i + 1 || r->next > x->n)) ||
		    r->name >= x->string_bytes || r->kind >= NAME_KINDS)
			return false;
	}
	return true;
}
