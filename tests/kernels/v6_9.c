// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 6.9 to 6.14: pool_index_plus_1 in the handle, records with a refcount,
 * struct page_owner of 64 bytes (6.8), pools in an array. Cases of sections.h
 * are in other memory models, or on the way out of memory. CASE_stale: CASE_types_6_11 with a
 * record of a page that is free.
 */
#define RELEASE "6.9.0-synthetic"
#ifdef CASE_stale
#define CASE_types_6_11
#endif
#include "common.h"
#include "owner_6_8.h"

union handle_parts {
	u32 handle;
	struct {
		u32 pool_index_plus_1 : 17, offset : 10, extra : 5;
	};
};
#include "record_6_8.h"

#define HANDLE(pool, slot) ((pool) + 1 | (slot) << 17)
#include "stacks.h"

void *stack_pools[8192] = { DIRECT(pool0), DIRECT(pool1) };
s32 pools_num = 2;

struct stack {
	struct stack_record *stack_record;
	struct stack *next;
};
static struct stack second = { DIRECT(&pool1[4]), 0 };
static struct stack first = { DIRECT(&pool0[2]), DIRECT(&second) };
struct stack *stack_list = DIRECT(&first);

#ifdef CASE_stale
/* Of a free block: it was on the list of a CPU when page_owner started. */
#define EXTRA_PAGES [9] = { { ALLOCATED }, OWNER(0, HANDLE_SECOND, BY(0, 0, "", 0), .gfp_mask = 0) }
#endif
#include "pages.h"
#include "sections.h"
