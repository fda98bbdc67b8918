// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/utf8.h"
#include "util/array.h"

#include <stdint.h>
#include <string.h>

/* Blocks whose characters all take the same number of columns; everything else takes one. */
static const struct {
	uint32_t first, last;
	unsigned int columns;
} blocks[] = {
	{ 0x300, 0x36f, 0 },	 /* Combining Diacritical Marks */
	{ 0x1100, 0x115f, 2 },	 /* Hangul Jamo, leading consonants */
	{ 0x1ab0, 0x1aff, 0 },	 /* Combining Diacritical Marks Extended */
	{ 0x200b, 0x200f, 0 },	 /* zero width */
	{ 0x20d0, 0x20ff, 0 },	 /* Combining Diacritical Marks for Symbols */
	{ 0x2e80, 0x303e, 2 },	 /* CJK Radicals to CJK Symbols and Punctuation */
	{ 0x3041, 0xa4cf, 2 },	 /* Hiragana to Yi Radicals */
	{ 0xac00, 0xd7a3, 2 },	 /* Hangul Syllables */
	{ 0xf900, 0xfaff, 2 },	 /* CJK Compatibility Ideographs */
	{ 0xfe00, 0xfe0f, 0 },	 /* Variation Selectors */
	{ 0xfe20, 0xfe2f, 0 },	 /* Combining Half Marks */
	{ 0xfe30, 0xfe6f, 2 },	 /* CJK Compatibility Forms, Small Form Variants */
	{ 0xff00, 0xff60, 2 },	 /* Fullwidth Forms */
	{ 0xffe0, 0xffe6, 2 },	 /* Fullwidth Forms */
	{ 0x1f300, 0x1f64f, 2 }, /* Symbols and Pictographs, Emoticons */
	{ 0x1f900, 0x1f9ff, 2 }, /* Supplemental Symbols and Pictographs */
	{ 0x20000, 0x3fffd, 2 }, /* CJK Unified Ideographs Extensions */
};

static unsigned int columns_of(uint32_t c)
{
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++)
		if (c >= blocks[i].first && c <= blocks[i].last)
			return blocks[i].columns;
	return 1;
}

/* Bytes of the first character, and its number; 1 and a number of no character: a byte that is part of none. */
#define NO_CHARACTER UINT32_MAX

static size_t decode(const char *text, size_t n, uint32_t *ret)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least; /* a shorter form must be used below */
	} forms[] = { { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };
	const unsigned char *s = (const unsigned char *)text;

	*ret = s[0] < 0x80 ? s[0] : NO_CHARACTER;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		size_t len = i + 2, k = 1;
		uint32_t c = s[0] & ~forms[i].mask;

		if ((s[0] & forms[i].mask) != forms[i].lead || n < len)
			continue;
		for (; k < len && (s[k] & 0xc0) == 0x80; k++)
			c = c << 6 | (s[k] & 0x3f);
		if (k < len || c < forms[i].least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
			return 1;
		*ret = c;
		return len;
	}
	return 1;
}

size_t utf8_next(const char *text, size_t n, unsigned int *columns)
{
	uint32_t c;
	size_t len = decode(text, n, &c);

	*columns = len > 1 ? columns_of(c) : 1;
	return len;
}

/* Those of Unicode that turn what follows, or what stands before, to the other direction (UAX #9). */
static bool is_direction(uint32_t c)
{
	return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

bool utf8_is_shown(const char *text, size_t n, size_t *len)
{
	uint32_t c;

	*len = decode(text, n, &c);
	return c != NO_CHARACTER && c >= 0x20 && (c < 0x7f || c >= 0xa0) && !is_direction(c);
}

size_t utf8_printable(char *text, size_t n, bool keeps_tabs)
{
	size_t to = 0, len;

	for (size_t at = 0; at < n; at += len) {
		if (!utf8_is_shown(text + at, n - at, &len) && !(keeps_tabs && text[at] == '\t')) {
			text[to++] = '?';
			continue;
		}
		memmove(text + to, text + at, len);
		to += len;
	}
	return to;
}

size_t utf8_columns(const char *text, size_t n)
{
	size_t sum = 0;
	unsigned int columns;

	for (size_t at = 0; at < n; sum += columns)
		at += utf8_next(text + at, n - at, &columns);
	return sum;
}

size_t utf8_fit(const char *text, size_t n, size_t columns)
{
	size_t at = 0, used = 0;

	while (at < n) {
		unsigned int wide;
		size_t len = utf8_next(text + at, n - at, &wide);

		if (used + wide > columns)
			break;
		used += wide;
		at += len;
	}
	return at;
}
