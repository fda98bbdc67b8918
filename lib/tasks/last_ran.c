// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/last_ran.h"

#include "dump/layout.h"

static const struct layout_row rows[LAST_RAN_FIELDS] = {
	[RAN_BLOCK_START] = FIELD_ROW("struct task_struct", OPTIONAL, "all, CONFIG_SCHEDSTATS",
				      "stats.block_start", "se.statistics.block_start"),
	[RAN_SLEEP_START] = FIELD_ROW("struct task_struct", OPTIONAL, "all, CONFIG_SCHEDSTATS",
				      "stats.sleep_start", "se.statistics.sleep_start"),
	[RAN_EXEC_START] = FIELD_ROW("struct task_struct", OPTIONAL, "all", "se.exec_start"),
	[RAN_LAST_ARRIVAL] = FIELD_ROW("struct task_struct", OPTIONAL, "CONFIG_SCHED_INFO",
				       "sched_info.last_arrival"),
};

const char *const last_ran_names[] = { "block_start", "sleep_start", "exec_start", "last_arrival",
				       NULL };

enum status last_ran_open(struct dump *d, struct last_ran *ret)
{
	ret->dump = d;
	return layout_resolve(d, rows, LAST_RAN_FIELDS, ret->f);
}

enum status last_ran_get(const struct last_ran *l, uint64_t task, uint64_t *ns,
			 enum last_ran_field *source)
{
	uint64_t newest = 0;
	enum last_ran_field of = LAST_RAN_FIELDS;

	for (unsigned int i = 0; i < LAST_RAN_FIELDS; i++) {
		uint64_t v;
		enum status st;

		if (!l->f[i].present || l->f[i].size != 8)
			continue;
		st = dump_u64(l->dump, task + l->f[i].offset, &v, "task_struct");
		if (st != ST_OK)
			return st;
		if (v <= newest)
			continue;
		newest = v;
		of = i;
	}
	if (!newest)
		return dump_fail(l->dump, ST_ABSENT, "no time of the task's last run");
	*ns = newest;
	*source = of;
	return ST_OK;
}
