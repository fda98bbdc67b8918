/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a walk over all threads has shown, kept for the next walks of the same command: to read the
 * task_structs of thousands of threads is most of the time of a summary, and ten parts of it ask.
 */
#pragma once

#include "tasks/task.h"

/* A walk that is under way, or was whole. */
struct task_rows {
	struct dump *dump;
	bool identity_only;
	bool is_partial; /* a visitor ended the walk or a part of it, or there are too many */
	struct rows_chunk *first, *last;
	uint64_t n;
	struct hash_u64 cut;	      /* as struct tasks has it */
	struct first_problem problem; /* what the walk ended with, after all that could be read */
};

/* Starts to keep; the walk goes on with task_rows_add(). */
void task_rows_start(struct dump *d, bool identity_only, struct task_rows *ret);

/* What visit returned for this thread: only a walk that no visitor cut short is kept. */
void task_rows_add(struct task_rows *r, const struct task *task, enum status visited);

/* The end of the walk with its status, and the error of the dump where that is not ST_OK. */
void task_rows_end(struct task_rows *r, const struct tasks *t, enum status st);

/* The walk that was kept, NULL: none was that has what this one asks for. */
const struct task_rows *task_rows_find(struct dump *d, bool identity_only);

/* Another witness contradicts the counters of this mm_struct: rows that were kept have them as damaged. False: none was. */
bool task_rows_lack_memory(struct dump *d, uint64_t mm);

/* As tasks_walk(). */
enum status task_rows_walk(const struct task_rows *r, struct tasks *t,
			   enum status (*visit)(void *arg, const struct task *task), void *arg);
