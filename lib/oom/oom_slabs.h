/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Unreclaimable slab info:" of an OOM report (dump_unreclaimable_slab() of mm/slab_common.c, since 4.15): the
 * caches that cannot be reclaimed, where they have more than what processes have. Text only.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/log_text.h"

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
