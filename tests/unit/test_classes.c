// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets of pfns, areas of vmalloc, whether an owner lives. */
#include "tasks/task_index.h"
#include "stub.h"
#include "test.h"
#include "vm/vmalloc.h"

static void sets_of_pfns(void)
{
	struct arena arena = { 0 };
	struct pfnset s;

	pfnset_init(&s, &arena, 100000);
	pfnset_add(&s, 0);
	pfnset_add(&s, 63);
	pfnset_add(&s, 64);
	pfnset_add(&s, 99999);
	pfnset_add(&s, 64);
	CHECK(s.n == 4 && pfnset_has(&s, 64) && !pfnset_has(&s, 65) && !pfnset_has(&s, 32768));
	/* What cannot be is left out; a chunk that was asked for before it had members. */
	pfnset_add(&s, 100000);
	CHECK(!pfnset_has(&s, 100000) && s.n == 4);
	pfnset_add(&s, 32768);
	CHECK(pfnset_has(&s, 32768) && pfnset_has(&s, 99999));
	/* From one to the next, in steps that may end where a chunk of bits does. */
	CHECK(pfnset_next(&s, 0) == 0 && pfnset_next(&s, 1) == 63 && pfnset_next(&s, 64) == 64);
	CHECK(pfnset_next(&s, 65) == 32768 && pfnset_next(&s, 32769) == 65536);
	CHECK(pfnset_next(&s, 65536) == 98304 && pfnset_next(&s, 98304) == 99999);
	CHECK(pfnset_next(&s, 100000) == UINT64_MAX);
	arena_reset(&arena);
}

#define LIST 0x1000ULL
#define AREA(i) (0x2000ULL + (i)*0x1000)
#define VM(i) (0x12000ULL + (i)*0x1000)
#define AT(i) (0xff0000000000ULL + (i)*0x10000)
#define LINK(i) (AREA(i) + 16)

static const struct stub_member vm_members[] = {
	{ "struct vmap_area", "flags", FIELD(40, 8) },
	{ "struct vmap_area", "subtree_max_size", FIELD(32, 8) },
	{ "struct vmap_area", "va_start", FIELD(0, 8) },
	{ "struct vmap_area", "va_end", FIELD(8, 8) },
	{ "struct vmap_area", "list", FIELD(16, 16) },
	{ "struct vmap_area", "vm", FIELD(32, 8) },
	{ "struct vm_struct", "addr", FIELD(0, 8) },
	{ "struct vm_struct", "size", FIELD(8, 8) },
	{ "struct vm_struct", "flags", FIELD(16, 8) },
	{ "struct vm_struct", "pages", FIELD(24, 8) },
	{ "struct vm_struct", "nr_pages", FIELD(32, 4) },
	{ "struct vm_struct", "caller", FIELD(40, 8) },
	{ 0 },
};
static const struct stub_symbol vm_symbols[] = { { .name = "vmap_area_list", .addr = LIST },
						 { 0 } };

struct area {
	uint64_t start, end, next, prev, vm, flags;
};

struct vm {
	uint64_t addr, size, flags, pages, nr_pages, caller;
};

static struct {
	uint64_t head[2];
	struct area areas[4];
	struct vm vms[4];
	struct stub_memory memory[10];
} v;

/* Four areas in order; the test breaks what it likes. */
static void make_areas(void)
{
	memset(&v, 0, sizeof(v));
	v.head[0] = LINK(0);
	v.head[1] = LINK(3);
	v.memory[0] = (struct stub_memory){ LIST, v.head, sizeof(v.head) };
	for (int i = 0; i < 4; i++) {
		v.areas[i] = (struct area){ AT(i), AT(i) + 0x5000, i < 3 ? LINK(i + 1) : LIST,
					    i ? LINK(i - 1) : LIST, VM(i) };
		v.vms[i] = (struct vm){ AT(i), 0x5000, 2, 0x9000, 4, 0xffffffff81000000 };
		v.memory[1 + i] = (struct stub_memory){ AREA(i), &v.areas[i], sizeof(v.areas[i]) };
		v.memory[5 + i] = (struct stub_memory){ VM(i), &v.vms[i], sizeof(v.vms[i]) };
	}
}

struct visited {
	unsigned int n;
	bool visits_ram;
	uint64_t address[8];
};

static enum status visit(void *arg, const struct vm_area *area)
{
	struct visited *seen = arg;

	if (seen->n == 8)
		return ST_STOPPED;
	seen->address[seen->n++] = area->address;
	return ST_OK;
}

static bool marks_ram; /* vmap_area.flags, 6.3 and later */

static enum status walk(struct visited *seen)
{
	STUB(s, .memory = v.memory, .symbols = vm_symbols,
	     .members = marks_ram ? vm_members : vm_members + 1);
	struct vm_layout l;
	enum status st;

	seen->n = 0;
	st = vm_layout_open(&s.dump, &l);
	l.visits_ram = seen->visits_ram;
	if (st == ST_OK)
		st = vm_areas_walk(&l, visit, seen);
	return st;
}

static void areas_in_order(void)
{
	struct visited seen = { 0 };

	make_areas();
	CHECK(walk(&seen) == ST_OK && seen.n == 4 && seen.address[3] == AT(3));
	/* vm_map_ram() has no vm_struct. */
	v.areas[1].vm = 0;
	CHECK(walk(&seen) == ST_OK && seen.n == 3 && seen.address[1] == AT(2));
	seen.visits_ram = true;
	CHECK(walk(&seen) == ST_OK && seen.n == 4 && seen.address[1] == AT(1));
	/* 6.3 and later: an area that is being freed has no vm_struct either. */
	marks_ram = true;
	CHECK(walk(&seen) == ST_OK && seen.n == 3 && seen.address[1] == AT(2));
	v.areas[1].flags = 1;
	CHECK(walk(&seen) == ST_OK && seen.n == 4 && seen.address[1] == AT(1));
	marks_ram = false;
}

static void areas_around_a_hole(void)
{
	struct visited seen = { 0 };

	make_areas();
	v.memory[2].addr = 0x99000;
	CHECK(walk(&seen) == ST_UNREADABLE && seen.n == 3);
	CHECK(seen.address[0] == AT(0) && seen.address[1] == AT(3) && seen.address[2] == AT(2));
	/* A vm_struct costs itself alone. */
	make_areas();
	v.memory[6].addr = 0x99000;
	CHECK(walk(&seen) == ST_UNREADABLE && seen.n == 3 && seen.address[2] == AT(3));
}

static void areas_gone_wild(void)
{
	struct visited seen = { 0 };

	make_areas();
	v.areas[2].next = LINK(1);
	CHECK(walk(&seen) == ST_CORRUPT && seen.n == 4);
	make_areas();
	v.areas[0].next = LINK(0);
	CHECK(walk(&seen) == ST_CORRUPT && seen.n == 4);
	/* Of another area; more pages than it has addresses. */
	make_areas();
	v.vms[1].addr = AT(2);
	v.vms[2].nr_pages = 6;
	CHECK(walk(&seen) == ST_CORRUPT && seen.n == 2 && seen.address[1] == AT(3));
}

/* An area that is being filled has none of its pages; their array is in a page that has something else, too. */
static void pages_of_zeros(void)
{
	static uint64_t page[512];
	const struct stub_memory memory[] = { { 0x9000, page, sizeof(page) }, { 0 } };
	const struct vm_area area = { .vm = VM(0), .pages = 0x9000, .nr_pages = 4 };
	STUB(s, .memory = memory);
	struct page_to_pfn finder = { .left = 100 };
	struct pfnset set = { 0 };

	s.dump.page_shift = 12;
	page[300] = 1;
	CHECK(vm_area_pages(&s.dump, &area, &finder, &set) == ST_OK);
	page[300] = 0;
	CHECK(vm_area_pages(&s.dump, &area, &finder, &set) == ST_CORRUPT);
}

static void owners_live_or_dead(void)
{
	const uint64_t second = 1000000000;
	struct arena arena = { 0 };
	struct task_owners o = { .complete = true };
	struct task_name *task;
	bool is_new;

	hash_u64_init(&o.tasks.tasks, &arena, sizeof(struct task_name));
	task = hash_u64_get(&o.tasks.tasks, 100, &is_new);
	*task = (struct task_name){ .tgid = 100, .start_ns = 10000 * second };
	task = hash_u64_get(&o.tasks.tasks, 101, &is_new);
	*task = (struct task_name){ .tgid = 100, .start_ns = 1 };
	CHECK(task_owners_find(&o, 0, 0) == TASK_LIVE);
	CHECK(task_owners_find(&o, 7, second) == TASK_DEAD);
	/* A thread is no process. */
	CHECK(task_owners_find(&o, 101, second) == TASK_DEAD);
	CHECK(task_owners_find(&o, 100, 10001 * second) == TASK_LIVE);
	/* 500 ppm of 9994 s and a second are 5.997 s. */
	CHECK(task_owners_find(&o, 100, 9995 * second) == TASK_LIVE);
	CHECK(task_owners_find(&o, 100, 9994 * second) == TASK_DEAD);
	CHECK(task_owners_find(&o, 100, 0) == TASK_LIVENESS_UNKNOWN);
	o.complete = false;
	CHECK(task_owners_find(&o, 7, second) == TASK_LIVENESS_UNKNOWN);
	CHECK(task_owners_find(&o, 100, second) == TASK_DEAD);
	CHECK(!task_liveness_name(TASK_LIVENESS_UNKNOWN));
	CHECK_TEXT(task_liveness_name(TASK_DEAD), "dead");
	arena_reset(&arena);
}

TESTS({ "sets of pfns", sets_of_pfns }, { "vmalloc: areas in order", areas_in_order },
      { "vmalloc: around a hole", areas_around_a_hole },
      { "vmalloc: loops, areas of others", areas_gone_wild },
      { "vmalloc: an array of pages that is zeros", pages_of_zeros },
      { "owners: live, dead, unknown", owners_live_or_dead })
