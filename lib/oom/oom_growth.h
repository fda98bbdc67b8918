/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who grew between the first and the last table of tasks of a log: tables that are whole, of reports of one kind, as a
 * table has the processes of whom memory ran out for alone (dump_tasks() in mm/oom_kill.c).
 */
#pragma once

#include "oom/oom_report.h"
#include "oom/oom_tasks.h"
#include "util/strbuf.h"

#define OOM_GROWN 3 /* that are told */

struct oom_grown {
	char comm[OOM_TASK_COMM + 1];
	int64_t tgid; /* 0: several processes of this name */
	bool is_new;  /* in the last table alone */
	/* Of the first table and the last one: pages as each process counts them. */
	uint64_t processes[2], rss[2], swap[2];
};

struct oom_growth {
	unsigned int n;
	struct oom_grown all[OOM_GROWN];      /* those that grew most first */
	const struct kernel_record *table[2]; /* their headers */
	char memcg[OOM_TEXT]; /* the cgroup that the tables are of; "": of the machine */
	bool has_swap;
};

/* n is 0 where there are no two such tables, or nothing in them grew. */
enum status oom_growth_read(struct dump *d, const struct kernel_log *log,
			    const struct oom_reports *reports, struct oom_growth *ret);

/* "reportd (812): rss 41.0M at 120.312345 s, 380.0M at 300.100200 s; ..."; has_times: the records have such. */
void oom_growth_text(const struct dump *d, const struct oom_growth *g, bool has_times,
		     struct strbuf *b);
