/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table "Tasks state" of an OOM report in the log (dump_tasks() in mm/oom_kill.c): a row for
 * each process that the OOM killer may choose.  Its header names the columns: since 6.10 rss_anon, rss_file
 * and rss_shmem are among them.
 */
#pragma once

#include "log/kernel_log.h"
#include "oom/oom_report.h"
#include "util/hash_u64.h"

#define OOM_TASK_COMM 16

enum oom_task_column {
	OOM_TASK_PID,
	OOM_TASK_UID,
	OOM_TASK_TGID,
	OOM_TASK_TOTAL_VM, /* pages, as all but the tables */
	OOM_TASK_RSS,
	OOM_TASK_ANON,
	OOM_TASK_FILE,
	OOM_TASK_SHMEM,
	OOM_TASK_PGTABLES, /* bytes */
	OOM_TASK_SWAP,
	OOM_TASK_ADJ,
	OOM_TASK_COLUMNS
};

struct oom_task {
	int64_t value[OOM_TASK_COLUMNS];
	char comm[OOM_TASK_COMM + 1]; /* "check...": a terminal cut it */
};

struct oom_tasks {
	bool has[OOM_TASK_COLUMNS];	   /* columns of the header */
	uint64_t ts_ns;			   /* of the header, local_clock() */
	const struct kernel_record *first; /* the header */
	bool has_caller;
	uint32_t caller;
	struct hash_u64 rows; /* of struct oom_task by tgid, in order of the log */
	bool is_guessed; /* the header is lost: columns are those that the form of the rows tells */
	bool is_cut; /* rows are missing: a record is not there, one is damaged, or the log ends in the table */
};

/* Whether a line is the header of a table. */
bool oom_tasks_is_header(const char *text);

/* Whether it is a row of one, by its form alone: the header that tells its columns may be lost. */
bool oom_tasks_is_row(const char *text);

/* Bytes of a name without the mark that a terminal cut it. */
size_t oom_task_name_kept(const char *comm);

/* Whether a name is another one, or that without some of its characters. */
bool oom_task_name_is_of(const char *few, const char *many);

/* The row of a process by the pid of one of its threads that the table may have, or by its tgid; NULL: it has none. */
const struct oom_task *oom_tasks_find(const struct oom_tasks *t, uint64_t pid);

/* Who was killed is one of those that the table has, see oom_kill_process(): without its row rows are lost. */
bool oom_tasks_lack_victim(const struct oom_tasks *t, const struct oom_report *r);

/* The newest table of the log.  ST_ABSENT: there is none. */
enum status oom_tasks_read(struct dump *d, const struct kernel_log *log, struct oom_tasks *ret);

/*
 * Whether a table is of this report, and not of an older one: both are of one log, which may be read twice, so that of a dump
 * times tell. NULL, or of another kind: it has none.
 */
bool oom_tasks_are_of(const struct dump *d, const struct oom_tasks *t, const struct oom_report *r);
