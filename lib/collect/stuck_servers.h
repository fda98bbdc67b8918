/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which server of FUSE or NFS, which userfaultfd, group of fanotify or filter of seccomp a thread waits for, and the
 * threads that may answer.
 */
#pragma once

#include "collect/stuck.h"

/* Zero before the first thread that waits for one, but for mms. */
struct stuck_servers {
	struct fuse *fuse;	       /* NULL: no thread was seen that waits for one of FUSE */
	const char *why;	       /* NULL, or why its connections are unknown */
	struct userfaults *userfaults; /* NULL: no thread was seen that waits for one */
	const char *why_no_userfaults;
	struct stuck_asked *asked;	 /* that threads wait for */
	struct fanotify_waits *fanotify; /* NULL: no thread was seen that waits for one */
	struct seccomp_waits *seccomp;	 /* the same */
	const char *why_no_fanotify, *why_no_seccomp;
	bool asked_complete; /* all users of these are known */
	const char *why_no_users;
	const struct hash_u64 *mms; /* mm_struct of every process */
	struct hash_u64 servers;    /* of struct stuck_server, by what they are of */
};

/* Of a task with these frames, whose entry in a queue is in those up to end; kind: one that wait_is_for_answer(). */
enum status stuck_server_find(struct stuck_servers *x, struct dump *d, const struct task_frames *at,
			      enum wait_kind kind, uint64_t end, struct stuck_task *s);

/* Of the file whose page it waits for, in the frames up to end, to be read (page_lock) or written back. What else but ST_OK: of no FUSE file that is known. */
enum status stuck_server_of_page(struct stuck_servers *x, struct dump *d,
				 const struct task_frames *at, uint64_t end, bool page_lock,
				 struct stuck_task *s);

/*
 * Sets server of all threads that wait for one whose other end processes have open; is_whole: no thread is missing.
 * Returns the connections with their users; NULL: no thread waits for one, or they are unknown.
 */
const struct fuse *stuck_servers_read(struct stuck_servers *x, struct dump *d,
				      struct stuck_task *all, bool is_whole);

/*
 * The process that alone has the other end, beside that of the thread that waits, by the first of its threads that has
 * not exited; NULL: several have it, or some are unknown.
 */
struct stuck_task *stuck_server_of(const struct stuck_task *s);
