// SPDX-License-Identifier: GPL-2.0-or-later
/* What of a cgroup no process maps: pages that were found, without those that are counted as mapped or in the swap cache. */
#include "memory/cgroups.h"
#include "stub.h"
#include "test.h"

#define MIB 256 /* pages */

static struct stub stub;
static struct owner_view view;
static struct memcg_counts counts, above;
static struct cgroup g;
static struct cgroups_view c;
static uint64_t count[CGROUP_STATS];
static bool known[CGROUP_STATS], counted[CGROUP_STATS];

static void found(uint64_t anon, uint64_t mapped)
{
	memset(&stub, 0, sizeof(stub));
	stub_open(&stub);
	memset(&c, 0, sizeof(c));
	memset(&g, 0, sizeof(g));
	memset(counted, 0, sizeof(counted));
	memset(known, 1, sizeof(known));
	view.dump = &stub.dump;
	view.page_shift = 12;
	counts = (struct memcg_counts){
		.path = "/encoder", .counts = count, .known = known, .parent = &above
	};
	g.counts = &counts;
	g.has_state = true;
	g.state.version = MEMCG_V2;
	g.state.has[MEMCG_SWAP_USAGE] = true;
	g.state.value[MEMCG_SWAP_USAGE] = 0;
	g.all.pages[MEMCG_PAGES_ANON] = anon;
	c.v = &view;
	c.tree.counted = counted;
	c.tree.complete = true;
	c.cgroups = &g;
	c.n = 1;
	counted[STAT_ANON] = true;
	count[STAT_ANON] = mapped;
}

static uint64_t unmapped(void)
{
	uint64_t bytes;

	return cgroup_unmapped(&c, &g, &bytes) ? bytes >> 20 : UINT64_MAX;
}

static void of_pins(void)
{
	found(196 * MIB, 2 * MIB);
	CHECK(unmapped() == 194);
	/* Deltas of CPUs. */
	found(2 * MIB, 3 * MIB);
	CHECK(!unmapped());
}

static void in_the_swap_cache(void)
{
	found(196 * MIB, 2 * MIB);
	counted[STAT_SWAPCACHED] = true;
	count[STAT_SWAPCACHED] = 100 * MIB;
	CHECK(unmapped() == 94);
}

static void unknown(void)
{
	/* How much of it is in the swap cache no counter says. */
	found(196 * MIB, 2 * MIB);
	g.state.value[MEMCG_SWAP_USAGE] = 10;
	CHECK(unmapped() == UINT64_MAX);
	c.no_swap = true;
	CHECK(unmapped() == 194);
	found(196 * MIB, 2 * MIB);
	known[STAT_ANON] = false;
	CHECK(unmapped() == UINT64_MAX);
	found(196 * MIB, 2 * MIB);
	c.charges.unreadable = 1;
	CHECK(unmapped() == UINT64_MAX);
}

TESTS({ "of pins", of_pins }, { "in the swap cache", in_the_swap_cache }, { "unknown", unknown })
