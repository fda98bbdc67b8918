// SPDX-License-Identifier: GPL-2.0-or-later
/* How processes are related among each other: a chain, a tree, strangers, a circle. */
#include "tasks/family.h"
#include "stub.h"
#include "test.h"

#define N 5

static void find(struct family_member all[N])
{
	struct arena arena = { 0 };

	family_find(&arena, all, N);
	arena_reset(&arena);
}

static void chain(void)
{
	/* In no order. */
	struct family_member all[N] = { { 30, 20 }, { 10, 1 }, { 50, 40 }, { 20, 10 }, { 40, 30 } };
	static const uint32_t depth[N] = { 3, 1, 5, 2, 4 };

	find(all);
	for (unsigned int i = 0; i < N; i++)
		CHECK(all[i].depth == depth[i] && all[i].first == 1);
}

static void tree_and_strangers(void)
{
	/* Two children of one and a grandchild; one of another, whose parent is unknown. */
	struct family_member all[N] = { { 10, 1 }, { 20, 10 }, { 30, 10 }, { 40, 30 }, { 50, 0 } };

	find(all);
	CHECK(all[0].depth == 1 && all[1].depth == 2 && all[2].depth == 2 && all[3].depth == 3);
	CHECK(all[3].first == 0 && all[4].depth == 1 && all[4].first == 4);
}

/* Of a damaged dump. */
static void circle(void)
{
	struct family_member all[N] = {
		{ 10, 30 }, { 20, 10 }, { 30, 20 }, { 40, 40 }, { 50, 40 }
	};

	find(all);
	for (unsigned int i = 0; i < N; i++)
		CHECK(all[i].depth >= 1 && all[i].depth <= N && all[i].first < N);
	CHECK(all[3].depth == 1 && all[4].depth == 2 && all[4].first == 3);
}

static void put(struct hash_u64 *all, int32_t tgid, int32_t parent, const char *comm)
{
	struct family_process *p = hash_u64_get(all, (uint32_t)tgid, NULL);

	p->parent = parent;
	snprintf(p->comm, sizeof(p->comm), "%s", comm);
}

/* ninja starts a cc for each file, and that a cc1plus. */
static void an_ancestor(void)
{
	static const int32_t parents[] = { 10, 11, 12, 90 };
	struct family_ancestor of;
	struct hash_u64 all;
	STUB(s, 0);

	hash_u64_init(&all, s.dump.arena, sizeof(struct family_process));
	put(&all, 1, 0, "systemd");
	put(&all, 4, 1, "sh");
	put(&all, 5, 4, "ninja");
	for (int32_t i = 10; i < 13; i++)
		put(&all, i, 5, "cc");
	put(&all, 90, 1, "cc");
	CHECK(family_ancestor(s.dump.arena, &all, parents, 3, &of) && of.tgid == 5 &&
	      of.members == 3);
	CHECK_TEXT(of.comm, "ninja");
	CHECK(family_ancestor(s.dump.arena, &all, parents, 4, &of) && of.tgid == 5 &&
	      of.members == 3);
	/* The first process alone, and a circle of a damaged dump. */
	CHECK(!family_ancestor(s.dump.arena, &all, parents + 2, 2, &of));
	put(&all, 5, 4, "ninja");
	put(&all, 4, 5, "sh");
	CHECK(family_ancestor(s.dump.arena, &all, parents, 3, &of) && of.members >= 3);
}

TESTS({ "an ancestor that all have", an_ancestor }, { "a chain", chain },
      { "a tree, and strangers", tree_and_strangers }, { "a circle", circle })
