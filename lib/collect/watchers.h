/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of inotify and fanotify, their watches, the inodes that these keep, and the processes that have them open. */
#pragma once

#include "files/open_files.h"
#include "files/watches.h"

/* Inodes of one file system that the watches of a group keep. */
struct watched {
	uint64_t inodes;
	uint64_t firsts; /* of these, those that are of no other group, or of this one first */
	uint64_t sample; /* the address of one */
};

struct watcher {
	uint64_t group; /* address of the fsnotify_group */
	enum watch_kind kind;
	struct file_users users;
	uint64_t watches;	/* as many as /proc/PID/fdinfo/FD has lines of */
	uint64_t inodes;	/* that they keep */
	uint64_t connectors;	/* of objects that no other group watches, or this one first */
	uint64_t bytes;		/* of the watches, and of connectors of what it alone watches */
	struct hash_u64 supers; /* of struct watched by address of the super_block */
};

struct watchers {
	struct watches of;
	struct hash_u64 all; /* of struct watcher by address of the group */
	const char *problem; /* NULL, or why watches or processes may be missing */
	bool is_complete;    /* none has a group open that is not in its users */
};

/* ST_ABSENT: built without; ST_UNKNOWN; ST_STOPPED. */
enum status watchers_collect(struct dump *d, struct watchers *ret);
