/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages that oom_score_adj is a share of: oom_control.totalpages, which constrained_alloc() of
 * mm/oom_kill.c sets, of 5.10 to 7.3.
 */
#pragma once

#include "oom/oom_report.h"

struct oom_total {
	uint64_t pages;
	const char *of; /* "RAM and swap", "nodes 0-1 and swap", "the limits of /web" */
};

/*
 * report: the newest one of the OOM killer; NULL: none, then it is that of RAM and swap, as in
 * /proc/PID/oom_score.  ST_ABSENT, ST_UNREADABLE: the report or the dump does not have it.
 */
enum status oom_total_read(struct dump *d, const struct oom_report *report, struct oom_total *ret);

/* Bytes of memory at a report, by its Mem-Info block; unknown where it has none, or the size of a page is. */

struct maybe_u64 oom_report_free(const struct dump *d, const struct oom_report *r);
struct maybe_u64 oom_report_free_swap(const struct dump *d, const struct oom_report *r);
/* Anonymous memory of the victim, by the line that says that it was killed. */
struct maybe_u64 oom_report_victim_anon(const struct oom_report *r);
/* Of the LRU lists for anonymous memory, shared memory among it. */
struct maybe_u64 oom_report_anon(const struct dump *d, const struct oom_report *r);
struct maybe_u64 oom_report_slab(const struct dump *d, const struct oom_report *r);
