/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a 64-bit key to a value of fixed size; values never move. */
#ifndef MEMOWNER_UTIL_HASH_U64_H
#define MEMOWNER_UTIL_HASH_U64_H

#include "util/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct map_entry {
	struct map_entry *next; /* in order of first use */
	uint64_t key;
	_Alignas(8) unsigned char value[];
};

struct map {
	struct arena *arena;
	size_t value_size;
	struct map_entry **slots;
	size_t nslots, n;
	struct map_entry *first, **last;
};

void map_init(struct map *m, struct arena *arena, size_t value_size);

/* The value of a key, zeroed when it is new; NULL when there is no memory. */
void *map_get(struct map *m, uint64_t key, bool *is_new);

bool map_has(const struct map *m, uint64_t key);

/* The value of a key, NULL if it has none. */
const void *map_find(const struct map *m, uint64_t key);

#endif
