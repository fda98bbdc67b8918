/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges of addresses, each with a number, to be found by an address. */
#pragma once

#include "dump/dump.h"

struct addr_range {
	uint64_t low, high; /* high is behind the last */
	uint64_t what;
};

struct addr_ranges {
	struct addr_range *spans;
	size_t n, room;
};

/* Empty ranges are left out.  ST_CORRUPT: more than anything has. */
enum status addr_ranges_add(struct dump *d, struct addr_ranges *s, uint64_t low, uint64_t high,
			    uint64_t what);

/* Once, behind the last addr_ranges_add(). */
void addr_ranges_sort(struct addr_ranges *s);

/* The span with the highest low that has the address; NULL: none. */
const struct addr_range *addr_ranges_find(const struct addr_ranges *s, uint64_t addr);
