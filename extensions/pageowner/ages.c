// SPDX-License-Identifier: GPL-2.0-or-later
#include "groups.h"

#define S 1000000000ULL

static const uint64_t below[AGES] = {
	/* ns */
	S / 10, S, 10 * S, 60 * S, 600 * S, 3600 * S, 86400 * S, 7 * 86400 * S, UINT64_MAX,
};

static const struct ranked_text names[AGES] = {
	{ "<100ms", 0 },   { "100ms-1s", 1 },	{ "1s-10s", 2 },
	{ "10s-1min", 3 }, { "1min-10min", 4 }, { "10min-1h", 5 },
	{ "1h-1d", 6 },	   { "1d-7d", 7 },	{ ">7d", 8 },
};

unsigned int ages_step(uint64_t ns)
{
	unsigned int i = 0;

	while (i + 1 < AGES && ns >= below[i])
		i++;
	return i;
}

const char *ages_name(unsigned int step)
{
	return step < AGES ? names[step].text : NULL;
}

struct cell ages_cell(unsigned int step)
{
	return cell_ranked(step < AGES ? &names[step] : NULL);
}
