/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who removes a file of sysfs, proc or debugfs sleeps until no thread uses it any more. Whoever does so from within a
 * write to that file, as the function of a driver for it, waits for itself.
 */
#pragma once

#include "files/kernfs_node.h"
#include "tasks/task_stack.h"

struct stuck_task;
struct strbuf;
struct task_frames;

struct stuck_drain {
	const char *what;	    /* "sysfs attribute", "file of proc" */
	const char *uses;	    /* of it, "active references" */
	struct kernfs_drained node; /* path NULL: unknown */
	const struct frame *within; /* of its own stack: the use of such a file; NULL: none */
	const struct frame
		*function; /* that this calls for it, of a module if one is there; NULL: unknown */
	bool is_own;	   /* the use is of this very file */
};

/* Of a thread that is asleep in such a removal; NULL: it is in none. */
const struct stuck_drain *stuck_drain_find(struct dump *d, struct task_frames *at);

/* "waits until the last active reference of sysfs attribute /class/a/b is given back, which it has itself: ..." */
void stuck_drain_words(const struct stuck_drain *drain, struct strbuf *b);

/* The first thread that waits for itself, for certain or likely; NULL: none does. */
const struct stuck_task *stuck_drains_itself(const struct stuck_task *all);
