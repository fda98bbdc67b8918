/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sources of views of single allocations: tags, slabs, tracks, records of page_owner. */
#pragma once

#include "alloctag/percpu_tag.h"
#include "alloctag/tag_names.h"
#include "cli/rows.h"
#include "page_owner/page_owner.h"
#include "slab/slub.h"
#include "symbols/symbolize.h"
#include "tasks/task_index.h"

/* Columns of a record's struct tag_owner MEMBER: who allocated, and when. */
#define OWNER_PID_COLUMN(T, MEMBER, SHOWN)                                                         \
	{                                                                                          \
		COLUMN_pid, SHOWN, "the one that allocated", INT_IF(T, MEMBER.pid, MEMBER.has_pid) \
	}
#define OWNER_TASK_COLUMNS(T, MEMBER, SHOWN)                                              \
	{ COLUMN_tgid, IN_JSON, "the one that allocated",                                 \
	  INT_IF(T, MEMBER.tgid, MEMBER.has_comm) },                                      \
		{ COLUMN_comm, SHOWN, "the one that allocated",                           \
		  CHARS_IF(T, MEMBER.comm, MEMBER.has_comm) },                            \
		{ COLUMN_derived, IN_JSON, BOOL_IF(T, MEMBER.derived, MEMBER.has_comm) }, \
	{                                                                                 \
		COLUMN_ts_ns, IN_JSON, UINT_IF(T, MEMBER.ts_ns, MEMBER.has_ts)            \
	}

struct tag_view {
	struct dump *dump;
	struct sink *out;
	struct cmdline *in;
	struct report *report;
	const struct codetags *tags;
	bool any_kernel;	 /* the view works without tags */
	struct hash_bytes texts; /* of tag_lookup_show() */
	struct site_index sites;
	struct ram ram;
	struct memmap memmap;
	struct page_types states;
	struct page_tags pages;
	bool has_pages;
	struct slabs slabs;
	bool has_slabs;
	struct kfence kfence;
	bool has_kfence;
	struct slub_tracks tracks;
	bool has_tracks;
	struct page_owner owner;
	bool has_owner;
	bool records_unknown; /* this kernel has page_owner, and its records cannot be read */
	struct stack_cache stacks;
	bool has_stacks;
	struct task_index tasks; /* read when the first name is asked for */
	bool has_tasks, asked_tasks;
	struct page_classes *classes;	/* NULL: there are none */
	struct hash_u64 vmalloc;	/* objects that vmalloc made for itself */
	uint64_t head_flag;		/* PG_head; 0: unknown */
	bool order_in_flags;		/* of the second page (folio._flags_1) */
	struct hash_u64 pools;		/* pfns of the stack depot's pools */
	unsigned int pool_order;	/* of each of them */
	uint64_t bad_tracks;		/* of objects: corrupt, or not in this dump */
	const char *track_problem;	/* of the first of them */
	uint64_t bad_stacks;		/* handles without a record */
	bool shows_table;		/* of addresses: rows in place of sentences */
	struct special_handles special; /* that name no allocator */
};

/* Who allocated, as far as it was recorded. */
struct tag_owner {
	bool has_pid, has_ts;
	bool has_comm; /* and tgid */
	bool derived;  /* these two, from a live task */
	int32_t pid, tgid;
	char comm[TASK_COMM_LEN + 1];
	uint64_t ts_ns;
	uint32_t handle; /* 0: none */
	const struct stack *stack;
};

/*
 * v has dump, out, in, report, tags and any_kernel.  What is missing costs its columns and a warning; any status
 * but ST_OK means no view at all.  *why as for page_owner_open().
 */
enum status tag_view_open(struct tag_view *v, enum availability *why);

/* page_owner's record of a page that is allocated; false: there is none. */
bool tag_view_record(struct tag_view *v, uint64_t pfn, struct owner_record *ret);
/* The same, and what there is if there is none. */
enum page_record tag_view_record_of(struct tag_view *v, uint64_t pfn, struct owner_record *ret);

/*
 * The order of the allocation whose first page is pfn; false: not known.  r, here and below: its
 * record, NULL if there is none.
 */
bool tag_view_order(struct tag_view *v, uint64_t pfn, const struct page_info *info,
		    const struct owner_record *r, unsigned int *ret);

/* Who allocated it. */
void tag_view_page_owner(struct tag_view *v, const struct owner_record *r, struct tag_owner *ret);
/* The time from its time stamp to the panic. */
struct cell tag_view_age(const struct tag_view *v, const struct tag_owner *o);

/* Of object i of a slab: slub's track of its last allocation, or free. */
enum status tag_view_object_owner(struct tag_view *v, const struct slab *slab, uint32_t i,
				  bool freed, struct tag_owner *ret);

/* The same of an object of KFENCE, whose record has it. */
enum status tag_view_kfence_owner(struct tag_view *v, const struct kfence_track *t,
				  struct tag_owner *ret);
/* Of either, who allocated it. */
enum status tag_view_allocator(struct tag_view *v, const struct slub_object *o,
			       struct tag_owner *ret);

/*
 * What a page with a tag is used for.  Once profiling is off, freed pages keep their tag: they
 * are then looked for among the free ones.
 */
enum page_class tag_view_class(struct tag_view *v, uint64_t pfn, const struct page_info *info);

/*
 * Whether the tag of a page, or of an object that is_free says to be free, is of what is there
 * now, which o is the owner of.
 */
enum tag_validity tag_view_page_validity(struct tag_view *v, uint64_t tag, uint64_t pfn,
					 const struct page_info *info, enum page_class class,
					 const struct tag_owner *o);
enum tag_validity tag_view_object_validity(struct tag_view *v, uint64_t tag, bool is_free,
					   const struct tag_owner *o);

/* Ends the report, with what could not be read. */
void tag_view_end(struct tag_view *v, const struct scan_stats *cov, bool complete);

/* Every reference to a tag in this dump: of pages, of slab objects, of per-CPU memory. */

/* Any status but ST_OK ends the walk. */
struct reference_visitor {
	/* A page whose type and reference could be read: 0, TAG_EMPTY or a tag. */
	enum status (*page)(void *arg, uint64_t pfn, const struct page_info *info, uint64_t tag);
	/* Of KFENCE those that are in use. */
	enum status (*object)(void *arg, const struct slub_object *o);
	/* After the objects of the slab whose first page is pfn. */
	void (*slab)(void *arg, uint64_t pfn, const struct slab_gaps *gaps);
	enum status (*percpu)(void *arg, const struct percpu_object *o);
	bool untagged; /* objects of slabs without slabobj_ext too */
};

/*
 * Adds to stats: pages scanned, skipped, unreadable, undecodable.  *percpu_missing: some per-CPU
 * chunks could not be read, and the report has a warning.  ST_STOPPED.
 */
enum status references_walk(struct tag_view *v, const struct reference_visitor *visitor, void *arg,
			    struct scan_stats *stats, bool *percpu_missing);
