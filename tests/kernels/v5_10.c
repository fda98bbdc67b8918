// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 5.4 to 5.10: struct page_owner of 16 bytes, without time or task; a valid bit
 * in the handle and nothing for its user.
 */
#define RELEASE "5.10.0-fake"
#include "common.h"

struct page_ext { u64 flags; };
enum page_ext_flags { PAGE_EXT_OWNER, PAGE_EXT_OWNER_ALLOCATED };
enum page_ext_flags keep_page_ext_flags;

struct page_owner {
	u16 order;
	s16 last_migrate_reason;
	u32 gfp_mask, handle, free_handle;
};
struct entry { struct page_ext ext; struct page_owner owner; };
#define ENTRY struct entry
#define OWNER(o, h, ...) { .order = o, .last_migrate_reason = -1, .handle = h, __VA_ARGS__ }
#define BY(p, t, name, at) .free_handle = 0
#define FREED(h, pid, at) .free_handle = h

u64 page_ext_size = sizeof(struct entry);
struct page_ext_operations { u64 offset, size; void *need, *init; };
struct page_ext_operations page_owner_ops = { .offset = 8, .size = sizeof(struct page_owner) };

struct static_key { struct { s32 counter; } enabled; };
struct static_key_false { struct static_key key; };
struct static_key_false page_owner_inited = { { { 1 } } };

union handle_parts {
	u32 handle;
	struct { u32 slabindex : 21, offset : 10, valid : 1; };
};
struct stack_record {
	struct stack_record *next;
	u32 hash, size;
	union handle_parts handle;
	u64 entries[8];
	u64 pad;
};
#ifdef CASE_loop
/* Chains that bite their own tails. */
#define NEXT DIRECT(&pool0[2])
#else
#define NEXT 0
#endif
#define RECORD(h, n, refs, ...) { .next = NEXT, .size = n, .handle = { h }, .entries = { __VA_ARGS__ } }

static struct stack_record pool0[];
#define HANDLE(pool, slot) ((pool) | (slot) << 21 | 1U << 31)
#include "stacks.h"

/* The hash table was an array until 5.12. */
struct stack_record *stack_table[1024] = {
	[1] = DIRECT(&pool0[2]), [6] = DIRECT(&pool0[6]), [7] = DIRECT(&pool1[4]),
};

void *stack_slabs[8192] = { DIRECT(pool0), DIRECT(pool1) };
s32 depot_index = 1;
u64 depot_offset = 480;

#include "pages.h"
#include "sections.h"
