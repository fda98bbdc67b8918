/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which report of the log a line goes on with: by the writer of the line, its time, and the order of the parts. */
#pragma once

#include "oom/oom_report.h"

#define OOM_SILENCE \
	60000000000ULL /* ns: a report is printed in seconds, by a slow console in minutes */

#define OOM_LONGEST (10 * OOM_SILENCE) /* from its first line to its last */

/* The parts of a report in the order of the kernel; one that comes too late starts another report. */
enum stage {
	STAGE_HEAD,
	STAGE_CPU,
	STAGE_MEMCG,
	STAGE_COUNTERS,
	STAGE_ZONES,
	STAGE_BLOCKS,
	STAGE_TOTALS,
	STAGE_OOM_KILL,
	STAGE_KILLED
};

/* A trace of sysrq-f: of a report that lost its first line, or of the one that begins soon behind it. */
void oom_take_sysrq(struct oom_reports *all, const struct kernel_record *rec);

/* A report of a kind from a stage on, with what its first line says, NULL: nothing. */
struct oom_report *oom_start(struct oom_reports *all, const struct kernel_record *rec,
			     enum oom_report_kind kind, enum stage stage,
			     const struct oom_report *head);

/* Whether a line may be of a report. */
bool oom_is_of(const struct oom_report *r, const struct kernel_record *rec);

/* The newest that it may be of; NULL: none. */
struct oom_report *oom_open_report(struct oom_reports *all, const struct kernel_record *rec);

/* All of these end. */
void oom_close_reports(struct oom_reports *all, const struct kernel_record *rec);

/* The report that goes on with a part; NULL: none that may. */
struct oom_report *oom_next_part(struct oom_reports *all, const struct kernel_record *rec,
				 enum stage stage, bool repeats);

/* The same, or a report of which only the rest is known. */
struct oom_report *oom_any_part(struct oom_reports *all, const struct kernel_record *rec,
				enum oom_report_kind kind, enum stage stage, bool repeats);

/* What comes much later than the last line of a report is of another. */
void oom_close_old(struct oom_reports *all, const struct kernel_record *rec);

/* Goes on with the report of the OOM killer in which a failed allocation was told. */
void oom_reopen(struct oom_reports *all, const struct kernel_record *rec);

/* Ends the report that is open where the line may be of another. */
void oom_leave_double(struct oom_reports *all, const struct kernel_record *rec);
