/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as text, without a format: of millions of rows printf() would take most of the time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DIGITS_BYTES 20 /* most that a number takes; no function ends it with a zero byte */

/* As %llu; how many bytes there are. */
static inline size_t digits_decimal(char *to, uint64_t v)
{
	char text[DIGITS_BYTES], *p = text + sizeof(text);

	do
		*--p = (char)('0' + v % 10);
	while (v /= 10);
	memcpy(to, p, text + sizeof(text) - p);
	return text + sizeof(text) - p;
}

/* As %lld. */
static inline size_t digits_signed(char *to, int64_t v)
{
	bool below = v < 0;

	*to = '-';
	return below + digits_decimal(to + below, below ? -(uint64_t)v : (uint64_t)v);
}

/* As %llx. */
static inline size_t digits_hex(char *to, uint64_t v)
{
	size_t n = v ? (67 - (size_t)__builtin_clzll(v)) / 4 : 1;

	for (size_t i = n; i--; v >>= 4)
		to[i] = "0123456789abcdef"[v & 15];
	return n;
}
