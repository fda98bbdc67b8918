/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads from unaligned bytes of the dump.  crash analyses dumps of its own
 * byte order only, and every kernel with page_owner that it is built for here
 * is little-endian.
 */
#ifndef MEMOWNER_DUMP_FIELD_H
#define MEMOWNER_DUMP_FIELD_H

#include <stdint.h>
#include <string.h>

#include "dump/dump.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "loads assume little-endian");

static inline uint16_t le16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t le32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint64_t le64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* size is at most 8 */
static inline uint64_t le_bytes(const void *p, size_t size)
{
	uint64_t v = 0;

	switch (size) {
	case 8:
		return le64(p);
	case 4:
		return le32(p);
	case 2:
		return le16(p);
	default:
		memcpy(&v, p, size);
		return v;
	}
}

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
