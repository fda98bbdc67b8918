// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of memory cgroups against the pages that were found: of another layout they are unknown. */
#include "memory/cgroups.h"
#include "stub.h"
#include "test.h"

#define MIB 256 /* pages */

static struct stub stub;
static struct owner_view view;
static struct memcg_counts counts;
static struct cgroup top;
static struct cgroups_view c;
static uint64_t count[CGROUP_STATS];
static bool known[CGROUP_STATS], counted[CGROUP_STATS];

/* The root of v2, of which anonymous pages and pages of files were found. */
static void found(uint64_t anon, uint64_t file, uint64_t shmem)
{
	memset(&stub, 0, sizeof(stub));
	stub_open(&stub);
	memset(&c, 0, sizeof(c));
	memset(&top, 0, sizeof(top));
	memset(count, 0, sizeof(count));
	memset(counted, 0, sizeof(counted));
	memset(known, 1, sizeof(known));
	view.dump = &stub.dump;
	view.page_shift = 12;
	counts = (struct memcg_counts){ .path = "/", .counts = count, .known = known };
	top.counts = &counts;
	top.all.pages[MEMCG_PAGES_ANON] = anon;
	top.all.pages[MEMCG_PAGES_FILE] = file;
	top.all.pages[MEMCG_PAGES_SHMEM] = shmem;
	c.v = &view;
	c.tree.counted = counted;
	c.tree.complete = true;
	c.cgroups = &top;
	c.n = 1;
	counted[STAT_ANON] = counted[STAT_FILE] = counted[STAT_SHMEM] = true;
	count[STAT_ANON] = anon;
	count[STAT_FILE] = file + shmem;
	count[STAT_SHMEM] = shmem;
}

static bool has(enum cgroup_stat stat)
{
	uint64_t bytes;

	return cgroup_stat_bytes(&c, &top, stat, &bytes);
}

static void as_counted(void)
{
	found(100 * MIB, 50 * MIB, 10 * MIB);
	/* Of 5.10, what is in the swap cache is page cache too. */
	count[STAT_FILE] += 90 * MIB;
	/* And what CPUs are about to count. */
	count[STAT_SHMEM] += 2 * MIB;
	cgroups_doubt(&c);
	CHECK(!c.doubts && has(STAT_ANON) && has(STAT_FILE) && has(STAT_SHMEM));
}

/* 5.2 to 5.7 have room for NR_ANON_MAPPED and NR_FILE_PAGES, and never count them. */
static void counters_of_another_release(void)
{
	found(100 * MIB, 50 * MIB, 10 * MIB);
	count[STAT_FILE] = 0;
	cgroups_doubt(&c);
	CHECK(has(STAT_ANON) && !has(STAT_FILE) && has(STAT_SHMEM));
	CHECK_TEXT(c.doubts, "file of all cgroups would be 0B, but pages of 60.0M are charged");
}

static void garbage(void)
{
	found(100 * MIB, 50 * MIB, 10 * MIB);
	count[STAT_SHMEM] = 343000 * MIB;
	cgroups_doubt(&c);
	CHECK(has(STAT_ANON) && has(STAT_FILE) && !has(STAT_SHMEM));
	CHECK_TEXT(c.doubts,
		   "shmem of all cgroups would be 335.0G, but pages of 10.0M are charged");
}

/* Nothing is in the swap cache. */
#define SPACES 0xffffffff82000000ULL
#define COUNTS 0xffffffff82001000ULL

static uint64_t spaces[1];
static uint32_t counts_of_spaces[1];
static const struct stub_memory memory[] = { { SPACES, spaces, sizeof(spaces) },
					     { COUNTS, counts_of_spaces, sizeof(counts_of_spaces) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "swapper_spaces", SPACES, FIELD(0, 8) },
					      { "nr_swapper_spaces", COUNTS, FIELD(0, 4) },
					      { 0 } };
static const struct stub_member members[] = { { "struct address_space", "nrpages", FIELD(8, 8) },
					      { 0 } };
static const struct stub_number sizes[] = { { "struct address_space", 64 }, { 0 } };

/* Pages that no process maps any more stay charged, as those of an AF_XDP UMEM: the counter of the machine lacks them, too. */
static void unmapped(void)
{
	for (int is_known = 0; is_known < 2; is_known++) {
		found(100 * MIB, 50 * MIB, 10 * MIB);
		stub.memory = memory;
		stub.symbols = symbols;
		stub.members = members;
		stub.sizes = sizes;
		count[STAT_ANON] = 2 * MIB;
		c.mapped_anon = (struct maybe_u64){ 3 * MIB, is_known };
		cgroups_doubt(&c);
		CHECK(has(STAT_ANON) == is_known);
		stub_close(&stub);
	}
}

/* Pages that were not all looked at contradict nothing. */
static void pages_unknown(void)
{
	found(100 * MIB, 50 * MIB, 10 * MIB);
	count[STAT_FILE] = 0;
	c.charges.unknown = 1;
	cgroups_doubt(&c);
	CHECK(!c.doubts && has(STAT_FILE));
}

/* Up to 5.1 LRU lists are not counted for a memory cgroup. */
static void lists(void)
{
	static const enum cgroup_stat all[] = { STAT_INACTIVE_ANON, STAT_ACTIVE_ANON,
						STAT_INACTIVE_FILE, STAT_ACTIVE_FILE,
						STAT_UNEVICTABLE };

	for (unsigned int pages = 0; pages < 2; pages++) {
		found(100 * MIB, 50 * MIB, 10 * MIB);
		for (size_t i = 0; i < 5; i++)
			counted[all[i]] = true;
		count[STAT_ACTIVE_FILE] = pages;
		cgroups_doubt(&c);
		for (size_t i = 0; i < 5; i++)
			CHECK(counted[all[i]] == pages);
		stub_close(&stub);
	}
}

/* The kernel of v1 counts what goes into the swap cache, and not what leaves it. */
static void swap_cache(void)
{
	static const struct {
		enum memcg_version version;
		bool has_state, answers;
	} cases[] = { { MEMCG_V2, true, true },
		      { MEMCG_V1, true, false },
		      { MEMCG_VERSION_UNKNOWN, true, false },
		      { MEMCG_V2, false, false } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t bytes = 0;

		found(100 * MIB, 50 * MIB, 10 * MIB);
		counted[STAT_SWAPCACHED] = true;
		count[STAT_SWAPCACHED] = 3 * MIB;
		top.state.version = cases[i].version;
		top.has_state = cases[i].has_state;
		CHECK(cgroup_stat_bytes(&c, &top, STAT_SWAPCACHED, &bytes) == cases[i].answers);
		CHECK(bytes == (cases[i].answers ? 3 << 20 : 0));
		/* Other counters hang on neither. */
		CHECK(has(STAT_ANON));
		stub_close(&stub);
	}
}

TESTS({ "counters that the pages confirm", as_counted },
      { "counters that are never counted", counters_of_another_release },
      { "a counter beyond what was found", garbage },
      { "anonymous pages that are not mapped", unmapped },
      { "pages that are unknown contradict nothing", pages_unknown }, { "LRU lists", lists },
      { "the swap cache, of cgroups v2 alone", swap_cache })
