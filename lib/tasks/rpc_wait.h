/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The server of the RPC that a task sleeps on in rpc_wait_bit_killable() (net/sunrpc/sched.c), as one of NFS: its
 * struct wait_bit_queue_entry on the stack has the address of a member of the rpc_task.
 */
#pragma once

#include "dump/structure.h"
#include "tasks/task_stack.h"

#define RPC_NAME 256 /* bytes of a name with its end: of a host it has 253 (RFC 1035) */

struct rpc_waits {
	struct dump *dump;
	struct structure client, transport, program;
	struct field flags, private, entry, state, task_client;
};

struct rpc_wait {
	uint64_t client;	/* address of the rpc_clnt */
	char server[RPC_NAME];	/* as the mount has it */
	char program[RPC_NAME]; /* "nfs" */
};

/* ST_UNKNOWN: a layout that this build does not know, or types of module sunrpc that are not loaded. */
enum status rpc_waits_open(struct dump *d, struct rpc_waits *ret);

/* By the stack of the task from..to. ST_ABSENT: no such entry is there. */
enum status rpc_wait_find(const struct rpc_waits *w, uint64_t task, const struct task_stack *s,
			  uint64_t from, uint64_t to, struct rpc_wait *ret);
