// SPDX-License-Identifier: GPL-2.0-or-later
/* Pools of pages: chunks of per-CPU memory, huge pages, page pools of drivers, zram; swap areas. */
#include <stddef.h>

#include "pages/hugetlb.h"
#include "pages/kernel_map.h"
#include "pools/page_pools.h"
#include "pages/page_type.h"
#include "vm/percpu_chunks.h"
#include "vm/vmalloc.h"
#include "pools/swap_areas.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x100000ULL + (i)*0x1000)
#define MAX_LISTS 40960
#define NO_PATHS ST_UNKNOWN /* the stub has no struct dentry */

/* Swap: an area in use, none, one that was turned off, one as of 6.13 and later. */
struct swap {
	uint64_t flags, pages, used, file;
	int16_t prio;
	uint8_t lists[MAX_LISTS]; /* avail_lists[MAX_NUMNODES], before inuse_pages up to 4.18 */
	uint64_t far_used, far_file;
};

static struct swap swaps[3];
static uint64_t swap_info[4];
static uint32_t nr_swapfiles;

static const struct stub_member swap_members[] = {
	{ "struct swap_info_struct", "flags", FIELD(0, 8) },
	{ "struct swap_info_struct", "prio", FIELD(32, 2) },
	{ "struct swap_info_struct", "pages", FIELD(8, 4) },
	{ "struct swap_info_struct", "inuse_pages", KINDED(KIND_STRUCT, 16, 8) },
	{ "struct swap_info_struct", "swap_file", FIELD(24, 8) },
	{ 0 },
};
static const struct stub_member far_swap_members[] = {
	{ "struct swap_info_struct", "flags", FIELD(0, 8) },
	{ "struct swap_info_struct", "prio", FIELD(32, 2) },
	{ "struct swap_info_struct", "pages", FIELD(8, 4) },
	{ "struct swap_info_struct", "inuse_pages", FIELD(offsetof(struct swap, far_used), 4) },
	{ "struct swap_info_struct", "swap_file", FIELD(offsetof(struct swap, far_file), 8) },
	{ 0 },
};
static const struct stub_symbol swap_symbols[] = { { "swap_info", AT(0), FIELD(0, 32) },
						   { "nr_swapfiles", AT(1), FIELD(0, 4) },
						   { 0 } };
static const struct stub_memory swap_memory[] = {
	{ AT(0), swap_info, sizeof(swap_info) },  { AT(1), &nr_swapfiles, sizeof(nr_swapfiles) },
	{ AT(100), &swaps[0], sizeof(swaps[0]) }, { AT(200), &swaps[1], sizeof(swaps[1]) },
	{ AT(300), &swaps[2], sizeof(swaps[2]) }, { 0 },
};

struct swaps_seen {
	unsigned int n;
	struct swap_area areas[4];
};

static enum status see_swap(void *arg, const struct swap_area *area)
{
	struct swaps_seen *seen = arg;

	seen->areas[seen->n++ & 3] = *area;
	return ST_OK;
}

static enum status walk_swaps_of(const struct stub_member *members, struct swaps_seen *seen)
{
	STUB(s, .memory = swap_memory, .symbols = swap_symbols, .members = members);

	seen->n = 0;
	return swap_areas_walk(&s.dump, see_swap, seen);
}

static enum status walk_swaps(struct swaps_seen *seen)
{
	return walk_swaps_of(swap_members, seen);
}

/* do_swap_page() names their structure without CONFIG_SWAP, too. */
static void a_kernel_without_swap(void)
{
	static const struct stub_number sizes[] = { { "struct swap_info_struct", 64 }, { 0 } };
	STUB(s, .members = swap_members, .sizes = sizes);
	struct swaps_seen seen = { .n = 0 };

	CHECK(swap_areas_walk(&s.dump, see_swap, &seen) == ST_ABSENT && !seen.n);
}

static void make_swaps(void)
{
	swaps[0] = (struct swap){ 3, 1000, 10, 0, -2, .far_used = 7 };
	swaps[1] = (struct swap){ 0, 500, 5, 0, 7 };
	/* Full, so it is not on the list of those that have room: bit 62. */
	swaps[2] = (struct swap){ 3, 100, 1ULL << 62 | 100, 0, 5, .far_used = 100 };
	swap_info[0] = AT(100);
	swap_info[1] = AT(200);
	swap_info[2] = 0;
	swap_info[3] = AT(300);
	nr_swapfiles = 4;
}

static void swap_areas(void)
{
	struct swaps_seen seen;

	make_swaps();
	CHECK(walk_swaps(&seen) == NO_PATHS && seen.n == 2);
	CHECK(seen.areas[0].pages == 1000 && seen.areas[0].used == 10 &&
	      seen.areas[0].priority == -2 && !seen.areas[0].path);
	CHECK(seen.areas[1].pages == 100 && seen.areas[1].used == 100 &&
	      seen.areas[1].priority == 5);
	/* 6.13 has bit 30 instead. */
	swaps[2].used = 1ULL << 30 | 100;
	CHECK(walk_swaps(&seen) == NO_PATHS && seen.n == 2 && seen.areas[1].used == 100);
	/* One that cannot be costs itself alone. */
	swaps[0].used = 1001;
	CHECK(walk_swaps(&seen) == ST_CORRUPT && seen.n == 1);
	swap_info[0] = AT(9);
	CHECK(walk_swaps(&seen) == ST_UNREADABLE && seen.n == 1);
	nr_swapfiles = 1000;
	CHECK(walk_swaps(&seen) == ST_CORRUPT && !seen.n);
}

/* Up to 4.18 a list for each of 1024 nodes lies before what is read. */
static void swap_areas_of_many_nodes(void)
{
	struct swaps_seen seen;

	make_swaps();
	CHECK(walk_swaps_of(far_swap_members, &seen) == NO_PATHS && seen.n == 2);
	CHECK(seen.areas[0].used == 7 && seen.areas[1].used == 100);
	/* The counter has no such bit there. */
	swaps[2].far_used = 1U << 30 | 1;
	CHECK(walk_swaps_of(far_swap_members, &seen) == ST_CORRUPT && seen.n == 1);
}

/* Two CPUs: a first chunk of 6 pages behind static variables of 2, a reserved chunk, another chunk. */
#define BASE 0xff000000ULL
struct chunk {
	uint64_t next, prev, base;
	int32_t free, pages, populated, end_offset, start_offset, pad;
};
static struct {
	uint64_t lists[2][2];
	struct chunk first, reserved, other;
	uint64_t pointers[4]; /* lists, first, reserved, base address */
	uint32_t slots, units;
} percpu;

#define P(i) (0x200000ULL + (i)*0x1000)

static const struct stub_member percpu_members[] = {
	{ "struct pcpu_chunk", "list", FIELD(0, 16) },
	{ "struct pcpu_chunk", "free_bytes", FIELD(24, 4) },
	{ "struct pcpu_chunk", "base_addr", FIELD(16, 8) },
	{ "struct pcpu_chunk", "nr_pages", FIELD(28, 4) },
	{ "struct pcpu_chunk", "nr_populated", FIELD(32, 4) },
	{ "struct pcpu_chunk", "end_offset", FIELD(36, 4) },
	{ "struct pcpu_chunk", "start_offset", FIELD(40, 4) },
	{ 0 },
};
static const struct stub_symbol percpu_symbols[] = {
	{ "pcpu_chunk_lists", P(4), FIELD(0, 8) },
	{ "pcpu_first_chunk", P(4) + 8, FIELD(0, 8) },
	{ "pcpu_reserved_chunk", P(4) + 16, FIELD(0, 8) },
	{ "pcpu_base_addr", P(4) + 24, FIELD(0, 8) },
	{ "pcpu_nr_slots", P(5), FIELD(0, 4) },
	{ "pcpu_nr_units", P(6), FIELD(0, 4) },
	{ 0 },
};
/* Up to 5.8 the lists have another name. */
static const struct stub_symbol old_percpu_symbols[] = {
	{ "pcpu_slot", P(4), FIELD(0, 8) },
	{ "pcpu_first_chunk", P(4) + 8, FIELD(0, 8) },
	{ "pcpu_reserved_chunk", P(4) + 16, FIELD(0, 8) },
	{ "pcpu_base_addr", P(4) + 24, FIELD(0, 8) },
	{ "pcpu_nr_slots", P(5), FIELD(0, 4) },
	{ "pcpu_nr_units", P(6), FIELD(0, 4) },
	{ 0 },
};
static const struct stub_memory percpu_memory[] = {
	{ P(0), percpu.lists, sizeof(percpu.lists) },
	{ P(1), &percpu.first, sizeof(percpu.first) },
	{ P(2), &percpu.reserved, sizeof(percpu.reserved) },
	{ P(3), &percpu.other, sizeof(percpu.other) },
	{ P(4), percpu.pointers, sizeof(percpu.pointers) },
	{ P(5), &percpu.slots, sizeof(percpu.slots) },
	{ P(6), &percpu.units, sizeof(percpu.units) },
	{ 0 },
};

static void make_chunks(void)
{
	const uint64_t lists[2][2] = { { P(1), P(3) }, { P(0) + 16, P(0) + 16 } };
	const uint64_t pointers[4] = { P(0), P(1), P(2), BASE };

	memcpy(percpu.lists, lists, sizeof(lists));
	memcpy(percpu.pointers, pointers, sizeof(pointers));
	percpu.first = (struct chunk){ P(3), P(0), BASE + 0x4000, 0x1000, 4, 4, 0, 0, 0 };
	percpu.reserved = (struct chunk){ 0, 0, BASE + 0x2000, 0x800, 2, 2, 0, 0, 0 };
	percpu.other = (struct chunk){ P(0), P(1), BASE + 0x100000, 0x5000, 8, 5, 0, 0, 0 };
	percpu.slots = percpu.units = 2;
}

struct chunks_seen {
	unsigned int n;
	struct percpu_chunk chunks[4];
};

static enum status see_chunk(void *arg, const struct percpu_chunk *chunk)
{
	struct chunks_seen *seen = arg;

	seen->chunks[seen->n++ & 3] = *chunk;
	return ST_OK;
}

static enum status walk_chunks_by(const struct stub_symbol *symbols, struct chunks_seen *seen)
{
	STUB(s, .memory = percpu_memory, .symbols = symbols, .members = percpu_members);

	seen->n = 0;
	return percpu_chunks_walk(&s.dump, see_chunk, seen);
}

static enum status walk_chunks(struct chunks_seen *seen)
{
	return walk_chunks_by(percpu_symbols, seen);
}

static void percpu_chunks(void)
{
	struct chunks_seen seen;

	make_chunks();
	CHECK(walk_chunks_by(old_percpu_symbols, &seen) == ST_OK && seen.n == 2);
	CHECK(walk_chunks(&seen) == ST_OK && seen.n == 2);
	/* From the base address to the end of the first chunk: 8 pages for each CPU. */
	CHECK(seen.chunks[0].is_first && seen.chunks[0].pages == 16 &&
	      seen.chunks[0].used == 2 * (0x8000 - 0x1800));
	CHECK(!seen.chunks[1].is_first && seen.chunks[1].pages == 10 &&
	      seen.chunks[1].used == 2 * 0x3000 && seen.chunks[1].address == P(3));
	percpu.first.end_offset = 0x800;
	CHECK(walk_chunks(&seen) == ST_OK && seen.chunks[0].pages == 14);
	/* A list that loops, a chunk that cannot be. */
	make_chunks();
	percpu.other.next = P(1);
	CHECK(walk_chunks(&seen) == ST_CORRUPT && seen.n == 2);
	make_chunks();
	percpu.other.populated = 9;
	CHECK(walk_chunks(&seen) == ST_CORRUPT && seen.n == 1);
	make_chunks();
	percpu.reserved.free = 0x3000;
	CHECK(walk_chunks(&seen) == ST_CORRUPT && seen.n == 1 && !seen.chunks[0].is_first);
}

static enum status add_blocks(const struct stub_symbol *symbols, struct pfnset *pages)
{
	STUB(s, .memory = percpu_memory, .symbols = symbols, .members = percpu_members);
	struct kernel_map map = { .direct_start = BASE,
				  .direct_end = BASE + 0x1000000,
				  .direct_phys = 0x40000 };
	enum status st;

	s.dump.map = &map;
	pfnset_init(pages, s.dump.arena, 0x1000);
	st = percpu_pages_of_one_cpu(&s.dump, pages);
	/* 8 pages from 0x100000 behind the start of the direct map. */
	if (st == ST_OK)
		CHECK(pfnset_has(pages, 0x140) && pfnset_has(pages, 0x147) &&
		      !pfnset_has(pages, 0x148));
	return st;
}

/* mm/percpu-km.c: a chunk is a block of pages, all of them populated. */
static void percpu_of_one_cpu(void)
{
	struct stub_symbol with_smp[sizeof(percpu_symbols) / sizeof(percpu_symbols[0]) + 1] = {
		{ "__per_cpu_offset", P(5), FIELD(0, 8) }
	};
	struct pfnset pages;

	make_chunks();
	percpu.units = 1;
	percpu.other.populated = 8;
	CHECK(add_blocks(percpu_symbols, &pages) == ST_OK && pages.n == 8);
	percpu.other.base = BASE - 0x100000;
	CHECK(add_blocks(percpu_symbols, &pages) == ST_CORRUPT && !pages.n);
	memcpy(with_smp + 1, percpu_symbols, sizeof(percpu_symbols));
	CHECK(add_blocks(with_smp, &pages) == ST_ABSENT);
}

static enum status read_first(struct percpu_first *first)
{
	STUB(s, .memory = percpu_memory, .symbols = percpu_symbols, .members = percpu_members);

	return percpu_first_read(&s.dump, first);
}

static void static_percpu(void)
{
	struct percpu_first first;

	make_chunks();
	percpu.reserved.start_offset = 0x100;
	percpu.reserved.end_offset = 0x200;
	CHECK(read_first(&first) == ST_OK && first.units == 2 && first.static_bytes == 0x2100);
	CHECK(first.has_reserved && first.reserved_bytes == 0x1d00 &&
	      first.reserved_used == 0x1500);
	/* Nothing is reserved: the first chunk is behind the variables. */
	percpu.pointers[2] = 0;
	CHECK(read_first(&first) == ST_OK && first.static_bytes == 0x4000 && !first.has_reserved);
	percpu.pointers[2] = P(2);
	percpu.reserved.free = 0x1e00;
	CHECK(read_first(&first) == ST_CORRUPT);
	percpu.reserved.start_offset = 0x1f00;
	CHECK(read_first(&first) == ST_CORRUPT);
	make_chunks();
	percpu.pointers[3] = BASE + 0x3000;
	CHECK(read_first(&first) == ST_CORRUPT);
}

/* Two nodes; huge pages of order 9. */
static struct {
	uint64_t order, total, free, reserved, surplus;
	uint32_t nodes[2], free_nodes[2];
} hstate;
static uint32_t max_hstate = 1;

static const struct stub_member huge_members[] = {
	{ "struct hstate", "order", FIELD(0, 4) },
	{ "struct hstate", "nr_huge_pages", FIELD(8, 8) },
	{ "struct hstate", "free_huge_pages", FIELD(16, 8) },
	{ "struct hstate", "resv_huge_pages", FIELD(24, 8) },
	{ "struct hstate", "surplus_huge_pages", FIELD(32, 8) },
	{ "struct hstate", "nr_huge_pages_node", FIELD(40, 8) },
	{ "struct hstate", "free_huge_pages_node", FIELD(48, 8) },
	{ 0 },
};
static const struct stub_symbol huge_symbols[] = { { "hstates", AT(0), FIELD(0, 56) },
						   { "hugetlb_max_hstate", AT(1), FIELD(0, 4) },
						   { 0 } };
static const struct stub_memory huge_memory[] = { { AT(0), &hstate, sizeof(hstate) },
						  { AT(1), &max_hstate, 4 },
						  { 0 } };
static const struct stub_number huge_sizes[] = { { "struct hstate", 56 }, { 0 } };

static enum status see_huge(void *arg, const struct hugetlb_pool *pool)
{
	*(struct hugetlb_pool *)arg = *pool;
	return ST_OK;
}

static enum status walk_huge(struct hugetlb_pool *seen)
{
	STUB(s, .memory = huge_memory, .symbols = huge_symbols, .members = huge_members,
	     .sizes = huge_sizes);

	return hugetlb_walk(&s.dump, see_huge, seen);
}

static void huge_pages(void)
{
	static struct hugetlb_pool seen;

	hstate.order = 9;
	hstate.total = 30;
	hstate.free = 12;
	hstate.reserved = 3;
	hstate.surplus = 2;
	hstate.nodes[0] = 10;
	hstate.nodes[1] = 20;
	hstate.free_nodes[1] = 12;
	CHECK(walk_huge(&seen) == ST_OK && seen.order == 9 && seen.total == 30 && seen.free == 12);
	CHECK(seen.reserved == 3 && seen.surplus == 2 && seen.nodes == 2);
	CHECK(seen.node_total[1] == 20 && seen.node_free[0] == 0 && seen.node_free[1] == 12);
	/* The sums are right, and node 0 has more free ones than it has. */
	hstate.free_nodes[0] = 11;
	hstate.free_nodes[1] = 1;
	CHECK(walk_huge(&seen) == ST_CORRUPT);
	hstate.free_nodes[0] = 0;
	hstate.free_nodes[1] = 12;
	hstate.nodes[0] = 11;
	CHECK(walk_huge(&seen) == ST_CORRUPT);
	max_hstate = 100;
	CHECK(walk_huge(&seen) == ST_CORRUPT);
	max_hstate = 1;
}

/* A pool of order 1 of a network device eth7, whose parent has the driver fastnic. */
static struct {
	uint32_t order, held, released, unused;
	uint64_t device, netdev;
} pool;
static uint64_t netdev[16]; /* name, then its device: kobj.name, driver, parent */
static uint64_t parent[3];  /* kobj.name, driver, parent */
static uint64_t driver[1];
static const char driver_name[64] = "fastnic", bus_name[64] = "0000:00:1f.6";

static const struct stub_member pool_members[] = {
	{ "struct page_pool", "p.order", FIELD(0, 4) },
	{ "struct page_pool", "pages_state_hold_cnt", FIELD(4, 4) },
	{ "struct page_pool", "pages_state_release_cnt", FIELD(8, 4) },
	{ "struct page_pool", "p.dev", FIELD(16, 8) },
	{ "struct device", "kobj.name", FIELD(0, 8) },
	{ "struct device", "driver", FIELD(8, 8) },
	{ "struct device", "parent", FIELD(16, 8) },
	{ "struct device_driver", "name", FIELD(0, 8) },
	{ "struct net_device", "name", FIELD(0, 8) },
	{ "struct net_device", "dev", FIELD(8, 24) },
	{ "struct page_pool", "slow.netdev", FIELD(24, 8) },
	{ 0 },
};
static const struct stub_memory pool_memory[] = {
	{ AT(0), &pool, sizeof(pool) },
	{ AT(1), netdev, sizeof(netdev) },
	{ AT(2), parent, sizeof(parent) },
	{ AT(3), driver, sizeof(driver) },
	{ AT(4), driver_name, sizeof(driver_name) },
	{ AT(5), bus_name, sizeof(bus_name) },
	{ 0 },
};
static const struct stub_number pool_sizes[] = { { "struct page_pool", 32 }, { 0 } };

static enum status read_pool(struct page_pool *ret)
{
	STUB(s, .memory = pool_memory, .members = pool_members, .sizes = pool_sizes);
	struct page_pools pools;
	enum status st;

	st = page_pools_open(&s.dump, &pools);
	if (st == ST_OK)
		st = page_pool_read(&pools, AT(0), ret);
	return st;
}

/* That this kernel has none is known where other types are. */
static enum status open_pools(const struct stub_member *known)
{
	STUB(s, .members = known);
	struct page_pools pools;

	return page_pools_open(&s.dump, &pools);
}

static void page_pools(void)
{
	static const struct stub_member none[] = { { 0 } };
	static const struct stub_member others[] = { { "struct list_head", "next", FIELD(0, 8) },
						     { 0 } };
	struct page_pool p;

	CHECK(open_pools(none) == ST_UNKNOWN && open_pools(others) == ST_ABSENT);

	pool.order = 1;
	/* The counters wrap. */
	pool.held = 5;
	pool.released = 0xfffffffe;
	pool.netdev = AT(1);
	memcpy(netdev, "eth7", 5);
	netdev[3] = AT(2);
	parent[0] = AT(5);
	parent[1] = AT(3);
	driver[0] = AT(4);
	CHECK(read_pool(&p) == ST_OK && p.order == 1 && p.held == 14);
	CHECK_TEXT(p.device, "eth7");
	CHECK_TEXT(p.driver, "fastnic");
	/* Up to 6.7 the pool has the device alone that pages are mapped for. */
	pool.netdev = 0;
	pool.device = AT(2);
	CHECK(read_pool(&p) == ST_OK);
	CHECK_TEXT(p.device, "0000:00:1f.6");
	CHECK_TEXT(p.driver, "fastnic");
	parent[1] = AT(9);
	CHECK(read_pool(&p) == ST_OK);
	CHECK_TEXT(p.driver, "");
	pool.released = 6;
	CHECK(read_pool(&p) == ST_CORRUPT);
}

/* Eight pages: of a pool, with an index of a DMA mapping, two that are none. */
#define POOL 0xffff888000123400ULL
struct a_page {
	uint64_t flags, pp_magic, pp, mapping, unused[3];
	uint32_t page_type, refcount;
};
static struct a_page pages[64];

static const struct stub_member page_members[] = {
	{ "struct page", "flags", FIELD(0, 8) },
	{ "struct page", "compound_head", FIELD(8, 8) },
	{ "struct page", "pp_magic", FIELD(8, 8) },
	{ "struct page", "pp", FIELD(16, 8) },
	{ "struct page", "mapping", FIELD(24, 8) },
	{ "struct page", "page_type", FIELD(56, 4) },
	{ 0 },
};
/* As before 5.14. */
static const struct stub_member old_page_members[] = {
	{ "struct page", "flags", FIELD(0, 8) },
	{ "struct page", "compound_head", FIELD(8, 8) },
	{ "struct page", "dma_addr", FIELD(8, 8) },
	{ "struct page", "mapping", FIELD(24, 8) },
	{ "struct page", "page_type", FIELD(56, 4) },
	{ 0 },
};
static const struct stub_memory page_memory[] = { { 0x100000, pages, sizeof(pages) }, { 0 } };
static const struct stub_number page_type_numbers[] = {
	{ "PGTY_buddy", 0xf0 }, { "PGTY_table", 0xf2 }, { "PGTY_slab", 0xf5 }, { 0 }
};
static const struct stub_number page_sizes[] = { { "struct page", sizeof(struct a_page) }, { 0 } };

static void pages_of_pools(void)
{
	STUB(s, .memory = page_memory, .members = page_members, .sizes = page_sizes,
	     .enumerators = page_type_numbers);
	STUB(old, .memory = page_memory, .members = old_page_members, .sizes = page_sizes,
	     .enumerators = page_type_numbers);
	const struct {
		uint64_t magic, pp, mapping, pool;
	} wanted[8] = {
		{ 0xdead000000000040, POOL, 0, POOL },
		{ 0xdead000000012342, POOL, 0, POOL },
		{ 0xdead00000001234a, POOL, 0, 0 },
		{ 0xdead000000012302, POOL, 0, 0 }, /* the mark is bit 6 */
		{ 0xdead000000000100, POOL, 0, 0 }, /* LIST_POISON1 */
		{ 0xdeae000000000040, POOL, 0, 0 },
		{ 0xdead000000000040, 0x1234, 0, 0 },
		{ 0xdead000000000040, POOL, POOL + 1, 0 }, /* anonymous */
	};
	struct page_types types;
	struct page_info info;

	for (unsigned int i = 0; i < 8; i++)
		pages[i] = (struct a_page){ .pp_magic = wanted[i].magic,
					    .pp = wanted[i].pp,
					    .mapping = wanted[i].mapping,
					    .page_type = 0xffffffff };
	CHECK(page_types_open(&old.dump, NULL, &types) == ST_OK && !page_types_mark_pools(&types));
	CHECK(page_types_open(&s.dump, NULL, &types) == ST_OK && page_types_mark_pools(&types));
	types.base = 0x100000;
	types.end = 8;
	read_window_table(&types.window, 0x100000 + sizeof(pages));
	for (unsigned int i = 0; i < 8; i++)
		CHECK(page_type_at(&types, i, &info) == ST_OK && info.pool == wanted[i].pool);
}

TESTS({ "pages of page pools", pages_of_pools }, { "swap areas", swap_areas },
      { "swap areas of 4.18 with 1024 nodes", swap_areas_of_many_nodes },
      { "no swap areas of a kernel without swap", a_kernel_without_swap },
      { "per-CPU chunks", percpu_chunks }, { "per-CPU chunks of one CPU", percpu_of_one_cpu },
      { "static per-CPU memory", static_percpu }, { "huge pages by node", huge_pages },
      { "page pools: device and driver", page_pools })
