/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queues of fanotify (fs/notify/fanotify/): each event that was not read keeps the path that it is of, and so a
 * file that was deleted since.
 */
#pragma once

#include "tasks/task_stack.h"

struct fanotify_queue {
	uint64_t events;	     /* list_head */
	uint32_t length, max_length; /* max_length UINT32_MAX: it has no limit */
};

struct fanotify {
	struct dump *dump;
	struct field file_group; /* of struct file */
	struct fanotify_event {
		struct field list, dentry; /* its place in the queue, that of its path */
	} event, before; /* of struct fanotify_path_event; to 5.6 of struct fanotify_event */
	struct field dentry_inode;
	struct structure group;
	uint64_t operations; /* f_op of a queue that is open */
};

/* ST_ABSENT: built without CONFIG_FANOTIFY. */
enum status fanotify_find(struct dump *d, struct fanotify *ret);

enum status fanotify_of_file(const struct fanotify *f, uint64_t file, struct fanotify_queue *ret);

/*
 * Visits a number for each event: the address of the inode of its path, or anything, of an event without a path.
 * ST_UNREADABLE, ST_CORRUPT: some are missing; ST_UNKNOWN: all, up to 4.19 they have another structure.
 */
enum status fanotify_walk(const struct fanotify *f, const struct fanotify_queue *q,
			  void (*visit)(void *arg, uint64_t inode), void *arg);

/*
 * Which group a thread waits for that opens or reads a file, until who has that group open allows it: a permission event
 * is in one of two lists of its group, and its address on the stack.
 */
struct fanotify_waits {
	struct dump *dump;
	struct field ops, queued, read; /* of struct fsnotify_group */
	struct field event;  /* of struct fanotify_perm_event: its place in either list */
	uint64_t operations; /* of groups of fanotify */
};

/* ST_ABSENT: built without permission events. */
enum status fanotify_waits_open(struct dump *d, struct fanotify_waits *ret);

/* By the words of a stack from..to. ST_ABSENT: no group has an event of it. */
enum status fanotify_wait_find(const struct fanotify_waits *w, const struct task_stack *s,
			       uint64_t from, uint64_t to, uint64_t *group);
