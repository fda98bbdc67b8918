// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 4.19 to 5.3: extra_mem is what the clients add to struct page_ext; only the
 * first page of an allocation is marked, and no longer once it is freed.
 * CASE_unused: no stack is in the depot.
 * CASE_owner_0: 5.3, where PAGE_EXT_DEBUG_GUARD went (mm/page_ext.c); with KASAN, whose
 * save_stack() is static there.
 */
#define RELEASE "4.19.0-synthetic"
#define HEADS_ONLY
#include "common.h"

#ifdef CASE_owner_0
enum page_ext_flags { PAGE_EXT_OWNER };
#define ALLOCATED 1UL
void kasan_report(void)
{
}
#else
enum page_ext_flags { PAGE_EXT_DEBUG_GUARD, PAGE_EXT_OWNER };
#define ALLOCATED 2UL
#endif
enum page_ext_flags keep_page_ext_flags;
#define OWNER_SINCE 419
#include "owner_old.h"
u64 extra_mem = sizeof(struct page_owner);

union handle_parts {
	u32 handle;
	struct {
		u32 slabindex : 21, offset : 10, valid : 1;
	};
};
#include "record_old.h"

#define HANDLE(pool, slot) ((pool) | (slot) << 21 | 1U << 31)
#include "stacks.h"

struct stack_record *stack_table[1024];
#ifdef CASE_unused
void *stack_slabs[8192] = { 0 };
/* In a page that is not blank. */
s32 __attribute__((section(".data"))) depot_index = 0;
u64 __attribute__((section(".data"))) depot_offset = 0;
#else
void *stack_slabs[8192] = { DIRECT(pool0), DIRECT(pool1) };
s32 depot_index = 1;
u64 depot_offset = 480;
#endif

#include "pages.h"
#include "sections.h"
