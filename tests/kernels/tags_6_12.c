// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory allocation profiling as of 6.10 to 6.14: tags of vmlinux and of one
 * module behind an IDR of two levels, zero-based per-CPU counters of two
 * possible CPUs of three.  -DCASE_x breaks it.
 */
#define RELEASE "6.12.0-tags"
#include "common.h"

#include "codetagtypes.h"

struct static_key_true {
	struct static_key key;
};

/* Per-CPU data of a CPU is at its offset plus a small number. */
struct area {
	char pad[64];
	struct alloc_tag_counters counters[4];
};
static struct area area0 = { .counters = { { 4096, 1 }, { 100, 3 }, { 50, 5 }, { 7, 7 } } };
static struct area area2 = { .counters = { { 8192, 2 }, { -300, -1 }, { 0, 0 }, { 1, 1 } } };
#ifdef CASE_no_counters
#define AREA2 (void *)0xffff88ffff000000UL
#else
#define AREA2 DIRECT(&area2)
#endif
void *__per_cpu_offset[8] = { DIRECT(&area0), (void *)0xffff88fffff00000UL, AREA2 };
struct cpumask {
	u64 bits[1];
};
struct cpumask __cpu_possible_mask = { { 5 } };
u32 nr_cpu_ids = 3;
#define COUNTERS(i) (void *)(64 + (i) * sizeof(struct alloc_tag_counters))

static struct alloc_tag kernel[] = {
	{ { 0, 10, 0, "alloc_first", "mm/first.c" }, COUNTERS(0) },
	/* More was freed on the other CPU than was ever allocated here. */
	{ { 0, 20, 0, "alloc_second", "mm/second.c" }, COUNTERS(1) },
	{ { 0, 30, 0, "alloc_never", "mm/second.c" }, 0 },
};
static struct alloc_tag module[] = {
	{ { 0, 40, "mod", "alloc_module", "drivers/mod/mod.c" }, COUNTERS(2) },
#ifdef CASE_unnamed
	{ { 0, 50, "mod", (char *)0xffff88ffff000000UL, (char *)0xffff88ffff000000UL }, COUNTERS(3) },
#else
	{ { 0, 50, "mod", "alloc_other", (char *)0xffff88ffff000000UL }, COUNTERS(3) },
#endif
};
static struct codetag_module kernel_tags = { 0, { DIRECT(&kernel[0].ct), DIRECT(&kernel[3].ct) } };
static struct codetag_module module_tags = { (void *)1,
					     { DIRECT(&module[0].ct), DIRECT(&module[2].ct) } };
#ifdef CASE_torn_range
/* Stops before it starts. */
static struct codetag_module third = { 0, { DIRECT(&kernel[2].ct), DIRECT(&kernel[0].ct) } };
#define THIRD DIRECT(&third)
#else
#define THIRD 0
#endif

static struct xa_node low = { .shift = 0, .slots = { DIRECT(&kernel_tags), 0, THIRD, 0 } };
static struct xa_node second = { .shift = 0, .slots = { 0, DIRECT(&module_tags) } };
extern struct xa_node high;
#ifdef CASE_loop
#define SECOND ((char *)DIRECT(&high) + 2)
#else
#define SECOND ((char *)DIRECT(&second) + 2)
#endif
struct xa_node high = { .shift = 2, .slots = { (char *)DIRECT(&low) + 2, SECOND } };

static struct codetag_type type = {
	.mod_idr = { { .xa_head = (char *)DIRECT(&high) + 2 } },
	.desc = { .tag_size = sizeof(struct alloc_tag) },
};
#ifdef CASE_off_at_boot
struct codetag_type *alloc_tag_cttype;
#else
struct codetag_type *alloc_tag_cttype = DIRECT(&type);
#endif
#ifdef CASE_off_later
#define ON 0
#else
#define ON 1
#endif
struct static_key_true mem_alloc_profiling_key = { { { ON } } };
