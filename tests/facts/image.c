// SPDX-License-Identifier: GPL-2.0-or-later
#include "image.h"

#include <stdlib.h>
#include <string.h>

#include "btf/btf.h"

#define LEAST_TYPES 5000 /* a kernel has 30,000 and more, a module some hundreds */
#define PER_MARKER 256	 /* symbols from one of kallsyms_markers to the next */
#define LEAST_MARKERS 100
#define MOST_BEFORE (16u << 20) /* bytes from kallsyms_names to kallsyms_token_table */

static enum status no_symbol(void *priv NOT_USED, const char *name NOT_USED, uint64_t *ret NOT_USED)
{
	return ST_ABSENT;
}

bool image_btf(struct arena *arena, const uint8_t *bytes, size_t size, const uint8_t **btf,
	       size_t *btf_size)
{
	static const struct dump_ops ops = { .symbol = no_symbol };
	uint32_t most = LEAST_TYPES;
	struct dump d;

	dump_init(&d, &ops, NULL, arena);
	for (size_t at = btf_search(bytes, size, 0); at < size;
	     at = btf_search(bytes, size, at + 1)) {
		struct btf b;

		if (btf_open_split(&d, bytes + at, size - at, NULL, &b) != ST_OK || b.n < most)
			continue;
		most = b.n;
		*btf = bytes + at;
		*btf_size = (const uint8_t *)b.strings + b.string_bytes - *btf;
	}
	return most > LEAST_TYPES;
}

struct kallsyms_image {
	const uint8_t *bytes, *tokens, *index, *names;
	size_t size;
	bool big_endian;
	uint32_t markers;
};

static uint32_t word(const struct kallsyms_image *k, const uint8_t *p)
{
	uint32_t v = le32(p);

	return k->big_endian ? __builtin_bswap32(v) : v;
}

static unsigned int half(const struct kallsyms_image *k, const uint8_t *p)
{
	return k->big_endian ? p[0] << 8 | p[1] : p[1] << 8 | p[0];
}

/* The tokens "0" to "9" stand for themselves, in order: 48 tokens before them is the first. */
static bool find_tokens(struct kallsyms_image *k, const uint8_t *digits)
{
	const uint8_t *p = digits;
	const uint8_t *end;
	unsigned int n;

	if (p == k->bytes || p[-1])
		return false;
	for (n = 0; n < '0'; n++) {
		const uint8_t *before = p > k->bytes + 1 ? memrchr(k->bytes, 0, p - 1 - k->bytes)
							 : NULL;

		if (!before || p - before > 64)
			return false;
		p = before + 1;
	}
	/* Padding of zeros before the table looks like empty tokens, of which it has some itself. */
	for (unsigned int pad = 0; pad < 8; pad++, p++) {
		k->tokens = p;
		end = p;
		for (n = 0; end && n < 256; n++) {
			end = memchr(end, 0, k->bytes + k->size - end);
			end = end ? end + 1 : end;
		}
		for (unsigned int gap = 0; end && gap < 16; gap++) {
			k->index = end + gap;
			if (k->index + 512 <= k->bytes + k->size && !half(k, k->index) &&
			    half(k, k->index + '0' * 2) == digits - p &&
			    half(k, k->index + '9' * 2) == digits - p + 18)
				return true;
		}
		if (*p)
			break;
	}
	return false;
}

/* Behind n symbols; NULL: they do not fit. */
static const uint8_t *skip(const struct kallsyms_image *k, const uint8_t *p, unsigned int n)
{
	const uint8_t *end = k->bytes + k->size;

	while (n-- && p && p < end - 1) {
		unsigned int len = *p++;

		if (len & 0x80) /* two bytes, since 6.1 */
			len = (len & 0x7f) | *p++ << 7;
		p = len && (size_t)(end - p) > len ? p + len : NULL;
	}
	return p;
}

static bool find_names(struct kallsyms_image *k, const uint8_t *markers)
{
	uint32_t last = word(k, markers + ((size_t)k->markers - 1) * 4);
	uint32_t first = word(k, markers + 4), second = word(k, markers + 8);
	const uint8_t *p = markers - last;

	if (last > (size_t)(markers - k->bytes))
		return false;
	for (size_t back = 0; back < PER_MARKER * 200 && p > k->bytes; back++, p--) {
		const uint8_t *at = skip(k, p, PER_MARKER);

		if (at != p + first || skip(k, at, PER_MARKER) != p + second)
			continue;
		k->names = p;
		return true;
	}
	return false;
}

static bool find_markers(struct kallsyms_image *k)
{
	size_t room = k->tokens - k->bytes;
	const uint8_t *from = k->tokens - (room < MOST_BEFORE ? room : MOST_BEFORE);

	from += -(uintptr_t)(from - k->bytes) & 3;
	for (const uint8_t *p = from; p + 8 < k->tokens; p += 4) {
		uint32_t n = 1, before = 0;

		if (word(k, p))
			continue;
		for (const uint8_t *q = p + 4; q + 4 <= k->tokens; q += 4, n++) {
			uint32_t v = word(k, q);

			if (v <= before + PER_MARKER || v > before + PER_MARKER * 128)
				break;
			before = v;
		}
		k->markers = n;
		if (n >= LEAST_MARKERS && find_names(k, p))
			return true;
	}
	return false;
}

/* The name behind the letter that is its type; false: it does not fit. */
static const uint8_t *expand(const struct kallsyms_image *k, const uint8_t *p, char *name,
			     size_t room)
{
	const uint8_t *next = skip(k, p, 1);
	size_t n = 0;

	if (!next)
		return NULL;
	p += 1 + (*p >> 7);
	for (; p < next; p++) {
		const uint8_t *token = k->tokens + half(k, k->index + *p * 2);
		size_t len = strnlen((const char *)token, 64);

		if (n + len + 1 > room)
			return NULL;
		memcpy(name + n, token, len);
		n += len;
	}
	name[n] = '\0';
	return next;
}

bool image_symbols(const uint8_t *bytes, size_t size, bool big_endian,
		   void (*visit)(void *arg, const char *name), void *arg)
{
	static const char digits[] = "0\0"
				     "1\0"
				     "2\0"
				     "3\0"
				     "4\0"
				     "5\0"
				     "6\0"
				     "7\0"
				     "8\0"
				     "9";
	struct kallsyms_image k = { .bytes = bytes, .size = size, .big_endian = big_endian };
	const uint8_t *at = bytes, *p;
	char name[1024];

	for (;;) {
		at = memmem(at, bytes + size - at, digits, sizeof(digits));
		if (!at)
			return false;
		if (find_tokens(&k, at) && find_markers(&k))
			break;
		at++;
	}
	p = k.names;
	for (uint32_t i = 0; p && i < (k.markers - 1) * PER_MARKER; i++) {
		p = expand(&k, p, name, sizeof(name));
		if (p && *name)
			visit(arg, name + 1);
	}
	/* Behind the last marker there are up to 256: as many as are words. */
	for (unsigned int i = 0; p && i < PER_MARKER; i++) {
		p = expand(&k, p, name, sizeof(name));
		if (!p || !*name || !strchr("aAbBcCdDgGiInNpPrRsStTuUvVwW-?", *name))
			break;
		visit(arg, name + 1);
	}
	return true;
}
