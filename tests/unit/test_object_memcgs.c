// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether the cgroup that an object is charged to had its obj_cgroup from the start (extensions/memory/objects.c). */
#include "extensions/memory/objects.h"
#include "stub.h"
#include "test.h"

#define MEMCG 0xffff888000100000ULL
#define NODES 0xffff888000200000ULL /* two of struct mem_cgroup_per_node, 64 bytes each */
#define VECTOR 0xffff888000300000ULL
#define IDS 0xffffffff82000000ULL
#define OWN 0xffff888000400000ULL
#define TAKEN 0xffff888000400040ULL

static uint64_t memcg[8], nodes[16], vector[4];
static uint32_t ids = 2;
static const struct stub_memory memory[] = { { MEMCG, memcg, sizeof(memcg) },
					     { NODES, nodes, sizeof(nodes) },
					     { VECTOR, vector, sizeof(vector) },
					     { IDS, &ids, sizeof(ids) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "nr_node_ids", IDS, FIELD(0, 4) }, { 0 } };

/* The kernel's, and that of a cgroup as lib/cgroup/memcg.c found it. */
static void add_owner(struct memcgs *m, uint64_t objcg)
{
	struct memcg_owner *o = hash_u64_get(&m->owners, objcg, NULL);

	*o = (struct memcg_owner){ ST_OK, MEMCG, objcg };
	*(const char **)hash_u64_get(&m->paths, objcg, NULL) = "/web";
}

static enum obj_cgroup_state state_of(const struct stub_member *members, uint32_t index)
{
	static const struct slab_cache cache = { .size = 64 };
	struct slab slab = { .cache = &cache,
			     .address = 0xffff888000500000ULL,
			     .objects = 4,
			     .objcgs = VECTOR,
			     .objcg_stride = 8 };
	const struct slub_object object = { .slab = &slab, .index = index };
	const struct slab_object o = { .object = &object };
	static struct owner_view v;
	struct object_memcgs m;
	struct slabs slabs = { .has_objcgs = true };
	enum obj_cgroup_state ret;
	STUB(s, .memory = memory, .symbols = symbols, .members = members);

	memset(&v, 0, sizeof(v));
	v.dump = v.memcgs.dump = slabs.dump = &s.dump;
	hash_u64_init(&v.memcgs.owners, s.dump.arena, sizeof(struct memcg_owner));
	hash_u64_init(&v.memcgs.paths, s.dump.arena, sizeof(const char *));
	add_owner(&v.memcgs, OWN);
	add_owner(&v.memcgs, TAKEN);
	object_memcgs_open(&v, &slabs, &m);
	ret = object_memcg_state(&m, &o);
	return ret;
}

static const struct stub_member of_memcg[] = {
	{ "struct mem_cgroup", "objcg", KINDED(KIND_POINTER, 8, 8) },
	{ "struct mem_cgroup", "orig_objcg", KINDED(KIND_POINTER, 16, 8) },
	{ "struct mem_cgroup", "nodeinfo", KINDED(KIND_ARRAY, 24, 0) },
	{ 0 },
};
/* 7.1 */
static const struct stub_member of_nodes[] = {
	{ "struct mem_cgroup", "nodeinfo", KINDED(KIND_ARRAY, 24, 0) },
	{ "struct mem_cgroup_per_node", "objcg", KINDED(KIND_POINTER, 0, 8) },
	{ "struct mem_cgroup_per_node", "orig_objcg", KINDED(KIND_POINTER, 8, 8) },
	{ 0 },
};

static void of_the_cgroup(void)
{
	vector[0] = OWN;
	vector[1] = TAKEN;
	vector[2] = 0;
	memcg[1] = OWN;
	CHECK(state_of(of_memcg, 0) == OBJCG_OWN);
	CHECK(state_of(of_memcg, 1) == OBJCG_TAKEN);
	CHECK(state_of(of_memcg, 2) == OBJCG_UNTRIED);
	/* It began with another one than it has now. */
	memcg[2] = TAKEN;
	CHECK(state_of(of_memcg, 1) == OBJCG_OWN);
	memcg[2] = 0;
}

static void of_its_nodes(void)
{
	memcg[3] = NODES;
	memcg[4] = NODES + 64;
	nodes[0] = TAKEN + 64;
	nodes[8] = OWN;
	CHECK(state_of(of_nodes, 0) == OBJCG_OWN);
	CHECK(state_of(of_nodes, 1) == OBJCG_TAKEN);
	/* One of them is not in this dump. */
	memcg[4] = NODES + 4096;
	CHECK(state_of(of_nodes, 1) == OBJCG_UNKNOWN);
}

/* None of both forms. */
static void unknown_layout(void)
{
	CHECK(state_of(of_nodes + 1, 0) == OBJCG_UNKNOWN);
}

TESTS({ "a cgroup has one", of_the_cgroup }, { "each node of it has one", of_its_nodes },
      { "a layout that is not known", unknown_layout })
