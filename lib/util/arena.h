/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of one command: freed at once, at its end or, if crash jumped out of
 * it, at the start of the next.
 */
#ifndef MEMOWNER_UTIL_ARENA_H
#define MEMOWNER_UTIL_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;
struct arena_hook;

struct arena {
	struct arena_chunk *chunks; /* newest first */
	size_t used;		    /* bytes of the newest that are taken */
	size_t bytes;		    /* all that malloc() gave */
	struct arena_hook *hooks;   /* newest first */
};

/* Zeroed and aligned for any type; NULL when there is no memory. */
void *arena_alloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);

/*
 * fn(arg) is called when the arena is reset, the last one first: for what a
 * library allocated.  False: there is no memory, and it will not be called.
 */
bool arena_at_reset(struct arena *a, void (*fn)(void *arg), void *arg);
void arena_reset(struct arena *a);

#endif
