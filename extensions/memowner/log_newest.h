/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which report of the log says most of its end: the newest may be one line, or have only begun. */
#pragma once

#include "summary.h"

/*
 * Of a storm all but a few reports are a line on the victim alone, see oom_rs of mm/oom_kill.c: the newest report
 * with more, where it is of the same storm, and where the line is not of all memory and the report of a cgroup.
 */
const struct oom_report *log_newest_full(const struct summary *s, const struct oom_report *bare);

/* The report before one that has only begun, and is of the same shortage; else that one. */
const struct oom_report *log_newest_told(const struct summary *s, const struct oom_report *r);

/* "then killed a (5), whose report is not in this log": the kernel may have printed one that this log has not. */
const char *log_newest_later(const struct summary *s, const struct oom_report *newest);
