// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A stack depot as the kernel lays it out: records behind each other, each in the chain of its hash.
 * Four records of four frames in two pools, 256 buckets. CASE_4_19 to CASE_vendor are other
 * generations; the other cases are one defect each, or a part that is not in the dump (hole,
 * table).
 */
#define RELEASE "6.9.0-synthetic"
#include "common.h"

void _sinittext(void) {}
void _einittext(void) {}

#if defined(CASE_4_19) || defined(CASE_5_15) || defined(CASE_6_1)
#define OLD
#endif

union handle_parts {
	u32 handle;
	struct {
#if defined(CASE_4_19) || defined(CASE_5_15)
		u32 slabindex : 21, offset : 10, valid : 1;
#define HANDLE(pool, unit) ((pool) | (unit) << 21 | 1U << 31)
#elif defined(CASE_6_1)
		u32 slabindex : 16, offset : 10, valid : 1, extra : 5;
#define HANDLE(pool, unit) ((pool) | (unit) << 16 | 1 << 26)
#elif defined(CASE_6_8)
		u32 pool_index : 17, offset : 10, extra : 5;
#define HANDLE(pool, unit) ((pool) | (unit) << 17)
#elif defined(CASE_vendor)
		u32 pool_index : 17, offset : 10, extra : 5;
#define HANDLE(pool, unit) ((pool) + 1 | (unit) << 17)
#else
		u32 pool_index_plus_1 : 17, offset : 10, extra : 5;
#define HANDLE(pool, unit) ((pool) + 1 | (unit) << 17)
#endif
	};
};

/* Of four frames either is 64 bytes. */
#ifdef OLD
struct stack_record {
	struct stack_record *next;
	u32 hash, size;
	union handle_parts handle;
	u64 entries[5];
};
#define LINK(to, back) .next = to
#define COUNT(n) .size = 4
#define NONE 0
#else
struct stack_record {
	struct list_head hash_list;
	u32 hash, size;
	union handle_parts handle;
	s32 count;
	u64 entries[4];
};
#define LINK(to, back) .hash_list = { to, back }
#define COUNT(n) .size = 4, .count = n
#endif

#define POOL_BYTES 16384
static struct stack_record pool0[POOL_BYTES / 64], pool1[POOL_BYTES / 64];
#ifdef OLD
#ifdef CASE_4_19
extern struct stack_record *stack_table[256];
#define TABLE stack_table
#else
static struct stack_record *buckets[256];
#define TABLE buckets
#endif
#define BUCKET(i) NONE
#else
static struct list_head buckets[256];
#define TABLE buckets
#define BUCKET(i) DIRECT(&buckets[i])
#endif
#define A DIRECT(&pool0[0])
#define B DIRECT(&pool0[1])
#ifdef CASE_hole
#define SECOND_POOL ((struct stack_record *)0xffff88ffffff0000UL)
#else
#define SECOND_POOL ((struct stack_record *)DIRECT(pool1))
#endif
#define C (SECOND_POOL + 0)
#define D (SECOND_POOL + 1)

#define FRAMES(last) { IN(alloc_pages), IN(leak_first), IN(leak_second), last }
#define RECORD(h, value, n, last, ...)                                                     \
	{                                                                                  \
		.handle = { value }, .hash = h, COUNT(n), .entries = FRAMES(last), __VA_ARGS__ \
	}

#ifdef CASE_handle
#define HANDLE_B HANDLE(0, 7)
#else
#define HANDLE_B HANDLE(0, 4)
#endif
#ifdef CASE_unlinked
#define A_NEXT BUCKET(1)
#else
#define A_NEXT B
#endif
#if defined(CASE_loop)
#define B_NEXT A
#elif defined(CASE_wild)
#define B_NEXT (void *)0xffff888001a00040UL
#else
#define B_NEXT BUCKET(1)
#endif
#ifdef CASE_text
#define B_LAST ((u64)pool0)
#else
#define B_LAST IN(startup_64)
#endif
#ifdef CASE_prev
#define B_BACK C
#else
#define B_BACK A
#endif
#ifdef CASE_free
#define B_COUNT 0
#else
#define B_COUNT 3
#endif

static struct stack_record pool0[POOL_BYTES / 64] __attribute__((aligned(4096))) = {
	RECORD(0x101, HANDLE(0, 0), 2, IN(startup_64), LINK(A_NEXT, BUCKET(1))),
	RECORD(0x201, HANDLE_B, B_COUNT, B_LAST, LINK(B_NEXT, B_BACK)),
};
#ifdef CASE_size
#undef COUNT
#define COUNT(n) .size = 2040, .count = n
#endif
static struct stack_record pool1[POOL_BYTES / 64] __attribute__((aligned(4096))) = {
	RECORD(2, HANDLE(1, 0), 2, IN(startup_64), LINK(BUCKET(2), BUCKET(2))),
#ifdef CASE_bucket
	RECORD(0x3fe, HANDLE(1, 4), 2, IN(startup_64), LINK(BUCKET(255), BUCKET(255))),
#else
	RECORD(0x3ff, HANDLE(1, 4), 2, IN(startup_64), LINK(BUCKET(255), BUCKET(255))),
#endif
};

#ifdef OLD
#ifdef CASE_4_19
struct stack_record *stack_table[256]
#else
static struct stack_record *buckets[256]
#endif
	= { [1] = A, [2] = C, [255] = D };
#else
#define EMPTY(i) [i] = { BUCKET(i), BUCKET(i) }
#define EMPTY4(i) EMPTY(i), EMPTY(i + 1), EMPTY(i + 2), EMPTY(i + 3)
#define EMPTY16(i) EMPTY4(i), EMPTY4(i + 4), EMPTY4(i + 8), EMPTY4(i + 12)
#define EMPTY64(i) EMPTY16(i), EMPTY16(i + 16), EMPTY16(i + 32), EMPTY16(i + 48)
static struct list_head buckets[256] = {
	EMPTY64(0), EMPTY64(64), EMPTY64(128), EMPTY64(192),
	[1] = { A, B }, [2] = { C, C }, [255] = { D, D },
};
#endif

#ifdef CASE_4_19
void *stack_slabs[8192] = { DIRECT(pool0), DIRECT(pool1) };
s32 depot_index = 1;
u64 depot_offset = 128;
#elif defined(OLD)
struct stack_record **stack_table = DIRECT(buckets);
void *stack_slabs[8192] = { DIRECT(pool0), DIRECT(pool1) };
s32 depot_index = 1;
u64 depot_offset = 128;
#ifdef CASE_6_1
u32 stack_hash_mask = 255;
#endif
#else
#ifdef CASE_table
struct list_head *stack_table = (struct list_head *)0xffff88ffffff0000UL;
#else
struct list_head *stack_table = DIRECT(buckets);
#endif
u32 stack_hash_mask = 255;
struct list_head free_stacks = { DIRECT(&free_stacks), DIRECT(&free_stacks) };
s32 pools_num = 2;
#ifdef CASE_end
u64 pool_offset = 192;
#else
u64 pool_offset = 128;
#endif
#if defined(CASE_6_17)
static void *table[64] = { DIRECT(pool0), DIRECT(pool1) };
void **stack_pools = DIRECT(table);
u32 stack_max_pools = 64;
#elif defined(CASE_pool)
void *stack_pools[8192] = { DIRECT(pool0), 0 };
#elif defined(CASE_twin)
void *stack_pools[8192] = { DIRECT(pool0), DIRECT(pool0) };
#elif defined(CASE_hole)
void *stack_pools[8192] = { DIRECT(pool0), SECOND_POOL };
#else
void *stack_pools[8192] = { DIRECT(pool0), DIRECT(pool1) };
#endif
#endif
