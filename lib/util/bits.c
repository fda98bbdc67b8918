// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bits.h"

#include <stdio.h>

static bool has(const uint64_t *bits, unsigned int words, unsigned int i)
{
	return i / 64 < words && (bits[i / 64] >> (i % 64) & 1);
}

bool bits_print(const uint64_t *bits, unsigned int words, char *text, size_t size)
{
	size_t used = 0;

	for (unsigned int from = 0, to; from < 64 * words; from = to + 1) {
		int n;

		to = from;
		if (!has(bits, words, from))
			continue;
		while (has(bits, words, to + 1))
			to++;
		n = snprintf(text + used, size - used, to > from ? "%s%u-%u" : "%s%u",
			     used ? "," : "", from, to);
		if (n < 0 || (size_t)n >= size - used)
			return false;
		used += n;
	}
	return used > 0;
}
