/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memowner cgroups: what its parts share. */
#pragma once

#include "oom/oom_report.h"
#include "cgroup/cfs_throttle.h"
#include "cgroup/cgroup_age.h"
#include "cgroup/memcg_charges.h"
#include "cgroup/memcg_counts.h"
#include "cgroup/memcg_state.h"
#include "cgroup/pids.h"
#include "pageowner/view.h"

/*
 * Counters of memory.stat, as in memory_stats[] of mm/memcontrol.c. Up to 5.7 anonymous pages and
 * those of the page cache have counters of their own (5.8: "mm: memcontrol: switch to native
 * NR_ANON_MAPPED counter"), up to 5.8 slabs are counted by pages. Swap is in memory.stat of v1
 * alone; what v1 has of the swap cache is never taken back, as mem_cgroup_swapout() has cleared the
 * page's cgroup by then. Last: what every kernel has that has none of the enumerators before it.
 */
#define BOTH MEMCG_VERSION_UNKNOWN
#define STAT_LIST(STAT)                                                                           \
	STAT(STAT_ANON, "anon", "MEMCG_RSS", "NR_ANON_MAPPED", PAGES, BOTH, "NR_ANON_MAPPED")     \
	STAT(STAT_FILE, "file", "MEMCG_CACHE", "NR_FILE_PAGES", PAGES, BOTH, "NR_FILE_PAGES")     \
	STAT(STAT_KERNEL, "kernel", "MEMCG_KMEM", NULL, PAGES, BOTH, NULL)                        \
	STAT(STAT_KERNEL_STACK, "kernel_stack", "MEMCG_KERNEL_STACK_KB", "NR_KERNEL_STACK_KB",    \
	     KIB, BOTH, "NR_KERNEL_STACK_KB")                                                     \
	STAT(STAT_PAGETABLES, "pagetables", "NR_PAGETABLE", NULL, PAGES, BOTH, "NR_PAGETABLE")    \
	STAT(STAT_SEC_PAGETABLES, "sec_pagetables", "NR_SECONDARY_PAGETABLE", NULL, PAGES, BOTH,  \
	     NULL)                                                                                \
	STAT(STAT_PERCPU, "percpu", "MEMCG_PERCPU_B", NULL, BYTES, BOTH, "NR_SLAB_RECLAIMABLE")   \
	STAT(STAT_SOCK, "sock", "MEMCG_SOCK", NULL, PAGES, BOTH, "MEMCG_SOCK")                    \
	STAT(STAT_VMALLOC, "vmalloc", "MEMCG_VMALLOC", "NR_VMALLOC", PAGES, BOTH, NULL)           \
	STAT(STAT_SHMEM, "shmem", "NR_SHMEM", NULL, PAGES, BOTH, "NR_SHMEM")                      \
	STAT(STAT_SWAP, "swap", "MEMCG_SWAP", NULL, PAGES, MEMCG_V1, NULL)                        \
	STAT(STAT_ZSWAP, "zswap", "MEMCG_ZSWAP_B", NULL, BYTES, BOTH, NULL)                       \
	STAT(STAT_ZSWAPPED, "zswapped", "MEMCG_ZSWAPPED", NULL, PAGES, BOTH, NULL)                \
	STAT(STAT_FILE_MAPPED, "file_mapped", "NR_FILE_MAPPED", NULL, PAGES, BOTH,                \
	     "NR_FILE_MAPPED")                                                                    \
	STAT(STAT_FILE_DIRTY, "file_dirty", "NR_FILE_DIRTY", NULL, PAGES, BOTH, "NR_FILE_DIRTY")  \
	STAT(STAT_FILE_WRITEBACK, "file_writeback", "NR_WRITEBACK", NULL, PAGES, BOTH,            \
	     "NR_WRITEBACK")                                                                      \
	STAT(STAT_SWAPCACHED, "swapcached", "NR_SWAPCACHE", NULL, PAGES, MEMCG_V2, NULL)          \
	STAT(STAT_INACTIVE_ANON, "inactive_anon", "NR_INACTIVE_ANON", NULL, PAGES, BOTH,          \
	     "NR_INACTIVE_ANON")                                                                  \
	STAT(STAT_ACTIVE_ANON, "active_anon", "NR_ACTIVE_ANON", NULL, PAGES, BOTH,                \
	     "NR_ACTIVE_ANON")                                                                    \
	STAT(STAT_INACTIVE_FILE, "inactive_file", "NR_INACTIVE_FILE", NULL, PAGES, BOTH,          \
	     "NR_INACTIVE_FILE")                                                                  \
	STAT(STAT_ACTIVE_FILE, "active_file", "NR_ACTIVE_FILE", NULL, PAGES, BOTH,                \
	     "NR_ACTIVE_FILE")                                                                    \
	STAT(STAT_UNEVICTABLE, "unevictable", "NR_UNEVICTABLE", NULL, PAGES, BOTH,                \
	     "NR_UNEVICTABLE")                                                                    \
	STAT(STAT_SLAB_RECLAIMABLE, "slab_reclaimable", "NR_SLAB_RECLAIMABLE_B", NULL, BYTES,     \
	     BOTH, "NR_SLAB_RECLAIMABLE")                                                         \
	STAT(STAT_SLAB_UNRECLAIMABLE, "slab_unreclaimable", "NR_SLAB_UNRECLAIMABLE_B", NULL,      \
	     BYTES, BOTH, "NR_SLAB_UNRECLAIMABLE")                                                \
	STAT(STAT_SLAB_RECLAIMABLE_PAGES, "slab_reclaimable", "NR_SLAB_RECLAIMABLE", NULL, PAGES, \
	     BOTH, "NR_SLAB_RECLAIMABLE_B")                                                       \
	STAT(STAT_SLAB_UNRECLAIMABLE_PAGES, "slab_unreclaimable", "NR_SLAB_UNRECLAIMABLE", NULL,  \
	     PAGES, BOTH, "NR_SLAB_UNRECLAIMABLE_B")

#define STAT_INDEX(index, ...) index,
enum cgroup_stat { STAT_LIST(STAT_INDEX) CGROUP_STATS };

extern const struct cgroup_stat_kind {
	const char *name;
	enum memcg_unit unit;
	enum memcg_version only; /* MEMCG_VERSION_UNKNOWN: memory.stat of both has it */
} cgroup_stats[CGROUP_STATS];

/* For memcg_counts_read(). */
extern const struct memcg_counter cgroup_counters[CGROUP_STATS];

struct cgroup_member {
	int32_t tgid; /* 0: none */
	const char *comm;
	uint64_t rss; /* pages */
};

/* A process of a cgroup. */
struct cgroup_task {
	struct cgroup_task *next;
	int32_t tgid;
	char comm[TASKS_COMM + 1];
};

struct cgroup {
	struct cgroup *parent, *child, *sibling; /* the first child, the next of its parent */
	struct cgroup_task *tasks;		 /* its own */
	const struct memcg_counts *counts;
	bool has_state;
	bool is_frozen, knows_frozen; /* by cgroup.freeze */
	struct cfs_limit cpu;	      /* cpu.max */
	bool has_cpu, knows_cpu;
	const char *io; /* limits for disks; NULL: none, or unknown */
	uint64_t io_held;
	bool knows_io;
	struct pids_group pids;
	bool has_pids, knows_pids; /* the controller counts there; whether it does is known */
	struct memcg_state state;
	struct memcg_charged own; /* without descendants */
	struct memcg_charged all; /* with them */
	uint64_t children;
	uint64_t processes, all_processes; /* its own; with those of its descendants */
	struct cgroup_member biggest;	   /* of it and its descendants */
	bool is_kept;	/* by the filters: what is said below the table is of these */
	bool is_member; /* of a group of -g */
	bool is_nested; /* of one above in whose sums it is */
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
	const char *tasks_problem;
	struct hash_u64 mms; /* mm_structs of processes */
	uint64_t no_mm;	     /* processes of cgroups without an mm_struct in this dump */
	struct kernel_log log;
	const struct oom_report *report; /* the newest of a cgroup; NULL: none was found */
	const char *log_problem;	 /* NULL, or why one may be missing */
	struct maybe_u64 swappiness;	 /* vm.swappiness */
	bool no_swap;			 /* the kernel was told not to account swap */
	struct cgroup_ages ages;
	struct maybe_u64 end_s;	      /* of the machine, seconds since 1970 */
	struct maybe_u64 mapped_anon; /* pages, of the whole machine: NR_ANON_MAPPED */
	bool doubt[CGROUP_STATS];     /* what was found at pages contradicts the counter */
	const char *doubts;	      /* NULL, or what it is */
	uint64_t partial, unnamed, flat;
	uint64_t
		elsewhere; /* cgroups with a limit of a CPU or disk, of another hierarchy than that of memory */
	uint64_t without, shared; /* of -g: in no row; below a member of another row */
	uint64_t moved; /* removed ones that are shown, whose charges are of the parent now */
};

extern const char *const cgroup_states[]; /* by whether it is removed */

/* Hooks of the views. */
enum status cgroups_view_open(void *arg, enum availability *why);
enum status cgroups_view_show(void *arg);

/* Of one cgroup. */
#define CGROUP_COLUMNS 64
extern const struct view_column cgroup_columns[CGROUP_COLUMNS];

/* -g: a cgroup to its group, after those above it. */
void cgroups_add_to_group(struct cgroups_view *c, struct cgroup *g);
/* Which are in no row, and which in several. */
void cgroups_put_group_gaps(struct cgroups_view *c);

/*
 * What is known of a cgroup, and a counter of memory.stat in bytes: one that is_nested has none, as the sum of its group
 * has it already.
 */
typedef bool cgroup_bytes(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret);
struct cell cgroup_number_cell(const struct cgroups_view *c, const struct cgroup *g,
			       cgroup_bytes *of);
struct cell cgroup_stat_cell(const void *record, void *view, unsigned int stat);

/* How long it is there at least; null: unknown. */
struct cell cgroup_exists_cell(const struct cgroups_view *c, const struct cgroup *g);

/* All of it.  *problem NULL, or why there is nothing at all.  ST_STOPPED */
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

/* What cpu.max and io.max of each are: once the tree is there. */
void cgroups_find_limits(struct cgroups_view *c);

/* Bytes of anonymous pages that no process maps and that are not in the swap cache; false: unknown. */
bool cgroup_unmapped(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret);

/* Whether that is much of its anonymous pages. */
bool cgroup_has_unmapped(const struct cgroups_view *c, const struct cgroup *g);

/* The next cgroup below one, which is the first; NULL: there is none. */
struct cgroup *cgroup_below(const struct cgroup *top, struct cgroup *g);

/* The paragraphs behind the rows, in text. */
void cgroups_put_answers(struct cgroups_view *c);
