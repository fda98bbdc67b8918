/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block devices of zram, with the pages of zsmalloc that each has (drivers/block/zram/zram_drv.c,
 * mm/zsmalloc.c).
 */
#pragma once

#include "dump/dump.h"

#define ZRAM_NAME 64

struct zram_device {
	char name[ZRAM_NAME]; /* of its disk; "": not in this dump */
	bool has_pages,
		has_stats; /* false: unknown without the types of its module; the first is pages */
	uint64_t pages;	   /* of its pool of zsmalloc */
	uint64_t compressed; /* bytes that are allocated of them */
	uint64_t stored;     /* pages of data, before compression */
};

/*
 * Calls visit for each device that has a pool.  ST_ABSENT: zram is not in vmlinux, nor a loaded module;
 * ST_UNKNOWN: it is a module whose types the reader of the dump has not loaded, devices were visited with
 * what is known without; ST_UNREADABLE or ST_CORRUPT:
 * some devices may be missing.
 */
enum status zram_walk(struct dump *d,
		      enum status (*visit)(void *arg, const struct zram_device *device), void *arg);
