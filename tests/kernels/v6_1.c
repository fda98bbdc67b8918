// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 5.18 to 6.2: struct page_owner of 56 bytes, without who freed; 6.1 added the
 * user's bits to the handle. CASE_5_19: before that. CASE_pools: 6.3 to 6.7, which
 * only renamed slabs to pools. CASE_migrated: the pages behind the first one
 * kept the record of the migration's own allocation.
 */
#define RELEASE "6.1.0-synthetic"
#include "common.h"

enum page_ext_flags { PAGE_EXT_OWNER, PAGE_EXT_OWNER_ALLOCATED };
enum page_ext_flags keep_page_ext_flags;
#define OWNER_SINCE 518
#include "owner_old.h"
u64 page_ext_size = sizeof(struct entry);

union handle_parts {
	u32 handle;
#if defined(CASE_5_19)
	struct {
		u32 slabindex : 21, offset : 10, valid : 1;
	};
#elif defined(CASE_pools)
	struct {
		u32 pool_index : 16, offset : 10, valid : 1, extra : 5;
	};
#else
	struct {
		u32 slabindex : 16, offset : 10, valid : 1, extra : 5;
	};
#endif
};
#include "record_old.h"

#ifdef CASE_5_19
#define HANDLE(pool, slot) ((pool) | (slot) << 21 | 1U << 31)
#else
#define HANDLE(pool, slot) ((pool) | (slot) << 16 | 1 << 26)
#endif
#include "stacks.h"

#ifdef CASE_pools
void *stack_pools[8192] = { DIRECT(pool0), DIRECT(pool1) };
s32 pool_index = 1;
#else
void *stack_slabs[8192] = { DIRECT(pool0), DIRECT(pool1) };
s32 depot_index = 1;
#endif

#ifdef CASE_migrated
#define TAILS OWNER(2, HANDLE_FREE, BY(2, 2, "kcompactd0", 9000), .gfp_mask = 0x1)
#endif
#include "pages.h"
#include "sections.h"
