/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Per-CPU allocations and the alloc_tag of each (struct pcpu_chunk, mm/percpu-internal.h).
 * The chunk of boot keeps no tags.
 */
#pragma once

#include "alloctag/codetag.h"

struct percpu_object {
	uint64_t address; /* per-CPU, as the kernel's users have it */
	uint64_t bytes;	  /* in the copy of one CPU */
	uint64_t tag;
	bool is_free; /* and has kept its tag: profiling was off when it was freed */
};

/*
 * Calls visit for each allocation that has a tag.  ST_ABSENT: this kernel keeps none;
 * ST_UNREADABLE or ST_CORRUPT: some chunks are missing, the others were visited.
 */
enum status percpu_objects_walk(struct dump *d,
				enum status (*visit)(void *arg, const struct percpu_object *o),
				void *arg);

/*
 * How many bytes the counters of a site have for one byte of per-CPU memory.  Kernels count one
 * copy, that of each possible CPU, or also the pointers of memcg (pcpu_obj_full_size() in
 * mm/percpu-internal.h); no type tells.  The answer is what makes the most sites right of those
 * whose allocations are all per-CPU ones.  0: there is no such site.  ST_STOPPED.
 */
enum status percpu_factor(struct dump *d, const struct codetags *tags, uint64_t *ret);
