// SPDX-License-Identifier: GPL-2.0-or-later
/* 6.8: no valid bit any more, the index is the pool's number, records can be free. */
#define RELEASE "6.8.0-synthetic"
#include "common.h"
#include "owner_6_8.h"

union handle_parts {
	u32 handle;
	struct {
		u32 pool_index : 17, offset : 10, extra : 5;
	};
};
#include "record_6_8.h"

#define HANDLE(pool, slot) ((pool) | (slot) << 17)
#include "stacks.h"

void *stack_pools[8192] = { DIRECT(pool0), DIRECT(pool1) };
s32 pools_num = 2;

#include "pages.h"
#include "sections.h"
