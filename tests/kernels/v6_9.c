// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 6.9 to 6.14: pool_index_plus_1 in the handle, records with a refcount,
 * struct page_owner of 64 bytes (6.8), pools in an array. Cases of sections.h
 * are in other memory models, or on the way out of memory. CASE_stale: CASE_types_6_11 with a
 * record of a page that is free. CASE_neighbours: single pages of one stack, side by side, of two processes.
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
#ifdef CASE_neighbours
/* A run whose last page has the name of the others and not their tgid, and one whose last has the tgid alone. */
#define SINGLE(tgid, comm) { { ALLOCATED }, OWNER(0, HANDLE_FIRST, BY(tgid, tgid, comm, 2500)) }
#define EXTRA_PAGES                                               \
	[9 ... 14] = SINGLE(30, "one"), [15] = SINGLE(31, "one"), \
	[17 ... 18] = SINGLE(30, "one"), [19] = SINGLE(30, "two"),
#endif
#include "pages.h"
#include "sections.h"
