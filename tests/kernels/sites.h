/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data of the call sites of tagtypes.h, counted so that it is right, and per-CPU memory of one of them.
 * MODULE_AREA: tags of modules are in an area of their own (6.13). KEEPS_COUNTERS: and
 * those that were unloaded keep their counters (6.15). COMPRESSED: 1 if references are indexes. FULL_SIZE: per-CPU
 * memory is counted with each copy and memcg's pointers. NR_FIRST: pcpu_chunk as of 7.2.
 */
#if defined(FULL_SIZE) && defined(NO_MEMCG)
#define PERCPU_BYTES (72 * 2)
#elif defined(FULL_SIZE)
#define PERCPU_BYTES (72 * 2 + 72 / 4 * 8)
#else
#define PERCPU_BYTES 72
#endif
/* Once profiling is off, what is freed stays counted: plain 2, 5, 6 and traced 2. */
#if defined(CASE_off_later) || defined(CASE_off_loop) || defined(CASE_toggled)
#define FREED_BYTES (3 * PLAIN_SIZE + 192)
#define FREED_CALLS 4
#else
#define FREED_BYTES 0
#define FREED_CALLS 0
#endif
/* What one CPU took, another gave back. */
static struct per_cpu per_cpu[3] = {
	[1] = { .counters = { { 2 * PLAIN_SIZE + 3 * 192 + FREED_BYTES + 5000,
				5 + FREED_CALLS + 3 },
			      { 3 * 4096, 2 },
			      { 4 * 4096, 3 },
			      { PERCPU_BYTES, 2 },
			      { PLAIN_SIZE + 4096, 2 },
			      { 4096, 1 } },
		CPU_LIST FIRST_SHEAVES },
	[2] = { .counters = { { -5000, -3 } }, SECOND_SHEAVES },
};
#define COUNTERS(i) PER_CPU(counters[i])
static struct alloc_tag vmlinux_sites[4] = {
	{ { 0, 10, 0, "take_objects", "mm/take.c" }, COUNTERS(0) },
	{ { 0, 20, 0, "take_pages", "mm/take.c" }, COUNTERS(1) },
	{ { 0, 30, 0, "alloc_slab_page", "mm/slub.c" }, COUNTERS(2) },
	{ { 0, 40, 0, "take_percpu", "mm/take.c" }, COUNTERS(3) },
};
#ifdef MODULE_AREA
#define GONE_NAME(x) (char *)WILD /* the module's memory went with it */
#else
#define GONE_NAME(x) x
#endif
static struct alloc_tag module_sites[2] = {
	{ { 0, 50, "mod", "take_in_module", "drivers/mod.c" }, COUNTERS(4) },
	{ { 0, 60, GONE_NAME("gone"), GONE_NAME("take_and_go"), GONE_NAME("drivers/gone.c") },
	  COUNTERS(5) },
};
static struct codetag_module of_vmlinux = {
	0, { DIRECT(&vmlinux_sites[0].ct), DIRECT(&vmlinux_sites[4].ct) }
};
static struct codetag_module of_module = {
	(void *)1, { DIRECT(&module_sites[0].ct), DIRECT(&module_sites[1].ct) }
};
static struct xa_node site_node = { .slots = { DIRECT(&of_vmlinux), DIRECT(&of_module) } };
static struct codetag_type site_type = {
	.mod_idr = { { .xa_head = (char *)DIRECT(&site_node) + 2 } },
	.desc = { .tag_size = sizeof(struct alloc_tag) },
};
struct codetag_type *alloc_tag_cttype = DIRECT(&site_type);
struct static_key_true {
	struct static_key key;
};
#if defined(CASE_off_later) || defined(CASE_off_loop)
struct static_key_true mem_alloc_profiling_key = { { { 0 } } };
#else
struct static_key_true mem_alloc_profiling_key = { { { 1 } } };
#endif

#ifdef MODULE_AREA
u8 mem_profiling_support = 1;
struct static_key_false mem_profiling_compressed = { { { COMPRESSED } } };
#include "moduletags.h"
struct alloc_tag_kernel_section {
	struct alloc_tag *first_tag;
	u64 count;
};
struct alloc_tag_module_section module_tags = { { (u64)DIRECT(module_sites) },
						(u64)DIRECT(module_sites) + 4096,
						sizeof(module_sites) };
struct maple_arange_64 keep_maple_arange_64;
struct module {
	u64 state;
	char name[56];
};
struct module unloaded_mod, prepend_mod;
static struct module loaded_mod;
static struct maple_range_64 leaf __attribute__((aligned(256))) = {
	.pivot = { sizeof(struct alloc_tag) - 1, 2 * sizeof(struct alloc_tag) - 1 },
	.slot = { DIRECT(&loaded_mod), &unloaded_mod },
};
/* A leaf: type 1 from bit 3 on, bit 2; and bit 1 of the root. */
struct maple_tree mod_area_mt = { .ma_root = (char *)DIRECT(&leaf) + (1 << 3) + 4 + 2 };
#ifdef KEEPS_COUNTERS
const char texts[] =
	"\0Failed to allocate memory for allocation tag percpu counters in the module %s\n\0";
#endif
#endif

/* Per-CPU memory: a chunk of one page with 64 bytes at 32, 8 behind them, and 4 of nobody. */
struct pcpuobj_ext {
#ifndef NO_MEMCG
	void *cgroup;
#endif
	union codetag_ref tag;
};
struct pcpu_chunk {
	struct list_head list;
	s32 free_bytes;
	u64 *bound_map;
	void *base_addr __attribute__((aligned(64)));
	u64 *alloc_map;
	void *md_blocks, *data;
	u8 immutable, isolated;
	s32 start_offset, end_offset;
#ifdef NR_FIRST
	s32 nr_pages, nr_populated, nr_empty_pop_pages;
	struct pcpuobj_ext *obj_exts;
#else
	struct pcpuobj_ext *obj_exts;
	s32 nr_pages, nr_populated, nr_empty_pop_pages;
#endif
	u64 populated[1];
};
#define CHUNKS 0xffffe8ffffc00000UL /* where chunks are mapped: nobody looks there */
void *pcpu_base_addr = (void *)CHUNKS;
static struct pcpuobj_ext chunk_exts[1024] = {
	[8] = { .tag = { TAKE_PERCPU } },
	[24] = { .tag = { TAKE_PERCPU } },
	[40] = { .tag = { EMPTY } },
};
static u64 chunk_bounds[17] = {
	1 | 1UL << 8 | 1UL << 24 | 1UL << 26 | 1UL << 40 | 1UL << 41, [16] = 1
};
static u64 chunk_allocated[16] = { (1UL << 26) - (1UL << 8) | 1UL << 40 };
#ifdef CASE_chunk_wild
#define CHUNK_EXTS (void *)WILD
#else
#define CHUNK_EXTS DIRECT(chunk_exts)
#endif
#ifdef CASE_chunk_pages
#define CHUNK_PAGES -1
#else
#define CHUNK_PAGES 1
#endif
static struct list_head chunk_slots[3];
static struct pcpu_chunk first_chunk = {
	.list = { DIRECT(&chunk_slots[0]), DIRECT(&chunk_slots[0]) },
	.base_addr = (void *)CHUNKS,
	.nr_pages = 1,
};
static struct pcpu_chunk chunk;
#ifdef CASE_chunk_loop
#define NEXT_CHUNK DIRECT(&chunk.list)
#else
#define NEXT_CHUNK DIRECT(&chunk_slots[1])
#endif
static struct pcpu_chunk chunk = {
	.list = { NEXT_CHUNK, DIRECT(&chunk_slots[1]) },
	.bound_map = DIRECT(chunk_bounds),
	.alloc_map = DIRECT(chunk_allocated),
	.base_addr = (void *)(CHUNKS + 0x10000),
	.nr_pages = CHUNK_PAGES,
	.obj_exts = CHUNK_EXTS,
};
static struct list_head chunk_slots[3] = {
	{ DIRECT(&first_chunk.list), DIRECT(&first_chunk.list) },
	{ DIRECT(&chunk.list), DIRECT(&chunk.list) },
	{ DIRECT(&chunk_slots[2]), DIRECT(&chunk_slots[2]) },
};
struct list_head *pcpu_chunk_lists = DIRECT(chunk_slots);
s32 pcpu_nr_slots = 3;
