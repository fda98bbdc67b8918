/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stuck_collect() knows while it looks at threads, and what one of them waits for by its frames. */
#pragma once

#include "collect/stuck_files.h"
#include "collect/stuck_frozen.h"
#include "collect/stuck_holders.h"
#include "collect/stuck_servers.h"
#include "collect/stuck_tracers.h"
#include "files/lock_object.h"
#include "oom/oom_score.h"
#include "tasks/user_call.h"
#include "vm/mm_holders.h"

/* Of an mm_struct: a process that uses it, and how many threads do. */
struct stuck_mm_user {
	int32_t tgid;
	uint64_t threads;
};

/* How many of a kind are unknown, and why the first one is. */
struct stuck_lack {
	size_t n;
	const char *why;
};

struct stuck_search {
	struct dump *dump;
	struct stuck *ret;
	struct stuck_wish wish;
	struct fault_finder finder; /* has the frames of the task that is looked at */
	bool has_faults;	    /* else only its frames are open */
	struct last_ran last_ran;
	bool has_last_ran;
	struct lock_waiters locks;
	struct mmap_locks mmap_locks;
	struct fault_locks fault_locks;
	bool has_locks, has_mmap_locks, has_fault_locks;
	struct oom_scores scores;
	struct mm_structs mms;
	bool has_victims;
	struct stuck_task *all, **last_all;
	struct hash_u64 stacks;	 /* lowest address of the stack, by task_struct */
	struct hash_u64 tasks;	 /* of struct stuck_task *, by task_struct */
	struct hash_u64 users;	 /* of struct stuck_mm_user, by mm_struct */
	struct hash_u64 readers; /* of struct stuck_task *, by held.lock: the first that has it */
	struct hash_u64 writers; /* mm_struct, by the task_struct that waits for readers of a VMA */
	struct stuck_servers servers;
	struct stuck_holders holders;
	struct stuck_files files;
	struct stuck_frozen frozen;
	struct stuck_disks disks;
	struct stuck_futexes futexes;
	struct stuck_tracers tracers;
	struct user_calls calls;
	const char *const *foreign;   /* names of modules out of tree; NULL: not read */
	struct lock_objects *objects; /* NULL: no lock was seen that they may name */
	bool has_objects;
	struct stuck_lack unknown_locks, untold_locks, left_locks, unknown_servers, victims_unread,
		vmas_unread;
	const char *why_no_stack, *no_locks, *no_readers, *no_victims, *no_kswapd, *no_vforks,
		*no_workers, *no_stopped, *no_journals, *tasks_end;
};

/* Nothing if why is NULL. */
static inline void stuck_note_lack(struct stuck_lack *lack, const char *why)
{
	if (why && !lack->n++)
		lack->why = why;
}

/*
 * What a thread waits for, by the frames that x->finder has of it, and by its fault: the one answer that every view
 * gives.
 */
void stuck_read_wait(struct stuck_search *x, struct stuck_task *s);
