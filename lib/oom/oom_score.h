/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the OOM killer sees a process: oom_badness() in mm/oom_kill.c, of 5.9 to 7.3 the same but for
 * the counters, which it reads without per-CPU deltas or (7.x) with them. Before, nothing is below 1.
 */
#pragma once

#include "tasks/task.h"

#define OOM_ADJ_MIN (-1000) /* OOM_SCORE_ADJ_MIN: the process is never killed */

/* Why a process is left out, in the order of the kernel's checks. */
enum oom_standing {
	OOM_STANDING_UNKNOWN,
	OOM_ELIGIBLE,
	OOM_VICTIM,	/* signal.oom_mm is set: it was chosen already, and still has its memory */
	OOM_REAPED,	/* the same, and MMF_OOM_SKIP: its memory is not waited for */
	OOM_GIVEN_UP,	/* the same, and its memory was not taken: the kernel cannot, or gave up */
	OOM_UNKILLABLE, /* the global init, or oom_score_adj is -1000 */
	OOM_SKIPPED,	/* MMF_OOM_SKIP without a victim */
	OOM_VFORK,	/* between vfork() and exec, with the memory of its parent */
	OOM_OUTSIDE, /* of the memory cgroup (mem_cgroup_scan_tasks()) or nodes that ran out of memory */
	OOM_STANDINGS
};

enum oom_least { OOM_LEAST_UNKNOWN, OOM_LEAST_NONE, OOM_LEAST_ONE };

struct oom_scores {
	struct dump *dump;
	enum oom_least least; /* score that a process has: 1 up to 5.8 */
	struct structure signal, task;
	struct field mm; /* of struct task_struct */
};

struct oom_process {
	int adj;
	bool is_exiting; /* SIGNAL_GROUP_EXIT: exit_group(), or a fatal signal */
	uint64_t oom_mm; /* mm_struct that it had when the OOM killer chose it, 0: it did not */
	bool in_vfork;
};

enum status oom_scores_open(struct dump *d, struct oom_scores *ret);

/* Of a task that has an mm. */
enum status oom_process_read(const struct oom_scores *s, const struct task *task,
			     struct oom_process *ret);

enum oom_standing oom_standing(const struct oom_process *p, const struct mm_struct *mm,
			       const struct task *task);

/* Of a process whose memory this was when the OOM killer chose it. */
enum oom_standing oom_victim_standing(const struct mm_struct *mm);

/* "eligible", "victim", ...; NULL: unknown. */
extern const char *const oom_standing_names[OOM_STANDINGS + 1];

/* What the kernel has for a score that may be below its least; false: unknown. */
bool oom_score_of(const struct oom_scores *s, int64_t *points);

/* In pages; adj moves it by thousandths of total, which is in pages too. */
int64_t oom_badness(const struct mm_counts *n, uint64_t pgtables_bytes, int adj, uint64_t total,
		    unsigned int page_shift);
