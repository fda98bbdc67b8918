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

/* What may be of either is unknown from here on. */
void oom_mix(struct oom_reports *all, struct oom_report *r);

/* A report that begins with a part: the rest of one whose lines are in the report before it, which has ended. */
void oom_mix_rest(struct oom_reports *all, const struct kernel_record *rec);

/* Whether lines on cgroups and victims may be of another report of the OOM killer. */
bool oom_is_double(const struct oom_report *r);
