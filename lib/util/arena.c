// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/arena.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK_BYTES ((size_t)64 * 1024) /* a chunk that many small pieces share */

/*
 * An arena that has got this large goes on in chunks of huge pages: 20 MiB in pages of 4 KiB are 5,000
 * page faults, 11 ms of the 24 that all of "pageowner" takes of 1 GiB; in pages of 2 MiB they take 2 ms.
 */
#define LARGE_ARENA ((size_t)1 << 20)
#define HUGE_BYTES ((size_t)2 << 20) /* a huge page of x86_64 and arm64 */

/*
 * What is as large as this and no huge page is mapped alone: of calloc(), whose own limit moves up, a part was written with
 * zeros that is never used, the buffers of files that are not read.
 */
#define MAPPED_BYTES ((size_t)128 << 10)
#define PAGE ((size_t)64 << 10) /* the largest of any machine that this runs on */

/* AddressSanitizer knows memory of malloc() alone: there each chunk is of it. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define MAPS_CHUNKS false
#else
#define MAPS_CHUNKS true
#endif

/* What is longer than this part of a chunk has one of its own. */
#define OWN_PART 4

struct arena_chunk {
	struct arena_chunk *next;
	size_t size;   /* of data */
	size_t mapped; /* all of it, by mmap(); 0: by malloc() */
	alignas(max_align_t) unsigned char data[];
};

struct arena_hook {
	struct arena_hook *next;
	void (*fn)(void *arg);
	void *arg;
};

/* Where arena_fail() goes: into the innermost arena_try(). */
struct catcher {
	jmp_buf env;
	size_t bytes;
};

static struct catcher *catcher;

bool arena_try(void (*fn)(void *arg), void *arg, size_t *bytes)
{
	struct catcher *const outer = catcher;
	struct catcher own;
	bool failed;

	catcher = &own;
	failed = setjmp(own.env);
	if (!failed)
		fn(arg);
	catcher = outer;
	if (failed)
		*bytes = own.bytes;
	return !failed;
}

void arena_fail(size_t bytes)
{
	if (!catcher)
		__builtin_trap();
	catcher->bytes = bytes;
	longjmp(catcher->env, 1);
}

/*
 * Whole huge pages where they begin, if the kernel gives any: else it is memory as any other. The last one, where less
 * than half of it is asked for, is of small pages: the arrays of the graph of pointers would leave 10 MiB of such unused.
 */
static struct arena_chunk *map_chunk(size_t size)
{
	size_t bytes = (sizeof(struct arena_chunk) + size + HUGE_BYTES - 1) & ~(HUGE_BYTES - 1);
	char *all = mmap(NULL, bytes + HUGE_BYTES, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before = -(uintptr_t)all & (HUGE_BYTES - 1), whole;
	struct arena_chunk *c;

	if (all == MAP_FAILED)
		return NULL;
	c = (void *)(all + before);
	if (before)
		munmap(all, before);
	munmap((char *)c + bytes, HUGE_BYTES - before);
	whole = (sizeof(struct arena_chunk) + size + HUGE_BYTES / 2) & ~(HUGE_BYTES - 1);
	if (whole)
		madvise(c, whole, MADV_HUGEPAGE);
	c->mapped = bytes;
	c->size = bytes - sizeof(*c);
	return c;
}

static struct arena_chunk *page_chunk(size_t size)
{
	size_t bytes = sizeof(struct arena_chunk) + size;
	struct arena_chunk *c = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (c == MAP_FAILED)
		return NULL;
	c->mapped = bytes;
	c->size = size;
	return c;
}

static struct arena_chunk *malloc_chunk(size_t size)
{
	struct arena_chunk *c = calloc(1, sizeof(*c) + size);

	if (c)
		c->size = size;
	return c;
}

/* With room for size bytes; is_own: for little else. */
static struct arena_chunk *chunk_new(struct arena *a, size_t size, bool *is_own)
{
	bool is_huge = MAPS_CHUNKS && (size >= HUGE_BYTES || a->shared >= LARGE_ARENA);
	size_t usual = is_huge ? HUGE_BYTES - sizeof(struct arena_chunk) : CHUNK_BYTES;
	struct arena_chunk *c;

	*is_own = size > usual / OWN_PART;
	if (!*is_own)
		size = usual;
	c = is_huge				  ? map_chunk(size)
	    : MAPS_CHUNKS && size >= MAPPED_BYTES ? page_chunk(size)
						  : malloc_chunk(size);
	if (c)
		a->bytes += sizeof(*c) + c->size;
	if (c && !*is_own)
		a->shared += sizeof(*c) + c->size;
	return c;
}

static void chunk_free(struct arena_chunk *c)
{
	if (c->mapped)
		munmap(c, c->mapped);
	else
		free(c);
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct arena_chunk *c = a->chunks;
	bool is_own;
	void *ret;

	if (size > SIZE_MAX / 2)
		arena_fail(size);
	size = (size + align - 1) & ~(align - 1);
	if (c && c->size - a->used >= size) {
		ret = c->data + a->used;
		a->used += size;
		return ret;
	}
	c = chunk_new(a, size, &is_own);
	if (!c)
		arena_fail(size);
	/* The one with more room left stays open for small ones. */
	if (a->chunks && is_own && c->size - size <= a->chunks->size - a->used) {
		c->next = a->chunks->next;
		a->chunks->next = c;
		return c->data;
	}
	c->next = a->chunks;
	a->chunks = c;
	a->used = size;
	return c->data;
}

void *arena_sparse(struct arena *a, size_t size)
{
	struct arena_chunk *c = MAPS_CHUNKS ? page_chunk(size) : malloc_chunk(size);

	if (!c)
		arena_fail(size);
	a->bytes += sizeof(*c) + c->size;
	/* Behind the one that is open, if one is. */
	c->next = a->chunks ? a->chunks->next : NULL;
	*(a->chunks ? &a->chunks->next : &a->chunks) = c;
	a->used = c == a->chunks ? size : a->used;
	return c->data;
}

char *arena_strdup(struct arena *a, const char *s)
{
	size_t len = strlen(s) + 1;

	return memcpy(arena_alloc(a, len), s, len);
}

char *arena_text(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *ret;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	ret = arena_alloc(a, len + 1);
	va_start(ap, fmt);
	vsnprintf(ret, len + 1, fmt, ap);
	va_end(ap);
	return ret;
}

void arena_forget(void *p, size_t size)
{
	const uintptr_t begin = ((uintptr_t)p + PAGE - 1) & ~(uintptr_t)(PAGE - 1),
			end = ((uintptr_t)p + size) & ~(uintptr_t)(PAGE - 1);

	if (MAPS_CHUNKS && size >= MAPPED_BYTES && end > begin)
		madvise((void *)begin, end - begin, MADV_DONTNEED);
}

void *arena_more(struct arena *a, void *array, size_t n, size_t bytes)
{
	void *more;

	/* Doubled whenever it is full: a power of two. */
	if (n & (n - 1))
		return array;
	more = arena_alloc(a, (n ? 2 * n : 1) * bytes);
	return n ? memcpy(more, array, n * bytes) : more;
}

void arena_at_reset(struct arena *a, void (*fn)(void *arg), void *arg)
{
	struct arena_hook *h = arena_alloc(a, sizeof(*h));

	*h = (struct arena_hook){ .next = a->hooks, .fn = fn, .arg = arg };
	a->hooks = h;
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

		chunk_free(a->chunks);
		a->chunks = next;
	}
	a->used = 0;
	a->bytes = 0;
	a->shared = 0;
}

static void reset(void *arg)
{
	arena_reset(arg);
}

struct arena *arena_within(struct arena *a)
{
	struct arena *ret = arena_alloc(a, sizeof(*ret));

	arena_at_reset(a, reset, ret);
	return ret;
}
