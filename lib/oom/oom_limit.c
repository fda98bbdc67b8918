// SPDX-License-Identifier: GPL-2.0-or-later
/* The limit of a cgroup that a report tells of. */
#include "oom/oom_report.h"

/* PAGE_COUNTER_MAX stands for no limit: LONG_MAX bytes, in whole pages of at most 64 KiB. */
#define NO_LIMIT_KIB ((uint64_t)INT64_MAX / 1024 - 64)

bool oom_limit_is_set(const struct oom_limit *l)
{
	return l->limit_kib.known && l->limit_kib.value < NO_LIMIT_KIB;
}

const struct oom_limit *oom_report_limit(const struct oom_report *r, const char **name)
{
	const struct {
		const char *name;
		const struct oom_limit *limit;
	} limits[] = {
		{ "memory", &r->memory },
		{ "memory+swap", &r->memsw },
		{ "kmem", &r->kmem },
	};
	const struct oom_limit *least = NULL;
	uint64_t least_room = 0;

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		const struct oom_limit *l = limits[i].limit;
		uint64_t usage = l->usage_kib.value, room;

		if (!l->usage_kib.known || !oom_limit_is_set(l))
			continue;
		room = l->limit_kib.value > usage ? l->limit_kib.value - usage : 0;
		if (least && room >= least_room)
			continue;
		least = l;
		least_room = room;
		*name = limits[i].name;
	}
	return least;
}
