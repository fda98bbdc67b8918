// SPDX-License-Identifier: GPL-2.0-or-later
/* System RAM: its ranges, and the walk over them. */
#include <string.h>

#include "zones/system_ram.h"
#include "stub.h"
#include "test.h"

struct resource {
	uint64_t start, end, flags, sibling, child, name;
};

#define RAM 0x81000200
#define REGION 0x1000200 /* of virtio-mem: memory of it is below */
#define RES(i) (0x1000ULL + (i)*0x100)
#define NAME 0x9000ULL

static const struct stub_member res_members[] = {
	{ "struct resource", "start", FIELD(0, 8) },
	{ "struct resource", "end", FIELD(8, 8) },
	{ "struct resource", "flags", FIELD(16, 8) },
	{ "struct resource", "sibling", FIELD(24, 8) },
	{ "struct resource", "child", FIELD(32, 8) },
	{ "struct resource", "name", FIELD(40, 8) },
	{ 0 },
};
static const struct stub_symbol res_symbols[] = { { .name = "iomem_resource", .addr = RES(0) },
						  { 0 } };

static void ram_is_whole_pages_of_system_ram(void)
{
	/* RAM can hang below another resource, and what hangs below RAM is RAM. */
	static const struct resource r[] = {
		{ 0, ~0ULL, 0, 0, RES(1) },
		{ 0x1000, 0x9fbff, RAM, RES(2), RES(5) },
		{ 0xa0000, 0xfffff, 0x200, RES(3), 0 },
		{ 0x200000, 0x2fffff, 0x200, 0, RES(4) },
		{ 0x200800, 0x2037ff, RAM, 0, 0 },
		{ 0x2000, 0x2fff, RAM, 0, 0 },
	};
	struct stub_memory memory[7] = { { 0 } };
	STUB(s, .memory = memory, .symbols = res_symbols, .members = res_members);
	struct ram ram;

	for (int i = 0; i < 6; i++)
		memory[i] = (struct stub_memory){ RES(i), &r[i], sizeof(r[i]) };
	CHECK(ram_open(&s.dump, &ram) == ST_OK && ram.n == 2);
	CHECK(ram.ranges[0].start == 1 && ram.ranges[0].end == 0x9f);
	CHECK(ram.ranges[1].start == 0x201 && ram.ranges[1].end == 0x203);
	CHECK(ram.pages == 0x9e + 2);
}

static void a_region_of_virtio_mem_is_the_memory_below_it(void)
{
	static const struct resource r[] = {
		{ 0, ~0ULL, 0, 0, RES(1) },
		{ 0x1000, 0x9fbff, RAM, RES(2), 0 },
		{ 0x100000, 0x2fffff, REGION, 0, RES(3) },
		{ 0x100000, 0x17ffff, RAM, 0, 0, NAME },
	};
	static const char name[64] = "System RAM (virtio_mem)";
	struct stub_memory memory[6] = { [4] = { NAME, name, sizeof(name) } };
	STUB(s, .memory = memory, .symbols = res_symbols, .members = res_members);
	struct ram ram;

	for (int i = 0; i < 4; i++)
		memory[i] = (struct stub_memory){ RES(i), &r[i], sizeof(r[i]) };
	CHECK(ram_open(&s.dump, &ram) == ST_OK && ram.n == 2);
	CHECK(ram.ranges[1].start == 0x100 && ram.ranges[1].end == 0x180);
	CHECK(ram.pages == 0x9e + 0x80);
	/* Who added it; the rest is the firmware's. */
	CHECK_TEXT(ram_driver(&ram, 0x17f), "virtio_mem");
	CHECK(!ram_driver(&ram, 1) && !ram_driver(&ram, 0x180));
	CHECK_TEXT(ram_first_driver(&ram), "virtio_mem");
}

struct pages {
	uint64_t n, first, last, end_at;
	bool rises;
};

static enum status see_page(void *arg, uint64_t pfn)
{
	struct pages *p = arg;

	p->rises = !p->n || (p->rises && pfn > p->last);
	p->first = p->n ? p->first : pfn;
	p->last = pfn;
	return ++p->n == p->end_at ? ST_ABSENT : ST_OK;
}

static bool is_stopped(void *priv NOT_USED)
{
	return true;
}

static void ram_is_walked_page_by_page(void)
{
	struct ram_range ranges[] = { { 0x10, 0x20 }, { 0x100, 0x10100 } };
	const struct ram ram = { .ranges = ranges, .n = 2, .pages = 0x10010 };
	STUB(s);
	struct pages p = { 0 }, early = { .end_at = 17 }, stopped = { 0 };

	CHECK(ram_walk(&s.dump, &ram, see_page, &p) == ST_OK);
	CHECK(p.n == ram.pages && p.first == 0x10 && p.last == 0x100ff && p.rises);
	CHECK(ram_walk(&s.dump, &ram, see_page, &early) == ST_ABSENT);
	CHECK(early.n == 17 && early.last == 0x100);
	s.ops.stopped = is_stopped;
	/* A message of before Ctrl-C is not its reason. */
	dump_fail(&s.dump, ST_CORRUPT, "before");
	CHECK(ram_walk(&s.dump, &ram, see_page, &stopped) == ST_STOPPED);
	CHECK(!strcmp(s.dump.error, "interrupted"));
	CHECK(s.dump.interrupted && stopped.n && stopped.n < ram.pages);
}

/* Up to seven pages at once, of which none is behind the end. */
static enum status see_run(void *arg, uint64_t *pfn, uint64_t end)
{
	enum status st = ST_OK;

	for (unsigned int i = 0; i < 7 && *pfn < end && st == ST_OK; i++)
		st = see_page(arg, (*pfn)++);
	return st;
}

static void ram_is_walked_in_runs(void)
{
	struct ram_range ranges[] = { { 0x10, 0x20 }, { 0x100, 0x10100 } };
	const struct ram ram = { .ranges = ranges, .n = 2, .pages = 0x10010 };
	struct pages p = { 0 }, early = { .end_at = 17 };
	STUB(s);

	CHECK(ram_walk_runs(&s.dump, &ram, see_run, &p) == ST_OK);
	CHECK(p.n == ram.pages && p.first == 0x10 && p.last == 0x100ff && p.rises);
	CHECK(ram_walk_runs(&s.dump, &ram, see_run, &early) == ST_ABSENT);
	CHECK(early.n == 17 && early.last == 0x100);
}

static void ram_that_overlaps_or_is_nowhere(void)
{
	static struct resource r[] = {
		{ 0, ~0ULL, 0, 0, RES(1) },
		{ 0x1000, 0x4fff, RAM, RES(2), 0 },
		{ 0x3000, 0x8fff, RAM, 0, 0 },
	};
	static const struct stub_symbol with_max_pfn[] = {
		{ .name = "iomem_resource", .addr = RES(0) },
		{ .name = "max_pfn", .addr = 0x8000, .type = FIELD(0, 8) },
		{ .name = "min_low_pfn", .addr = 0x9000, .type = FIELD(0, 8) },
		{ 0 },
	};
	static uint64_t max_pfn = 0x12345, min_low_pfn = 0x2345;
	struct stub_memory memory[6] = { { 0 } };
	STUB(s, .memory = memory, .symbols = res_symbols, .members = res_members);
	struct ram ram;

	for (int i = 0; i < 3; i++)
		memory[i] = (struct stub_memory){ RES(i), &r[i], sizeof(r[i]) };
	CHECK(ram_open(&s.dump, &ram) == ST_CORRUPT);
	r[1].flags = r[2].flags = 0;
	CHECK(ram_open(&s.dump, &ram) == ST_CORRUPT);
	r[2].sibling = RES(9);
	CHECK(ram_open(&s.dump, &ram) == ST_UNREADABLE);
	/* Without zones the kernel's last pfn stands in, if it can be. */
	s.symbols = with_max_pfn;
	memory[3] = (struct stub_memory){ 0x8000, &max_pfn, sizeof(max_pfn) };
	CHECK(ram_open(&s.dump, &ram) == ST_OK && ram.n == 1 && ram.pages == max_pfn);
	CHECK_TEXT(ram.name, "pfns below max_pfn");
	CHECK(strstr(ram.derived, "using pfns below max_pfn, holes included: struct resource at "));
	/* On arm64 RAM begins at a GiB. */
	memory[4] = (struct stub_memory){ 0x9000, &min_low_pfn, sizeof(min_low_pfn) };
	CHECK(ram_open(&s.dump, &ram) == ST_OK && ram.n == 1 && ram.pages == 0x10000);
	min_low_pfn = max_pfn;
	CHECK(ram_open(&s.dump, &ram) == ST_OK && ram.pages == max_pfn);
	max_pfn = 1ULL << 40;
	CHECK(ram_open(&s.dump, &ram) == ST_UNREADABLE);
}

static const struct stub_symbol image_symbols[] = {
	{ .name = "_stext", .addr = 0x100000 },
	{ .name = "_etext", .addr = 0x104000 },
	{ .name = "__start_rodata", .addr = 0x200000 },
	{ .name = "__end_rodata", .addr = 0x202000 },
	{ .name = "_sdata", .addr = 0x300000 },
	{ .name = "_edata", .addr = 0x301000 },
	{ .name = "__bss_start", .addr = 0x400000 },
	{ .name = "__bss_stop", .addr = 0x401000 },
	{ .name = "crashk_res", .addr = RES(0) },
	{ 0 },
};
static const struct stub_number page_size[] = { { "struct page", 64 }, { 0 } };

static void memory_of_boot_is_known_whole_or_not_at_all(void)
{
	static const struct resource crash = { 0x8000000, 0x8003fff };
	static const struct stub_memory memory[] = { { RES(0), &crash, sizeof(crash) }, { 0 } };
	struct boot_memory boot;
	STUB(s, .memory = memory, .symbols = image_symbols, .members = res_members,
	     .sizes = page_size);
	STUB(bare, .symbols = image_symbols, .members = res_members, .sizes = page_size);
	STUB(untyped, .memory = memory, .symbols = image_symbols, .members = res_members);
	STUB(nameless, .memory = memory, .symbols = image_symbols + 2, .members = res_members,
	     .sizes = page_size);

	CHECK(boot_memory_read(&s.dump, 640, &boot) == ST_OK);
	CHECK(boot.image == 8 && boot.memmap == 10 && boot.capture == 4);
	CHECK(boot_memory_read(&bare.dump, 640, &boot) == ST_UNREADABLE);
	CHECK(boot_memory_read(&untyped.dump, 640, &boot) == ST_UNKNOWN);
	CHECK(boot_memory_read(&nameless.dump, 640, &boot) == ST_UNKNOWN);
	CHECK(strstr(nameless.dump.error, "_stext"));
}

/* Of RAM, what crashkernel= sets aside is in no share; where it is elsewhere, or unknown, nothing changes. */
static void shares_are_outside_of_a_capture_kernel(void)
{
	static const struct resource all = { 0, ~0ULL, 0, 0, RES(1) };
	static const struct resource of_ram = { 0x100000, 0x1fffff, RAM, 0, 0 };
	static const struct stub_symbol symbols[] = {
		{ .name = "iomem_resource", .addr = RES(0) },
		{ .name = "crashk_res", .addr = RES(2) },
		{ 0 },
	};
	struct resource crash = { 0x180000, 0x18ffff };
	struct stub_memory memory[] = { { RES(0), &all, sizeof(all) },
					{ RES(1), &of_ram, sizeof(of_ram) },
					{ RES(2), &crash, sizeof(crash) },
					{ 0 } };
	STUB(s, .memory = memory, .symbols = symbols, .members = res_members);
	STUB(lacks, .memory = memory, .symbols = symbols, .members = res_members);
	struct ram ram;

	CHECK(ram_open(&s.dump, &ram) == ST_OK && ram.pages == 0x100);
	CHECK(ram.capture == 0x10 && ram_base(&ram) == 0xf0);
	ram.offline = 0x20;
	CHECK(ram_base(&ram) == 0xd0);
	/* Behind RAM; nothing; all of it, with which no kernel has run. */
	crash = (struct resource){ 0x1f0000, 0x20ffff };
	CHECK(ram_open(&s.dump, &ram) == ST_OK && !ram.capture && ram_base(&ram) == 0x100);
	crash = (struct resource){ 0 };
	CHECK(ram_open(&s.dump, &ram) == ST_OK && !ram.capture);
	crash = (struct resource){ 0x100000, 0x1fffff };
	CHECK(ram_open(&s.dump, &ram) == ST_OK && !ram.capture);
	memory[2] = (struct stub_memory){ 0 };
	CHECK(ram_open(&lacks.dump, &ram) == ST_OK && !ram.capture && !*lacks.dump.error);
}

static void ram_below_its_total(void)
{
	static const struct resource r[] = { { 0, ~0ULL, 0, 0, RES(1) },
					     { 0x1000, 0x9efff, RAM, 0, 0 } };
	static uint64_t total = 86528, max_pfn = 98268;
	static const struct stub_symbol symbols[] = {
		{ .name = "iomem_resource", .addr = RES(0) },
		{ .name = "max_pfn", .addr = 0x8000, .type = FIELD(0, 8) },
		{ .name = "_totalram_pages", .addr = 0x9000, .type = FIELD(0, 8) },
		{ 0 },
	};
	const struct stub_memory memory[] = { { RES(0), &r[0], sizeof(r[0]) },
					      { RES(1), &r[1], sizeof(r[1]) },
					      { 0x8000, &max_pfn, 8 },
					      { 0x9000, &total, 8 },
					      { 0 } };
	STUB(s, .memory = memory, .symbols = symbols, .members = res_members);
	struct ram ram;

	CHECK(ram_open(&s.dump, &ram) == ST_OK && ram.pages == max_pfn && ram.derived);
	CHECK(strstr(ram.derived, "the resource tree and MemTotal contradict each other; using "));
	/* A total that is more than there are pfns is what is damaged. */
	total = 1 << 30;
	CHECK(ram_open(&s.dump, &ram) == ST_OK && ram.pages == 0x9e && !ram.derived);
	total = 0x9e;
	CHECK(ram_open(&s.dump, &ram) == ST_OK && ram.pages == 0x9e && !*s.dump.error);
}

TESTS({ "ram: whole pages", ram_is_whole_pages_of_system_ram },
      { "ram: a region of virtio-mem", a_region_of_virtio_mem_is_the_memory_below_it },
      { "ram: a walk, its end, Ctrl-C", ram_is_walked_page_by_page },
      { "ram: a walk of several pages at once", ram_is_walked_in_runs },
      { "ram: overlaps, nothing, holes", ram_that_overlaps_or_is_nowhere },
      { "ram: what shares are of", shares_are_outside_of_a_capture_kernel },
      { "ram: the image, struct pages and a capture kernel",
	memory_of_boot_is_known_whole_or_not_at_all },
      { "ram: less than MemTotal", ram_below_its_total })
