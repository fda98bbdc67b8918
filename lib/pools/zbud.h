/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of zbud, an allocator of zswap (mm/zbud.c, in 6.12 and before, not in 7.3).  struct page does not
 * tell them: their pool links the struct zbud_header at the start of each.
 */
#pragma once

#include "dump/dump.h"
#include "util/hash_u64.h"

/*
 * Adds the pages of all pools of zswap that are of zbud.  ST_ABSENT: there is none; another failure: some
 * may be missing.
 */
enum status zbud_pages(struct dump *d, struct pfnset *ret);
