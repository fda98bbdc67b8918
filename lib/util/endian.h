/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads from unaligned bytes of the dump.  crash analyses dumps of its own
 * byte order only, and every kernel with page_owner that it is built for here
 * is little-endian.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
