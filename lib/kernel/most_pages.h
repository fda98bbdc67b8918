/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What no owner of memory can have more of: a counter above it is damaged, whatever it counts. */
#pragma once

#include "dump/dump.h"

/* In pages; UINT64_MAX: unknown. */
struct most_pages {
	uint64_t ram;  /* all pfns below max_pfn */
	uint64_t both; /* with all swap areas, total_swap_pages */
};

void most_pages_read(struct dump *d, struct most_pages *ret);

/* Whether a counter with a sign, in pages, is more than that, or below 0. */
static inline bool most_pages_exceeds(uint64_t most, uint64_t pages)
{
	return (int64_t)pages < 0 || pages > most;
}
