// SPDX-License-Identifier: GPL-2.0-or-later
/* The first problem of a walk that goes on; the node of a CPU. */
#include "dump/dump.h"
#include "kernel/percpu.h"
#include "stub.h"
#include "test.h"

static void first_of_two(void)
{
	struct first_problem p = { 0 };
	STUB(s);
	struct dump *d = &s.dump;

	CHECK(first_problem_keep(d, &p, ST_OK) == ST_OK && first_problem_end(d, &p) == ST_OK);
	/* What ends the walk is no problem of a part. */
	CHECK(first_problem_keep(d, &p, ST_STOPPED) == ST_STOPPED);
	CHECK(first_problem_end(d, &p) == ST_OK);
	CHECK(first_problem_keep(d, &p, dump_fail(d, ST_UNREADABLE, "page %d", 1)) == ST_OK);
	CHECK(first_problem_keep(d, &p, dump_fail(d, ST_CORRUPT, "page %d", 2)) == ST_OK);
	CHECK(first_problem_keep(d, &p, ST_OK) == ST_OK);
	CHECK(first_problem_end(d, &p) == ST_UNREADABLE);
	CHECK_TEXT(d->error, "page 1");
}

static uint64_t offsets[3] = { 0, 0x1000, 0x2000 };
static const unsigned long possible[1] = { 5 }; /* CPUs 0 and 2 */
static const uint32_t nodes[2] = { 4, 6 };

static void node_of_a_cpu(void)
{
	static const struct stub_memory memory[] = { { 0x5000, offsets, sizeof(offsets) },
						     { 0x5100, possible, sizeof(possible) },
						     { 0x10000, &nodes[0], 4 },
						     { 0x12000, &nodes[1], 4 },
						     { 0 } };
	static const struct stub_symbol symbols[] = {
		{ "__per_cpu_offset", 0x5000, KINDED(KIND_ARRAY, 0, 24) },
		{ "__cpu_possible_mask", 0x5100, FIELD(0, 8) },
		{ "numa_node", 0x10000, FIELD(0, 4) },
		{ 0 }
	};
	STUB(s, .memory = memory, .symbols = symbols);
	unsigned int node = 99;

	CHECK(cpu_node_read(&s.dump, 1, &node) == ST_ABSENT && node == 99);
	CHECK(cpu_node_read(&s.dump, 2, &node) == ST_OK && node == 6);
	CHECK(cpu_node_read(&s.dump, 0, &node) == ST_OK && node == 4);
}

TESTS({ "the first of two problems, and no other status", first_of_two },
      { "the node of a CPU", node_of_a_cpu })
