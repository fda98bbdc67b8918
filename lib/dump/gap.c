// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/gap.h"

struct gaps gaps_copy(struct dump *d, const struct gap *rows, size_t n)
{
	struct gap *copy = dump_alloc(d, n * sizeof(*copy));
	struct gaps ret = { copy, 0 };

	for (size_t i = 0; i < n; i++)
		if (rows[i].n)
			copy[ret.n++] = rows[i];
	return ret;
}
