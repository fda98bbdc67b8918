/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single lines of the reports of oom/oom_report.h. Text only: false where the line is another
 * one, and then the result stays as it is.
 */
#pragma once

#include "oom/oom_report.h"

/*
 * The first line of a report, whole: what looks like one inside of another line, such as the path
 * of a program, has other text behind it. The report is overwritten.
 */
bool oom_line_invoked(const char *text, struct oom_report *r);
bool oom_line_failure(const char *text, struct oom_report *r);

/* "java cpuset=/ mems_allowed=0-1", of the task of the report, behind its first line up to 4.20. */
bool oom_line_mems_allowed(const char *text, struct oom_report *r);

/* "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),...": the constraint and the nodes. */
bool oom_line_constraint(const char *text, struct oom_report *r);

/* Whether this line tells a cgroup that ran out of memory, whatever constraint it has. */
bool oom_line_names_cgroup(const char *text);

/* The rest of that line: cgroups and the victim. What it does not tell is cleared. */
void oom_line_victim(const char *text, struct oom_report *r);
/* The same; a cgroup that lines before it tell stays where this one ends before its name. */
void oom_line_ends(const char *text, struct oom_report *r);

/* "Out of memory: Killed process ...", *is_cut: in front of the number; "... OOM victim ... is already exiting" */
bool oom_line_killed(const char *text, struct oom_victim *victim, bool *is_cut);
bool oom_line_exiting(const char *text, struct oom_victim *victim);

/* "oom_reaper: reaped process 4242 (java), now anon-rss:0kB, ...": who, and what is left of that. */
bool oom_line_reaped(const char *text, struct oom_victim *victim, struct log_number *left_kib);

/* "NAME123kB" at the beginning, name may be empty: behind it; NULL if it is not there, or text is NULL. */
const char *oom_take_kib(const char *text, const char *name, struct log_number *to);

/* "memory: usage 102400kB, limit 102400kB, failcnt 58" of a cgroup, and the like */
bool oom_line_limit(const char *text, struct oom_report *r);

/* "Task in /box/in killed as a result of limit of /box", up to 4.20: the victim's, and whose limit. */
bool oom_line_limit_of(const char *text, struct oom_report *r);

/* What is no path above that of the task lost its end, as a part of its first name, or the root, which has no limit. */
void oom_leave_cut_path(struct oom_report *r);

/*
 * "Memory cgroup stats for /box:", whose report it is. The path is a record's rest: where another CPU
 * wrote before the colon, it is unknown.
 */
bool oom_line_memcg(const char *text, struct oom_report *r);

/* Its scope is a cgroup: a line tells so. */
void oom_ran_out_in_cgroup(struct oom_report *r);
