/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FUSE (fs/fuse/): its connections, the processes that have the server's end of each open, and which request a
 * task waits for. A task that waits has a wait_queue_entry on its stack, which is in the queue of a fuse_req, of
 * a fuse_inode (for the end of writeback) or of the fuse_conn (for its turn to ask).
 */
#pragma once

#include "files/inode_path.h"
#include "files/open_files.h"
#include "files/page_wait.h"
#include "kernel/wait_queue.h"

struct fuse_conn {
	struct fuse_conn *next;
	uint64_t address; /* 0: unknown, of one that is_untyped */
	uint64_t chan;	  /* address of its struct fuse_chan, 0: a kernel before 7.3 */
	uint32_t dev;	  /* its folder in /sys/fs/fuse/connections */
	bool connected;
	bool is_untyped;	 /* connected and waiting are unknown (fuse.c) */
	uint32_t waiting;	 /* requests, as the file waiting has it */
	uint64_t sb;		 /* address of a super_block, 0: none is known */
	const char *type, *path; /* "fuse", where it is mounted; NULL: unknown */
	struct file_users users; /* have /dev/fuse of it open */
};

enum fuse_request_state {
	FUSE_REQUEST_UNKNOWN,
	FUSE_REQUEST_PENDING, /* no server has read it */
	FUSE_REQUEST_SENT,    /* one has, and has not answered */
	FUSE_REQUEST_STATES
};

struct fuse_wait {
	struct fuse_conn *conn;
	const char *request; /* "FUSE_STATFS"; NULL: for no request of its own, or unknown */
	enum fuse_request_state state;
};

struct fuse {
	struct dump *dump;
	struct structure conn, chan, mount, request, device;
	struct field node, mounts, mount_node, request_queue, inode_queue, inode, conn_queue,
		chan_queue;
	struct wait_queues queues;
	struct field inode_sb, inode_mapping, file_private, root, dentry_inode;
	struct page_waits pages;
	bool has_pages, is_untyped;
	uint64_t pending, sent; /* bits of fuse_req.flags; 0: unknown */
	struct fuse_conn *first;
	struct hash_u64 by_address,
		by_sb;		  /* of struct fuse_conn *; an address is its own or its chan's */
	bool users_complete;	  /* by open_files_read() */
	const char *why_no_users; /* NULL, or what is missing of them */
};

/*
 * All connections. *ret must stay where it is. ST_ABSENT: no FUSE in this kernel, or it is not loaded;
 * ST_UNKNOWN: a layout that this build does not know.
 */
enum status fuse_open(struct dump *d, struct fuse *ret);

/* What a task waits for by its stack from..to. ST_ABSENT: no queue of a connection was found there. */
enum status fuse_wait_find(struct fuse *f, uint64_t task, const struct task_stack *s, uint64_t from,
			   uint64_t to, struct fuse_wait *ret);

/*
 * The connection of the file whose folio a task waits for by its stack from..to: since 6.16 that is how it waits for
 * the end of writeback. ST_ABSENT: it is of no file of a connection.
 */
enum status fuse_page_wait_find(struct fuse *f, uint64_t task, const struct task_stack *s,
				uint64_t from, uint64_t to, struct fuse_wait *ret);

/* The same of a page that is locked, and whose data its server has not sent. */
enum status fuse_page_read_find(struct fuse *f, uint64_t task, const struct task_stack *s,
				uint64_t from, uint64_t to, struct fuse_wait *ret);

/* Fills users of all connections. */
void fuse_read_users(struct fuse *f);

/*
 * Without types of the module: "sshfs (12), rclone (30)", who has /dev/fuse open, of which each may serve any file system or
 * none; NULL: no process has it, or that is unknown.
 */
const char *fuse_device_users(struct dump *d);
