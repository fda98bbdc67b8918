/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that pr_cont() goes on with, in records of their own where another CPU wrote in between. */
#pragma once

#include "oom/oom_report.h"

/* Whether a line is the beginning of one that names a cgroup, cut in front of or behind its path. */
bool oom_begins_path(const char *text);

/* A line of a report that may go on. */
void oom_begin_pieces(struct oom_reports *all, const struct oom_report *r, const char *text);

/* A record that goes on with that line: the report has what both say. */
bool oom_take_piece(struct oom_reports *all, const struct kernel_record *rec);
