/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that is put together piece by piece in a buffer of fixed size. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct strbuf {
	char *buf;   /* of the caller; always ends with NUL */
	size_t size; /* bytes of buf, at least 1 */
	size_t len;  /* bytes of text, without the NUL */
	bool cut;    /* a piece did not fit: what fitted of it is there, later pieces are not */
};

/* Empty text in buf, in an array of characters, and in one of its own as long as the block. */
struct strbuf strbuf_in(char *buf, size_t size);
#define STRBUF(array) strbuf_in(array, sizeof(array))
#define STRBUF_OF(size) strbuf_in((char[size]){ 0 }, size)

/* Appends a piece. */
__attribute__((format(printf, 2, 3))) void strbuf_add(struct strbuf *s, const char *fmt, ...);

/* What separates the next piece from the text so far: between, or nothing before the first. */
static inline const char *strbuf_between(const struct strbuf *s, const char *between)
{
	return s->len ? between : "";
}
