/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slab caches that got no memory, by the lines of slab_out_of_memory() (mm/slub.c; up to 6.4 mm/slab.c too). The
 * kernel limits their rate. Text only.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/log_text.h"
#include "util/strbuf.h"

#define SLAB_FAILURE_CACHE 128
#define SLAB_FAILURE_GFP 256
#define SLAB_FAILURES_KEPT 16 /* caches */

/* What no line has, or a line that may be of another failure, is unknown. */
struct slab_failure {
	char cache[SLAB_FAILURE_CACHE]; /* "": unknown */
	struct log_number gfp_mask;
	char gfp[SLAB_FAILURE_GFP]; /* "GFP_ATOMIC"; "": unknown */
	struct log_number node;	    /* that was asked for; unknown: any, too */
	struct log_number object_size;
	struct log_number order;		/* the smallest that the cache takes */
	struct log_number slabs, objects, free; /* of all nodes, of SLUB */
	unsigned int n;				/* failures of the cache */
	const struct kernel_record *last;
};

struct slab_failures {
	unsigned int n;
	struct slab_failure all[SLAB_FAILURES_KEPT]; /* by caches, those that failed last first */
	unsigned int kept;
	bool has_more; /* of other caches */
};

void slab_failures_read(const struct kernel_log *log, struct slab_failures *ret);

/* "skbuff_small_head (order 0, GFP_ATOMIC) 8 times, kmalloc-2k (order 1) and others": as many caches as that */
void slab_failures_text(const struct slab_failures *f, unsigned int caches, struct strbuf *b);
