// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory cgroups: the tree, counters, limits, and what is charged to each. */
#include "fuzz.h"
#include "cgroup/memcg_charges.h"
#include "cgroup/memcg_counts.h"
#include "cgroup/memcg_state.h"

static const struct memcg_counter kinds[] = {
	{ { "NR_ANON_MAPPED" }, MEMCG_ALWAYS, MEMCG_PAGES },
	{ { "MEMCG_KMEM" }, MEMCG_ALWAYS, MEMCG_PAGES },
	{ { "PGFAULT" }, MEMCG_IN_TABLE, MEMCG_TIMES },
};

static void use_tree(struct dump *d, struct memcg_charges *charges, uint32_t seed)
{
	struct memcg_states states;
	struct memcg_state state;
	struct memcg_tree tree;
	unsigned int n = 0;

	if (memcg_counts_read(d, kinds, sizeof(kinds) / sizeof(kinds[0]), seed, &tree) != ST_OK ||
	    memcg_states_open(d, &states) != ST_OK)
		return;
	for (const struct memcg_counts *c = tree.first; c; c = c->next) {
		if (c->parent ? c->depth != c->parent->depth + 1 : c != tree.first)
			__builtin_trap();
		if (memcg_state_read(&states, c->address, &state) == ST_OK && state.has_refs &&
		    state.refs >> 62)
			__builtin_trap();
		memcg_charges_of(charges, c->address);
		if (++n > 1000000)
			__builtin_trap();
	}
}

void fuzz_memcgs(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	static struct memcgs memcgs;
	static struct memcg_charges charges;
	static struct slabs slabs;
	static struct memmap memmap;
	static struct page_types types;
	struct page_info info;
	bool has_slabs;

	if (memcgs_open(d, &memcgs) != ST_OK || memmap_open(d, &memmap) != ST_OK ||
	    page_types_open(d, &memmap, &types) != ST_OK)
		return;
	has_slabs = slabs_open(d, &memmap, &slabs) == ST_OK;
	if (memcg_charges_open(d, &memcgs, has_slabs ? &slabs : NULL, &charges) != ST_OK)
		return;
	for (uint64_t pfn = seed & 0xffff; pfn < (seed & 0xffff) + 64; pfn++) {
		enum status st = page_type_at(&types, pfn, &info);

		if (st != ST_ABSENT &&
		    memcg_charges_add(&charges, pfn, st == ST_OK ? &info : NULL) != ST_OK)
			return;
	}
	if (memcg_charges_end(&charges) == ST_OK)
		use_tree(d, &charges, seed);
}
