/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queues of fanotify (fs/notify/fanotify/): each event that was not read keeps the path that it is of, and so a
 * file that was deleted since.
 */
#pragma once

#include "dump/structure.h"

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
