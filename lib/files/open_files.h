/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes have an inode open, by the tables of file descriptors of all threads, by the messages in the
 * queues of their unix sockets and by the events that they have not read of fanotify, and which process an
 * mm_struct is of.  A loop device has its file open as well.
 */
#pragma once

#include "files/fanotify.h"
#include "tasks/task.h"
#include "util/text_list.h"

#define FILE_USERS 1024 /* of one file that are kept; more are counted */

struct file_user {
	int32_t tgid; /* of a device below 0 */
	char comm[TASKS_COMM +
		  1];	/* of the thread that was found first, the leader if it lives; "loop0" */
	bool is_device; /* no process: a loop device */
	bool in_flight; /* it has the file in the queue of a unix socket alone, not received */
	const struct file_user *sender; /* of those in flight, if one sent them; NULL */
	bool not_accepted; /* a connection of its listening socket, which no process has open */
	const struct fanotify_queue *queue; /* whose events alone keep it; NULL: it has it open */
};

/* Processes, each once. */
struct file_users {
	const struct file_user **all; /* those with the lowest tgids, in their order */
	unsigned int kept, room;
	unsigned int n; /* all of them */
	int32_t last;	/* tgid that was added last */
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
	uint64_t inode;	     /* of the file that is visited */
	struct hash_u64 mms; /* of struct file_user * by address of mm_struct */
	bool complete;	     /* every process and each of its descriptors was read */
	const char *problem; /* NULL, or what was missing first */
};

/* *ret must stay where it is.  ST_UNKNOWN: a layout that this build does not know. */
enum status open_files_open(struct dump *d, struct open_files *ret);

/* The same, to know files by their f_op; operations: a variable whose files are wanted; NULL: none.  ST_UNKNOWN: they have none. */
enum status open_files_open_by(struct dump *d, struct open_files *ret, const char *operations);

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

/* A process, as it is known here; comm NULL: it has no name. */
struct file_user *file_user_new(struct dump *d, int32_t tgid, const char *comm);

/* The process of a task, of a hash of struct file_user by tgid. */
struct file_user *file_user_of(struct hash_u64 *users, const struct task *task);

/* Whether it is among those that are kept; u NULL: it is not. */
bool file_users_has(const struct file_users *u, int32_t tgid);

/* Adds a process, which lives as long as the arena, unless the list has it. */
void file_users_add(struct arena *a, struct file_users *u, const struct file_user *user);

/* The processes of one list in another as well. */
void file_users_add_all(struct arena *a, struct file_users *u, const struct file_users *more);

/*
 * "123(hog), in flight to 140(sh)"; empty: none.  Not complete: "123(hog), others unknown"; NULL: nothing is known.
 */
const struct text_list *file_users_list(const struct file_users *u, bool complete,
					struct text_lists *lists);
