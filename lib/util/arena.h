/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of one command: freed at once, at its end or, if crash jumped out of
 * it, at the start of the next.
 *
 * Memory that cannot be had ends what arena_try() runs by a jump, and no caller compares what an
 * arena gives with NULL.  What has to be closed or removed then has a hook.  No library and no function of crash may
 * stand between arena_try() and a function that allocates, unless it can be jumped out of.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;
struct arena_hook;

struct arena {
	struct arena_chunk *chunks; /* newest first */
	size_t used;		    /* bytes of the newest that are taken */
	size_t bytes;		    /* all that malloc() gave */
	size_t shared;		    /* of these, in chunks that many small pieces share */
	struct arena_hook *hooks;   /* newest first */
};

/* Zeroed and aligned for any type. */
__attribute__((returns_nonnull)) void *arena_alloc(struct arena *a, size_t size);
/* The same of large memory of which most may stay as it is: what is not written takes none of the machine. */
__attribute__((returns_nonnull)) void *arena_sparse(struct arena *a, size_t size);
__attribute__((returns_nonnull)) char *arena_strdup(struct arena *a, const char *s);
__attribute__((format(printf, 2, 3))) char *arena_text(struct arena *a, const char *fmt, ...);
/* Memory of it that is not read or written any more: where it is large, the machine gets it back. */
void arena_forget(void *p, size_t size);
/* An array of n elements of bytes each, added one by one, with room for one more: itself, or a longer copy. */
void *arena_more(struct arena *a, void *array, size_t n, size_t bytes);

/*
 * fn(arg) is called when the arena is reset, the last one first: for what a
 * library allocated.  To be asked before the library is.
 */
void arena_at_reset(struct arena *a, void (*fn)(void *arg), void *arg);
void arena_reset(struct arena *a);

/* Another arena, which is reset with a at the latest. */
struct arena *arena_within(struct arena *a);

/* fn(arg), which may call arena_try() again.  False: *bytes could not be had, which ended it. */
bool arena_try(void (*fn)(void *arg), void *arg, size_t *bytes);

/* What ends it; of memory that a library asked for, bytes are 0.  Outside of arena_try() the process ends. */
__attribute__((noreturn)) void arena_fail(size_t bytes);
