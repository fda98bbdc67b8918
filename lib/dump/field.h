/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A member of a structure: where debug information says that it is, and its value in a copy. */
#pragma once

#include <stdbool.h>

#include "util/endian.h"

enum kind {
	KIND_OTHER,
	KIND_INT, /* integers, enumerations, booleans */
	KIND_POINTER,
	KIND_ARRAY,
	KIND_STRUCT, /* structures and unions */
};

/* What debug information says of a member or of a variable. */
struct field {
	bool present;
	enum kind kind;
	uint32_t offset;     /* bytes from the start of the type */
	uint32_t size;	     /* bytes; of the declared type if it is a bit field */
	uint32_t bit_offset; /* bits above the low bit of the bytes at offset */
	uint32_t bit_size;   /* 0 if it is not a bit field */
};

/* Number, pointer or bit field in a copy of its structure; 0 if the kernel has no such member. */
static inline uint64_t field_get(const struct field *f, const void *base)
{
	uint64_t v;

	if (!f->present || f->size > 8)
		return 0;
	v = le_bytes((const uint8_t *)base + f->offset, f->size);
	if (f->bit_size && f->bit_size < 64)
		v = v >> f->bit_offset & ((1ULL << f->bit_size) - 1);
	return v;
}

/*
 * For one that is read of millions of copies: in the eight bytes at offset, which are within the
 * copy.  Where the kernel has no such member the mask is 0.
 */
struct quick_field {
	uint32_t offset, shift;
	uint64_t mask;
};

/* room: bytes of the copy.  False: it has no eight bytes, or not all of the member. */
static inline bool field_quick(const struct field *f, size_t room, struct quick_field *ret)
{
	unsigned int bits = f->bit_size ? f->bit_size : 8 * f->size;

	*ret = (struct quick_field){ 0 };
	if (room < 8 || (f->present && (f->size > 8 || f->offset > room - f->size)))
		return false;
	if (!f->present || !f->size)
		return true;
	ret->offset = f->offset < room - 8 ? f->offset : (uint32_t)(room - 8);
	ret->shift = 8 * (f->offset - ret->offset) + (f->bit_size ? f->bit_offset : 0);
	ret->mask = bits < 64 ? (1ULL << bits) - 1 : ~0ULL;
	return ret->shift < 64;
}

/* As field_get(). */
static inline uint64_t quick_get(const struct quick_field *f, const void *base)
{
	return le64((const uint8_t *)base + f->offset) >> f->shift & f->mask;
}

/* The same for a signed number. */
static inline int64_t field_get_signed(const struct field *f, const void *base)
{
	unsigned int unused = 64 - 8 * f->size;

	if (!f->present || !f->size || f->size > 8)
		return 0;
	return (int64_t)(field_get(f, base) << unused) >> unused;
}
