/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pools of zswap, with the pages that each has of its allocator (mm/zswap.c, mm/zpool.c). */
#pragma once

#include "dump/dump.h"

#define ZSWAP_ALLOCATOR 16
#define ZSWAP_COMPRESSOR 128

struct zswap_pool {
	uint64_t address;
	/* The pools of the allocator, such as struct zs_pool; 0: not in this dump. */
	uint64_t *stores;
	unsigned int nstores;
	char allocator[ZSWAP_ALLOCATOR];   /* zsmalloc, zbud or z3fold; "": not in this dump */
	char compressor[ZSWAP_COMPRESSOR]; /* "": not in this dump */
	uint64_t pages;			   /* in use by the allocator */
	bool has_pages;			   /* false: unknown */
	uint64_t stored; /* pages of data, with those of one value, which need no memory */
	bool has_stored; /* false: unknown, zswap counts those of all pools together */
};

/*
 * Calls visit for each pool.  A pool stays in the list until the last page of data has left it, so
 * that there may be more than one.  ST_ABSENT: this kernel has no zswap; ST_UNREADABLE or ST_CORRUPT:
 * some pools may be missing.
 */
enum status zswap_walk(struct dump *d,
		       enum status (*visit)(void *arg, const struct zswap_pool *pool), void *arg);

/*
 * Pages that its allocator counts and that are in no list: those of z3fold.  ST_ABSENT: they have a class of
 * their own; ST_UNKNOWN: the allocator is not known, or what z3fold counts.
 */
enum status zswap_only_counted(struct dump *d, const struct zswap_pool *pool, uint64_t *ret);
