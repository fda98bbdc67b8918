/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * KFENCE as of 6.6: a pool of four pages, of which the third has its only object, freed. Behind its
 * record is what is none. CASE_kfence_used: it is in use, with a reference.
 */
#define POOL_AT 12 /* of the first pages */
#define POOL (DIRECT_BASE + ((u64)(FIRST_PFN + POOL_AT) << 12))

enum kfence_object_state {
	KFENCE_OBJECT_UNUSED,
	KFENCE_OBJECT_ALLOCATED,
	KFENCE_OBJECT_FREED,
};
enum kfence_object_state keep_kfence_state;

struct kfence_track {
	s32 pid, cpu;
	u64 ts_nsec;
	s32 num_stack_entries;
	u64 stack_entries[64];
};
struct kfence_metadata {
	struct list_head list;
	u32 lock;
	enum kfence_object_state state;
	u64 addr, size;
	struct kmem_cache *cache;
	u64 unprotected_page;
	struct kfence_track alloc_track, free_track;
};
#ifdef CASE_kfence_used
#define KFENCE_STATE KFENCE_OBJECT_ALLOCATED
static struct ext kfence_ext = EXT(TAKE);
#define KFENCE_EXT ((u64)DIRECT(&kfence_ext) + IS_VECTOR)
#else
#define KFENCE_STATE KFENCE_OBJECT_FREED
#define KFENCE_EXT 0
#endif
static struct kfence_metadata kfence_records[2] = {
	{ .state = KFENCE_STATE,
	  .addr = POOL + 3 * 4096 - 56,
	  .size = 56,
	  .cache = DIRECT(&plain_cache),
	  .alloc_track = { 42, 1, 4000000000, 2, { IN(alloc_pages), IN(leak_first) } },
	  .free_track = { 43, 0, 9000000000, 1, { IN(free_pages) } } },
	{ .addr = 1 },
};
struct kfence_metadata *kfence_metadata = DIRECT(kfence_records);
char *__kfence_pool = (char *)POOL;
