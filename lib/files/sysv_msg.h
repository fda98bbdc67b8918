/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System V message queues (ipc/msg.c): messages that were sent and not received, in slab objects. */
#pragma once

#include "dump/dump.h"

struct sysv_queue {
	uint64_t namespace; /* address of its struct ipc_namespace */
	uint64_t messages;  /* q_qnum */
	uint64_t bytes; /* data, and a struct msg_msg each; the objects of slab caches have more */
	uint64_t message; /* address of the oldest; 0: there is none */
	uint32_t key;
	int32_t id, sender,
		receiver; /* the last ones' pids of the first namespace; 0: none, or unknown */
	/* Threads that wait in msgrcv() for a message of a type: any there is, or another than those there are. */
	uint64_t waiting;
	int32_t waits;	   /* the pid of the first of them; 0: none, or unknown */
	int64_t waits_for; /* its type; 0: any */
};

/*
 * Calls visit with each queue of the first IPC namespace and of those that the super blocks of mqueue belong to, which
 * each namespace has.  ST_ABSENT: built without CONFIG_SYSVIPC; ST_UNREADABLE, ST_CORRUPT, ST_UNKNOWN: some are missing.
 */
enum status sysv_queues_walk(struct dump *d,
			     enum status (*visit)(void *arg, const struct sysv_queue *q),
			     void *arg);
