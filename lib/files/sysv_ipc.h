/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects of System V IPC by namespace (ipc/util.c), and the processes that their pids are of. */
#pragma once

#include "dump/structure.h"

/* Index of struct ipc_namespace.ids: macros of ipc/util.h. */
enum sysv_kind { SYSV_SEM, SYSV_MSG, SYSV_SHM };

/*
 * Calls visit with each struct kern_ipc_perm of a kind, of the first IPC namespace and of those that the super blocks
 * of mqueue belong to, which each namespace has. What visit returns but ST_STOPPED is kept, and it goes on.
 * ST_UNREADABLE, ST_CORRUPT, ST_UNKNOWN: some are missing.
 */
enum status sysv_ipc_walk(struct dump *d, enum sysv_kind kind,
			  enum status (*visit)(void *arg, uint64_t namespace, uint64_t perm),
			  void *arg);

/* A struct pid, which is of one process for as long as anything keeps it: its number is given to no other. */
struct sysv_pids {
	struct dump *dump;
	struct field numbers, tasks;
	int64_t tgid; /* index of tasks: of a process */
};

enum sysv_life { SYSV_LIFE_UNKNOWN, SYSV_LIVE, SYSV_ENDED };

enum status sysv_pids_open(struct dump *d, struct sysv_pids *ret);

/* Its number in the first pid namespace; 0: there is none, or it is unknown. */
int32_t sysv_pid(const struct sysv_pids *p, uint64_t pid);

/* Whether the process that has it is still there. */
enum sysv_life sysv_pid_life(const struct sysv_pids *p, uint64_t pid);
