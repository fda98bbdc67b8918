// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose pressure is told: of a cgroup, or of the machine. */
#include "collect/pressure.h"
#include "test.h"

#define MIN 1000
#define KIND_FULL 1 /* of psi_kinds: memory, full */

static struct pressure_line lines[3];
static const struct pressure all = { .lines = lines, .n = 3 };

/* In hundredths of a percent, of the machine and of two cgroups. */
static void set(uint64_t machine, uint64_t first, uint64_t second)
{
	const uint64_t avg[] = { machine, first, second };

	for (unsigned int i = 0; i < 3; i++)
		lines[i] = (struct pressure_line){ .is_system = !i,
						   .kind = KIND_FULL,
						   .has_age = true,
						   .has_now = true,
						   .now.avg[0] = avg[i],
						   .recorded.avg[0] = avg[i] };
}

static void of_a_cgroup(void)
{
	set(1200, 900, 3000);
	CHECK(pressure_most(&all, MIN, true, false) == &lines[2]);
	/* Not all of what the machine waited is a cgroup's. */
	set(5338, 900, 3000);
	CHECK(pressure_most(&all, MIN, true, false) == &lines[0]);
	CHECK(pressure_most(&all, MIN, false, false) == &lines[2]);
	set(900, 900, 999);
	CHECK(!pressure_most(&all, MIN, true, true));
}

static void of_the_machine(void)
{
	/* kcompactd alone, or kswapd where memory is short. */
	set(5338, 931, 85);
	CHECK(!pressure_most(&all, MIN, true, false));
	CHECK(pressure_most(&all, MIN, true, true) == &lines[0]);
	CHECK(!pressure_most(&all, MIN, false, true));
	/* No cgroup has lines. */
	lines[1].kind = lines[2].kind = 0;
	CHECK(pressure_most(&all, MIN, true, false) == &lines[0]);
	lines[0].has_age = false;
	CHECK(!pressure_most(&all, MIN, true, true));
}

/* What is of long before the end is told as it was recorded, wherever it is told. */
static void as_recorded(void)
{
	set(0, 0, 0);
	lines[0].now.avg[1] = 2;
	lines[0].recorded.avg[1] = 87;
	lines[0].age_ns = 2000000000;
	CHECK(pressure_told(&lines[0])->avg[1] == 2);
	lines[0].age_ns = 3800000000ULL * 60;
	CHECK(pressure_told(&lines[0])->avg[1] == 87);
	lines[0].has_now = false;
	CHECK(pressure_told(&lines[0])->avg[1] == 87);
}

TESTS({ "as recorded", as_recorded }, { "of a cgroup", of_a_cgroup },
      { "of the machine", of_the_machine })
