/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words by which a line of the kernel's log tells of memory that ran out, or of a panic. */
#pragma once

#include "log/log_line.h"

/* What stands behind the name in the first line of a report; NULL: it is none. */
const char *log_begins_report(const char *text);

/* Of lines in the order of a report, which of them it is, from 1 on; 0: none of these. */
unsigned int log_place_in_report(const char *text);

/* The words of panic(): behind those of the first line that it prints; NULL: it is none. */
const char *log_panic(const char *text);

/*
 * The same behind "---[ end Kernel panic - not syncing: ", the last line, which says them again: all that is left where
 * the beginning of a log is lost. Before 4.18 they end without " ]---".
 */
const char *log_panic_end(const char *text);

/*
 * What panic() prints behind its first line: its own frame, "Rebooting in 10 seconds..", "CPU0: stopping" of arm, where
 * a machine may stop CPUs otherwise too. LOG_PANIC_NONE: something else.
 */
enum log_panic_rest { LOG_PANIC_NONE, LOG_PANIC_MAYBE, LOG_PANIC_SURE };

enum log_panic_rest log_panic_rest(const char *text);

/* A line that a CPU did not get on: a soft or hard lockup, a stall of RCU. */
bool log_tells_of_lockup(const char *text);

/* What of a record decides which boot is told of. */
bool log_tells(const char *text);

/* So, and that it is of memory: not a panic of another cause. */
bool log_tells_of_memory(const char *text);

/*
 * Whether the words of a panic or of the first line of a report stand there in another form than the kernel's: in other
 * letters or signs, as of a picture of a screen, or behind others.
 */
bool log_is_respelled(const char *text);

/* "** 12 printk messages dropped **"; *lost: 0: it is unknown how many. */
bool log_tells_of_gap(const char *text, uint32_t *lost);

/* Whether it is a line of the counters that Mem-Info has of the whole system: they are one record, of which each may be lost. */
bool log_begins_counters(const char *text);

/* Lines with the path of a cgroup, whose name may look like anything. */
bool log_has_path(const char *text);

/* Whether the line behind the first one of a report tells of its task: "CPU: 0 PID: 1 Comm: NAME ...", "NAME cpuset=...". */
bool log_is_of_head(const char *head, const char *next);

/* "[   72.84pi invoked oom-killer": a stamp that lost its end, and what is behind it its beginning. */
bool log_is_broken_stamp(const char *text);

/* Whether a line begins a report behind no more than the name of a task: in words of a mail others stand there. */
bool log_is_first_line(const char *text);

/* A first line of a report, or any words of one, whose stamp is none that lost its end. */
bool log_is_bare_head(const char *text);
bool log_tells_whole(const char *text);

/* The kernel's own lines of the counters stand below the stamp of the first: each may have been cut. */
bool log_is_below(const char *counters, const char *line);

/* The steps in time from one record of a file to the next, of any boot. */
struct log_steps {
	uint64_t date_s, ts_ns; /* of the record before; 0: it has none */
	unsigned int forward, backward;
	/* The same by lines of reports, where neither has a time. */
	unsigned int place, rises, falls;
};

void log_steps_take(struct log_steps *s, const struct log_line *l);

/* Whether lines are newest first, as journalctl -r has them. */
bool log_steps_go_back(const struct log_steps *s);

/* Whether they are in no order: about as many steps back as forward. */
bool log_steps_are_mixed(const struct log_steps *s);
