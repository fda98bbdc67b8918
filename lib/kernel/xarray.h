/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks an XArray, which an IDR is as well (include/linux/xarray.h, 4.20 and later), or the radix tree that
 * was there before (include/linux/radix-tree.h).
 */
#pragma once

#include "dump/dump.h"

/*
 * Calls visit for each entry that is a pointer, by rising index.  head is the
 * value of xa_head, or of rnode.  visit ends the walk by any status but ST_OK.
 */
enum status xarray_walk(struct dump *d, uint64_t head,
			enum status (*visit)(void *arg, uint64_t index, uint64_t entry), void *arg);
