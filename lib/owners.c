// SPDX-License-Identifier: GPL-2.0-or-later
#include "owners.h"

/* local_clock() is not slewed as CLOCK_MONOTONIC is: by 500 ppm at most (MAXFREQ, timex.h). */
#define DRIFT_SHARE 2000
#define DRIFT_NS 1000000000ULL

enum status tasks_owners_open(struct dump *d, struct owners *ret)
{
	enum status st = task_index_open(d, &ret->tasks);

	if (st != DUMP_OK)
		return st;
	ret->problem = ret->tasks.process_problem;
	ret->complete = !ret->problem;
	dump_note(d, "decide %zu processes%s", ret->tasks.processes,
		  ret->complete ? "" : ", not all");
	return DUMP_OK;
}

enum owner_life owners_find(const struct owners *o, int32_t tgid, uint64_t ts_ns)
{
	const struct task_name *leader = task_index_get(&o->tasks, tgid);
	uint64_t start = leader ? leader->start_ns : 0;

	if (!tgid)
		return OWNER_LIVE;
	if (!leader || leader->tgid != tgid)
		return o->complete ? OWNER_DEAD : OWNER_UNKNOWN;
	if (!ts_ns)
		return OWNER_UNKNOWN;
	/* A margin that a start inside of it cannot be told from: the same process. */
	return start > ts_ns && start - ts_ns > ts_ns / DRIFT_SHARE + DRIFT_NS ? OWNER_DEAD
									       : OWNER_LIVE;
}

const char *owner_life_name(enum owner_life life)
{
	static const char *const names[] = { [OWNER_LIVE] = "live", [OWNER_DEAD] = "dead" };

	return life < sizeof(names) / sizeof(names[0]) ? names[life] : NULL;
}
