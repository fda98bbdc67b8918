/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characters of UTF-8 and the columns of a terminal that they take. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Bytes of the first character of n bytes (n at least 1), and in *columns how many columns it
 * takes: 0 of a combining mark, 2 of a wide one.  A byte that is part of no character, and a
 * control character, take one column: they are shown as one sign.
 */
size_t utf8_next(const char *text, size_t n, unsigned int *columns);

/* Columns of n bytes. */
size_t utf8_columns(const char *text, size_t n);

/* Bytes of the longest start of text that fits a number of columns. */
size_t utf8_fit(const char *text, size_t n, size_t columns);

/*
 * Whether the first of n bytes (n at least 1) begin a character that a terminal shows, of *len bytes. It obeys control
 * characters, those of U+0080 to U+009F too (ECMA-48), and what turns the direction of writing; a byte may be part of none.
 */
bool utf8_is_shown(const char *text, size_t n, size_t *len);

/* A '?' for each character of n bytes that is not shown; returns how many bytes are left. */
size_t utf8_printable(char *text, size_t n, bool keeps_tabs);

/*
 * Names that may have any byte: of a thread (comm) by prctl(), of a file.  They are shown in one
 * form, in text, in JSON and as values of filters: what no terminal shows is '?'.
 */

static inline char printable_char(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f ? '?' : c;
}

static inline void printable(char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text >= 0x80) {
			text[utf8_printable(text, strlen(text), false)] = '\0';
			return;
		}
		*text = printable_char(*text);
	}
}
