// SPDX-License-Identifier: GPL-2.0-or-later
#include "ages.h"

#include <stddef.h>

#define S 1000000000ULL

static const struct {
	uint64_t below; /* ns */
	const char *name;
} steps[AGES] = {
	{ S / 10, "<100ms" },	{ S, "100ms-1s" },	    { 10 * S, "1s-10s" },
	{ 60 * S, "10s-1min" }, { 600 * S, "1min-10min" },  { 3600 * S, "10min-1h" },
	{ 86400 * S, "1h-1d" }, { 7 * 86400 * S, "1d-7d" }, { UINT64_MAX, ">7d" },
};

unsigned int ages_step(uint64_t ns)
{
	unsigned int i = 0;

	while (i + 1 < AGES && ns >= steps[i].below)
		i++;
	return i;
}

const char *ages_name(unsigned int step)
{
	return step < AGES ? steps[step].name : NULL;
}
