/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pageowner -t cgroups: what its parts share. */
#ifndef MEMOWNER_PAGEOWNER_CGROUPS_H
#define MEMOWNER_PAGEOWNER_CGROUPS_H

#include "log/kernel_log.h"
#include "oom/oom_report.h"
#include "cgroup/memcg_charges.h"
#include "cgroup/memcg_counts.h"
#include "cgroup/memcg_state.h"
#include "view.h"

/* Counters of memory.stat, in its order. */
enum cgroup_stat {
	STAT_ANON,
	STAT_FILE,
	STAT_KERNEL,
	STAT_KERNEL_STACK,
	STAT_PAGETABLES,
	STAT_SEC_PAGETABLES,
	STAT_PERCPU,
	STAT_SOCK,
	STAT_VMALLOC,
	STAT_SHMEM,
	STAT_SWAP,
	STAT_ZSWAP,
	STAT_ZSWAPPED,
	STAT_FILE_MAPPED,
	STAT_FILE_DIRTY,
	STAT_FILE_WRITEBACK,
	STAT_SWAPCACHED,
	STAT_INACTIVE_ANON,
	STAT_ACTIVE_ANON,
	STAT_INACTIVE_FILE,
	STAT_ACTIVE_FILE,
	STAT_UNEVICTABLE,
	STAT_SLAB_RECLAIMABLE,
	STAT_SLAB_UNRECLAIMABLE,
	STAT_SLAB_RECLAIMABLE_PAGES, /* the same; a kernel has one of them */
	STAT_SLAB_UNRECLAIMABLE_PAGES,
	CGROUP_STATS
};

extern const struct cgroup_stat_kind {
	const char *name;
	enum memcg_unit unit;
	enum memcg_version only; /* MEMCG_VERSION_UNKNOWN: memory.stat of both has it */
} cgroup_stats[CGROUP_STATS];

struct cgroup_member {
	int32_t tgid; /* 0: none */
	const char *comm;
	uint64_t rss; /* pages */
};

struct cgroup {
	struct cgroup *parent;
	const struct memcg_counts *counts;
	bool has_state;
	struct memcg_state state;
	struct memcg_charged own; /* without descendants */
	struct memcg_charged all; /* with them */
	uint64_t children;
	uint64_t processes;
	struct cgroup_member biggest; /* of it and its descendants */
	bool is_kept;		      /* by the filters: what is said below the table is of these */
};

struct cgroups_view {
	struct owner_view *v;
	struct memcg_tree tree;
	struct memcg_states states;
	struct memcgs memcgs;
	struct memcg_charges charges;
	struct hash_u64 by_address; /* of struct cgroup *, by mem_cgroup */
	struct cgroup *cgroups;	    /* parents before children */
	size_t n;
	const char *pages_problem; /* NULL, or why no page can be looked at */
	uint64_t seen;		   /* pages of System RAM that the walk reached */
	bool is_partial;	   /* interrupted */
	bool has_tasks;		   /* the list of tasks was read to its end */
	uint64_t task_pages;	   /* processes whose memory is unknown */
	const char *tasks_problem;
	struct cgroup_directory *directories; /* of mm_structs */
	uint64_t no_mm; /* processes of cgroups without an mm_struct in this dump */
	struct kernel_log log;
	const struct oom_report *report; /* the newest of a cgroup; NULL: none was found */
	const char *log_problem;	 /* NULL, or why one may be missing */
	bool no_swap;			 /* the kernel was told not to account swap */
	bool doubt[CGROUP_STATS];	 /* what was found at pages contradicts the counter */
	const char *doubts;		 /* NULL, or what it is */
	uint64_t partial, unnamed, flat;
};

/* All of it.  *problem NULL, or why there is nothing at all.  ST_NOMEM, ST_STOPPED */
enum status cgroups_collect(struct cgroups_view *c);

/* Whether memory.stat of the cgroup has a counter. */
bool cgroup_has_stat(const struct cgroups_view *c, const struct cgroup *g, enum cgroup_stat stat);

/* Bytes of a counter of memory.stat; false: unknown, or this kernel has none. */
bool cgroup_stat_bytes(const struct cgroups_view *c, const struct cgroup *g, enum cgroup_stat stat,
		       uint64_t *ret);

/* Bytes that files of a cgroup show beside memory.stat, as its version has it; false: unknown. */
bool cgroup_usage(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret);
bool cgroup_swap(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret);
bool cgroup_memsw(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret);
bool cgroup_kernel(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret);

/* Keeps an mm_struct for the other, which charges second pages of page directories.  ST_NOMEM */
enum status cgroups_note_mm(struct cgroups_view *c, uint64_t mm);
enum status cgroups_add_directories(struct cgroups_view *c);

/* Makes those counters unknown that contradict the pages that were found. */
void cgroups_doubt(struct cgroups_view *c);

/* Pages that were found to be charged to the cgroup and its descendants; false: unknown. */
bool cgroup_pages(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret);

/* Whether memory.current is a counter of its own: the root has none. */
bool cgroup_has_usage(const struct cgroup *g);

/* Whether it counts events: the root of v2 does not (memcg_memory_event()). */
bool cgroup_has_events(const struct cgroup *g);

/* Why pages and counter differ; NULL: they do not, or it is unknown. */
const char *cgroup_cause(const struct cgroups_view *c, const struct cgroup *g);

/* Swap entries that refer to the cgroup; false: unknown. */
bool cgroup_swap_entries(const struct cgroup *g, uint64_t *ret);

/* References to a removed cgroup that have no holder here; false: unknown. */
bool cgroup_other_references(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret);

/* Whether each process of each cgroup is known, with its memory: which one is the largest. */
static inline bool cgroups_have_members(const struct cgroups_view *c)
{
	return !c->tasks_problem && !c->no_mm && c->tree.complete;
}

/* The paragraphs behind the rows, in text. */
void cgroups_put_answers(struct cgroups_view *c);

#endif
