/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Memory allocations:" of an OOM report (__show_mem() of mm/show_mem.c, since 6.10 with allocation
 * profiling): the call sites with the most memory. Text only.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/log_text.h"

#define OOM_SITES 10 /* as many as the kernel prints */
#define OOM_SITE_NAME 256

struct oom_site {
	char name[OOM_SITE_NAME]; /* "mm/slub.c:2463 alloc_slab_page", "drivers/a.c:9 f [a]" */
	uint64_t bytes;		  /* rounded to three digits by the kernel */
	uint64_t calls;
};

struct oom_sites {
	unsigned int n;
	struct oom_site sites[OOM_SITES]; /* in the order of the log: the largest first */
	bool is_off;			  /* it says that profiling was turned off by then */
};

/* The list behind a record of the log, up to the end of its report; ret->n 0: there is none. */
void oom_sites_read(const struct kernel_log *log, const struct kernel_record *from,
		    struct oom_sites *ret);

/*
 * "Unreclaimable slab info:" of an OOM report (dump_unreclaimable_slab() of mm/slab_common.c, since 4.15): the
 * caches that cannot be reclaimed, where they have more than what processes have. Text only.
 */

#define OOM_SLABS 64 /* the largest: some kernels print more than a hundred */
#define OOM_SLAB_NAME 64

struct oom_slab {
	char name[OOM_SLAB_NAME];
	uint64_t used_kib, total_kib;
};

struct oom_slabs {
	unsigned int n;
	struct oom_slab slabs[OOM_SLABS]; /* the largest first */
};

/* The list behind a record of the log, up to its end; ret->n 0: there is none. */
void oom_slabs_read(const struct kernel_log *log, const struct kernel_record *from,
		    struct oom_slabs *ret);
