/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An image of a kernel that has nothing but kallsyms, as scripts/kallsyms.c lays it out: symbol i is "fn_"
 * and i in four digits at IMAGE_AT + GAP * i, but for the first, "_stext", and the last two, "init_uts_ns" and "_end".
 */
#pragma once

#include <ctype.h>
#include <stdio.h>

#include "kernel/kallsyms.h"

#define IMAGE_AT 0xffffffff81000000ULL
#define IMAGE_BYTES (128u << 10)
#define GAP 2 /* from one symbol to the next: all are below the tables */

struct kallsyms_image {
	uint8_t bytes[IMAGE_BYTES];
	uint32_t n; /* symbols */
	unsigned int marker_bytes;
	enum kallsyms_encoding encoding;
	bool is_old;	/* the offsets first, as before 6.4 */
	bool text_only; /* no symbols of data */
	size_t at;	/* how much is written */
	struct kallsyms_places places;
};

static inline void image_put(struct kallsyms_image *im, const void *p, size_t n)
{
	memcpy(im->bytes + im->at, p, n);
	im->at += n;
}

static inline uint64_t image_align(struct kallsyms_image *im)
{
	im->at = (im->at + 7) & ~(size_t)7;
	return IMAGE_AT + im->at;
}

static inline void image_name(const struct kallsyms_image *im, uint32_t i, char name[16])
{
	snprintf(name, 16, "fn_%04u", i % 10000);
	if (!i)
		strcpy(name, "_stext");
	if (!im->text_only && i == im->n - 2)
		strcpy(name, "init_uts_ns");
	if (i == im->n - 1)
		strcpy(name, "_end");
}

/* Token 1 is "fn_", of token 2, "fn", and "_"; each other one the character of its number, or empty. */
static inline void image_put_names(struct kallsyms_image *im)
{
	uint64_t markers[64] = { 0 };
	uint32_t narrow[64];

	im->places.names = image_align(im);
	for (uint32_t i = 0; i < im->n; i++) {
		char name[16];
		const char *rest = name;
		uint8_t record[20] = { 0, 'T' };
		size_t n = 2;

		if (i % 256 == 0)
			markers[i / 256] = IMAGE_AT + im->at - im->places.names;
		image_name(im, i, name);
		if (!strncmp(name, "fn_", 3)) {
			record[n++] = 1;
			rest = name + 3;
		}
		memcpy(record + n, rest, strlen(rest));
		n += strlen(rest);
		record[0] = n - 1;
		image_put(im, record, n);
	}
	im->places.markers = image_align(im);
	for (size_t i = 0; i < 64; i++)
		narrow[i] = markers[i];
	image_put(im, im->marker_bytes == 8 ? (void *)markers : (void *)narrow,
		  (im->n + 255) / 256 * im->marker_bytes);
}

static inline void image_put_tokens(struct kallsyms_image *im)
{
	uint16_t index[256];
	size_t start;

	im->places.token_table = image_align(im);
	start = im->at;
	for (unsigned int i = 0; i < 256; i++) {
		const char one[2] = { isalnum(i) || i == '_' ? (char)i : '\0', '\0' };
		const char *token = i == 1 ? "fn_" : i == 2 ? "fn" : one;

		index[i] = im->at - start;
		image_put(im, token, strlen(token) + 1);
	}
	im->places.token_index = image_align(im);
	image_put(im, index, sizeof(index));
}

static inline void image_put_offsets(struct kallsyms_image *im)
{
	uint64_t base = IMAGE_AT;

	im->places.offsets = image_align(im);
	for (uint32_t i = 0; i < im->n; i++) {
		uint32_t offset = GAP * i;

		if (im->encoding == KALLSYMS_NEGATIVE)
			offset = -1 - offset;
		else if (im->encoding == KALLSYMS_SELF)
			offset = IMAGE_AT + offset - (IMAGE_AT + im->at);
		image_put(im, &offset, 4);
	}
	if (im->encoding == KALLSYMS_SELF)
		return;
	im->places.relative_base = image_align(im);
	image_put(im, &base, 8);
}

/* n, marker_bytes, encoding, is_old and text_only are set. */
static inline void kallsyms_image_make(struct kallsyms_image *im)
{
	uint64_t n = im->n;

	memset(im->bytes, 0x90, sizeof(im->bytes));
	memset(im->bytes + 0x2000, 0, sizeof(im->bytes) - 0x2000);
	im->at = 0x2000;
	if (im->is_old)
		image_put_offsets(im);
	im->places.num_syms = image_align(im);
	image_put(im, &n, 8);
	image_put_names(im);
	image_put_tokens(im);
	if (!im->is_old)
		image_put_offsets(im);
}
