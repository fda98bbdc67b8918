/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the views of pageowner have in common: the sources they draw from. */
#ifndef MEMOWNER_PAGEOWNER_VIEW_H
#define MEMOWNER_PAGEOWNER_VIEW_H

#include "util/hash_bytes.h"
#include "cli/cmdline.h"
#include "mm/memcg.h"
#include "kernel/gfp_names.h"
#include "groups.h"
#include "keys.h"
#include "select.h"
#include "kernel/task_index.h"
#include "mm/page_class.h"
#include "mm/page_owner.h"
#include "cli/report.h"
#include "raw_format.h"
#include "mm/pageblock.h"
#include "mm/slub.h"
#include "mm/page_type.h"
#include "symbols/stack_cache.h"
#include "alloctag/tag_names.h"
#include "mm/zones.h"

/* Values of the keys that follow from the stack alone. */
struct stack_values {
	uint64_t caller, module;
};

struct counters;
struct stack_counts;
struct saved_scan;
struct zones_view;

struct owner_view {
	struct dump *dump;
	struct saved_scan *saved; /* -R: it is of a file; NULL: of the dump */
	unsigned int page_shift;
	struct page_owner owner;
	struct stack_cache stacks;
	struct names names;
	struct page_types states;
	struct memcgs memcgs;
	bool has_states; /* a column of struct page is shown, and it is known */
	bool has_memcgs;
	struct slabs *slabs;	      /* NULL: the same */
	struct page_classes *classes; /* NULL: no column shows them, or there are none */
	struct task_owners *owners;   /* NULL: the same */
	struct tag_names *tags;	      /* NULL: the same */
	struct counters *counters;    /* NULL: no view needs them, or there are none */
	/* Set before it is opened. */
	bool any_kernel;    /* the view does without page_owner */
	bool shows_types;   /* it has columns that struct page answers */
	bool shows_classes; /* it has classes, and keys of its own */
	bool shows_sites;   /* it has the column of call sites */
	bool sums_up; /* it needs class, cgroup and process of pages, but has no columns of them */
	bool has_owner;
	bool has_depot;		   /* stacks has the stack depot */
	const char *owner_problem; /* why page_owner has nothing, if it has not */
	bool records_unknown;	   /* because its records cannot be read */
	bool has_gaps;		 /* rows lack pages, or a value of them, for a cause already told */
	struct zones zones;	 /* n is 0 if they could not be read */
	struct hash_bytes texts; /* those that words of keys are addresses of */
	struct hash_u64 stack_values; /* of struct stack_values by handle */
	struct pageblocks blocks;
	bool has_blocks;	      /* a column needs them, and they are known */
	struct owner_text *text;      /* of owner_raw_open() */
	struct stack_counts *counted; /* of owner_counters_open() */
	struct owner_view *before;    /* of owner_diff_open() */
	struct zones_view *zoned;     /* of owner_zones_open() */
	struct report report;
	struct cmdline *in;
	struct sink *out;
};

/* What every view has, with or without a dump behind it. */
void owner_view_init(struct owner_view *v);

/* Opens what a scan and its output need; ST_USAGE: refused; *why as for page_owner_open(). */
enum status owner_view_open(struct owner_view *v, enum availability *why);

/* Adds what every scan has to say, then ends the report; select NULL: all was shown. */
void owner_view_end(struct owner_view *v, const struct scan_stats *cov,
		    const struct owner_select *select);

/* In text: which columns of the table this kernel, or the saved scan, has no values for. */
void owner_view_unrecorded(struct owner_view *v);

/* Whether a key is asked for: by -f, -X, -g, -s or as a column. */
bool owner_uses(const struct owner_view *v, enum owner_key key);

/* Groups of pages, the biggest first. */
extern const struct view owner_top_view;
enum status owner_top(struct owner_view *v);

/* Call tree of the pages. */
extern const struct view owner_tree_view;
enum status owner_tree(struct owner_view *v);
/* Refuses what it and owner_folded() cannot group by, after owner_view_open(). */
enum status owner_tree_open(struct owner_view *v, enum availability *why);

/* Stacks on a line each, for flame graphs. */
extern const struct view owner_folded_view;
enum status owner_folded(struct owner_view *v);

/* The kernel's own counters of each stack, without a scan. */
extern const struct view owner_counters_view;
enum status owner_counters(struct owner_view *v);
/* What it and owner_top() need for -k, after owner_view_open(); *why as there. */
enum status owner_counters_open(struct owner_view *v, enum availability *why);

/* Scans and writes the file of -w. */
extern const struct view owner_save_view;
enum status owner_save(struct owner_view *v);

/* Where all memory is, by class, beside the kernel's own counters. */
extern const struct view owner_memory_view;
enum status owner_memory(struct owner_view *v);

/* Zones: free blocks, watermarks, and which of them serves an allocation. */
extern const struct view owner_zones_view;
enum status owner_zones(struct owner_view *v);
/* Instead of owner_view_open(): the zones, and what the arguments ask of them. */
enum status owner_zones_open(struct owner_view *v, enum availability *why);

/* Slab caches by size. */
extern const struct view owner_caches_view;
enum status owner_caches(struct owner_view *v);

/* Objects of slab caches, by who allocated or freed them. */
extern const struct view owner_objects_view;
enum status owner_objects(struct owner_view *v);

/* What has changed since a saved scan. */
extern const struct view owner_diff_view;
enum status owner_diff(struct owner_view *v);
/* What it needs, after owner_view_open(): the saved scan. */
enum status owner_diff_open(struct owner_view *v, enum availability *why);

/* One row per allocation in pfn order. */
extern const struct view owner_list_view;
enum status owner_list(struct owner_view *v);

/* The row of one record in the columns of owner_list_view; freed may be NULL. */
void owner_list_row(struct owner_view *v, const struct owner_record *r, struct cached_stack *k,
		    struct cached_stack *freed, struct cell *row);
/* The row of a page without a record, or with one that cannot be read. */
void owner_list_bare_row(struct owner_view *v, uint64_t pfn, bool unknown, struct cell *row);
size_t owner_list_columns(void);
/* Whether a table of it has columns that struct page answers. */
bool owner_list_shows_type(const struct table *t);
/* Whether it has the column of call sites. */
bool owner_list_shows_site(const struct table *t);

/* First page of the allocation that a live record is of. */
static inline uint64_t owner_page_head(const struct owner_page *p)
{
	return p->order < 64 ? p->pfn & ~((1ULL << p->order) - 1) : p->pfn;
}

/* The text of the kernel's own page_owner file, and nothing else. */
extern const struct view owner_raw_view;
enum status owner_raw(struct owner_view *v);

/*
 * What these two need, after owner_view_open(); *why as there. ST_UNKNOWN: how this kernel
 * prints a record cannot be known.
 */
enum status owner_raw_open(struct owner_view *v, enum availability *why);

/* The pages that the arguments of the command line name. */
extern const struct view owner_page_view;
enum status owner_pages(struct owner_view *v);

#endif
