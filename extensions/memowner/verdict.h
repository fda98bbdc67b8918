/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether memory was short when the kernel ended, and in which way: one line with the number that carries it. */
#pragma once

#define RECOVERED_NS 1000000000ULL /* from a report to the panic: that was not of it */

#include "oom/oom_report.h"

struct owner_view;

enum verdict {
	VERDICT_UNKNOWN,
	VERDICT_RAN_OUT,  /* of all memory, as a report of the log says */
	VERDICT_SHORT,	  /* the same by what was free at the end, without a report */
	VERDICT_CGROUP,	  /* a cgroup reached its limit */
	VERDICT_NO_BLOCK, /* enough is free, but no block of the order */
	VERDICT_ZONE,	  /* of the nodes or zones that the request may use */
	VERDICT_KEPT,	  /* memory is free, below the watermarks of all zones */
	VERDICT_HIGH,	  /* tasks of a cgroup wait, as it is above memory.high */
	VERDICT_COMMIT,	  /* memory is free, and all that may be promised is */
	VERDICT_NOT_SHORT,
};

static inline bool verdict_is_out(enum verdict v)
{
	return v == VERDICT_RAN_OUT || v == VERDICT_SHORT;
}

#define ZONE_SPANS 16 /* of zones that are asked */

struct strbuf;
struct summary;

/* What the zones of a request make of it at the end. */
struct zone_sum {
	bool known;			      /* the answer of each zone is */
	unsigned int served, below, no_block; /* zones */
	uint64_t free, other_free;	      /* pages in zones that it may use, in others */
	bool has_blocks;    /* for an order above 0 free blocks of all these zones are known */
	uint64_t in_blocks; /* of free: pages in blocks of the order or above */
	uint64_t kept;	    /* pages below the marks of zones that it may use */
	uint64_t above;	    /* of free: what is above the marks; of a log 0 */
	uint64_t cma;	    /* of free, which it may not take */
	uint64_t file;	    /* pages of page cache in these zones; of a dump 0 */
	bool is_in_cma; /* blocks of the order are free there, which it may not take; of a dump false */
	bool is_in_highatomic;	  /* the same of the reserve of highatomic blocks */
	int largest;		  /* order of the largest block that it may take; -1: none */
	const char *zone;	  /* "Normal", of the last one asked */
	unsigned int node, zones; /* of that one; how many are asked */
	unsigned int other_nodes,
		other_node; /* that have other_free, 2: several, or unknown; the last one */
	const char *other;  /* "Movable", the zone that has other_free; "": several; NULL: none */
	/* Pages that these have for the page allocator; 0: unknown.  Of a dump their pfns, if there are not too many. */
	uint64_t managed;
	struct {
		uint64_t start, end;
	} spans[ZONE_SPANS];
	unsigned int nspans;
	bool is_empty;	     /* these have no page for it, as is known */
	bool others_movable; /* of a log: all others are zones Movable, where kernel objects are not */
	const char *mems_allowed; /* of the cpuset that leaves others out; NULL: none does */
};

/* Pages that are free, less what of them is in CMA. */
static inline uint64_t outside_cma(uint64_t free, uint64_t cma)
{
	return cma < free ? free - cma : 0;
}

#define NO_NODE (~0u)

/* Adds free pages of a zone that the request may not use; name "", NO_NODE: of several, or unknown. */
void zone_sum_other(struct zone_sum *z, const char *name, unsigned int node, uint64_t pages);

/* Of order 0, GFP_KERNEL if report is NULL; false: unknown. */
bool zone_sum_read(struct owner_view *v, const struct oom_report *report, struct zone_sum *ret);

/* Pages free in all zones: as the class has it, which the counters of zones may lag behind. (zone_use.c) */
uint64_t zone_sum_free(const struct summary *s, const struct zone_sum *z);
/* "9.0M of 319.5M was free, 2.8%"; of some zones, or of a log: "9.0M was free" */
/* Then a block is what was asked for last, and not what lacks: whatever was asked for would soon have been refused. */
bool zone_sum_is_used_up(struct summary *s, const struct oom_report *r, const struct zone_sum *z);
void zone_sum_add_free(struct summary *s, const struct zone_sum *z, struct strbuf *b);

/* Whether hardly any of what is free is above the marks of the zones that it may use; false: it is, or it is unknown. */
bool zone_sum_is_kept(const struct zone_sum *z);
/* The remark of the class of free pages; r: the report of the end, NULL: GFP_KERNEL is asked. */
void verdict_mark_free(struct summary *s, const struct oom_report *r, enum verdict verdict);

/* Whether no zone serves order 0, GFP_KERNEL; false: a figure that decides is not known. */
bool zones_refuse_kernel(struct owner_view *v, bool *ret);

/* What none gives a page to: what the report asked for, "GFP_KERNEL"; NULL: they do, or it is unknown. */
const char *zones_refuse(struct owner_view *v, const struct oom_report *r);

/* Free pages of all zones by the kernel's own counters; shown: without what CPUs had not added yet. */
enum status zones_free(struct owner_view *v, bool shown, uint64_t *ret);
