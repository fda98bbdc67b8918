/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes have an inode open, by the tables of file descriptors of all threads, by the messages in the
 * queues of their unix sockets and by the events that they have not read of fanotify, and which process an
 * mm_struct is of.
 */
#pragma once

#include "tasks/task.h"
#include "util/text_list.h"

/*
 * Queues of fanotify (fs/notify/fanotify/): each event that was not read keeps the path that it is of, and so a
 * file that was deleted since.
 */

struct fanotify_queue {
	uint64_t events;	     /* list_head */
	uint32_t length, max_length; /* max_length UINT32_MAX: it has no limit */
};

struct fanotify {
	struct dump *dump;
	struct field file_group; /* of struct file */
	struct field event_list,
		event_at; /* of struct fanotify_path_event: its place in the queue, its dentry */
	struct field dentry_inode;
	struct structure group;
	uint64_t operations; /* f_op of a queue that is open */
};

/* ST_ABSENT: built without CONFIG_FANOTIFY. */
enum status fanotify_find(struct dump *d, struct fanotify *ret);

enum status fanotify_of_file(const struct fanotify *f, uint64_t file, struct fanotify_queue *ret);

/*
 * Visits a number for each event: the address of the inode of its path, or anything, of an event without a path.
 * ST_UNREADABLE, ST_CORRUPT: some are missing; ST_UNKNOWN: up to 5.6 they have other structures.
 */
enum status fanotify_walk(const struct fanotify *f, const struct fanotify_queue *q,
			  void (*visit)(void *arg, uint64_t inode), void *arg);

#define FILE_USERS 1024 /* of one file that are kept; more are counted */

struct file_user {
	int32_t tgid;
	char comm[TASKS_COMM + 1]; /* of the thread that was found first, the leader if it lives */
	bool in_flight;	   /* it has the file in the queue of a unix socket alone, not received */
	bool not_accepted; /* a connection of its listening socket, which no process has open */
	const struct fanotify_queue *queue; /* whose events alone keep it; NULL: it has it open */
};

/* Processes, each once. */
struct file_users {
	const struct file_user **all; /* those with the lowest tgids, in their order */
	unsigned int kept, room;
	unsigned int n; /* all of them */
	int32_t last;	/* tgid that was added last */
	uint64_t file;	/* of open_files_find(): a struct file of the inode */
};

struct open_files {
	struct dump *dump;
	struct structure task, files, table, file;
	bool has_operations; /* files have an f_op */
	struct tasks tasks;
	struct hash_u64 inodes; /* of struct file_users by address of the inode */
	uint64_t operations;	/* files with this f_op are wanted as well; 0: none. Set before */
	/*
	 * Called for each open file of each table of descriptors and queue, with its f_op; NULL: for none. Set
	 * before. ST_STOPPED ends that, and whatever is not ST_OK. The user lives as long as the command.
	 */
	enum status (*visit)(void *arg, uint64_t file, uint64_t operations,
			     const struct file_user *user);
	void *arg;
	struct hash_u64 mms; /* of struct file_user * by address of mm_struct */
	bool complete;	     /* every process and each of its descriptors was read */
	const char *problem; /* NULL, or what was missing first */
};

/* *ret must stay where it is.  ST_UNKNOWN: a layout that this build does not know. */
enum status open_files_open(struct dump *d, struct open_files *ret);

/*
 * Reads the tables, once for all that ask during a command.  wanted: hash by address of the inodes that are asked
 * for, NULL for none; others are not kept.
 */
enum status open_files_read(struct open_files *o, const struct hash_u64 *wanted);

/*
 * Both of them, where each open file is visited and none is kept: what is missing is in o->complete and o->problem.
 * ST_UNKNOWN: files have no f_op.
 */
enum status open_files_visit(struct open_files *o, struct dump *d,
			     enum status (*visit)(void *arg, uint64_t file, uint64_t operations,
						  const struct file_user *user),
			     void *arg);

/* NULL: no process has it open, or, unless complete, none is known. */
const struct file_users *open_files_find(const struct open_files *o, uint64_t inode);

/* A process that has this mm_struct; NULL: none is known. */
const struct file_user *open_files_mm(const struct open_files *o, uint64_t mm);

/* The process of a task, of a hash of struct file_user by tgid. */
struct file_user *file_user_of(struct hash_u64 *users, const struct task *task);

/* Adds a process, which lives as long as the arena, unless the list has it. */
void file_users_add(struct arena *a, struct file_users *u, const struct file_user *user);

/* The processes of one list in another as well. */
void file_users_add_all(struct arena *a, struct file_users *u, const struct file_users *more);

/*
 * "123(hog), in flight to 140(sh)"; empty: none.  Not complete: "123(hog), others unknown"; NULL: nothing is known.
 */
const struct text_list *file_users_list(const struct file_users *u, bool complete,
					struct text_lists *lists);
