// SPDX-License-Identifier: GPL-2.0-or-later
/* vmalloc: areas without a vm_struct, and freed ones that the kernel has not unmapped yet, in every form. */
#include <stddef.h>

#include "vm/vmalloc.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x100000ULL + (i)*0x1000)
#define SPACE 0xffffc90000000000ULL

/* The longest form: what a kernel has not is not named in its members. */
struct area {
	uint64_t start, end, next, prev, purge, vm, flags, max_size;
};

struct vm {
	uint64_t addr, size, flags, pages, nr_pages, caller;
};

static struct area areas[5];
static struct vm vms[2];
static uint64_t list[2], purge[2];
/* More than the walk goes on over that cannot be read, and the areas it is asked to stop behind; 0: none. */
static struct area many[1200];
static unsigned int stop_behind, asked;

#define COMMON                                                                                    \
	{ "struct vm_struct", "addr", FIELD(0, 8) }, { "struct vm_struct", "size", FIELD(8, 8) }, \
		{ "struct vm_struct", "flags", FIELD(16, 8) },                                    \
		{ "struct vm_struct", "pages", FIELD(24, 8) },                                    \
		{ "struct vm_struct", "nr_pages", FIELD(32, 8) },                                 \
		{ "struct vm_struct", "caller", FIELD(40, 8) },                                   \
		{ "struct vmap_area", "va_start", FIELD(offsetof(struct area, start), 8) },       \
		{ "struct vmap_area", "va_end", FIELD(offsetof(struct area, end), 8) },           \
		{ "struct vmap_area", "list", FIELD(offsetof(struct area, next), 16) },           \
	{                                                                                         \
		"struct vmap_area", "vm", FIELD(offsetof(struct area, vm), 8)                     \
	}
#define FLAGS                                                                       \
	{                                                                           \
		"struct vmap_area", "flags", FIELD(offsetof(struct area, flags), 8) \
	}
#define PURGE                                                                            \
	{                                                                                \
		"struct vmap_area", "purge_list", FIELD(offsetof(struct area, purge), 8) \
	}

/* Up to 5.1; 5.2 has a subtree_max_size of its own. */
static const struct stub_member old_members[] = { COMMON, FLAGS, PURGE, { 0 } };
static const struct stub_member members_5_2[] = { COMMON,
						  FLAGS,
						  PURGE,
						  { "struct vmap_area", "subtree_max_size",
						    FIELD(offsetof(struct area, max_size), 8) },
						  { 0 } };
#define SHARED                                                                              \
	{                                                                                   \
		"struct vmap_area", "subtree_max_size", FIELD(offsetof(struct area, vm), 8) \
	}
static const struct stub_member members_5_4[] = { COMMON, SHARED, PURGE, { 0 } };
static const struct stub_member members_5_11[] = { COMMON, SHARED, { 0 } };
static const struct stub_member members_6_3[] = { COMMON, SHARED, FLAGS, { 0 } };
static const struct stub_member members_6_9[] = { COMMON,
						  SHARED,
						  FLAGS,
						  { "struct vmap_node", "busy.head", FIELD(0, 16) },
						  { "struct vmap_node", "lazy.head",
						    FIELD(16, 16) },
						  { 0 } };

static const struct stub_symbol symbols[] = { { .name = "vmap_area_list", .addr = AT(0) },
					      { .name = "vmap_purge_list", .addr = AT(1) },
					      { 0 } };
static const struct stub_symbol symbols_5_11[] = { { .name = "vmap_area_list", .addr = AT(0) },
						   { .name = "purge_vmap_area_list",
						     .addr = AT(1) },
						   { 0 } };
static const struct stub_symbol symbols_6_9[] = { { "vmap_nodes", AT(20), FIELD(0, 8) },
						  { "nr_vmap_nodes", AT(21), FIELD(0, 4) },
						  { 0 } };
/* A kernel without SMP: what pointed to its one node, and counted it, is not there. */
static const struct stub_symbol symbols_of_one_cpu[] = { { .name = "single", .addr = AT(22) },
							 { 0 } };
static const struct stub_symbol renamed_symbols[] = { { .name = "single", .addr = AT(22) },
						      { "__per_cpu_offset", AT(20), FIELD(0, 8) },
						      { 0 } };
static uint64_t node[4], nodes = AT(22);
static uint32_t nr_nodes = 1;

static const struct stub_memory memory[] = {
	{ AT(0), list, sizeof(list) },		 { AT(1), purge, sizeof(purge) },
	{ AT(2), &areas[0], sizeof(areas[0]) },	 { AT(3), &areas[1], sizeof(areas[1]) },
	{ AT(4), &areas[2], sizeof(areas[2]) },	 { AT(5), &areas[3], sizeof(areas[3]) },
	{ AT(6), &areas[4], sizeof(areas[4]) },	 { AT(10), &vms[0], sizeof(vms[0]) },
	{ AT(11), &vms[1], sizeof(vms[1]) },	 { AT(20), &nodes, sizeof(nodes) },
	{ AT(21), &nr_nodes, sizeof(nr_nodes) }, { AT(22), node, sizeof(node) },
	{ AT(40), many, sizeof(many) },		 { 0 },
};
static const struct stub_number sizes[] = { { "struct vmap_node", sizeof(node) }, { 0 } };

#define LINK(i) (AT(2 + (i)) + offsetof(struct area, next))
#define GARBAGE 0xdead4ead00000000ULL

/* A list from its head over n areas. */
static void link_areas(uint64_t *head, uint64_t at, unsigned int first, unsigned int n)
{
	uint64_t before = at;

	for (unsigned int i = first; i < first + n; i++) {
		areas[i].prev = before;
		areas[i].next = i + 1 == first + n ? at : LINK(i + 1);
		before = LINK(i);
	}
	head[0] = n ? LINK(first) : at;
	head[1] = before;
}

/* Two areas of vmalloc(), one of vm_map_ram(), two that were freed. */
static void make_areas(void)
{
	memset(areas, 0, sizeof(areas));
	for (unsigned int i = 0; i < 5; i++) {
		areas[i].start = SPACE + i * 0x10000;
		areas[i].end = areas[i].start + 0x3000;
	}
	for (unsigned int i = 0; i < 2; i++) {
		vms[i] = (struct vm){ areas[i].start, 0x3000, VM_ALLOC, 0, 0, 0 };
		areas[i].vm = AT(10 + i);
	}
}

struct seen {
	unsigned int areas, ram, lazy;
	uint64_t lazy_bytes;
};

static enum status see(void *arg, const struct vm_area *area)
{
	struct seen *s = arg;

	if (area->is_lazy) {
		s->lazy++;
		s->lazy_bytes += area->size;
	} else if (area->vm) {
		CHECK(stop_behind || area->vmap >= AT(40) ||
		      area->vmap == AT(2) + area->vm - AT(10));
		s->areas++;
	} else {
		s->ram++;
	}
	return ST_OK;
}

static bool stops(void *priv NOT_USED)
{
	return stop_behind && ++asked > stop_behind;
}

static char why[256]; /* the walk ended */

static enum status walk(const struct stub_member *members, const struct stub_symbol *of,
			struct seen *seen)
{
	STUB(s, .memory = memory, .symbols = of, .members = members, .sizes = sizes);
	struct vm_layout l;
	enum status st;

	s.ops.stopped = stops;
	asked = 0;
	memset(seen, 0, sizeof(*seen));
	st = vm_layout_open(&s.dump, &l);
	l.visits_ram = true;
	if (st == ST_OK)
		st = vm_areas_walk(&l, see, seen);
	snprintf(why, sizeof(why), "%s", s.dump.error);
	return st;
}

/* VM_LAZY_FREE 2 and VM_VM_AREA 4: vm is set where the second is, anything else where it is not. */
static void flags_to_5_3(void)
{
	struct seen seen;

	make_areas();
	areas[0].flags = areas[1].flags = 4;
	areas[2].vm = areas[3].vm = areas[4].vm = GARBAGE;
	areas[3].flags = areas[4].flags = 2;
	link_areas(list, AT(0), 0, 5);
	CHECK(walk(old_members, symbols, &seen) == ST_OK);
	CHECK(seen.areas == 2 && seen.ram == 1 && seen.lazy == 2 && seen.lazy_bytes == 0x6000);
	CHECK(walk(members_5_2, symbols, &seen) == ST_OK);
	CHECK(seen.areas == 2 && seen.ram == 1 && seen.lazy == 2);
}

/* 5.4: freed areas are on a list of their own, one way; 5.11: in both directions. */
static void purge_lists(void)
{
	struct seen seen;

	make_areas();
	link_areas(list, AT(0), 0, 3);
	areas[3].purge = AT(2 + 4) + offsetof(struct area, purge);
	purge[0] = AT(2 + 3) + offsetof(struct area, purge);
	CHECK(walk(members_5_4, symbols, &seen) == ST_OK);
	CHECK(seen.areas == 2 && seen.ram == 1 && seen.lazy == 2 && seen.lazy_bytes == 0x6000);
	/* It loops: what was seen is known, and that there may be more. */
	areas[4].purge = purge[0];
	CHECK(walk(members_5_4, symbols, &seen) == ST_CORRUPT && seen.areas == 2);
	link_areas(purge, AT(1), 3, 2);
	CHECK(walk(members_5_11, symbols_5_11, &seen) == ST_OK);
	CHECK(seen.areas == 2 && seen.ram == 1 && seen.lazy == 2);
	areas[4].next = 0x123000;
	CHECK(walk(members_5_11, symbols_5_11, &seen) == ST_UNREADABLE && seen.areas == 2);
}

/* 6.3: a flag of vm_map_ram(); what has it not is being freed. */
static void flags_of_6_3(void)
{
	struct seen seen;

	make_areas();
	areas[2].flags = 1;
	link_areas(list, AT(0), 0, 4);
	link_areas(purge, AT(1), 4, 1);
	CHECK(walk(members_6_3, symbols_5_11, &seen) == ST_OK);
	CHECK(seen.areas == 2 && seen.ram == 1 && seen.lazy == 1);
	/* 6.9: lists of nodes. */
	link_areas(node, AT(22), 0, 3);
	link_areas(node + 2, AT(22) + 16, 3, 2);
	CHECK(walk(members_6_9, symbols_6_9, &seen) == ST_OK);
	CHECK(seen.areas == 2 && seen.ram == 1 && seen.lazy == 2);
	CHECK(walk(members_6_9, symbols_of_one_cpu, &seen) == ST_OK);
	CHECK(seen.areas == 2 && seen.ram == 1 && seen.lazy == 2);
	/* With more CPUs there are more nodes: one alone is not all areas. */
	CHECK(walk(members_6_9, renamed_symbols, &seen) == ST_UNKNOWN && !seen.areas);
}

/* Memory of zeros and an area that is its own next one: each visit would count as one more. */
static void area_at_0_loops(void)
{
	struct seen seen;

	make_areas();
	areas[0].start = 0;
	link_areas(list, AT(0), 0, 1);
	areas[0].next = LINK(0);
	vms[0].addr = 0;
	CHECK(walk(members_5_11, symbols_5_11, &seen) == ST_CORRUPT && seen.areas == 0);
}

/* What was seen before the end is known, and that it is not all, with the reason. */
static void a_walk_that_ends_at_a_limit(void)
{
	struct seen seen;

	make_areas();
	link_areas(list, AT(0), 0, 2);
	stop_behind = 1;
	CHECK(walk(members_5_11, symbols_5_11, &seen) == ST_STOPPED && seen.areas == 1);
	CHECK_TEXT(why, "interrupted");
	stop_behind = 0;
	/* Two that can be read, in front of more than the walk goes on over and behind them. */
	for (unsigned int i = 0; i < ARRAY_SIZE(many); i++) {
		const uint64_t at = AT(40) + i * sizeof(many[0]) + offsetof(struct area, next);

		many[i] = (struct area){ SPACE + i * 0x10000,
					 SPACE + i * 0x10000 + 0x3000,
					 at + sizeof(many[0]),
					 at - sizeof(many[0]),
					 0,
					 GARBAGE };
	}
	many[0].vm = AT(10);
	many[ARRAY_SIZE(many) - 1].vm = AT(11);
	vms[1].addr = many[ARRAY_SIZE(many) - 1].start;
	many[0].prev = many[ARRAY_SIZE(many) - 1].next = AT(0);
	list[0] = AT(40) + offsetof(struct area, next);
	list[1] = list[0] + (ARRAY_SIZE(many) - 1) * sizeof(many[0]);
	CHECK(walk(members_5_11, symbols_5_11, &seen) == ST_UNREADABLE);
	CHECK(*why && seen.ram == 0 && seen.areas == 2);
}

TESTS({ "up to 5.3: flags of an area that is freed, and of one that has a vm_struct",
	flags_to_5_3 },
      { "5.4 and 5.11: lists of what is freed and not yet unmapped", purge_lists },
      { "6.3 and 6.9: a flag of vm_map_ram(), lists of nodes", flags_of_6_3 },
      { "a walk that is interrupted, or gives up", a_walk_that_ends_at_a_limit },
      { "a list that comes back to an area at address 0 is corrupt, and ends", area_at_0_loops })
