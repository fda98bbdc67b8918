/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RCU of the tree (kernel/rcu/tree.c, 4.18 to 7.3): whether a grace period is running, since when, which CPUs and tasks
 * it waits for, and the callbacks that wait for it. What kfree_rcu() and kvfree_call_rcu() gathered is in no callback of
 * these lists until it is handed over.
 *
 * Up to 4.19 there were flavours of it, each with its own grace periods and callbacks (rcu_sched, rcu_bh, and rcu_preempt of a
 * preemptible kernel; 4.20, "rcu: Define RCU-sched API in terms of RCU for Tree RCU PREEMPT builds" and those around it).
 */
#pragma once

#include "dump/structure.h"
#include "kernel/percpu.h"

#define RCU_FLAVOURS 4

struct rcu_flavour {
	uint64_t at;	  /* struct rcu_state */
	uint64_t data_at; /* per-CPU address of struct rcu_data */
};

struct rcu {
	struct dump *dump;
	struct structure state, node, data, callback;
	struct field nodes; /* of struct rcu_state */
	struct field entry; /* of struct task_struct; absent: tasks block no grace period */
	uint64_t node_bytes, leaf, nnodes;
	struct rcu_flavour flavours[RCU_FLAVOURS];
	unsigned int nflavours;
	bool has_offsets; /* a function below RCU_OFFSETS is what kfree_rcu() was given */
	struct percpu cpus;
};

/*
 * Up to 5.8 kfree_rcu() gave call_rcu() the offset of the rcu_head in its object for a function (__is_kfree_rcu_offset() in
 * include/linux/rcupdate.h).
 */
#define RCU_OFFSETS 4096

struct rcu_grace {
	bool is_running;
	uint64_t number; /* of the grace period */
	uint64_t start;	 /* jiffies: of the one that runs, or that was the last */
};

struct rcu_blocker {
	bool is_cpu; /* it has told no quiescent state since the start */
	uint64_t cpu;
	uint64_t task; /* address: it was preempted, or sleeps, in a read-side section */
};

struct rcu_callback {
	uint64_t address, function; /* of the struct rcu_head, which is in what is to be freed */
	bool is_offset; /* function is none: kfree_rcu() is to free what the rcu_head is in */
	bool is_ready;	/* its grace period has ended: it waits for its CPU to call it */
};

/* ST_ABSENT: this kernel has no RCU of the tree (one CPU, without preemption); ST_UNKNOWN. *ret must stay where it is. */
enum status rcu_open(struct dump *d, struct rcu *ret);

/* Of several flavours the grace period that has run longest. */
enum status rcu_grace_read(const struct rcu *r, struct rcu_grace *ret);

/* What the grace periods that run wait for, a CPU once. ST_UNREADABLE, ST_CORRUPT: some may be missing. */
enum status rcu_blockers_walk(const struct rcu *r,
			      enum status (*visit)(void *arg, const struct rcu_blocker *b),
			      void *arg);

/* Visits those of every CPU; *counted: as many as the CPUs say they have. ST_UNREADABLE, ST_CORRUPT: some are missing. */
enum status rcu_callbacks_walk(const struct rcu *r,
			       enum status (*visit)(void *arg, const struct rcu_callback *c),
			       void *arg, uint64_t *counted);
