/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System RAM as the kernel's resource tree has it: /proc/iomem's ranges. */
#pragma once

#include "dump/dump.h"

struct ram_range {
	uint64_t start, end; /* pfns; end is the first one behind */
	const char *
		driver; /* "virtio_mem" of "System RAM (virtio_mem)": who added it; NULL: the firmware, or unknown */
};

struct ram {
	struct ram_range *ranges; /* rising, without overlap */
	size_t n;
	uint64_t pages;
	uint64_t
		offline; /* of them, in memory blocks that are offline; 0 before memmap_find_offline() */
	uint64_t capture;    /* of them, what crashkernel= sets aside; 0: nothing, or unknown */
	const char *name;    /* "System RAM", or what stands in for it */
	const char *derived; /* NULL, or that something does and why: a warning */
};

/*
 * Where the tree is not in the dump, the spans of the zones stand in for it, or all pfns that the
 * kernel has: they have the same memory and, between its parts, pages that are none.
 * ST_ABSENT, ST_UNREADABLE, ST_CORRUPT (loops, overlaps), ST_UNKNOWN
 */
enum status ram_open(struct dump *d, struct ram *ret);

/* What shares of memory are of: no more than this can be in use by this kernel. */
static inline uint64_t ram_base(const struct ram *ram)
{
	const uint64_t without = ram->offline + ram->capture;

	/* A block that is offline has no pages of a reservation: more than all is no base. */
	return without < ram->pages ? ram->pages - without : ram->pages;
}

bool ram_has(const struct ram *ram, uint64_t pfn);

/* Who added the memory there; NULL: the firmware, or it is unknown. */
const char *ram_driver(const struct ram *ram, uint64_t pfn);
/* The first one that added any. */
const char *ram_first_driver(const struct ram *ram);

/*
 * Calls visit for each page in rising order, shows how far that is, and ends at the first
 * status that is not ST_OK.  ST_STOPPED: interrupted.
 */
enum status ram_walk(struct dump *d, const struct ram *ram,
		     enum status (*visit)(void *arg, uint64_t pfn), void *arg);

/* The same; visit moves *pfn behind the pages that it has seen, up to end. */
enum status ram_walk_runs(struct dump *d, const struct ram *ram,
			  enum status (*visit)(void *arg, uint64_t *pfn, uint64_t end), void *arg);

/*
 * Reserved memory that every machine has: the image of the kernel, a struct page for each page,
 * and what crashkernel= sets aside (kernel/crash_core.c, crashk_res and crashk_low_res).
 */

/* Pages of the last; 0: there are none.  A status that is not ST_OK: *ret has what is known of them. */
enum status crash_kernel_pages(struct dump *d, uint64_t *ret);

/* Pages of each. The image is without what is for boot alone. */
struct boot_memory {
	uint64_t image, memmap, capture; /* capture: what crashkernel= sets aside; 0: nothing */
};

/* At ram pages of System RAM. A status that is not ST_OK: one of them is unknown. */
enum status boot_memory_read(struct dump *d, uint64_t ram, struct boot_memory *ret);

/* Pages of these, at ram pages of System RAM; a part that is unknown counts 0. */
uint64_t boot_memory_pages(struct dump *d, uint64_t ram);
