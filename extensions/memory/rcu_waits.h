/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was freed and waits for a grace period of RCU: callbacks by their function and the slab cache of what they free; and
 * who keeps that grace period from its end: a task that sleeps in a read-side section, a CPU that tells no quiescent state.
 */
#pragma once

#include "collect/session.h"
#include "dump/gap.h"
#include "kernel/rcu.h"
#include "tasks/task.h"
#include "util/hash_bytes.h"

#define RCU_BLOCKERS 64 /* that are kept; more are counted */

struct rcu_wait {
	const char *function; /* NULL: unknown */
	const char *module;   /* of it; NULL: of vmlinux, or unknown */
	uint64_t cache_at;    /* struct kmem_cache; 0: no slab object, or unknown */
	const char *cache;    /* its name; NULL: the same, or it has none */
	uint64_t n, bytes;    /* callbacks; of the objects of that cache */
	uint64_t ready;	      /* of n: its grace period has ended, the CPU has not called it */
	bool is_unknown;      /* whether what is freed is a slab object, and of which cache */
};

/* What the grace period waits for. */
struct rcu_holder {
	bool is_cpu;
	uint64_t cpu;
	bool has_task; /* that blocks it, or that the CPU ran */
	int32_t pid, tgid;
	const char *comm;
	const char *state;    /* of a task: a letter; NULL: unknown */
	const char *function; /* beyond what waits for others: "hsm_wait_answer"; NULL */
	const char *module;   /* of that; NULL: vmlinux, or unknown */
};

struct rcu_waits {
	struct rcu of;
	struct hash_bytes all;	 /* of struct rcu_wait by function and cache */
	uint64_t n, counted;	 /* callbacks that were found, and that the CPUs count */
	uint64_t waiting, bytes; /* of n, those that are not ready; of objects of slab caches */
	uint64_t unknown; /* of n, those that bytes are without: it is not known what they free */
	const char *what_problem; /* why; NULL: of all it is known */
	bool has_grace;
	struct rcu_grace grace;
	bool has_age;
	uint64_t age_ns; /* of the grace period that runs */
	struct rcu_holder holders[RCU_BLOCKERS];
	unsigned int nholders, nall; /* nall: with those that are not kept */
	const char *problem;	     /* NULL, or why callbacks or blockers may be missing */
	struct gaps gaps;
	bool is_partial;
};

/* ST_ABSENT: no RCU of the tree; ST_UNKNOWN. *ret must stay where it is. */
enum status rcu_waits_collect(const struct session *s, struct rcu_waits *ret);

/* "asleep in hsm_wait_answer [hsm_pci]"; NULL: unknown. */
const char *rcu_holder_place(struct dump *d, const struct rcu_holder *h);
/* "pkcs11d (105)", "CPU 3, which ran stress (99)" */
const char *rcu_holder_name(struct dump *d, const struct rcu_holder *h);
