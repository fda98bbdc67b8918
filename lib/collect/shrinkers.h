/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shrinkers: what the kernel could have freed beside pages, and what it left for later (struct shrinker,
 * shrinker_list of mm/shrinker.c; mm/vmscan.c up to 6.6).
 */
#pragma once

#include "dump/gap.h"
#include "symbols/symbolize.h"

/* Objects of one node and memory cgroup. */
struct shrinker_part {
	struct shrinker_part *next;
	const struct shrinker *shrinker;
	bool has_node;
	unsigned int node;
	const char *memcg; /* "/web"; "/": the root, or none is charged; NULL: unknown */
	bool is_part_of_objects, is_part_of_deferred; /* how many more there are is unknown */
	uint64_t objects;
	uint64_t deferred;
};

struct shrinker {
	struct shrinker *next;
	uint64_t address;
	const char *name; /* as in /sys/kernel/debug/shrinker, or of a file system made so; NULL */
	const char *function; /* that counts its objects; NULL: unknown */
	const char *module;   /* of it; NULL: unknown */
	const char *fs_type;  /* of the file system whose dentries and inodes it frees; NULL */
	int32_t seeks;	      /* what it costs to make an object anew; 0: no I/O */
	int64_t batch;	      /* objects that are scanned at once; 0: 128 */
	const char *flags;    /* NULL: unknown */
	bool has_flags, is_numa_aware, is_memcg_aware;
	int64_t id;	  /* -1: none */
	bool has_number;  /* id is one */
	bool has_objects; /* what it counts is a figure that the kernel keeps */
	bool is_unread;	  /* it keeps the figure, and it is not in this dump */
	uint64_t objects;
	bool has_caches; /* it is of a file system: */
	uint64_t dentries, inodes;
	bool has_deferred;
	uint64_t deferred; /* objects that were to be scanned, and were not yet */
	/* Those with any, in the order found; what no list tells apart is a part of its own. */
	struct shrinker_part *parts, **last_part;
	struct hash_u64 by_place; /* of struct shrinker_part *, by cgroup and node */
};

struct shrinkers {
	struct shrinker *first; /* in the order of the list: that in which they are called */
	size_t n;
	size_t uncounted;	/* only their function knows what they have */
	size_t unread_objects;	/* the kernel keeps the number, and it is not in this dump */
	size_t unread_deferred; /* the same of what was left for later */
	const char *list_ends;	/* NULL, or why some are missing */
	struct gaps gaps;
};

/* What was found before ST_STOPPED is in ret.  ST_UNKNOWN: no layout that is known. */
enum status shrinkers_collect(struct dump *d, struct shrinkers *ret);
