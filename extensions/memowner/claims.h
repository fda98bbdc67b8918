/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may have what ran out: rows of users, and classes of memory that none of them has. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct summary;
struct statement;
struct strbuf;
struct oom_victim;
struct text_list;

#define CLAIMS 64
#define CLAIMS_TOLD 3
#define CLAIM_PARTS 4 /* that are told of one process */

/* What a row is of that has no other words for it, and how much it says: a name, an owner, what it keeps it for. */
enum claim_depth {
	DEPTH_CLASS,
	DEPTH_CGROUP,
	DEPTH_CALLER,
	DEPTH_ROOT,
	DEPTH_OBJECT,
	DEPTH_MODULE,
	DEPTH_OWNER,
	DEPTH_JOINED
};

struct claim {
	const struct statement *row;	 /* NULL: of a class of memory, and no row has it */
	const char *class;		 /* of such */
	const struct statement *largest; /* of a cgroup of several processes not told apart */
	const struct oom_victim *victim; /* or of a process that was killed */
	uint64_t pages;			 /* in RAM; of a cgroup what no row of its members has */
	uint64_t swapped;
	bool is_part;	 /* pages: of what it has elsewhere too */
	bool is_least;	 /* and this is a lower bound */
	bool is_about;	 /* and how many they are was not counted */
	uint32_t memory; /* classes that it may have, as bits; CLAIM_CGROUP: whatever is charged */
	unsigned int depth; /* how much it says of who has the memory */
	/* All that one process has, each with its own row, the largest first; 0: it is of one. */
	struct claim_part {
		const struct statement *row;
		uint64_t pages;
	} parts[CLAIM_PARTS];
	unsigned int nparts;
	uint64_t chunks; /* of per-CPU memory: pages of vmalloc that its allocator keeps of it */
};

#define CLAIM_CGROUP (1U << 31)
#define CLAIM_SOCKETS (1U << 29) /* packets that a cgroup is charged for beside its kernel memory */
#define CLAIM_PINNED (1U << 30)	 /* memory of processes that none maps: no class has it alone */

struct claims {
	const struct summary *s;
	bool of_limit;	   /* of what is charged to the cgroup whose limit ended the machine */
	bool of_blocks;	   /* of what cannot be moved alone */
	bool of_zones;	   /* of what is in the zones that ran out */
	bool has_unplaced; /* of_zones: of more rows it is not known how much is there */
	uint64_t whole;	   /* pages of RAM, of the limit, of these zones */
	uint64_t least;	   /* pages that a holder has at least */
	uint64_t lost; /* pages of a log that no line which could be read has: of whatever kind */
	struct claim all[CLAIMS];
	unsigned int n;
};

void claims_find(const struct summary *s, struct claims *ret);

/* Whether a cgroup has more than its memory.high: parts are then of what it has. (claims_joined.c) */
bool claims_are_beyond(const struct summary *s);

static inline void claims_add(struct claims *c, const struct claim *claim)
{
	if (c->n < CLAIMS)
		c->all[c->n++] = *claim;
}

/* Of a cgroup of a log what its counters have beside the rows; no claim is left where they leave much unexplained. */
void claims_add_parts(struct claims *c);
/* Rows of one process that share nothing are one claim more, if they say more than the largest; behind all of them. */
typedef bool claims_overlap(const struct claim *a, const struct claim *b);
void claims_join(struct claims *c, claims_overlap *overlap);
/* Whether its swap is in a zram whose memory it has as a part. */
bool claim_has_zram(const struct claim *c);
/* "kernel stacks of 3,169 threads 49.5M, anon 38.0M" */
/* "56.0M of it shared by fork, its own 183.2M", of one process of the group: what its own death would not free. */
void claim_add_shared(const struct summary *s, const struct statement *row, struct strbuf *b);
void claim_add_parts(const struct summary *s, const struct claim *c, struct strbuf *b);

/*
 * Lines of a log are damaged, cut or lost: what these had may be of whoever is told, or of another. A sentence of it, if it
 * is not much less than the largest that is told; NULL: none is. (claims_log.c)
 */
void claims_add_lost(const struct claims *c, const struct claim *largest, const char *whole,
		     struct strbuf *b);

/* Of a log: a process whose rss cannot be but shared memory for the most has that, as the class of it has. */
void claims_mark_shared(struct claims *c);

/* Pages of these classes that it has; is_about is set where files and shared memory may be among them. (claims_log.c) */
uint64_t claim_told_of(const struct claims *c, const struct claim *x, uint32_t memory,
		       bool *is_about);

/* What was killed by the report of the end, if it has no row. */
void claims_add_victim(struct claims *c);
/* "orderapi had as much each of 5 times that it was killed": it is not what grows; NULL: it is no such victim. */
const char *claim_steady_text(const struct summary *s, const struct claim *of);

/*
 * The largest, told by what says most of who has it, and those that come near it; none has the memory of another.
 * How many, the largest first; 0: none has as much as a holder is told for.
 */
unsigned int claims_lead(const struct claims *c, const struct claim *ret[CLAIMS_TOLD]);

/* The largest that has nothing of this one; NULL: none has as much as a holder is told for. */
const struct claim *claims_beside(const struct claims *c, const struct claim *of);

/* Whether it is of a cgroup that was granted what it has. */
bool claim_is_granted(const struct summary *s, const struct claim *c);

/* "132 processes indexer of crond.service"; what it is, without its size. */
void claim_name(const struct summary *s, const struct claim *c, struct strbuf *b);

/* "55 files": what is worth to be told of it; may be nothing. */
void claim_detail(const struct summary *s, const struct claim *c, struct strbuf *b);

/* Whether one of several processes has nearly all of it: it is told then, with what it has. */
bool claim_is_of_one(const struct claim *c);

/* Whether it is anonymous memory that no process maps. */
bool claim_is_unmapped(const struct claim *c);

/* Whether no root leads to it. */
bool claim_is_lost(const struct claim *c);

/* The same of a row. (claims_joined.c) */
bool summary_is_lost(const struct statement *row);
/* Of such a row its first clause: how it begins the line of the holder has.  False: it is none. (claims_joined.c) */
bool claim_add_lost(const struct statement *row, struct strbuf *b);
/* "; ccx is not of the kernel's source: candidate, low confidence": where one module alone is. (claims_joined.c) */
void claim_add_candidate(const struct summary *s, struct strbuf *b);
/* "; no root that is known leads to 108 objects of vmalloc, low confidence": of a caller that has nearly all of these. (claims_joined.c) */
void claim_add_lost_areas(const struct summary *s, const struct statement *areas, struct strbuf *b);

/* Whether the kernel has it for itself: nothing of it is of a process or a file. */
bool claim_is_of_kernel(const struct claim *c);

/* Percent: of two rows of one memory that is told which says more of who has it. */
#define CLAIM_SAME 80
#define CLAIM_NEAR 75 /* percent of the largest: neither leads */

/* Leaves out a caller of vmalloc whose areas are nearly all maps of BPF. (claims_joined.c) */
void claims_leave_maps(struct claims *c);

/* ", of which there are 74,971": of the slab cache that the last list of a way has; empty: unknown. (claims_joined.c) */
const char *claim_objects_text(const struct summary *s, const char *way);
/* The cgroup that a row is, is charged to or is in; NULL: none, or unknown. (claims_joined.c) */
const char *claim_cgroup_of(const struct statement *row);
/* A caller of vmalloc that is the allocator of per-CPU memory. (claims_joined.c) */
bool claim_is_of_chunks(const char *caller);
/*
 * "kmalloc-2k reached from kmalloc-4k, raid5-md0 -> list of raid5-md0 -> direct pages": the cache of which each object
 * has what is behind it says more than the one object that all ways lead through.  False: none has a name of its own.
 */
bool claim_add_listed(const struct statement *row, struct strbuf *b);
/* " or one that is merged with it (...)", where the remark of a cache has their names. */
void claim_add_merged(const char *remark, struct strbuf *b);
/* What that keeps of its chunks is of per-CPU memory, by whatever name it has a row. (claims_joined.c) */
void claims_join_chunks(struct claims *c);
/* Whether processes that are not in the dump, or what they share, may add to it. (claims_joined.c) */
bool summary_is_least(const struct summary *s, const struct statement *row);
/*
 * That of a row which has most; NULL: none has any.  is_certain: no other row may have more, of which less is known than
 * all, or whose pages are among those of which the use is unknown. (claims_joined.c)
 */
const struct claim *claims_largest(const struct claims *c, bool *is_certain);
/* Whether it is of a cgroup or of one below that. (claims_joined.c) */
bool claim_is_inside(const struct claim *c, const struct claim *cgroup);
/* A slice below the root has all services, or all users: that it has most says nothing. (overview/removed_cgroups.c) */
bool claim_is_top(const struct claim *c);
/*
 * Whether a cgroup can be charged for all the slabs whose objects are kept by processes of it: objects that an interrupt
 * allocated, and the rest of a slab, are not. (claims_joined.c)
 */
bool summary_charges_caches(const struct summary *s, const struct statement *cgroup);
/* Of two rows: what is in queues of sockets is in caches of packets, not in those of what a socket is. (claims_joined.c) */
bool claim_is_beside_packets(const struct statement *a, const struct statement *b);
/* Whether a cgroup is one of these, or below one. (claims_joined.c) */
bool summary_is_of_these(const struct text_list *alike, const char *cgroup);
/* Whether what is of some cgroups with the same names is the other's as well. (claims_joined.c) */
bool claim_is_of_these(const struct claim *alike, const struct claim *x);
/*
 * ", child of access-stats (147)" with what stands before it: who started a process, if that is not the first process,
 * one of its own name, or unknown.
 */
void summary_add_parent(const struct summary *s, int32_t pid, const char *before, struct strbuf *b);

/* Leaves of each cgroup what nothing inside it is told to have. */
void claims_leave_rest(struct claims *c);
