/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bob Jenkins's hash lookup3 of 32-bit words, which the kernel calls jhash2(). */
#pragma once

#include <stdint.h>

/* n words of four bytes each, little-endian. */
uint32_t jhash_words(const uint8_t *words, uint32_t n, uint32_t seed);
