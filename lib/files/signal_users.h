/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For which processes signals wait, each an object of slab cache sigqueue, who sent them, and whether they are blocked. */
#pragma once

#include "files/open_files.h"
#include "tasks/signal_queue.h"

/* A process. */
struct signal_user {
	const struct file_user *user;
	uint64_t n;	    /* for it or one of its threads, without those that POSIX timers have */
	int32_t number;	    /* the signal that most are */
	uint64_t of_number; /* how many are that */
	bool blocks;	    /* every thread of it blocks that signal */
	uint64_t senders;   /* PIDs that sent some; 0: they are of the kernel */
	int32_t sender;	    /* that which sent most, */
	uint64_t of_sender; /* how many */
	const char *sender_comm;  /* NULL: no process here has that PID */
	struct maybe_u64 of_user; /* what the kernel counts for its user: SigQ, timers included */
};

struct signal_users {
	struct signal_queues of;
	struct hash_u64 all; /* of struct signal_user by tgid */
	bool has_all;	     /* every task was read */
	const char *problem; /* NULL, or why signals may be missing */
};

/* ST_UNKNOWN; ST_STOPPED. *ret must stay where it is. */
enum status signal_users_collect(struct dump *d, struct signal_users *ret);

/* NULL: none wait for it, or none is known. */
const struct signal_user *signals_of(const struct signal_users *u, int32_t tgid);

/* Of many " that it blocks, sent by job-notify (170),", behind their number; NULL: they are few. */
const char *signal_words(struct dump *d, const struct signal_user *u);

/* "job-notify (170)", "2 processes, most by job-notify (170)"; empty: the kernel, or no one that is known */
const char *signal_sender_text(struct dump *d, const struct signal_user *u);
