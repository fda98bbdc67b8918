// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A vendor's kernel that took over the meaning of 6.9, index plus one, but not
 * the name pool_index_plus_1: only the records can tell. CASE_hole: the pool that
 * the name's own meaning leads to is not in the dump.
 */
#define RELEASE "5.14.0-synthetic.vendor"
#include "common.h"
#include "owner_6_8.h"

union handle_parts {
	u32 handle;
	struct {
		u32 pool_index : 17, offset : 10, extra : 5;
	};
};
#include "record_6_8.h"

#define HANDLE(pool, slot) ((pool) + 1 | (slot) << 17)
#include "stacks.h"

#ifdef CASE_hole
void *stack_pools[8192] = { DIRECT(pool0), (void *)0xffff88ffffff0000UL };
#else
void *stack_pools[8192] = { DIRECT(pool0), DIRECT(pool1) };
#endif
s32 pools_num = 2;

#include "pages.h"
#include "sections.h"
