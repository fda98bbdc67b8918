/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the views of pageowner have in common: the sources they draw from. */
#pragma once

#include "cli/rows.h"
#include "cgroup/memcg.h"
#include "collect/session.h"
#include "files/cached_file.h"
#include "groups.h"
#include "mappers.h"
#include "tasks/task_index.h"
#include "pages/pageblock.h"
#include "symbols/symbolize.h"
#include "alloctag/tag_names.h"

/* Values of the keys that follow from the stack alone. */
struct stack_values {
	uint64_t caller, module;
};

struct counters;
struct saved_scan;

/* What a view may do without: why it does, in owner_view.problems. */
enum owner_source {
	SOURCE_STATES,
	SOURCE_CLASSES, /* with the problem of the states where it has none of its own */
	SOURCE_MEMCGS,
	SOURCE_ZONES,
	OWNER_SOURCES
};

/* Records that a noun shows as they are: what its hook open fills, for owner_collected_show(). */
struct collected {
	const void *first; /* NULL: there are none */
	size_t n,
		bytes; /* of an array; bytes is 0 of a list, whose records begin with the next one */
	const void *below; /* an array of nbelow records of the view below */
	size_t nbelow, below_bytes;
	struct gaps gaps;
	bool is_partial;
};

#define COLLECTED_ARRAY(array, count) .first = (array), .n = (count), .bytes = sizeof((array)[0])
#define COLLECTED_BELOW(array, count) \
	.below = (array), .nbelow = (count), .below_bytes = sizeof((array)[0])

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
	struct cached_files *files;   /* NULL: the same */
	struct mappers *mappers;      /* NULL: the same */
	struct page_classes *classes; /* NULL: no column shows them, or there are none */
	struct task_owners *owners;   /* NULL: the same */
	struct tag_names *tags;	      /* NULL: the same */
	struct counters *counters;    /* NULL: no view needs them, or there are none */
	/* Set before it is opened. */
	bool any_kernel;       /* the view does without page_owner */
	bool of_pages;	       /* it does not ask for it */
	bool groups_pages;     /* so does -g: all its keys are of struct page */
	bool shows_types;      /* it has columns that struct page answers */
	bool shows_sites;      /* it has the column of call sites */
	bool shows_references; /* of an address: what leads there */
	bool has_tracks;       /* it has stacks of objects, which need no page_owner */
	bool sums_up;	       /* it needs nothing but these: */
	uint64_t needs;	       /* keys, a bit each, whatever its columns are */
	bool has_owner;
	bool has_depot;		   /* stacks has the stack depot */
	const char *owner_problem; /* why page_owner has nothing, if it has not */
	enum availability owner_why;
	struct first_problem problems[OWNER_SOURCES]; /* of sources that were asked for */
	bool records_unknown;			      /* because its records cannot be read */
	bool has_gaps;		 /* rows lack pages, or a value of them, for a cause already told */
	struct zones zones;	 /* n is 0 if they could not be read */
	struct hash_bytes texts; /* those that words of keys are addresses of */
	struct text_lists lists; /* of users */
	struct hash_u64 stack_values; /* of struct stack_values by handle */
	struct pageblocks blocks;
	bool has_blocks;	 /* a column needs them, and they are known */
	struct holders *holders; /* the graph of pointers; NULL: not asked for, or none */
	void *own;		 /* what the view opened for itself */
	struct collected collected;
	struct references *references; /* NULL: not asked for, or not to be had */
	const char *basis;	       /* of owner_basis(); NULL: not asked yet */
	struct report report;
	struct cmdline *in;
	struct sink *out;
};

/* What every view has, with or without a dump behind it. */
void owner_view_init(struct owner_view *v);

/*
 * Hook show of a noun: rows or groups of v->collected, the records below, what filters kept, the text that the
 * view's hook put_text has, gaps, the end.
 */
enum status owner_collected_show(void *arg);

/* System RAM and the memory map, without records of page_owner. */
enum status owner_view_open_memmap(struct owner_view *v);

/* The same, and struct page of all its pages: v->has_states. */
enum status owner_view_open_states(struct owner_view *v);

/* What collectors draw from, which has what the view has opened. */
struct session owner_session(struct owner_view *v);

/* Opens what a scan and its output need; ST_USAGE: refused; *why as for page_owner_open(). */
enum status owner_view_open(struct owner_view *v, enum availability *why);

/* The frames of a handle; NULL: it is 0, or has no record. */
static inline const struct stack *owner_stack(struct owner_view *v, uint32_t handle)
{
	return handle ? stack_cache_frames(&v->stacks, stack_cache_get(&v->stacks, handle)) : NULL;
}

/* Whether what is shown has allocations one by one, not pages of stacks alone. */
bool owner_has_records(const struct owner_view *v);
/* Whether handles of what is shown are those of this dump, or of the dump of a saved scan. */
bool owner_has_handles(const struct owner_view *v);

/* Adds what every scan has to say, then ends the report; select NULL: all was shown. */
void owner_view_end(struct owner_view *v, const struct scan_stats *cov,
		    const struct owner_select *select);

/* Opens v->counters; a warning says why they stay NULL. */
void owner_view_counters(struct owner_view *v);

/* In text: what shares of RAM are of, where that is less than the pages of System RAM that an answer ends with. */
void owner_put_base(const struct owner_view *v);

/* In text: how many pages the filters kept. */
void owner_view_kept(struct owner_view *v, const struct owner_select *s);

/* Whether a key is asked for: by -f, -X, -g, -s or as a column. */
bool owner_uses(const struct owner_view *v, enum owner_key key);

/* The views that options choose, each in a file of its own. The first is the default. */
#define OWNER_VIEWS(X)                                                                             \
	X(TOP, top)		 /* groups of pages, the biggest first */                          \
	X(LIST, list)		 /* one row per allocation in pfn order */                         \
	X(TREE, tree)		 /* call tree of the pages */                                      \
	X(FOLDED, folded)	 /* stacks on a line each, for flame graphs */                     \
	X(COUNTERS, counters)	 /* the kernel's own counters of each stack, without a scan */     \
	X(SAVE, save)		 /* scans and writes the file of -w */                             \
	X(DIFF, diff)		 /* what has changed since a saved scan */                         \
	X(MEMORY, memory)	 /* where all memory is, by class, beside the kernel's counters */ \
	X(ZONES, zones)		 /* free blocks, watermarks, which zone serves an allocation */    \
	X(RAW, raw)		 /* the text of the kernel's own page_owner file, nothing else */  \
	X(BLOCKS, fragmentation) /* free blocks by order, what keeps others from being free */

/* The views of nouns of memowner alone. */
#define NOUN_VIEWS(X)                                                                             \
	X(PAGES, pages)		/* groups of pages by what struct page tells, whoever has them */ \
	X(PAGE_LIST, page_list) /* the same pages in rising order */                              \
	X(CACHES, caches)	/* slab caches by size */                                         \
	X(OBJECTS, objects)	/* objects of slab caches, by who allocated or freed them */      \
	X(FILES, files)		/* files by their pages in memory */                              \
	X(AREAS, areas)		/* areas of the vmalloc space, by the function that made them */  \
	X(PROCESSES, procs)	/* processes by the memory that they use */                       \
	X(CGROUPS, cgroups)	/* memory cgroups */                                              \
	X(POOLS, pools)		/* pools of pages by their name, and swap areas */                \
	X(SOCKETS, sockets)	/* sockets by the packets in their queues */                      \
	X(DMABUF, dmabuf)	/* buffers that devices share */                                  \
	X(COUNTED, counted)	/* direct pages that the kernel lists or counts */                \
	X(HOLDERS, holders)	/* who keeps memory, by the graph of pointers */

#define OWNER_VIEW(id, name) extern const struct view owner_##name##_view;
OWNER_VIEWS(OWNER_VIEW)
NOUN_VIEWS(OWNER_VIEW)
#undef OWNER_VIEW
/* The pages that the arguments of the command line name. */
extern const struct view owner_page_view;

/* ST_USAGE: keys that groups of fragmentation do not have. */
enum status owner_fragmentation_check(const struct owner_view *v);

/* Opens the kernel's counters of stacks, behind owner_view_open(): v->own is a struct stack_counts. */
enum status owner_counters_open(struct owner_view *v, enum availability *why);

struct address;

/* "0xffffea0000040048 is 8 bytes inside of the struct page at ..., that of pfn:0x1001"; NULL: it is not. (page_inside.c) */
const char *owner_page_inside(struct owner_view *v, const struct address *a, uint64_t end);

/* First page of the allocation that a live record is of. */
static inline uint64_t owner_page_head(const struct owner_page *p)
{
	return p->order < 64 ? p->pfn & ~((1ULL << p->order) - 1) : p->pfn;
}
