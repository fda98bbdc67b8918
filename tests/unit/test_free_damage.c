// SPDX-License-Identifier: GPL-2.0-or-later
/* The cache whose list of free objects leads to the address of an exception. */
#include "slab/free_damage.h"

#include "stub.h"
#include "test.h"

#define LIST 0x400000ULL
#define NODE(i) (0x401000ULL + (i)*0x100) /* a list_head at +0x10 of a struct kmem_cache */
#define CACHE(i) (NODE(i) - 0x10)
#define CPU(cpu, i) (0x500000ULL + (cpu)*0x1000 + (i)*0x100)
#define DAMAGED 0x6e8ea2c68f426728ULL
#define OFFSET 0x20

static uint64_t list[2], nodes[2][2], cpus[2][2][2]; /* by CPU and cache: freelist, slab */
static const struct stub_memory memory[] = {
	{ LIST, list, sizeof(list) },
	{ NODE(0), nodes[0], sizeof(nodes[0]) },
	{ NODE(1), nodes[1], sizeof(nodes[1]) },
	{ CPU(0, 0), cpus[0][0], sizeof(cpus[0][0]) },
	{ CPU(0, 1), cpus[0][1], sizeof(cpus[0][1]) },
	{ CPU(1, 0), cpus[1][0], sizeof(cpus[1][0]) },
	{ CPU(1, 1), cpus[1][1], sizeof(cpus[1][1]) },
	{ 0 },
};
static const struct stub_member members[] = { { "struct kmem_cache_cpu", "freelist", FIELD(0, 8) },
					      { "struct kmem_cache_cpu", "page", FIELD(8, 8) },
					      { 0 } };
static const struct stub_symbol symbols[] = { { "slab_caches", LIST, { 0 } }, { 0 } };

static struct free_damage damage;
static uint64_t cache; /* that was found */

/* The caches are known: what is asked is whose list leads there. */
static enum status find(uint64_t address)
{
	STUB(s, .memory = memory, .members = members, .symbols = symbols);
	static uint64_t offsets[] = { 0, 0x1000 };
	static struct memmap memmap;
	struct slabs slabs = { .dump = &s.dump,
			       .memmap = &memmap,
			       .cache_list = FIELD(0x10, 16),
			       .cpus = { .n = 2, .offset = offsets } };

	hash_u64_init(&slabs.caches, &s.arena, sizeof(struct slab_cache));
	for (unsigned int i = 0; i < 2; i++)
		*(struct slab_cache *)hash_u64_get(&slabs.caches, CACHE(i), NULL) =
			(struct slab_cache){ .address = CACHE(i),
					     .name = i ? "kmalloc-64" : "kmalloc-32",
					     .size = 64,
					     .offset = OFFSET,
					     .cpu_slab = CPU(0, i) };
	damage = (struct free_damage){ 0 };
	const enum status st = free_damage_find(&slabs, 0, address, &damage);

	cache = damage.cache ? damage.cache->address : 0;
	return st;
}

static void set_up(void)
{
	list[0] = nodes[1][1] = NODE(0);
	list[1] = nodes[0][0] = NODE(1);
	nodes[0][1] = nodes[1][0] = LIST;
	memset(cpus, 0, sizeof(cpus));
	cpus[0][0][0] = 0xffff888000001000;
	cpus[1][1][0] = DAMAGED;
}

static void test_found(void)
{
	set_up();
	CHECK(find(DAMAGED + OFFSET) == ST_OK && damage.cpu == 1 && !damage.has_slab);
	CHECK(damage.next == DAMAGED && cache == CACHE(1));
	/* The address is of another object, or of none. */
	CHECK(find(DAMAGED) == ST_ABSENT);
	CHECK(find(0x10) == ST_ABSENT);
	cpus[1][1][0] = 0;
	CHECK(find(OFFSET) == ST_ABSENT);
}

static void test_damage(void)
{
	set_up();
	nodes[0][0] = 0x999000;
	nodes[1][0] = 0x999000;
	CHECK(find(0x10) == ST_UNREADABLE);
	set_up();
	nodes[1][0] = NODE(0);
	CHECK(find(0x10) == ST_CORRUPT);
}

TESTS({ "the list that leads there", test_found },
      { "a list of caches that breaks off", test_damage })
