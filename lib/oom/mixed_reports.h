/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two reports without callers whose lines stand in one another. That the second began before the first ended is usual: of
 * that one lines were lost, or the kernel limits the rate of what follows the first line. That a part comes twice is not.
 */
#pragma once

#include "oom/open_reports.h"

/* What the first line of a report says of the one before it, NULL: none that is open. */
void oom_mixed_head(struct oom_reports *all, struct oom_report *before, struct oom_report *head);

/* Whether a line cannot be of the report that is open, or of it alone. */
bool oom_mixed_line(const struct oom_reports *all, struct oom_report *r,
		    const struct kernel_record *rec);

/* The same of a part of the Mem-Info block. */
bool oom_mixed_part(const struct oom_report *r, const struct kernel_record *rec,
		    enum mem_info_part part, const struct mem_info *info);

/*
 * Of one of the OOM killer and a failed allocation: the block of the first comes before its table of tasks and its
 * victim. One that begins behind these is of the other, which all->rest names; one before them is of neither as long
 * as both may print it.
 */
void oom_mixed_order(struct oom_reports *all, const struct kernel_record *rec);

/* What may be of either is unknown from here on. */
void oom_mix(struct oom_reports *all, struct oom_report *r);

/* A report that begins with a part: the rest of one whose lines are in the report before it, which has ended. */
void oom_mix_rest(struct oom_reports *all, const struct kernel_record *rec);

/* The same of what is in doubt at the end of the log. */
void oom_mix_doubtful(struct oom_reports *all);

/* show_mem() ends with pages reserved, and those of options of its configuration. */
bool oom_has_whole_block(const struct oom_report *r);

/* Whether lines on cgroups and victims may be of another report of the OOM killer. */
bool oom_is_double(const struct oom_report *r);
