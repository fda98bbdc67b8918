/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bits of a map of bytes, the lowest of each byte first, as bitmaps of little-endian kernels are. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool bit_has(const uint8_t *map, uint64_t i)
{
	return map[i / 8] >> i % 8 & 1;
}

static inline void bit_set(uint8_t *map, uint64_t i)
{
	map[i / 8] |= 1 << i % 8;
}

static inline void bit_clear(uint8_t *map, uint64_t i)
{
	map[i / 8] &= ~(1 << i % 8);
}
