// SPDX-License-Identifier: GPL-2.0-or-later
/* The memory of a process: what CPUs have to add to its counters is missing where their pages are zeros. */
#include "tasks/mm_struct.h"
#include "stub.h"
#include "test.h"

#define COUNTERS 0x100000ULL
#define PAGE 4096

enum { FILE_PAGES, ANON, SWAP, SHMEM, KINDS };

/* struct percpu_counter: count, counters. */
static uint64_t rss[KINDS][2];
static int32_t parts[2][PAGE / 4]; /* a page of each CPU */

static enum status read_counts(struct mm_counts *exact, struct mm_counts *read)
{
	static uint64_t offsets[] = { 0, PAGE };
	const struct stub_memory memory[] = { { COUNTERS, parts, sizeof(parts) }, { 0 } };
	STUB(s, .memory = memory);
	const struct mm_counters c = {
		.dump = &s.dump,
		.rss = KINDED(KIND_ARRAY, 0, sizeof(rss)),
		.is_percpu = true,
		.stride = sizeof(rss[0]),
		.count = FIELD(0, 8),
		.counters = FIELD(8, 8),
		.file = FILE_PAGES,
		.anon = ANON,
		.swap = SWAP,
		.shmem = SHMEM,
		.cpus = { .n = 2, .offset = offsets },
	};

	s.dump.page_shift = 12;
	return mm_counters_read(&c, rss, NULL, exact, read);
}

static void parts_of_cpus(void)
{
	struct mm_counts exact = { 0 }, read = { 0 };

	for (int i = 0; i < KINDS; i++) {
		rss[i][0] = 0;
		rss[i][1] = COUNTERS + 64 + (uint64_t)i * 4;
	}
	rss[FILE_PAGES][0] = 10;
	parts[0][16 + FILE_PAGES] = -8;
	CHECK(read_counts(&exact, &read) == ST_OK && exact.file == 2 && read.file == 10);
	/* The page of one CPU may be zeros: others have it. */
	parts[0][16 + FILE_PAGES] = 0;
	parts[1][16 + ANON] = 3;
	CHECK(read_counts(&exact, &read) == ST_OK && exact.file == 10 && exact.anon == 3);
	/* Counters of others are there: these have nothing to add. */
	parts[1][16 + ANON] = 0;
	parts[1][512] = 7;
	CHECK(read_counts(&exact, &read) == ST_OK && exact.file == 10 && !exact.anon);
	parts[1][512] = 0;
	CHECK(read_counts(&exact, &read) == ST_CORRUPT && read.file == 10);
}

TESTS({ "what CPUs have to add", parts_of_cpus })
