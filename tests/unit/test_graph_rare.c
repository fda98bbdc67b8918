// SPDX-License-Identifier: GPL-2.0-or-later
/* Words that few entries of a list have: what was left there, and what is an entry's own. */
#include "graph_words.h"

/* Entries of one list have their pointers at one place: what one alone has elsewhere was left there. */
static void test_rare(void)
{
	for (unsigned int n = 63; n <= 64; n++) {
		open_graph();
		list(MODULE, 32, others, n);
		for (unsigned int i = 0; i < n && i < 30; i++)
			word(others + i, 64, pages + i, PLACE_PAGE);
		/* The same member leads to memory of another kind once. */
		word(others + 50, 64, objects + 2, 0);
		word(others + 40, 96, objects, 0);
		word(others + 41, 104, objects + 1, 0);
		word(KERNEL, 64, objects + 1, 0);
		CHECK(find() == ST_OK && arcs.rare == (n == 64 ? 2 : 0));
		CHECK(owned(pages, 30, 1) == 30 && kept.owners[objects + 2] == 1);
		CHECK(kept.owners[objects] == (n == 64 ? OWNER_NOBODY : 1));
		CHECK(kept.owners[objects + 1] == (n == 64 ? 0 : OWNER_SHARED));
		CHECK(ends[objects + 1].names[0] == 0 && ends[objects + 1].names[1] == 1);
	}
}

/* Devices of many caches are in one list: what one of a module has is its own, of one cache it was left there. */
static void test_mixed(void)
{
	static struct module module = { .name = "leaky" };

	for (unsigned int i = 0; i < 3; i++) {
		const uint32_t first = i < 2 ? others - 16 : others;
		const bool is_own = i == 1;

		open_graph();
		g.modules.first = &module;
		if (i)
			g.tags[others + 5] = 1;
		list(KERNEL, 32, first, others + 64 - first);
		word(others + 5, 96, pages, 0);
		word(others + 6, 104, pages + 1, 0);
		CHECK(find() == ST_OK && arcs.lists.n == 1 && arcs.rare == (is_own ? 1 : 2));
		CHECK(kept.owners[pages] == (is_own ? 1 : OWNER_NOBODY));
		CHECK(kept.owners[pages + 1] == OWNER_NOBODY);
	}
}

TESTS({ "what few entries of a list have", test_rare }, { "lists of devices", test_mixed })
