/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which frozen file system a thread waits to write to. */
#pragma once

#include "collect/stuck.h"

/* Zero before the first thread that waits for a percpu_rw_semaphore. */
struct stuck_frozen {
	struct frozen *f; /* NULL: its file systems are unknown, or not asked for */
	bool is_read;
	const char *why;	  /* NULL, or why frozen file systems may be missing */
	const char *why_no_users; /* NULL, or what is missing of who has their directories open */
};

/*
 * The file system and its lock, where the entry in the queue of the lock is on the stack of the thread. ST_ABSENT: it
 * waits for another percpu_rw_semaphore, or for an unknown one, as the dump's error says.
 */
enum status stuck_frozen_find(struct stuck_frozen *x, struct dump *d,
			      const struct task_stack *stack, struct stuck_task *s);

/* "; fsfreeze -u /srv thaws what a process froze": of a machine that still runs; nothing of one that is being frozen. */
void stuck_thaw_words(const struct frozen_super *f, struct strbuf *b);
