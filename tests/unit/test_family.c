// SPDX-License-Identifier: GPL-2.0-or-later
/* How processes are related among each other: a chain, a tree, strangers, a circle. */
#include "tasks/family.h"
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

TESTS({ "a chain", chain }, { "a tree, and strangers", tree_and_strangers }, { "a circle", circle })
