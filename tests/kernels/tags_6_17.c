// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory allocation profiling as of 6.17 and later: per-CPU addresses that look like
 * the kernel's own, tags of modules in an area of their own with counters that are
 * allocated, what became of its parts in a maple tree, tags that are not whole.
 * -DCASE_x breaks it.
 */
#define RELEASE "6.17.0-tags"
#include "common.h"

#define NEXT_SEQ
#include "codetagtypes.h"

struct static_key_true {
	struct static_key key;
};

#include "moduletags.h"

/* An address in the image plus an offset that may go down. */
struct area {
	char pad[64];
	struct alloc_tag_counters counters[8];
};
static struct area per_cpu[3] = {
	[0] = { .counters = { { 1, 1 } } },
	[1] = { .counters = { { 4096, 1 },
			      { 100, 2 },
			      { 10, 1 },
			      { 20, 2 },
			      { 40, 4 },
			      { 80, 8 },
			      { 5, 5 } } },
	[2] = { .counters = { { 4096, 1 },
			      { -50, -1 },
			      { 10, 1 },
			      { 20, 2 },
			      { 40, 4 },
			      { 80, 8 },
			      { 5, 5 } } },
};
/*
 * What is added leads from the image to the direct map, and from one copy to the other: they
 * stand behind each other.
 */
#define OFFSET(n) (void *)(DIRECT_BASE - LINK_BASE + (n) * sizeof(struct area))
void *__per_cpu_offset[2] = { OFFSET(1), OFFSET(2) };
struct cpumask {
	u64 bits[1];
};
struct cpumask __cpu_possible_mask = { { 3 } };
u32 nr_cpu_ids = 2;

#define COUNTERS(i) &per_cpu[0].counters[i]
#define GONE (char *)0xffff88ffff000000UL
#define NOT_WHOLE 1

static struct alloc_tag kernel[] = {
	{ { NOT_WHOLE, 10, 0, "alloc_first", "mm/first.c" }, COUNTERS(0) },
	{ { 0, 20, 0, "alloc_second", "./include/linux/second.h" }, COUNTERS(1) },
};
/* Two modules with one source; one that was unloaded with one of its sites in use; one
 * that was unloaded and left nothing, but what was there before. */
static struct alloc_tag area[] = {
	{ { 0, 30, "net_a", "probe", "drivers/same.c" }, COUNTERS(2) },
	{ { 0, 40, "net_a", "never", "drivers/same.c" }, 0 },
	{ { 0, 30, "net_b", "probe", "drivers/same.c" }, COUNTERS(3) },
	{ { 0, 40, "net_b", "never", "drivers/same.c" }, 0 },
	{ { 0, 50, GONE, GONE, GONE }, COUNTERS(4) },
	{ { 0, 60, GONE, GONE, GONE }, 0 },
	{ { 0, 70, GONE, GONE, GONE }, COUNTERS(5) },
	{ { 0, 80, GONE, GONE, GONE }, COUNTERS(6) },
};
#define TAG sizeof(struct alloc_tag)

static struct codetag_module of_kernel = { 0, { DIRECT(&kernel[0].ct), DIRECT(&kernel[2].ct) } };
static struct codetag_module of_a = { (void *)1, { DIRECT(&area[0].ct), DIRECT(&area[2].ct) }, 1 };
static struct codetag_module of_b = { (void *)2, { DIRECT(&area[2].ct), DIRECT(&area[4].ct) }, 2 };
static struct xa_node node = { .slots = { DIRECT(&of_kernel), DIRECT(&of_a), 0, DIRECT(&of_b) } };

struct module {
	u64 state;
	char name[56];
};
struct module unloaded_mod, prepend_mod;
static struct module mod_a, mod_b;

#define NODE __attribute__((aligned(256)))
/* As mt_mk_node() has it: the type from bit 3 on, and bit 2. */
#define LEAF(n) ((char *)DIRECT(n) + (1 << 3) + 4)
#ifdef CASE_torn_tree
#define SECOND ((char *)DIRECT(&inner) + (3 << 3) + 4)
#else
#define SECOND LEAF(&second)
#endif
static struct maple_range_64 first NODE = {
	.pivot = { 2 * TAG - 1, 4 * TAG - 1 },
	.slot = { DIRECT(&mod_a), DIRECT(&mod_b) },
};
/* The symbol's address is what the kernel stores. */
static struct maple_range_64 second NODE = {
	.pivot = { 6 * TAG - 1, 7 * TAG - 1 },
	.slot = { &unloaded_mod, &prepend_mod, 0 },
};
extern struct maple_arange_64 inner;
struct maple_arange_64 inner NODE = {
	.pivot = { 4 * TAG - 1 },
	.slot = { LEAF(&first), SECOND },
};
#ifdef CASE_outside
#define SIZE (5 * TAG)
#else
#define SIZE sizeof(area)
#endif
struct maple_tree mod_area_mt = { .ma_root = (char *)DIRECT(&inner) + (3 << 3) + 4 + 2 };
struct alloc_tag_module_section module_tags = { { (u64)DIRECT(area) },
						(u64)DIRECT(area) + 4096,
						SIZE };

static struct codetag_type type = {
	.mod_idr = { { .xa_head = (char *)DIRECT(&node) + 2 } },
	.desc = { .tag_size = sizeof(struct alloc_tag) },
};
#if defined(CASE_unsupported) || defined(CASE_never) || defined(CASE_cut)
struct codetag_type *alloc_tag_cttype;
u8 mem_profiling_support;
#elif defined(CASE_failed)
struct codetag_type *alloc_tag_cttype = (void *)-12L;
u8 mem_profiling_support;
#else
struct codetag_type *alloc_tag_cttype = DIRECT(&type);
u8 mem_profiling_support = 1;
#endif
#ifdef CASE_never
char *saved_command_line =
	DIRECT("root=/dev/x sysctl.vm.mem_profiling=1 sysctl.vm.mem_profiling=never quiet");
#elif defined(CASE_failed)
char *saved_command_line = DIRECT("sysctl.vm.mem_profiling=1,compressed");
#elif defined(CASE_cut)
char *saved_command_line = (char *)(DIRECT_BASE + (1UL << 38)); /* not in the dump */
#else
char *saved_command_line = DIRECT("quiet");
#endif
struct static_key_true mem_alloc_profiling_key = { { { 1 } } };
struct static_key_true mem_profiling_compressed = { { { 1 } } };

/* It warns, so that a warning which is not there tells something (CONFIG_BUG). */
void __warn_printk(void) {}

const char texts[] =
	"\0allocinfo - version: 2.0\n\0#     <size>  <calls> <tag info>\n\0%12lli %8llu \0 accurate:no\0"
#ifndef CASE_stale
	"\0013Failed to allocate memory for allocation tag percpu counters in the module %s\n\0"
#endif
#ifdef CASE_debug
	"alloc_tag was not cleared (got tag for %s:%u)\n\0"
#endif
	;
