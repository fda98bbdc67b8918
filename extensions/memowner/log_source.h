/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a log in place of a dump: --log. */
#pragma once

#define LOG_ROWS 20 /* reports that memowner log shows unless it is asked for more */

#include "verdict.h"

/*
 * A hook of struct command_spec: from here on nothing is known but what the file says. ST_UNREADABLE: it
 * cannot be read, or has no line of a kernel's log.
 */
enum status log_source_open(struct dump *d, const char *path);

/* Of a file of several boots or parts: "FILE:N is part N of it, the others have 2 reports and 1 panic". */
const char *log_source_others(const struct dump *d);

/* What the zones of a report make of its request by the figures of the report alone; false: unknown. */
bool log_zone_sum(const struct oom_report *r, struct zone_sum *ret);

/* Whether the request may use all zones of a node. */
bool log_zones_have_node(const struct oom_report *r, uint64_t node);

/*
 * Pages of anonymous and of shared memory in the nodes of which the request may use all zones; false: none, or unknown.
 * Without has_shmem they are one sum.
 */
struct log_nodes {
	uint64_t anon, shmem;
	bool has_shmem;
};

bool log_nodes_sum(const struct oom_report *r, struct log_nodes *ret);

/* Whether the report has zones, and each of them has more free than its high watermark. */
bool log_zones_above_high(const struct oom_report *r);

/* Free pages of CMA that the request may not use; 0: none, or unknown. */
uint64_t log_zones_cma(const struct oom_report *r);

/* What has the figures of memory: s->last_report, else the newest list that stands alone (as of sysrq-m); NULL: neither. */
const struct oom_report *summary_log_list(const struct summary *s);
/*
 * Who asked for such a list: "alone" of a dump, "which sysrq-m asked for", "of a failed allocation of a (110), whose first line
 * this log does not have", "and no line on who asked for it".
 */
const char *summary_log_list_asker(const struct summary *s, const struct oom_report *r);
/* Sets s->log_unread by such a list, where nothing else has. */
void summary_log_list_words(struct summary *s);
