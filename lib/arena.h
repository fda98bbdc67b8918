/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of one command: freed at once, at its end or, if crash jumped out of
 * it, at the start of the next.
 */
#ifndef MEMOWNER_ARENA_H
#define MEMOWNER_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunks; /* newest first */
	size_t used;		    /* bytes of the newest that are taken */
	size_t bytes;		    /* all that malloc() gave */
};

/* Zeroed and aligned for any type; NULL when there is no memory. */
void *arena_alloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);
void arena_reset(struct arena *a);

#endif
