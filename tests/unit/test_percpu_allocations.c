// SPDX-License-Identifier: GPL-2.0-or-later
/* Allocations by the maps of two chunks: one of boot behind static variables, and one more. */
#include <string.h>

#include "stub.h"
#include "test.h"
#include "vm/percpu_allocations.h"

#define BASE 0xff000000ULL
#define P(i) (0x200000ULL + (i)*0x1000)
#define MAP (0x1000 / 4 / 8) /* bytes of a map of one page */

struct chunk {
	uint64_t next, prev, base, bounds, allocated;
	int32_t pages, end_offset, start_offset, pad;
};

static struct {
	uint64_t lists[2];
	struct chunk first, other;
	uint8_t maps[4][MAP]; /* bounds and what is allocated, of either */
	uint64_t pointers[4];
	uint32_t slots;
} percpu;

static const struct stub_member members[] = {
	{ "struct pcpu_chunk", "list", FIELD(0, 16) },
	{ "struct pcpu_chunk", "base_addr", FIELD(16, 8) },
	{ "struct pcpu_chunk", "bound_map", FIELD(24, 8) },
	{ "struct pcpu_chunk", "alloc_map", FIELD(32, 8) },
	{ "struct pcpu_chunk", "nr_pages", FIELD(40, 4) },
	{ "struct pcpu_chunk", "end_offset", FIELD(44, 4) },
	{ "struct pcpu_chunk", "start_offset", FIELD(48, 4) },
	{ 0 },
};
static const struct stub_symbol symbols[] = {
	{ "pcpu_chunk_lists", P(4), FIELD(0, 8) },
	{ "pcpu_first_chunk", P(4) + 8, FIELD(0, 8) },
	{ "pcpu_reserved_chunk", P(4) + 16, FIELD(0, 8) },
	{ "pcpu_base_addr", P(4) + 24, FIELD(0, 8) },
	{ "pcpu_nr_slots", P(5), FIELD(0, 4) },
	{ "__per_cpu_start", 0x1000, FIELD(0, 8) },
	{ "__per_cpu_offset", P(6), KINDED(KIND_ARRAY, 0, 8) },
	{ 0 },
};
/* Without SMP. */
static const struct stub_symbol alone[] = {
	{ "pcpu_chunk_lists", P(4), FIELD(0, 8) },
	{ "pcpu_first_chunk", P(4) + 8, FIELD(0, 8) },
	{ "pcpu_reserved_chunk", P(4) + 16, FIELD(0, 8) },
	{ "pcpu_base_addr", P(4) + 24, FIELD(0, 8) },
	{ "pcpu_nr_slots", P(5), FIELD(0, 4) },
	{ "__per_cpu_start", 0x5000, FIELD(0, 8) },
	{ 0 },
};
static const struct stub_memory memory[] = {
	{ P(0), percpu.lists, sizeof(percpu.lists) },
	{ P(1), &percpu.first, sizeof(percpu.first) },
	{ P(2), &percpu.other, sizeof(percpu.other) },
	{ P(3), percpu.maps, sizeof(percpu.maps) },
	{ P(4), percpu.pointers, sizeof(percpu.pointers) },
	{ P(5), &percpu.slots, sizeof(percpu.slots) },
	{ 0 },
};

static void set(unsigned int map, unsigned int from, unsigned int n)
{
	for (unsigned int i = from; i < from + n; i++)
		percpu.maps[map][i / 8] |= 1 << i % 8;
}

/* An allocation of so many units, and the bound behind it. */
static void allocate(unsigned int map, unsigned int from, unsigned int n)
{
	set(map, from, 1);
	set(map, from + n, from + n < 0x1000 / 4);
	set(map + 1, from, n);
}

static void make_chunks(void)
{
	const uint64_t lists[2] = { P(1), P(2) };
	const uint64_t pointers[4] = { P(0), P(1), P(1), BASE };

	memset(&percpu, 0, sizeof(percpu));
	memcpy(percpu.lists, lists, sizeof(lists));
	memcpy(percpu.pointers, pointers, sizeof(pointers));
	/* Static variables end 256 bytes into the page, and the last 512 are hidden. */
	percpu.first =
		(struct chunk){ P(2), P(0), BASE + 0x2000, P(3), P(3) + MAP, 1, 512, 256, 0 };
	percpu.other = (struct chunk){
		P(0), P(1), BASE + 0x100000, P(3) + 2 * MAP, P(3) + 3 * MAP, 1, 0, 0, 0
	};
	percpu.slots = 1;
	allocate(0, 0, 64);
	allocate(0, 64, 2);
	allocate(0, 896, 128);
	/* Two that touch, one behind what is free. */
	allocate(2, 0, 4);
	allocate(2, 4, 1);
	allocate(2, 100, 8);
}

struct seen {
	unsigned int n;
	struct percpu_allocation all[8];
};

static enum status see(void *arg, const struct percpu_allocation *a)
{
	struct seen *seen = arg;

	seen->all[seen->n++ & 7] = *a;
	return ST_OK;
}

static enum status walk_by(const struct stub_symbol *by, struct seen *seen)
{
	STUB(s, .memory = memory, .symbols = by, .members = members);

	seen->n = 0;
	return percpu_allocations_walk(&s.dump, see, seen);
}

static enum status walk(struct seen *seen)
{
	return walk_by(symbols, seen);
}

static bool is(const struct percpu_allocation *a, uint64_t address, uint64_t bytes, bool is_first)
{
	return a->address == address && a->bytes == bytes && a->is_first == is_first;
}

static void allocations(void)
{
	struct seen seen;

	make_chunks();
	CHECK(walk(&seen) == ST_OK && seen.n == 4);
	CHECK(is(&seen.all[0], 0x3100, 8, true) && seen.all[0].chunk == P(1));
	CHECK(is(&seen.all[1], 0x101000, 16, false) && seen.all[1].chunk == P(2));
	CHECK(is(&seen.all[2], 0x101010, 4, false));
	CHECK(is(&seen.all[3], 0x101190, 32, false));
}

/* A per-CPU address is then the address itself (mm/percpu.c, "on UP, it's always identity mapped"). */
static void without_smp(void)
{
	struct seen seen;

	make_chunks();
	CHECK(walk_by(alone, &seen) == ST_OK && seen.n == 4);
	CHECK(is(&seen.all[0], BASE + 0x2100, 8, true));
	CHECK(is(&seen.all[3], BASE + 0x100190, 32, false));
}

static void damaged(void)
{
	struct seen seen;

	/* The other chunk is told nevertheless. */
	make_chunks();
	percpu.first.pages = 65537;
	CHECK(walk(&seen) == ST_CORRUPT && seen.n == 3);
	make_chunks();
	percpu.first.start_offset = 4000;
	CHECK(walk(&seen) == ST_CORRUPT && seen.n == 3);
	make_chunks();
	percpu.first.bounds = P(9);
	CHECK(walk(&seen) == ST_UNREADABLE && seen.n == 3);
	make_chunks();
	percpu.other.next = P(1);
	CHECK(walk(&seen) == ST_CORRUPT && seen.n == 4);
}

TESTS({ "allocations of two chunks", allocations }, { "the same without SMP", without_smp },
      { "a damaged chunk costs itself", damaged })
