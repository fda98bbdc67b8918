/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the views of threads share: a row for each, and a row for each group. */
#pragma once

#include "keys.h"
#include "view.h"

/* A process of which a thread is asked for, whatever filters keep. */
struct asked_process {
	const char *name; /* of its leader; NULL: that was not reached */
	int32_t tgid;
	uint64_t threads, kept;
	bool keeps_leader;
};

struct task_view {
	struct fault_view *v;
	struct tasks tasks;
	struct kthread_names names;
	struct cgroups cgroups;
	bool has_cgroups;
	struct cfs_throttle limits;
	bool has_limits;
	struct hash_bytes texts;
	struct row_groups groups;
	struct hash_bytes mms;	   /* that a group has counted; of no group, by how many */
	struct hash_u64 processes; /* of struct asked_process by tgid, with filters or groups */
	bool by_process;	   /* all keys of -g are of a process, not of a thread */
	size_t asked;		   /* threads that the command line names; all without arguments */
	size_t threads;		   /* that the filters keep */
	size_t hidden;		   /* kernel threads among them that text leaves out */
	uint64_t swap;		   /* pages in swap of all processes */
	size_t shared;		   /* groups of several processes with pages that others can map */
	size_t divided;		   /* processes that are in more than one group */
	size_t no_mm;		   /* whose mm is not in this dump */
	size_t no_cgroup;	   /* or its cgroup */
};

extern const struct view task_groups_view;

void task_groups_init(struct task_view *t);
/* Adds a thread to its group. */
void task_groups_add(struct task_view *t, const struct thread *thread);
/* Notes it, before filters: the leader of a process is reached before its other threads. */
struct asked_process *asked_process_note(struct task_view *t, const struct thread *thread);
void asked_process_keep(struct asked_process *p, const struct thread *thread);
/* Whether filters left out threads of groups of which they kept others; with a key other than tgid it may be so. */
bool asked_processes_are_parts(const struct task_view *t);
/* In text, below the rows: of a leader that a filter kept, that its process has other threads. */
void asked_processes_put(struct task_view *t);
/* Rows of the groups, of a task list that is whole or not. */
void task_groups_fill(struct task_view *t, bool is_whole);
