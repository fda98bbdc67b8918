/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocation sites as rows, in each way that they are asked for. */
#pragma once

#include "alloctag/site_index.h"
#include "keys.h"
#include "zones/system_ram.h"

/* The sum of all call sites, and the part of it that is counted twice. */

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

struct site_view {
	struct dump *dump;
	struct sink *out;
	struct cmdline *in;
	struct codetags tags;
	struct report report;
	enum availability why; /* what opening the tags said, */
	const char *problem;   /* and its message; NULL: there are tags */
	uint64_t kept;	       /* sites that the filters keep */
	/* For lists: the whole that shares are of. */
	struct site_sums sums;
	struct ram ram; /* no pages: unknown */
};

extern const struct view site_list_view;  /* also with -g */
extern const struct view site_tree_view;  /* folders and files */
extern const struct view site_raw_view;	  /* /proc/allocinfo */
extern const struct view site_state_view; /* -i */
extern const struct view site_diff_view;  /* -d FILE */
extern const struct view site_cpus_view;  /* -P SITE */

/* Each shows its rows and ends the report. */
enum status site_list(struct site_view *v);
enum status site_tree(struct site_view *v);
enum status site_raw(struct site_view *v);
enum status site_diff(struct site_view *v);
enum status site_cpus(struct site_view *v);

/* The state of profiling, whether there are tags or not. */
enum status site_state(struct site_view *v);

/* Whether the filters keep a site, and counts it. */
bool site_view_keeps(struct site_view *v, const struct site *s);

/* In text: what all sites have, filters or not, and how much of that is counted twice. */
void site_view_sums(struct site_view *v);

/* Warnings about the sites, and the last lines. */
void site_view_end(struct site_view *v);

/* "file:line", "?:line" where the name is not in this dump; NULL: no memory. */
const char *site_location(struct dump *d, const struct site *s);

/* allocprof ADDR...: the page or slab object at an address, its call site and its owner. */

extern const struct view tag_lookup_view;

/* ST_USAGE: an argument is no address of one page.  Nothing is read. */
enum status tag_lookup_check(struct dump *d, const char *text);

/* tags may be empty: then only slab and page_owner answer.  Ends the report. */
enum status tag_lookup_show(struct dump *d, struct sink *out, struct cmdline *in,
			    const struct codetags *tags, struct report *r);

/* allocprof -c SITE: every live allocation of a call site, or of all sites of a function. */

struct tag_view;

extern const struct view site_allocs_view;

/* The report has its meta line; ends it. */
enum status site_allocs_show(struct dump *d, struct sink *out, struct cmdline *in,
			     const struct codetags *tags, const struct sites *sites,
			     struct report *r);

/* allocprof -C: what tags say of all memory, beside what slab and page_owner say. */

extern const struct view tag_check_view;

/* Ends the report. */
enum status tag_check_show(struct dump *d, struct sink *out, struct cmdline *in,
			   const struct codetags *tags, struct report *r);
