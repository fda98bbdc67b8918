/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of System V semaphores (ipc/sem.c): kernel memory that stays until they are removed, and who made them. */
#pragma once

#include "files/sysv_ipc.h"
#include "util/maybe.h"

struct sem_set {
	uint64_t address; /* of its struct sem_array */
	uint64_t sems;	  /* sem_nsems */
	uint64_t bytes; /* of it and its semaphores; the slab object, or the pages, may have more */
	uint32_t key;	/* 0: IPC_PRIVATE */
	int32_t id;
	struct maybe_u64 uid; /* of who created it, in the first user namespace */
	int32_t last; /* the pid of who set or took from its first one last; 0: none did, or unknown */
	enum sysv_life last_life;
};

/*
 * Calls visit with each set of the IPC namespaces of sysv_ipc_walk().  ST_ABSENT: built without CONFIG_SYSVIPC;
 * ST_UNREADABLE, ST_CORRUPT, ST_UNKNOWN: some are missing.
 */
enum status sem_sets_walk(struct dump *d,
			  enum status (*visit)(void *arg, const struct sem_set *set), void *arg);
