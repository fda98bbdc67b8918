/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges of addresses, each with a number, to be found by an address. */
#ifndef MEMOWNER_SYMBOLS_ADDR_RANGES_H
#define MEMOWNER_SYMBOLS_ADDR_RANGES_H

#include "dump/dump.h"

struct span {
	uint64_t low, high; /* high is behind the last */
	uint64_t what;
};

struct spans {
	struct span *spans;
	size_t n, room;
};

/* Empty ranges are left out.  DUMP_CORRUPT: more than anything has. */
enum status spans_add(struct dump *d, struct spans *s, uint64_t low, uint64_t high, uint64_t what);

/* Once, behind the last spans_add(). */
void spans_sort(struct spans *s);

/* The span with the highest low that has the address; NULL: none. */
const struct span *spans_find(const struct spans *s, uint64_t addr);

#endif
