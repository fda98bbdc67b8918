/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A member of a structure: where debug information says that it is, and its value in a copy. */
#ifndef MEMOWNER_DUMP_FIELD_H
#define MEMOWNER_DUMP_FIELD_H

#include <stdbool.h>
#include <stdint.h>

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

/* The same for a signed number. */
static inline int64_t field_get_signed(const struct field *f, const void *base)
{
	unsigned int unused = 64 - 8 * f->size;

	if (!f->present || !f->size || f->size > 8)
		return 0;
	return (int64_t)(field_get(f, base) << unused) >> unused;
}

#endif
