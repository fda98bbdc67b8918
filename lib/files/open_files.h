/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes have an inode open, by the tables of file descriptors of all threads, and which
 * process an mm_struct is of.
 */
#pragma once

#include "tasks/task.h"
#include "util/hash_u64.h"

#define FILE_USERS 3 /* that are named */

struct file_user {
	int32_t tgid;
	char comm[TASKS_COMM + 1]; /* of the thread that was found first, the leader if it lives */
};

/* Processes, each once. */
struct file_users {
	struct file_user first[FILE_USERS]; /* those with the lowest tgids, in their order */
	unsigned int n;			    /* all of them */
	int32_t last;			    /* tgid that was added last */
	uint64_t file;			    /* of open_files_find(): a struct file of the inode */
};

struct open_files {
	struct dump *dump;
	struct structure task, files, table, file;
	bool has_operations; /* files have an f_op */
	struct tasks tasks;
	struct hash_u64 inodes; /* of struct file_users by address of the inode */
	uint64_t operations;	/* files with this f_op are wanted as well; 0: none. Set before */
	/*
	 * Called for each open file of each table of descriptors, with its f_op; NULL: for none. Set
	 * before. A status but ST_OK ends the walk.
	 */
	enum status (*visit)(void *arg, uint64_t file, uint64_t operations,
			     const struct file_user *user);
	void *arg;
	struct hash_u64 mms; /* of struct file_user by address of mm_struct */
	bool complete;	     /* every process and each of its descriptors was read */
	const char *problem; /* NULL, or what was missing first */
};

/* *ret must stay where it is.  ST_UNKNOWN: a layout that this build does not know. */
enum status open_files_open(struct dump *d, struct open_files *ret);

/*
 * Reads the tables, once.  wanted: hash by address of the inodes that are asked for; others are not
 * kept.
 */
enum status open_files_read(struct open_files *o, const struct hash_u64 *wanted);

/* NULL: no process has it open, or, unless complete, none is known. */
const struct file_users *open_files_find(const struct open_files *o, uint64_t inode);

/* A process that has this mm_struct; NULL: none is known. */
const struct file_user *open_files_mm(const struct open_files *o, uint64_t mm);

/* Adds a process to a list, unless it was the last that was added. */
void file_users_add(struct file_users *u, const struct file_user *user);

#define FILE_USERS_TEXT 192
/*
 * "123(hog), 140(sh) and 2 more"; empty: none.  Not complete: "123(hog), others unknown"; false:
 * nothing is known.
 */
bool file_users_text(const struct file_users *u, bool complete, char buf[FILE_USERS_TEXT]);
