/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which lock of a file a thread waits for, and who has that. */
#pragma once

#include "collect/stuck.h"

/* Zero before stuck_files_read(). */
struct stuck_files {
	struct dump *dump;
	struct file_waits waits;
	struct file_paths paths;
	struct inodes inodes;
	bool has_paths, has_inodes;
	bool complete;	       /* no wait is missing */
	const char *why;       /* NULL, or why no wait is known */
	struct hash_u64 locks; /* of struct stuck_file_lock by its address */
	struct stuck_file_lock *first, **last;
	const char *why_no_owners; /* NULL, or why owners may be missing */
	size_t unowned;		   /* threads that wait for a lock whose owner is unknown */
};

/* Locks of files, and who waits. ST_STOPPED. */
enum status stuck_files_read(struct stuck_files *x, struct dump *d);

/* The lock that a task waits for, where its entry in the queue of a request is on its stack. ST_ABSENT: none. */
enum status stuck_files_find(struct stuck_files *x, const struct task_stack *stack,
			     struct stuck_task *s);

/* Sets who has the locks that were found; all: every thread, is_whole: none is missing. ST_STOPPED. */
enum status stuck_files_set_holders(struct stuck_files *x, struct stuck_task *all, bool is_whole);
