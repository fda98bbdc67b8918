// SPDX-License-Identifier: GPL-2.0-or-later
/* Free objects, references to tags and tracks in slabs of every form. */
#include <string.h>

#include "alloctag/page_tag.h"
#include "slab/slab_arrays.h"
#include "slab/slub.h"
#include "slab/slub_nodes.h"
#include "stub.h"
#include "test.h"

#define BASE 0xffff888000100000ULL
#define VECTOR 0xffff888000200000ULL
#define SIZE 64
#define OBJECTS 8

static uint64_t memory[OBJECTS * SIZE / 8], vector[128];

static const struct stub_memory parts[] = {
	{ BASE, memory, sizeof(memory) },
	{ VECTOR, vector, sizeof(vector) },
	{ 0 },
};

static struct slab_cache cache;
static struct slab slab;
static struct slabs slabs;

static void open_slab(struct stub *s)
{
	static uint8_t exts[65536];

	memset(memory, 0, sizeof(memory));
	memset(vector, 0, sizeof(vector));
	STUB_OPEN(*s, .memory = parts);
	cache = (struct slab_cache){ .address = 1, .size = SIZE, .bytes = 56, .offset = 16 };
	slab = (struct slab){ .cache = &cache, .address = BASE, .objects = OBJECTS };
	slabs = (struct slabs){ .dump = &s->dump, .exts = exts };
	hash_u64_init(&slabs.sheaves, &s->arena, 1);
}

static uint64_t word_at(unsigned int i)
{
	return BASE + i * SIZE + cache.pad + cache.offset;
}

/* Object i is followed by object next, or by none. */
static void link(unsigned int i, int next, bool swab)
{
	uint64_t at = word_at(i), v = next < 0 ? 0 : BASE + next * SIZE + cache.pad;

	if (cache.is_hardened)
		v ^= cache.random ^ (swab ? __builtin_bswap64(at) : at);
	memory[(at - BASE) / 8] = v;
}

static enum status walk(unsigned int first, uint64_t *ret)
{
	static uint64_t bits[SLAB_FREE_WORDS];
	enum status st;

	slab.freelist = slab_object(&slab, first);
	st = slab_free_objects(&slabs, &slab, bits);
	*ret = bits[0];
	return st;
}

static void test_free_lists(void)
{
	static const struct {
		bool hardened;
		uint64_t random;
		bool swab;
		uint32_t pad;
	} forms[] = {
		{ false, 0, false, 0 },
		{ true, 0x123456789abcdef0, true, 0 },
		{ true, 0x123456789abcdef0, false, 0 },
		{ true, 0, true, 0 },
		{ true, 0, false, 0 },
		{ false, 0, false, 8 },
	};
	struct stub s;
	uint64_t bits;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		open_slab(&s);
		cache.is_hardened = forms[i].hardened;
		cache.random = forms[i].random;
		cache.pad = forms[i].pad;
		link(5, 2, forms[i].swab);
		link(2, 7, forms[i].swab);
		link(7, -1, forms[i].swab);
		slab.inuse = OBJECTS - 3;
		CHECK(walk(5, &bits) == ST_OK);
		CHECK(bits == (1 << 5 | 1 << 2 | 1 << 7));
		/* As a page of zeros in its slab ends it. */
		slab.inuse = OBJECTS - 4;
		CHECK(walk(5, &bits) == ST_CORRUPT);
		stub_close(&s);
	}
}

static void test_broken_lists(void)
{
	struct stub s;
	uint64_t bits;

	open_slab(&s);
	link(1, 2, false);
	link(2, 1, false);
	CHECK(walk(1, &bits) == ST_CORRUPT); /* in circles */
	CHECK(bits == (1 << 1 | 1 << 2));
	memory[(word_at(2) - BASE) / 8] = BASE + 3 * SIZE + 8;
	CHECK(walk(1, &bits) == ST_CORRUPT); /* into an object */
	memory[(word_at(2) - BASE) / 8] = BASE + OBJECTS * SIZE;
	CHECK(walk(1, &bits) == ST_CORRUPT); /* behind the slab */
	cache.is_hardened = true;
	cache.random = 77;
	CHECK(walk(1, &bits) == ST_CORRUPT); /* nothing that was mixed */
	slab.freelist = 0;
	slab.inuse = OBJECTS;
	cache.random = 0;
	CHECK(slab_free_objects(&slabs, &slab, (uint64_t[SLAB_FREE_WORDS]){ 0 }) == ST_OK);
	stub_close(&s);
}

/* What a CPU has nothing counts: a page of zeros ends its list as the last free object does. */
static void test_blank_end(void)
{
	static const struct stub_member members[] = {
		{ "struct kmem_cache_cpu", "freelist", FIELD(0, 8) },
		{ "struct kmem_cache_cpu", "slab", FIELD(8, 8) },
		{ 0 }
	};
	static uint64_t page[512], cpu[2];
	static const struct stub_memory whole[] = { { BASE, page, sizeof(page) },
						    { VECTOR, cpu, sizeof(cpu) },
						    { 0 } };
	uint64_t bits[SLAB_FREE_WORDS];
	struct stub s;

	open_slab(&s);
	stub_close(&s);
	STUB_OPEN(s, .memory = whole, .members = members);
	slabs.dump = &s.dump;
	slabs.cpus.n = 1;
	slabs.cpus.offset = (uint64_t[]){ 0 };
	hash_u64_init(&slabs.sheaves, &s.arena, 1);
	cache.cpu_slab = VECTOR;
	slab.objects = slab.inuse = 64;
	cpu[0] = BASE + 3 * SIZE;
	CHECK(slab_free_objects(&slabs, &slab, bits) == ST_CORRUPT);
	page[511] = 1;
	CHECK(slab_free_objects(&slabs, &slab, bits) == ST_OK && bits[0] == 1 << 3);
	/* A few large ones may be zeros. */
	page[511] = 0;
	cache.size = 512;
	slab.objects = slab.inuse = 8;
	cpu[0] = BASE + 3 * 512;
	CHECK(slab_free_objects(&slabs, &slab, bits) == ST_OK && bits[0] == 1 << 3);
	stub_close(&s);
}

static void test_sheaves(void)
{
	struct stub s;
	uint64_t bits;
	bool is_new;

	open_slab(&s);
	link(0, -1, false);
	hash_u64_get(&slabs.sheaves, slab_object(&slab, 4), &is_new);
	hash_u64_get(&slabs.sheaves, slab_object(&slab, 4) + 8, &is_new);
	slab.inuse = OBJECTS - 1;
	CHECK(walk(0, &bits) == ST_OK);
	CHECK(bits == (1 | 1 << 4));
	stub_close(&s);
}

/* A struct per object, a stride of its own, one or two pointers, or in the object. */
/* SLAB: behind slab.active stand the indexes of free objects. */
static void test_indexes(void)
{
	static uint64_t bits[SLAB_FREE_WORDS];
	uint8_t *bytes = (uint8_t *)vector;
	struct stub s;

	open_slab(&s);
	slabs.has_indexes = true;
	cache.num = cache.indexes = OBJECTS;
	slab.freelist = VECTOR;
	slab.inuse = OBJECTS;
	CHECK(slab_free_objects(&slabs, &slab, bits) == ST_OK && !bits[0]);
	/* In a list of which all are taken the array is an object, and not read. */
	slab.freelist = 0;
	CHECK(slab_free_objects(&slabs, &slab, bits) == ST_OK && !bits[0]);
	slab.freelist = VECTOR;
	memcpy(bytes, (uint8_t[]){ 9, 9, 9, 9, 9, 7, 0, 3 }, OBJECTS);
	slab.inuse = 5;
	CHECK(slab_free_objects(&slabs, &slab, bits) == ST_OK);
	CHECK(bits[0] == (1 << 7 | 1 << 0 | 1 << 3));
	bytes[7] = 0; /* twice */
	CHECK(slab_free_objects(&slabs, &slab, bits) == ST_CORRUPT);
	bytes[7] = OBJECTS; /* behind the slab */
	CHECK(slab_free_objects(&slabs, &slab, bits) == ST_CORRUPT);
	slab.freelist = 1; /* nowhere */
	CHECK(slab_free_objects(&slabs, &slab, bits) == ST_UNREADABLE);
	/* Of two bytes where a page may have more than 256. */
	cache.indexes = 2 * OBJECTS;
	slab.freelist = VECTOR;
	memcpy(bytes, (uint16_t[]){ 999, 999, 999, 999, 999, 999, 6, 1 }, 2 * OBJECTS);
	slab.inuse = 6;
	CHECK(slab_free_objects(&slabs, &slab, bits) == ST_OK);
	CHECK(bits[0] == (1 << 6 | 1 << 1));
	/* More than are read at once. */
	cache.num = slab.objects = 500;
	cache.indexes = 1000;
	slab.inuse = 0;
	for (unsigned int i = 0; i < 500; i++)
		((uint16_t *)vector)[i] = 499 - i;
	CHECK(slab_free_objects(&slabs, &slab, bits) == ST_OK);
	CHECK(bits[0] == ~0ULL && bits[6] == ~0ULL && bits[7] == (1ULL << 52) - 1);
	stub_close(&s);
}

/* What CPUs freed: in an array of the CPU, of the node, or in one for another node. As 6.1.176 has them. */
static const struct stub_member slab_members[] = {
	{ "struct array_cache", "avail", FIELD(0, 4) },
	{ "struct array_cache", "limit", FIELD(4, 4) },
	{ "struct array_cache", "entry", KINDED(KIND_ARRAY, 16, 0) },
	{ "struct kmem_cache_node", "total_slabs", FIELD(56, 8) },
	{ "struct kmem_cache_node", "free_objects", FIELD(72, 8) },
	{ "struct kmem_cache_node", "shared", KINDED(KIND_POINTER, 88, 8) },
	{ "struct kmem_cache_node", "alien", KINDED(KIND_POINTER, 96, 8) },
	{ 0 },
};

static const struct stub_number slab_sizes[] = { { "struct array_cache", 16 },
						 { "struct alien_cache", 24 },
						 { 0 } };

static void test_arrays(void)
{
	static uint64_t nodes[2], node[2][16], cpu[6], shared[6], alien[6], aliens[2], ids;
	static uint64_t offsets[] = { 0 };
	const uint64_t at = VECTOR + 0x1000;
	const struct stub_memory tables[] = {
		{ at, nodes, sizeof(nodes) },	      { at + 0x100, node, sizeof(node) },
		{ at + 0x400, cpu, sizeof(cpu) },     { at + 0x500, shared, sizeof(shared) },
		{ at + 0x600, alien, sizeof(alien) }, { at + 0x700, aliens, sizeof(aliens) },
		{ at + 0x800, &ids, sizeof(ids) },    { 0 },
	};
	const struct stub_symbol symbols[] = { { "nr_node_ids", at + 0x800, FIELD(0, 4) }, { 0 } };

	const enum status wanted[] = { ST_OK, ST_OK, ST_CORRUPT, ST_CORRUPT, ST_UNREADABLE };

	for (unsigned int form = 0; form < 5; form++) {
		struct slab_cache of_slab = { .address = at, .size = SIZE, .arrays = at + 0x400 };
		struct cache_counts counts;
		enum status st;
		struct stub s;

		STUB_OPEN(s, .memory = tables, .symbols = symbols, .members = slab_members,
			  .sizes = slab_sizes);
		slabs = (struct slabs){ .dump = &s.dump, .has_indexes = true };
		slabs.cpus.n = 1;
		slabs.cpus.offset = offsets;
		slabs.cache_nodes = (struct field)KINDED(KIND_ARRAY, 0, form ? 16 : 8);
		hash_u64_init(&slabs.sheaves, &s.arena, 1);
		of_slab.num = 10;
		nodes[0] = at + 0x100;
		nodes[1] = form ? at + 0x180 : 0;
		ids = form == 3 ? 1025 : 2;
		node[0][7] = 3;
		node[0][9] = 4;
		node[1][7] = 2;
		node[1][9] = 1;
		node[0][11] = at + 0x500;
		node[0][12] = form ? at + 0x700 : 0;
		aliens[1] = at + 0x5f8 + 0x10000 * (form == 4);
		cpu[0] = 1 | 120ULL << 32;
		cpu[2] = BASE;
		shared[0] = form == 2 ? 3 | 2ULL << 32 : 2 | 8ULL << 32;
		shared[2] = BASE + SIZE;
		shared[3] = BASE + 2 * SIZE;
		alien[0] = 1 | 12ULL << 32;
		alien[2] = BASE + 3 * SIZE;
		st = slab_arrays_read(&slabs, &of_slab);
		/* Of one node; of two; one with more than fit; more nodes than can be; one that leads elsewhere. */
		CHECK(st == wanted[form]);
		CHECK(hash_u64_has(&slabs.sheaves, BASE));
		if (form < 2) {
			CHECK(hash_u64_has(&slabs.sheaves, BASE + 2 * SIZE));
			CHECK(hash_u64_has(&slabs.sheaves, BASE + 3 * SIZE) == (form == 1));
			CHECK(cache_counts_read(&slabs, &of_slab, ALL_NODES, &counts) == ST_OK);
			CHECK(counts.has_slabs && counts.has_partial);
			CHECK(counts.slabs == (form ? 5 : 3) &&
			      counts.objects == counts.slabs * 10);
			CHECK(counts.partial_free == (form ? 5 : 4));
		}
		stub_close(&s);
	}
}

static void test_tags(void)
{
	static const struct {
		uint64_t exts;
		uint32_t stride, tag;
	} forms[] = {
		{ VECTOR, 16, 8 }, { VECTOR, 8, 0 }, { VECTOR + 8, 16, 0 }, { BASE + 48, SIZE, 8 }
	};
	struct stub s;
	uint64_t tag;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		open_slab(&s);
		slab.exts = forms[i].exts;
		slab.stride = forms[i].stride;
		slab.tag = forms[i].tag;
		for (unsigned int o = 0; o < OBJECTS; o++) {
			uint64_t at = slab.exts + o * slab.stride + slab.tag;

			if (at >= VECTOR)
				vector[(at - VECTOR) / 8] = 0x1000 + o;
			else
				memory[(at - BASE) / 8] = 0x1000 + o;
		}
		/* From the first on, as the context reads them, and one alone. */
		CHECK(slab_tag(&slabs, &slab, 3, &tag) == ST_OK && tag == 0x1003);
		for (unsigned int o = 0; o < OBJECTS; o++)
			CHECK(slab_tag(&slabs, &slab, o, &tag) == ST_OK && tag == 0x1000 + o);
		/* Ones are no reference. */
		if (slab.exts >= VECTOR) {
			vector[(slab.exts + slab.tag - VECTOR) / 8] = UINT64_MAX;
			CHECK(slab_tag(&slabs, &slab, 0, &tag) == ST_CORRUPT);
			vector[(slab.exts + slab.tag - VECTOR) / 8] = 0x1000;
		}
		stub_close(&s);
	}
	open_slab(&s);
	CHECK(slab_tag(&slabs, &slab, 0, &tag) == ST_ABSENT);
	slab.exts = VECTOR + sizeof(vector);
	slab.stride = 8;
	CHECK(slab_tag(&slabs, &slab, 0, &tag) == ST_UNREADABLE);
	stub_close(&s);
}

static void test_index(void)
{
	struct stub s;
	uint32_t i;

	open_slab(&s);
	CHECK(slab_index(&slab, BASE + 3 * SIZE + 60, &i) == ST_OK && i == 3);
	CHECK(slab_index(&slab, BASE - 1, &i) == ST_ABSENT);
	CHECK(slab_index(&slab, BASE + OBJECTS * SIZE, &i) == ST_ABSENT);
	stub_close(&s);
}

static const struct stub_member old_track[] = {
	{ "struct track", "addr", FIELD(0, 8) },  { "struct track", "addrs", FIELD(8, 16) },
	{ "struct track", "cpu", FIELD(24, 4) },  { "struct track", "pid", FIELD(28, 4) },
	{ "struct track", "when", FIELD(32, 8) }, { 0 }
};
static const struct stub_number old_size[] = { { "struct track", 40 }, { 0 } };

static void test_tracks(void)
{
	struct slub_tracks t;
	struct slub_track track;
	struct stub s;

	open_slab(&s);
	s.members = old_track;
	s.sizes = old_size;
	CHECK(slub_tracks_open(&s.dump, &t) == ST_OK);
	CHECK(slub_track_at(&t, &slab, 0, false, &track) ==
	      ST_ABSENT); /* no tracks in this cache */
	cache.has_tracks = true;
	cache.size = 128;
	cache.bytes = 8;
	cache.info = 16;
	slab.objects = 4;
	CHECK(slub_track_at(&t, &slab, 1, false, &track) == ST_ABSENT); /* never */
	memory[(128 + 16) / 8] = 0xffffffff81000010;
	memory[(128 + 24) / 8] = 0xffffffff81000020;
	memory[(128 + 32) / 8] = UINT64_MAX;
	memory[(128 + 40) / 8] = 42ULL << 32;
	CHECK(slub_track_at(&t, &slab, 1, false, &track) == ST_OK);
	CHECK(track.pid == 42 && track.n == 1 && track.frames[0] == 0xffffffff81000020);
	CHECK(!track.has_age); /* nobody knows how long a jiffy is */
	cache.info = 49;
	CHECK(slub_track_at(&t, &slab, 1, true, &track) == ST_CORRUPT); /* out of the slot */
	stub_close(&s);
}

/*
 * Members of Debian's 6.12.107+deb13-amd64 (BTF), built with CONFIG_NODES_SHIFT=10; a node has two
 * pointers there since 7.1 (7.2.13+deb14-amd64).  What is behind the entries of the nodes that the
 * machine has is no memory of the cache.
 */
#define DEBIAN_SLAB                                                                        \
	{ "struct slab", "slab_cache", KINDED(KIND_POINTER, 8, 8) },                       \
		{ "struct slab", "freelist", FIELD(32, 8) },                               \
		{ "struct slab", "inuse", BITS(40, 4, 0, 16) },                            \
		{ "struct slab", "objects", BITS(40, 4, 16, 15) },                         \
		{ "struct slab", "obj_exts", FIELD(56, 8) },                               \
		{ "struct slab", "slab_list", FIELD(16, 16) },                             \
		{ "struct kmem_cache", "flags", FIELD(8, 4) },                             \
		{ "struct kmem_cache", "size", FIELD(24, 4) },                             \
		{ "struct kmem_cache", "object_size", FIELD(28, 4) },                      \
		{ "struct kmem_cache", "offset", FIELD(40, 4) },                           \
		{ "struct kmem_cache", "inuse", FIELD(80, 4) },                            \
		{ "struct kmem_cache", "red_left_pad", FIELD(88, 4) },                     \
		{ "struct kmem_cache", "name", KINDED(KIND_POINTER, 96, 8) },              \
		{ "struct kmem_cache", "list", FIELD(104, 16) },                           \
		{ "struct kmem_cache", "refcount", FIELD(120, 4) },                        \
		{ "struct kmem_cache", "random", FIELD(184, 8) },                          \
		{ "struct kmem_cache_node", "nr_partial", FIELD(8, 8) },                   \
		{ "struct kmem_cache_node", "partial.next", KINDED(KIND_POINTER, 16, 8) }, \
		{ "struct kmem_cache_node", "nr_slabs", FIELD(32, 8) },                    \
	{                                                                                  \
		"struct kmem_cache_node", "total_objects", FIELD(40, 8)                    \
	}
static const struct stub_member debian_6_12[] = {
	DEBIAN_SLAB,
	{ "struct kmem_cache", "cpu_slab", KINDED(KIND_POINTER, 0, 8) },
	{ "struct kmem_cache", "node", KINDED(KIND_ARRAY, 216, 8192) },
	{ 0 }
};
/* A kernel of before 5.9, with what cgroups had there: CentOS 8.1 has it before the nodes as well. */
static const struct stub_member with_cgroups[] = {
	DEBIAN_SLAB,
	{ "struct kmem_cache", "memcg_params.root_cache", KINDED(KIND_POINTER, 200, 8) },
	{ "struct kmem_cache", "node", KINDED(KIND_ARRAY, 216, 8192) },
	{ 0 }
};
static const struct stub_member debian_7_2[] = {
	DEBIAN_SLAB,
	{ "struct kmem_cache", "cpu_sheaves", KINDED(KIND_POINTER, 0, 8) },
	{ "struct kmem_cache", "per_node", KINDED(KIND_ARRAY, 208, 16384) },
	{ "struct kmem_cache_per_node_ptrs", "barn", KINDED(KIND_POINTER, 0, 8) },
	{ "struct kmem_cache_per_node_ptrs", "node", KINDED(KIND_POINTER, 8, 8) },
	{ 0 }
};
static const struct stub_number debian_sizes[] = { { "struct page", 64 },
						   { "struct kmem_cache", 16592 },
						   { "struct kmem_cache_per_node_ptrs", 16 },
						   { 0 } };

static enum status to_phys(void *priv NOT_USED, uint64_t addr, uint64_t *ret)
{
	*ret = addr - 0xffff888000000000ULL;
	return ST_OK;
}

static enum status sum_nodes(void *arg, const struct cache_node *node)
{
	*(uint64_t *)arg += node->address;
	return ST_OK;
}

static void test_large_caches(void)
{
	static uint64_t raw[216 / 8 + 2], root[216 / 8 + 2], boot = BASE, ids = 1;
	static const char names[2][128] = { "dentry(4:web)", "dentry" };
	static const struct stub_memory with_cache[] = {
		{ BASE, raw, sizeof(raw) },
		{ BASE + 0x2000, root, sizeof(root) },
		{ VECTOR, &boot, 8 },
		{ VECTOR + 8, &ids, 8 },
		{ VECTOR + 16, names, sizeof(names) },
		{ 0 },
	};
	static const struct stub_symbol symbols[] = {
		{ "kmem_cache", VECTOR, KINDED(KIND_POINTER, 0, 8) },
		{ "nr_node_ids", VECTOR + 8, FIELD(0, 4) },
		{ 0 },
	};
	const struct stub_member *const kernels[] = { debian_6_12, debian_7_2, with_cgroups,
						      with_cgroups };

	raw[3] = 192 | 192ULL << 32;
	raw[5] = 96;
	raw[10] = 192;
	raw[12] = VECTOR + 16;
	raw[25] = BASE + 0x2000;
	root[12] = VECTOR + 16 + sizeof(names[0]);
	raw[208 / 8] = raw[216 / 8] = BASE + 0x1000;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
		static struct stub s;
		const struct slab_cache *c;
		uint64_t nodes = 0;

		root[120 / 8] = i < 3 ? 1 : 2;
		STUB_OPEN(s, .memory = with_cache, .symbols = symbols, .members = kernels[i],
			  .sizes = debian_sizes, .ops.virt_to_phys = to_phys);
		CHECK(slabs_open(&s.dump, NULL, &slabs) == ST_OK);
		CHECK(slab_cache_get(&slabs, BASE, &c) == ST_OK);
		CHECK(c->size == 192 && !strcmp(c->name, "dentry(4:web)"));
		/* A cgroup's own dentries, but for the one that has others merged into its root. */
		if (i < 3)
			CHECK_TEXT(c->kind, kernels[i] == with_cgroups ? "dentry" : c->name);
		else
			CHECK(!c->kind);
		CHECK(c->is_hardened && !c->random);
		CHECK(c->root == (kernels[i] == with_cgroups ? BASE + 0x2000 : 0));
		CHECK(cache_nodes_walk(&slabs, c, sum_nodes, &nodes) == ST_OK);
		CHECK(nodes == BASE + 0x1000);
		stub_close(&s);
	}
}

TESTS({ "caches of kernels with many nodes", test_large_caches },
      { "free lists, plain and mixed", test_free_lists }, { "broken ones", test_broken_lists },
      { "a list of a CPU that ends in a page of zeros", test_blank_end },
      { "sheaves", test_sheaves }, { "indexes of SLAB", test_indexes },
      { "arrays of SLAB", test_arrays }, { "references to tags", test_tags },
      { "objects", test_index }, { "tracks with frames of their own", test_tracks })
