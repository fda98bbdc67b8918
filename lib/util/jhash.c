// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/jhash.h"

#include "util/endian.h"

static uint32_t turn(uint32_t word, unsigned int bits)
{
	return word << bits | word >> (32 - bits);
}

/* Rotations of the steps, as lookup3 defines them. */
static void mix(uint32_t s[3])
{
	static const unsigned int bits[] = { 4, 6, 8, 16, 19, 4 };

	for (unsigned int i = 0; i < 6; i++) {
		uint32_t *a = &s[i % 3], *b = &s[(i + 1) % 3], *c = &s[(i + 2) % 3];

		*a -= *c;
		*a ^= turn(*c, bits[i]);
		*c += *b;
	}
}

static void finish(uint32_t s[3])
{
	static const unsigned int bits[] = { 14, 11, 25, 16, 4, 14, 24 };

	for (unsigned int i = 0; i < 7; i++) {
		uint32_t *to = &s[(i + 2) % 3], from = s[(i + 1) % 3];

		*to ^= from;
		*to -= turn(from, bits[i]);
	}
}

uint32_t jhash_words(const uint8_t *words, uint32_t n, uint32_t seed)
{
	uint32_t s[3], left = n;

	s[0] = s[1] = s[2] = 0xdeadbeef + (n << 2) + seed;
	for (; left > 3; left -= 3, words += 12) {
		for (unsigned int i = 0; i < 3; i++)
			s[i] += le32(words + 4 * i);
		mix(s);
	}
	for (unsigned int i = 0; i < left; i++)
		s[i] += le32(words + 4 * i);
	if (left)
		finish(s);
	return s[2];
}
