/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Swap devices and swap files, as /proc/swaps has them (mm/swapfile.c). */
#pragma once

#include "dump/dump.h"

struct swap_area {
	const char *path; /* NULL: not in this dump */
	uint64_t pages, used;
	int32_t priority;
	bool is_emptied; /* nothing is swapped out to it any more: swapoff() brings back what is in use */
};

/*
 * Calls visit for each area that is in use, in the order of /proc/swaps.  ST_ABSENT: a kernel without
 * swap; ST_UNREADABLE, ST_CORRUPT or ST_UNKNOWN: some areas, or all paths, are missing, or together they are not
 * what nr_swap_pages and total_swap_pages say; the others were visited.
 */
enum status swap_areas_walk(struct dump *d,
			    enum status (*visit)(void *arg, const struct swap_area *area),
			    void *arg);

/* All areas of swap, in pages. */
struct swap_sum {
	bool known;
	uint64_t pages, used;
	const struct swap_area *emptied; /* one that is; NULL: none is, or it is unknown */
};

/* A status as above; *ret in any case. */
enum status swap_areas_sum(struct dump *d, struct swap_sum *ret);

/*
 * NULL, or that the sum of the counters of processes, in pages, is more than is in use, with both sizes: each
 * process has a counter of its entries, and shares them after fork().
 */
#define SWAP_SHARED "SWAP counts what processes share for each of them: %s"
const char *swap_shared_note(struct dump *d, uint64_t pages);
