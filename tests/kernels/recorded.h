/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_owner and the stack depot of 6.9 and later, with the reference to a call site
 * behind each record. POOLS_BEHIND: as of 6.17; NEVER_IS_10: as of 7.3.
 */
#define MORE_OF_ENTRY union codetag_ref ref;
#ifdef NEVER_IS_10
enum migrate_reason { MR_COMPACTION, MR_NEVER = 10 };
enum migrate_reason keep_migrate_reason;
#define NEVER 10
#endif
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
#ifdef POOLS_BEHIND
static void *pool_table[64] = { DIRECT(pool0), DIRECT(pool1) };
void **stack_pools = DIRECT(pool_table);
u32 stack_max_pools = 64;
#else
void *stack_pools[8192] = { DIRECT(pool0), DIRECT(pool1) };
#endif
s32 pools_num = 2;
struct page_ext_operations page_alloc_tagging_ops = {
	.offset = __builtin_offsetof(struct entry, ref),
	.size = sizeof(union codetag_ref),
};
