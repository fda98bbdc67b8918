/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of types, enumerators, variables and functions, with the number under which the debug
 * information has what they name.  All of it is three arrays without pointers, so that a file can
 * keep them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum name_kind {
	NAME_STRUCT,
	NAME_UNION,
	NAME_ENUM,
	NAME_ENUMERATOR, /* its id is that of the enumeration */
	NAME_VARIABLE,
	NAME_DECLARED, /* a variable of which only a declaration was seen */
	NAME_FUNCTION,
	NAME_KINDS
};

struct name_row {
	uint32_t hash;
	uint32_t next; /* row of the same slot, plus one; 0: the last */
	uint32_t name; /* where it begins in strings */
	uint32_t kind;
	uint64_t id;
};

struct name_index {
	struct name_row *rows;
	uint32_t *slots; /* row plus one; 0: empty. NULL: made when the first name is asked for */
	char *strings;	 /* each ends with a zero byte */
	uint32_t n, nslots, string_bytes;
	uint32_t room, string_room;
	void *map; /* where all three are in a file that is mapped: nothing is added; NULL */
	size_t map_bytes;
	bool failed; /* memory was short: names are missing */
};

/* Freed when the arena is reset. ret stays where it is. */
void name_index_open(struct name_index *ret, struct arena *arena);

/* Behind those of that name and kind that are there. */
void name_index_add(struct name_index *x, enum name_kind kind, const char *name, uint64_t id);

/* The first of that kind and name, or the next one behind after; NULL: no more. */
const struct name_row *name_index_find(struct name_index *x, enum name_kind kind, const char *name,
				       const struct name_row *after);

/* Whether rows, slots and strings of a file are such that no look-up leaves them or goes in a circle. */
bool name_index_sound(const struct name_index *x);
