/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who waits for a lock of a file, and for which (fs/locks.c): each CPU lists the locks that were taken, as /proc/locks
 * shows them; a lock has the requests that wait for it, these have those that wait for them. A request has the queue
 * in which its task sleeps, one of flock(), fcntl(F_SETLKW), fcntl(F_OFD_SETLKW), or an open() that breaks a lease.
 */
#pragma once

#include "dump/structure.h"
#include "kernel/wait_queue.h"
#include "util/hash_u64.h"

enum file_lock_kind {
	FILE_LOCK_FLOCK,
	FILE_LOCK_POSIX,
	FILE_LOCK_OFD, /* of a struct file, as the first; the others of POSIX are of a files_struct */
	FILE_LOCK_LEASE,
	FILE_LOCK_KINDS
};

/* Those of flock() are all of a file, and a lease has no bytes. */
static inline bool file_lock_has_range(enum file_lock_kind kind)
{
	return kind == FILE_LOCK_POSIX || kind == FILE_LOCK_OFD;
}

struct file_range {
	uint64_t start, end; /* bytes, the last one too; INT64_MAX: to the end of the file */
};

/* A lock that was taken. */
struct file_lock {
	struct file_lock *next; /* in the list of its inode */
	const struct file_locks_of *of;
	uint64_t address, file;
	uint64_t owner; /* address of a struct file or files_struct */
	int32_t pid;	/* tgid of the process that took it; -1: of an OFD lock */
	enum file_lock_kind kind;
	bool is_shared;
	struct file_range range; /* of kinds POSIX and OFD */
	uint64_t waiters;	 /* requests, those that wait for others of them too */
};

/* All of one list of an inode. */
struct file_locks_of {
	uint64_t inode; /* its address */
	struct file_lock *first;
	bool complete;
};

struct file_wait {
	const struct file_lock *lock; /* that was taken, behind whatever other requests */
	uint64_t request;	      /* address of its struct file_lock */
	uint64_t entry;		      /* address of the struct wait_queue_entry in its queue */
	uint64_t file, owner;
	bool is_shared;
	struct file_range range;
};

struct file_waits {
	struct dump *dump;
	struct structure file, inode, context, lock, range;
	struct field link, list, requests, member, wait; /* of struct file_lock */
	struct field heads;
	struct wait_queues queues;
	uint64_t lists;	       /* per-CPU variable file_lock_list */
	struct hash_u64 seen;  /* inodes, and requests */
	struct hash_u64 waits; /* of struct file_wait by task_struct */
	const char *problem;   /* NULL, or why locks or requests may be missing */
};

/* *ret must stay where it is. ST_ABSENT: built without CONFIG_FILE_LOCKING; ST_UNKNOWN. */
enum status file_waits_open(struct dump *d, struct file_waits *ret);

/* Fills waits and problem; ST_STOPPED. */
enum status file_waits_read(struct file_waits *w);

/* Locks that keep a request from its own, at least 1; 0: unknown. */
uint64_t file_wait_bars(const struct file_wait *wait);
