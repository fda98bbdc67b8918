/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What 5.4 to 5.17 have in common: entries of page_ext_size, slabs of stacks, 21 bits of index. */
#include "common.h"

enum page_ext_flags { PAGE_EXT_OWNER, PAGE_EXT_OWNER_ALLOCATED };
enum page_ext_flags keep_page_ext_flags;
#include "owner_old.h"
u64 page_ext_size = sizeof(struct entry);

union handle_parts {
	u32 handle;
	struct {
		u32 slabindex : 21, offset : 10, valid : 1;
	};
};
#include "record_old.h"

static struct stack_record pool0[];
#define HANDLE(pool, slot) ((pool) | (slot) << 21 | 1U << 31)
#include "stacks.h"

/* The hash table was an array until 5.12. */
static struct stack_record *buckets[1024] = {
	[1] = DIRECT(&pool0[2]),
	[6] = DIRECT(&pool0[6]),
	[7] = DIRECT(&pool1[4]),
};
#if OWNER_SINCE < 513
struct stack_record *stack_table[1024] = {
	[1] = DIRECT(&pool0[2]),
	[6] = DIRECT(&pool0[6]),
	[7] = DIRECT(&pool1[4]),
};
#else
struct stack_record **stack_table = DIRECT(buckets);
#endif

void *stack_slabs[8192] = { DIRECT(pool0), DIRECT(pool1) };
s32 depot_index = 1;
u64 depot_offset = 480;

u32 failure_handle = HANDLE(0, 1), dummy_handle = HANDLE(0, 3), early_handle = HANDLE_FREE;

#include "pages.h"
#if defined(CASE_flat) || defined(CASE_flat_elsewhere)
#include "flat.h"
#else
#include "sections.h"
#endif
