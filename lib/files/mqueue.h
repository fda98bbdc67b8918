/* SPDX-License-Identifier: GPL-2.0-or-later */
/* POSIX message queues (ipc/mqueue.c): messages that were sent and not received, in slab objects. */
#pragma once

#include "dump/structure.h"

struct mqueues {
	struct dump *dump;
	struct structure queue;
	struct field inode, node, list, link; /* link: of struct msg_msg */
	uint64_t header;		      /* bytes of a struct msg_msg */
};

struct mqueue {
	uint64_t messages; /* mq_curmsgs */
	uint64_t bytes; /* data, and a struct msg_msg each; the objects of slab caches have more */
	uint64_t message; /* address of one of them; 0: there is none, or it is unknown */
};

/* Queues are the files of fs_files_walk(d, "mqueue_fs_type").  ST_ABSENT: built without CONFIG_POSIX_MQUEUE. */
enum status mqueues_find(struct dump *d, struct mqueues *ret);

/* Of the address of its inode; ST_CORRUPT: its numbers are impossible. */
enum status mqueue_read(const struct mqueues *m, uint64_t inode, struct mqueue *ret);
