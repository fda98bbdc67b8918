// SPDX-License-Identifier: GPL-2.0-or-later
/* CPUs that are there, or online, of those that are possible. */
#include "kernel/percpu.h"
#include "stub.h"
#include "test.h"

static uint64_t present[2], possible[2], online[2], offsets[128];
static uint32_t ids, counted;
static const struct stub_memory memory[] = { { 0x1000, present, sizeof(present) },
					     { 0x2000, possible, sizeof(possible) },
					     { 0x3000, offsets, sizeof(offsets) },
					     { 0x4000, &ids, 4 },
					     { 0x5000, online, sizeof(online) },
					     { 0x6000, &counted, 4 },
					     { 0 } };
static const struct stub_symbol symbols[] = {
	{ "__cpu_present_mask", 0x1000, { 0 } },
	{ "__cpu_possible_mask", 0x2000, { 0 } },
	{ "__per_cpu_offset", 0x3000, KINDED(KIND_ARRAY, 0, 1024) },
	{ "nr_cpu_ids", 0x4000, FIELD(0, 4) },
	{ "__cpu_online_mask", 0x5000, { 0 } },
	{ "__num_online_cpus", 0x6000, FIELD(0, 4) },
	{ 0 },
};

static enum status read_present(const struct stub_symbol *of, unsigned int *ret)
{
	STUB(s, .memory = memory, .symbols = of);

	return cpus_in(&s.dump, CPUS_PRESENT, ret);
}

static void of_a_virtual_machine(void)
{
	unsigned int n = 0;

	ids = 128;
	possible[0] = possible[1] = UINT64_MAX;
	present[0] = 0xf;
	present[1] = 1;
	CHECK(read_present(symbols, &n) == ST_OK && n == 5);
	/* Bits behind the numbers of CPUs say nothing. */
	ids = 64;
	CHECK(read_present(symbols, &n) == ST_OK && n == 4);
	/* Without SMP there is no table. */
	CHECK(read_present(symbols + 6, &n) == ST_OK && n == 1);
}

static void with_maxcpus(void)
{
	STUB(s, .memory = memory, .symbols = symbols);
	unsigned int n = 0;

	ids = 64;
	possible[0] = present[0] = 0xf;
	online[0] = 5;
	counted = 2;
	CHECK(cpus_in(&s.dump, CPUS_ONLINE, &n) == ST_OK && n == 2);
	CHECK(cpus_in(&s.dump, CPUS_PRESENT, &n) == ST_OK && n == 4);
}

static void what_cannot_be(void)
{
	unsigned int n = 7;

	ids = 64;
	possible[0] = 3;
	present[0] = 0xf;
	CHECK(read_present(symbols, &n) == ST_CORRUPT && n == 7);
	present[0] = 0;
	CHECK(read_present(symbols, &n) == ST_CORRUPT && n == 7);
	/* One bit is of a number that no CPU has. */
	ids = 2;
	present[0] = 0x403;
	CHECK(read_present(symbols, &n) == ST_CORRUPT && n == 7);
	/* Symbols of data are not in this dump. */
	CHECK(read_present(symbols + 1, &n) != ST_OK && n == 7);
}

/* Since 5.4 the kernel counts those that are online beside the mask. */
static void not_as_counted(void)
{
	STUB(s, .memory = memory, .symbols = symbols);
	unsigned int n = 7;

	ids = 2;
	possible[0] = 3;
	online[0] = 1;
	counted = 2;
	CHECK(cpus_in(&s.dump, CPUS_ONLINE, &n) == ST_CORRUPT && n == 7);
}

TESTS({ "online, not as counted", not_as_counted },
      { "of a virtual machine", of_a_virtual_machine }, { "one is online", with_maxcpus },
      { "what cannot be", what_cannot_be })
