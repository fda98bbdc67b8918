// SPDX-License-Identifier: GPL-2.0-or-later
/* The report of the log on memory that ran out, in words. */
#include <stdio.h>
#include <string.h>

#include "summary.h"
#include "util/units.h"

const char *summary_task_text(const struct cell *pid, const struct cell *comm, char *buf,
			      size_t size)
{
	const char *name = cell_words(comm);

	if (pid->kind == CELL_NULL && !name)
		return "an unknown task";
	if (pid->kind == CELL_NULL)
		snprintf(buf, size, "%s", *name ? name : "a task without a name");
	else if (!name)
		snprintf(buf, size, "process %lld", (long long)pid->i);
	else
		snprintf(buf, size, "%s (%lld)", name, (long long)pid->i);
	return buf;
}

static void outcome_text(const struct cell *row, char *buf, size_t size)
{
	const char *outcome = cell_words(&row[COL_OUTCOME]);
	char task[64];

	summary_task_text(&row[COL_VICTIM_PID], &row[COL_VICTIM_COMM], task, sizeof(task));
	if (!outcome)
		snprintf(buf, size, "how it ended is unknown");
	else if (!strcmp(outcome, "killed"))
		snprintf(buf, size, "killed %s", task);
	else if (!strcmp(outcome, "exiting"))
		snprintf(buf, size, "chose %s, which was exiting already", task);
	else if (!strcmp(outcome, "no_victim"))
		snprintf(buf, size, "no process could be killed");
	else
		snprintf(buf, size, "the kernel panicked");
}

/* "10.774437 s, 12ms before the panic" */
static size_t time_text(const struct dump_info *info, uint64_t ts_ns, char *buf, size_t size)
{
	char age[AGE_TEXT];
	bool has_age = age_text(info, ts_ns, age);

	return snprintf(buf, size, "%llu.%06llu s%s%s", (unsigned long long)(ts_ns / 1000000000),
			(unsigned long long)(ts_ns % 1000000000 / 1000), has_age ? ", " : "",
			has_age ? age : "");
}

bool summary_oom_text(const struct cell *row, const struct dump_info *info, char *buf, size_t size)
{
	const char *mems = cell_words(&row[COL_MEMS_ALLOWED]);
	char task[64], outcome[128];
	bool is_oom;
	size_t n;

	is_oom = !strcmp(cell_words(&row[COL_NAME]), "oom");
	n = time_text(info, row[COL_TS].u, buf, size);
	n += snprintf(buf + n, size - n, ": %s",
		      summary_task_text(&row[COL_PID], &row[COL_COMM], task, sizeof(task)));
	n += snprintf(buf + n, size - n, is_oom ? " invoked the OOM killer" : " got no memory");
	if (row[COL_ORDER].kind != CELL_NULL)
		n += snprintf(buf + n, size - n, ", order %lld", (long long)row[COL_ORDER].i);
	if (cell_words(&row[COL_GFP]))
		n += snprintf(buf + n, size - n, ", %s", cell_words(&row[COL_GFP]));
	if (cell_words(&row[COL_MEMCG]))
		n += snprintf(buf + n, size - n, ", cgroup %s", cell_words(&row[COL_MEMCG]));
	if (is_oom) {
		outcome_text(row, outcome, sizeof(outcome));
		/* With panic_on_oom=2 the kernel prints no constraint: the nodes may tell it. */
		if (cell_words(&row[COL_CONSTRAINT]))
			n += snprintf(buf + n, size - n, "; %s", cell_words(&row[COL_CONSTRAINT]));
		else
			n += snprintf(buf + n, size - n, "; constraint unknown%s%s",
				      mems ? ", mems_allowed " : "", mems ? mems : "");
		snprintf(buf + n, size - n, "; %s", outcome);
	}
	return is_oom;
}
