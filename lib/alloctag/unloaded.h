/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tags of modules that were unloaded while their memory was in use.  From 6.13 on the
 * kernel keeps all modules' tags in one area and marks what became of its parts in
 * mod_area_mt; /proc/allocinfo leaves these tags out (lib/alloc_tag.c).
 */
#pragma once

#include "modules/module.h"

struct tag_range {
	uint64_t start, stop;
};

struct unloaded_tags {
	struct tag_range *ranges;
	size_t n, room;
	bool keeps_counters;	/* else they were freed with the module */
	struct modules modules; /* what may have the memory of their names now */
};

/* ST_ABSENT: this kernel keeps no such area, or had no need of it. */
enum status unloaded_tags_open(struct dump *d, struct unloaded_tags *ret);
