/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of semaphores of System V (ipc/sem.c), who waits for a semaphore, and who has taken it. A semaphore has no owner:
 * an operation with SEM_UNDO notes what the end of its process gives back.
 */
#pragma once

#include "dump/structure.h"

struct sysv_sem_set {
	uint64_t address; /* of its struct sem_array */
	uint64_t sems;	  /* sem_nsems */
	uint64_t bytes; /* of it and its semaphores; the slab object, or the pages, may have more */
	uint64_t pid;	/* struct pid of who changed its first one last; 0: none did, or unknown */
	uint32_t key;	/* 0: IPC_PRIVATE */
	uint32_t uid;	/* of who created it, in the first user namespace */
	int32_t id;
	bool has_uid, deleted;
};

struct sysv_sem_sets {
	struct dump *dump;
	struct structure set;
	struct field permissions, all, last; /* of struct sem_array; of struct sem */
	uint64_t stride;		     /* bytes of a struct sem */
};

/* ST_ABSENT: built without CONFIG_SYSVIPC. */
enum status sysv_sem_sets_open(struct dump *d, struct sysv_sem_sets *ret);

/*
 * Calls visit with each set of the IPC namespaces of sysv_ipc_walk() that is not deleted. ST_UNREADABLE, ST_CORRUPT,
 * ST_UNKNOWN: some are missing.
 */
enum status sysv_sem_sets_walk(const struct sysv_sem_sets *x,
			       enum status (*visit)(void *arg, const struct sysv_sem_set *set),
			       void *arg);

struct sysv_sem_wait {
	uint64_t task;	 /* that waits */
	uint64_t sem;	 /* address of the struct sem */
	uint32_t key;	 /* 0: private */
	int32_t id;	 /* of the set */
	uint32_t number; /* in the set */
	uint64_t takers; /* lists of undo values that give back to it */
	uint64_t list;	 /* the first sem_undo_list of these, whose process lives */
	bool complete;	 /* there are no others */
};

struct sysv_sems {
	struct dump *dump;
	struct sysv_sem_sets sets;
	struct structure request, operation, undo, task;
	struct field alter, undos;	       /* of struct sem_array */
	struct field pending;		       /* of struct sem */
	struct field in_queue, in_set, values; /* of struct sem_queue, sem_undo */
};

/* ST_ABSENT: built without CONFIG_SYSVIPC. */
enum status sysv_sems_open(struct dump *d, struct sysv_sems *ret);

/* Calls visit for each thread that waits to take from a semaphore. ST_UNREADABLE, ST_CORRUPT: some are missing. */
enum status sysv_sem_waits_walk(const struct sysv_sems *x,
				void (*visit)(void *arg, const struct sysv_sem_wait *wait),
				void *arg);

/* The sem_undo_list of a task; 0: it has none. */
enum status sem_undo_list_of(const struct sysv_sems *x, uint64_t task, uint64_t *ret);
