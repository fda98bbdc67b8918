/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of the swap cache, of kernels that keep no counter of them (up to 5.11). */
#pragma once

#include "dump/dump.h"

/*
 * The sum over all address spaces of swap (total_swapcache_pages(), mm/swap_state.c).
 * ST_ABSENT: this kernel has no such address spaces; ST_UNREADABLE: one of them is not in this
 * dump, and no sum would be true.
 */
enum status swap_cache_pages(struct dump *d, uint64_t *ret);
