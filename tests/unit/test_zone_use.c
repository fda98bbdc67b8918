// SPDX-License-Identifier: GPL-2.0-or-later
/* What of a row of users lies in the zones that ran out. */
#include "memowner/claim_kinds.h"
#include "memowner/summary.h"
#include "memowner/zone_use.h"
#include "test.h"

static struct arena arena;
static struct zone_use use;

static void begin(void)
{
	use = (struct zone_use){ .known = true };
	hash_u64_init(&use.processes, &arena, sizeof(struct zone_part));
	hash_bytes_init(&use.names, &arena, sizeof(struct zone_part));
	hash_u64_init(&use.files, &arena, sizeof(struct zone_part));
	hash_bytes_init(&use.cgroups, &arena, sizeof(struct zone_use_of));
}

static void cgroup(const char *path, uint64_t here, uint64_t all)
{
	struct zone_use_of *of = hash_bytes_get(&use.cgroups, path, strlen(path) + 1, NULL)->value;

	*of = (struct zone_use_of){ .anon = { here, all }, .files = { all - here, all } };
}

static bool is(struct zone_part of, uint64_t here, uint64_t all)
{
	return of.here == here && of.all == all;
}

static void of_processes(void)
{
	const struct statement process = { .section = SECTION_GROUP, .pid = { 126, true } };
	const struct statement other = { .section = SECTION_GROUP, .pid = { 113, true } };

	const struct statement several = { .section = SECTION_GROUP,
					   .comm = "shard",
					   .processes = { 14, true } };

	begin();
	cgroup("", 30, 100);
	cgroup("/db", 0, 50);
	*(struct zone_part *)hash_u64_get(&use.processes, 126, NULL) = (struct zone_part){ 13000,
											   13010 };
	CHECK(is(zone_use_find(&use, &process, "/", OF(ANON)), 13000, 13010));
	/* Of others those of the cgroup: the root has what is charged to none. */
	CHECK(is(zone_use_find(&use, &other, "/", OF(ANON)), 30, 100));
	CHECK(is(zone_use_find(&use, &other, "/db", OF(ANON)), 0, 50));
	CHECK(is(zone_use_find(&use, &other, "/db", OF(SHMEM)), 50, 50));
	/* Several of one name: their own pages, not those of all without a cgroup. */
	CHECK(is(zone_use_find(&use, &several, "/", OF(ANON)), 0, 0));
	*(struct zone_part *)hash_bytes_get(&use.names, "shard", sizeof("shard"), NULL)->value =
		(struct zone_part){ 70, 70 };
	CHECK(is(zone_use_find(&use, &several, "/", OF(ANON)), 70, 70));
	arena_reset(&arena);
}

static void of_classes(void)
{
	begin();
	use.classes[CLASS_HUGETLB] = (struct zone_part){ 16384, 32768 };
	use.classes[CLASS_SLAB] = (struct zone_part){ 200, 200 };
	use.classes[CLASS_DIRECT] = (struct zone_part){ 50, 100 };
	use.classes[CLASS_VMALLOC] = (struct zone_part){ 0, 70 };
	CHECK(is(zone_use_find(&use, NULL, NULL, OF(HUGETLB)), 16384, 32768));
	CHECK(is(zone_use_find(&use, NULL, NULL, OF(SLAB)), 200, 200));
	CHECK(is(zone_use_find(&use, NULL, NULL, OF(VMALLOC)), 0, 70));
	/* In both, and all that a cgroup is charged: unknown. */
	CHECK(is(zone_use_find(&use, NULL, NULL, OF(SLAB) | OF(DIRECT)), 0, 0));
	CHECK(is(zone_use_find(&use, NULL, "/none", CLAIM_CGROUP), 0, 0));
	arena_reset(&arena);
}

/* Of a file system what was counted, and not what its cgroup has in all. */
static void of_files(void)
{
	const struct statement mount = { .section = SECTION_HOLDER, .by = "tmpfs", .inode = 0x40 };
	const struct statement other = { .section = SECTION_HOLDER, .by = "tmpfs", .inode = 0x80 };

	begin();
	cgroup("/db", 0, 50);
	*(struct zone_part *)hash_u64_get(&use.files, 0x40, NULL) = (struct zone_part){ 19533,
											19540 };
	CHECK(is(zone_use_find(&use, &mount, "/db", OF(SHMEM)), 19533, 19540));
	CHECK(is(zone_use_find(&use, &other, "/db", OF(SHMEM)), 50, 50));
	arena_reset(&arena);
}

static void elsewhere(void)
{
	struct statement other = { .section = SECTION_GROUP, .pid = { 9, true }, .comm = "c" };
	struct statement there = {
		.section = SECTION_GROUP, .pid = { 8, true }, .comm = "b", .next = &other
	};
	struct statement away = {
		.section = SECTION_GROUP, .pid = { 7, true }, .comm = "a", .next = &there
	};

	begin();
	*(struct zone_part *)hash_u64_get(&use.processes, 7, NULL) = (struct zone_part){ 9, 100 };
	*(struct zone_part *)hash_u64_get(&use.processes, 8, NULL) = (struct zone_part){ 10, 100 };
	zone_use_mark(&use, &away);
	/* Of the last it is not known where it is. */
	CHECK(away.is_elsewhere && !there.is_elsewhere && !other.is_elsewhere);
}

TESTS({ "elsewhere", elsewhere }, { "files", of_files },
      { "processes, and cgroups where they were not looked up", of_processes },
      { "classes that are all there, or all elsewhere", of_classes })
