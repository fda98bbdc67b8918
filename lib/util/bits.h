/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bits of a map of bytes, the lowest of each byte first, as bitmaps of little-endian kernels are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
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

/* "0-1,3" of a map of words, as the kernel prints it (%*pbl). False: it has none, or text has no room for it. */
bool bits_print(const uint64_t *bits, unsigned int words, char *text, size_t size);
