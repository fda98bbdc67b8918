/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The block "Mem-Info:" of the kernel log, printed by show_mem(): lib/show_mem.c and
 * mm/page_alloc.c, later mm/show_mem.c, of 4.19 to 7.3. Text only: nothing here reads the dump.
 */
#pragma once

#include "log/log_text.h"

#define MEM_INFO_ZONES 16
#define MEM_INFO_ORDERS 16
#define MEM_INFO_ZONE_NAME 8
#define MEM_INFO_TYPES 8
#define MEM_INFO_HUGE 64
#define MEM_INFO_NODES 64
#define MEM_INFO_LISTS 5 /* counters from active_anon on that each node has in KiB too */

/* Counters of the whole system, in pages, by the names that the log has. */
#define MEM_COUNTERS(X)                                      \
	X(active_anon)                                       \
	X(inactive_anon)                                     \
	X(isolated_anon)                                     \
	X(active_file)                                       \
	X(inactive_file)                                     \
	X(isolated_file)                                     \
	X(unevictable)                                       \
	X(dirty)                                             \
	X(writeback)                                         \
	X(unstable) /* until 5.7 */                          \
	X(slab_reclaimable)                                  \
	X(slab_unreclaimable)                                \
	X(mapped)                                            \
	X(shmem)                                             \
	X(pagetables)                                        \
	X(sec_pagetables)                                    \
	X(bounce)                                            \
	X(kernel_misc_reclaimable)                           \
	X(free)                                              \
	X(free_pcp)                                          \
	X(free_cma)                                          \
	X(slab)	  /* until 2.6.31 */                         \
	X(active) /* until 2.6.27, of processes and files */ \
	X(inactive)

/* Of a zone, in KiB. */
#define MEM_ZONE_COUNTERS(X)   \
	X(free)                \
	X(boost)               \
	X(min)                 \
	X(low)                 \
	X(high)                \
	X(promo)               \
	X(reserved_highatomic) \
	X(free_highatomic)     \
	X(active_anon)         \
	X(inactive_anon)       \
	X(active_file)         \
	X(inactive_file)       \
	X(unevictable)         \
	X(writepending)        \
	X(zspages)             \
	X(present)             \
	X(managed)             \
	X(mlocked)             \
	X(kernel_stack)        \
	X(pagetables)          \
	X(bounce)              \
	X(free_pcp)            \
	X(local_pcp)           \
	X(free_cma)

enum mem_counter {
#define MEM_COUNTER(name) MEM_##name,
	MEM_COUNTERS(MEM_COUNTER)
#undef MEM_COUNTER
		MEM_NCOUNTERS
};

enum mem_zone_counter {
#define MEM_COUNTER(name) MEM_ZONE_##name,
	MEM_ZONE_COUNTERS(MEM_COUNTER)
#undef MEM_COUNTER
		MEM_ZONE_NCOUNTERS
};

/* By enum mem_counter. */
extern const char *const mem_counter_names[MEM_NCOUNTERS];

struct mem_zone {
	char name[MEM_INFO_ZONE_NAME]; /* "DMA32" */
	struct log_number node;	       /* unknown: a kernel without NUMA does not print it */
	struct log_number kib[MEM_ZONE_NCOUNTERS];
	unsigned int orders;		       /* of the line of free blocks; 0: not in the log */
	uint64_t free_blocks[MEM_INFO_ORDERS]; /* by order */
	char types[MEM_INFO_ORDERS][MEM_INFO_TYPES]; /* "UME": migrate types that have some */
	unsigned int nreserve;
	uint64_t reserve[MEM_INFO_ZONES]; /* lowmem_reserve[], pages */
};

/* Huge pages of a size on a node. */
struct mem_huge {
	uint64_t node, kib, total, free;
};

/* A node, of its own line. */
struct mem_node {
	uint64_t node;
	uint64_t lru_anon_kib; /* active, inactive and isolated: shared memory is among them */
	struct log_number shmem_kib; /* unknown: up to 4.7 no line has it */
};

struct strbuf;

struct mem_info {
	struct log_number pages[MEM_NCOUNTERS];
	struct mem_zone zones[MEM_INFO_ZONES];
	unsigned int nzones;
	struct log_number pagecache, swap_cache, ram, reserved; /* pages */
	struct log_number page_kib;				/* a block of order 0 */
	struct log_number node_stacks_kib;	/* kernel_stack of all nodes; 5.8: in their lines */
	uint64_t node_kib[MEM_INFO_LISTS];	/* of the lines of all nodes: pages[] up to there */
	uint64_t nodes_kib[MEM_NCOUNTERS];	/* of these, what a node has by the same name */
	unsigned int nodes_with[MEM_NCOUNTERS]; /* how many have it */
	struct log_number isolated_file_kib;
	struct mem_node nodes[MEM_INFO_NODES];
	unsigned int nnodes;
	bool lacks_node, lacks_zone; /* a line of one was cut, or is not there */
	bool cuts_node;		     /* a line of one was cut behind its kernel_stack */
	bool zones_more;	     /* there are more than MEM_INFO_ZONES, which are not kept */
	bool lacks_counter;	     /* a counter is damaged */
	bool lacks_huge;	     /* a line of huge pages is damaged */
	struct log_number hugetlb_kib, hugetlb_free_kib;
	struct mem_huge huge[MEM_INFO_HUGE]; /* lines that tell of some */
	unsigned int nhuge, huge_more;	     /* those that are kept, others */
	/* Of all nodes; a balloon may be among reserved as well. */
	struct log_number gpu_kib, balloon_kib;
	struct log_number free_swap_kib, total_swap_kib;
	const char *differs;	/* a counter that was left out: zones or nodes differ; NULL: none */
	const char *differs_of; /* what has another figure; NULL: its zones or nodes */
	uint64_t differs_pages[2]; /* what it has, and what these have */
	bool swap_differs; /* a process has more in swap than all swap, which was left out */
	bool is_joined;	   /* a record has a counter twice: it is of two blocks */
	bool is_part;	   /* the last record of counters lacks its first line */
	bool is_old; /* up to 2.6.31: pages that are isolated and shared memory are not counted */
	/* State of the parser: a zone whose reserve comes next, 1 + its index. */
	unsigned int open_zone;
};

/* The parts of the block, in the order in which the kernel prints them. */
enum mem_info_part {
	MEM_INFO_NONE, /* the record is no part of it */
	MEM_INFO_COUNTERS,
	MEM_INFO_ZONE,
	MEM_INFO_BLOCKS,
	MEM_INFO_TOTALS
};

/* Takes a record of the log into a zeroed struct; the parts come from oldest to newest. */
enum mem_info_part mem_info_record(struct mem_info *m, const char *text);

/* Whether a zone or a sum of a record is known there already. */
bool mem_info_has(const struct mem_info *m, const struct mem_info *record);

/* Whether a record of counters may have the rest of those that are known: of the last line, and none that differs. */
bool mem_info_goes_on(const struct mem_info *m, const struct mem_info *record);

/* Leaves out what is so much less than what nodes or zones of the same block have that it lost a digit. */
void mem_info_compare(struct mem_info *m);

/*
 * Classes of memory, as "slab, kstack", of which the block has a figure once, or that of its nodes and zones is less: none
 * tells whether it is whole.
 */
void mem_info_alone(const struct mem_info *m, struct strbuf *b);

/* Takes counters that are lost from the lines of all nodes and zones, where the block has them all; behind the comparison. */
void mem_info_fill(struct mem_info *m);

/*
 * KiB of a page: a block of order 0, else what makes counters in pages those of the nodes in KiB.
 * Unknown: neither is in the log.
 */
struct log_number mem_info_page_kib(const struct mem_info *m);

/* Whether no zone is known to be missing: what they have can be summed up. */
static inline bool mem_info_has_zones(const struct mem_info *m)
{
	return !m->lacks_zone && !m->zones_more;
}

/*
 * Whether what nodes have can be summed up: each that has a zone has its line, and none was cut or left out, as their
 * zones are all RAM, or their lists those of the whole system.
 */
bool mem_info_has_nodes(const struct mem_info *m);
