/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches of inotify and marks of fanotify (struct fsnotify_mark, fs/notify/): each is of the group of an open
 * file, and one of an inode keeps that in memory whether a file of it is open or not.
 */
#pragma once

#include "dump/structure.h"

enum watch_kind { WATCH_INOTIFY, WATCH_FANOTIFY, WATCH_KINDS };

struct watches {
	struct dump *dump;
	uint64_t operations
		[WATCH_KINDS];	     /* f_op of files of groups; 0: the kernel was built without */
	uint64_t bytes[WATCH_KINDS]; /* of a watch in its cache */
	uint64_t connector_bytes;    /* of what connects an object with its watches */
	struct structure mark, connector;
	struct field file_group, marks, link, inode_marks, inode_super, only;
	struct field events, event_link; /* of fsnotify_group and fsnotify_event */
	uint64_t of_inode;		 /* type of a connector */
};

/* One of them; inode 0: it is of a mount or a file system, or of nothing any more, and keeps no inode. */
struct watch {
	uint64_t inode, super;
	bool is_alone; /* its object has no other */
	bool is_first; /* of those of its object: one of these is */
	bool pins;     /* it keeps the inode */
};

/* ST_ABSENT: built without both; ST_UNKNOWN. */
enum status watches_find(struct dump *d, struct watches *ret);

/* WATCH_KINDS: a file of none. */
enum watch_kind watch_kind_of(const struct watches *w, uint64_t operations);
const char *watch_kind_name(enum watch_kind kind);

/* The group of an open file with one of these f_op. */
enum status watches_of_file(const struct watches *w, uint64_t file, uint64_t *ret);

/* Visits the address of each event that was not read. ST_UNREADABLE, ST_CORRUPT: some are missing. */
enum status watch_events_walk(const struct watches *w, uint64_t group,
			      void (*visit)(void *arg, uint64_t event), void *arg);

/* Visits all of a group. ST_UNREADABLE, ST_CORRUPT: some are missing; what visit returns ends it. */
enum status watches_walk(const struct watches *w, uint64_t group,
			 enum status (*visit)(void *arg, const struct watch *watch), void *arg);
