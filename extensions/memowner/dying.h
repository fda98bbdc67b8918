/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that are dying and still have their memory: what the tasks say, in the pass over all of them. */
#pragma once

#include "files/pipe_writer.h"
#include "oom/oom_score.h"
#include "tasks/core_dump.h"
#include "util/hash_bytes.h"

struct statement;
struct stuck_task;
struct strbuf;
struct summary;

#define CORES 4	   /* processes that dump core at once and are told */
#define STARTED 32 /* processes of the kernel's own that are looked at */

/* Processes of one name that dump core. */
struct dumping_name {
	uint64_t n;
	struct core_dump first;
	bool has_others; /* of other signals */
};

struct dying {
	struct summary *s;
	struct oom_scores scores;
	struct core_dumps cores;
	enum status scores_status, cores_status;
	struct task dumping[CORES], started[STARTED];
	struct core_dump dumps[CORES];
	size_t ndumping, nstarted;
	struct hash_bytes dumping_names; /* of struct dumping_name */
	struct hash_bytes started_names; /* of uint64_t: all that the kernel has started */
	struct hash_u64 kthreads;	 /* by pid */
	size_t no_victim, no_core; /* processes of which it is unknown whether they are such */
	const char *why_no_victim, *why_no_core;
};

void dying_open(struct summary *s, struct dying *ret);
/* Threads in the order of the task list; of a process that has memory under its name. */
void dying_add(struct dying *x, const struct task *t);
void dying_end(struct dying *x);

/* The rows of a process, and of files that it alone uses, as far as is known, say this; why: NULL, of the same. */
void summary_tell_fate(struct summary *s, uint64_t tgid, const char *fate, const char *why);

/* "killed by the OOM killer, has not exited: renderd (96) waits for io", or without why; of others nothing. */
void summary_fate(const struct statement *row, const char *between, bool with_why,
		  struct strbuf *b);
/* What who reads core dumps of the processes of a row waits for; NULL: they dump none, or it is unknown. */
const char *summary_reader_words(const struct summary *s, const struct statement *row);
/* Whether the line of the holder says why. */
bool summary_tells_why(const struct summary *s, const struct statement *row);
/* Of one that stands for a victim of the OOM killer: its rows say what it waits for. */
void summary_tell_victim(struct summary *s, const struct stuck_task *t);
