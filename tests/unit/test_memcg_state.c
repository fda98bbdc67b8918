// SPDX-License-Identifier: GPL-2.0-or-later
/* What reclaim granted of memory.min and memory.low: 0 where it has not computed that is unknown. */
#include "cgroup/memcg_state.h"
#include "test.h"

static struct memcg_state state_of(uint64_t usage, uint64_t min, uint64_t granted)
{
	struct memcg_state s = { 0 };

	s.has[MEMCG_USAGE] = s.has[MEMCG_MIN] = s.has[MEMCG_EFFECTIVE_MIN] = true;
	s.has[MEMCG_LOW_LIMIT] = s.has[MEMCG_EFFECTIVE_LOW] = true;
	s.value[MEMCG_USAGE] = usage;
	s.value[MEMCG_MIN] = min;
	s.value[MEMCG_EFFECTIVE_MIN] = granted;
	return s;
}

static void below_the_root(void)
{
	struct memcg_state slice = state_of(84224, 12288, 0);

	memcg_state_doubt_protection(&slice, NULL);
	CHECK(!slice.has[MEMCG_EFFECTIVE_MIN]);
	/* Nothing was asked for of memory.low. */
	CHECK(slice.has[MEMCG_EFFECTIVE_LOW]);
	slice.value[MEMCG_LOW_LIMIT] = 20480;
	memcg_state_doubt_protection(&slice, NULL);
	CHECK(!slice.has[MEMCG_EFFECTIVE_LOW]);
	slice = state_of(84224, 12288, 12288);
	memcg_state_doubt_protection(&slice, NULL);
	CHECK(slice.has[MEMCG_EFFECTIVE_MIN]);
	/* It has nothing that could be protected. */
	slice = state_of(0, 12288, 0);
	memcg_state_doubt_protection(&slice, NULL);
	CHECK(slice.has[MEMCG_EFFECTIVE_MIN]);
}

static void below_another(void)
{
	struct memcg_state parent = state_of(84224, 12288, 0), service = state_of(1356, 100, 0);

	/* What it may have rests on what is not known of the parent. */
	memcg_state_doubt_protection(&parent, NULL);
	memcg_state_doubt_protection(&service, &parent);
	CHECK(!service.has[MEMCG_EFFECTIVE_MIN]);
	/* A parent without any grants none. */
	parent = state_of(84224, 0, 0);
	service = state_of(1356, 100, 0);
	memcg_state_doubt_protection(&parent, NULL);
	memcg_state_doubt_protection(&service, &parent);
	CHECK(parent.has[MEMCG_EFFECTIVE_MIN] && service.has[MEMCG_EFFECTIVE_MIN]);
	parent = state_of(84224, 12288, 12288);
	memcg_state_doubt_protection(&service, &parent);
	CHECK(!service.has[MEMCG_EFFECTIVE_MIN]);
}

/* Of one counter that is of both the version tells. */
static void swap_of_a_version(void)
{
	static const enum memcg_version versions[] = { MEMCG_V1, MEMCG_V2, MEMCG_VERSION_UNKNOWN };

	for (unsigned int i = 0; i < 3; i++) {
		struct memcg_state s = { .version = versions[i] };

		s.has[MEMCG_SWAP_USAGE] = s.has[MEMCG_SWAP_MAX_LIMIT] = true;
		s.has[MEMCG_MEMSW_USAGE] = s.has[MEMCG_MEMSW_LIMIT] = s.has[MEMCG_USAGE] = true;
		s.has[MEMCG_UNDER_OOM] = s.has[MEMCG_OOM_KILL_DISABLE] = true;
		memcg_state_keep_version(&s, versions[i]);
		CHECK(s.has[MEMCG_UNDER_OOM] == !i && s.has[MEMCG_OOM_KILL_DISABLE] == !i);
		CHECK(s.has[MEMCG_SWAP_USAGE] == (i == 1) &&
		      s.has[MEMCG_SWAP_MAX_LIMIT] == (i == 1));
		CHECK(s.has[MEMCG_MEMSW_USAGE] == !i && s.has[MEMCG_MEMSW_LIMIT] == !i);
		CHECK(s.has[MEMCG_USAGE]);
	}
}

TESTS({ "swap of a version", swap_of_a_version }, { "below the root", below_the_root },
      { "below another", below_another })
