// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 6.17 and later: stack_pools is a pointer to a table of stack_max_pools.
 * CASE_never: 7.3, where "never migrated" got a number.
 */
#define RELEASE "6.17.0-synthetic"
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

#ifdef CASE_never
enum migrate_reason { MR_COMPACTION, MR_NEVER = 10 };
enum migrate_reason keep_migrate_reason;
const char *const migrate_reason_names[11] = { [1] = "memory_failure", [10] = "never_migrated" };
#undef NEVER
#define NEVER 10
#endif

static void *table[64] = { DIRECT(pool0), DIRECT(pool1) };
void **stack_pools = DIRECT(table);
u32 stack_max_pools = 64;
s32 pools_num = 2;

#include "pages.h"
#include "sections.h"
