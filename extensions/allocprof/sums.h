/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sum of all call sites, and the part of it that is counted twice. */
#pragma once

#include "alloctag/codetag.h"

struct site_sums {
	bool whole;    /* the counters of every site could be read */
	bool named;    /* and the names of those of vmlinux: the next two are known */
	int64_t bytes; /* can be below zero, as all of these */
	uint64_t calls;
	/* Of bytes, pages whose contents have call sites of their own. */
	int64_t slab_pages;   /* of slabs */
	int64_t percpu_pages; /* of per-CPU chunks */
	uint64_t inaccurate;  /* sites where the kernel did not count some allocations */
	uint64_t negative;    /* sites below zero */
};

void site_sums_read(const struct codetags *tags, struct site_sums *ret);

/* All bytes without pages that are counted again as objects. */
static inline int64_t site_sums_once(const struct site_sums *s)
{
	return (int64_t)((uint64_t)s->bytes - s->slab_pages - s->percpu_pages);
}
