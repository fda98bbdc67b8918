// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/sysv_sem.h"

#include "files/sysv_ipc.h"
#include "kernel/list.h"

#define MAX_BYTES \
	INT32_MAX /* of a set: kvmalloc() refuses more (5.15: mm: don't allow oversized kvmalloc() calls) */

struct request {
	uint64_t sleeper, operation;
};

struct operation {
	uint16_t number;
	int16_t change;
};

struct undo {
	uint64_t list, values;
};

struct undo_list {
	uint64_t list;
};

struct set_walk {
	const struct sysv_sem_sets *of;
	enum status (*visit)(void *arg, const struct sysv_sem_set *set);
	void *arg;
};

struct walk {
	const struct sysv_sems *of;
	void (*visit)(void *arg, const struct sysv_sem_wait *wait);
	void *arg;
};

static const struct layout_row set_rows[] = {
	STRUCTURE(struct sysv_sem_sets, set, "struct sem_array"),
	READS(struct sysv_sem_set, key, REQUIRED, "all", "sem_perm.key"),
	READS(struct sysv_sem_set, id, REQUIRED, "all", "sem_perm.id"),
	READS(struct sysv_sem_set, deleted, REQUIRED, "all", "sem_perm.deleted"),
	READS(struct sysv_sem_set, sems, REQUIRED, "all", "sem_nsems"),
	READS_IF(struct sysv_sem_set, uid, has_uid, OPTIONAL, "3.5", "sem_perm.cuid.val"),
	FINDS(struct sysv_sem_sets, permissions, "struct sem_array", REQUIRED, "all", "sem_perm"),
	/* 4.13: ipc/sem: drop sem_base, embed struct sem: a pointer before. */
	FINDS(struct sysv_sem_sets, all, "struct sem_array", REQUIRED, "4.13", "sems"),
	/* 4.17: ipc/sem: Fix semctl(..., GETPID, ...) between pid namespaces: a struct pid *, a pid_t before. */
	FINDS(struct sysv_sem_sets, last, "struct sem", OPTIONAL, "4.17", "sempid"),
};

static const struct layout_row rows[] = {
	FINDS(struct sysv_sems, alter, "struct sem_array", REQUIRED, "3.11", "pending_alter"),
	FINDS(struct sysv_sems, undos, "struct sem_array", REQUIRED, "all", "list_id"),
	FINDS(struct sysv_sems, pending, "struct sem", REQUIRED, "3.11", "pending_alter"),
	FINDS(struct sysv_sems, in_queue, "struct sem_queue", REQUIRED, "all", "list"),
	STRUCTURE(struct sysv_sems, request, "struct sem_queue"),
	POINTS(struct request, sleeper, REQUIRED, "all", "sleeper"),
	POINTS(struct request, operation, REQUIRED, "4.10", "blocking"),
	STRUCTURE(struct sysv_sems, operation, "struct sembuf"),
	READS(struct operation, number, REQUIRED, "all", "sem_num"),
	READS(struct operation, change, REQUIRED, "all", "sem_op"),
	FINDS(struct sysv_sems, in_set, "struct sem_undo", REQUIRED, "all", "list_id"),
	STRUCTURE(struct sysv_sems, undo, "struct sem_undo"),
	POINTS(struct undo, list, REQUIRED, "all", "ulp"),
	/* A pointer to them in 6.1, an array behind the others in 6.12. */
	PLACES(struct undo, values, REQUIRED, "all", "semadj"),
	FINDS(struct sysv_sems, values, "struct sem_undo", REQUIRED, "all", "semadj"),
	STRUCTURE(struct sysv_sems, task, "struct task_struct"),
	POINTS(struct undo_list, list, REQUIRED, "CONFIG_SYSVIPC", "sysvsem.undo_list"),
};

enum status sysv_sem_sets_open(struct dump *d, struct sysv_sem_sets *ret)
{
	enum status st = dump_built_with(d, "CONFIG_SYSVIPC", "sem_init_ns", "struct sem_array");

	*ret = (struct sysv_sem_sets){ .dump = d };
	st = st ?: STRUCTS_OPEN(d, set_rows, ret);
	if (st == ST_OK && dump_ask(d, type_size, "struct sem", &ret->stride) != ST_OK)
		st = dump_unknown(d, "struct sem");
	return st;
}

static enum status visit_set(void *arg, uint64_t namespace NOT_USED, uint64_t permissions)
{
	const struct set_walk *w = arg;
	const struct sysv_sem_sets *x = w->of;
	const uint64_t address = permissions - x->permissions.offset;
	struct sysv_sem_set set = { 0 };
	enum status st = struct_read(&x->set, address, &set);

	if (st != ST_OK || set.deleted)
		return st;
	set.bytes = x->all.offset + set.sems * x->stride;
	if (set.bytes > MAX_BYTES)
		return dump_corrupt(x->dump, "the set at %#lx has %lu semaphores", address,
				    set.sems);
	set.address = address;
	if (!set.sems || !x->last.present || x->last.size != sizeof(set.pid) ||
	    dump_u64(x->dump, address + x->all.offset + x->last.offset, &set.pid, "sem") != ST_OK)
		set.pid = 0;
	x->dump->error[0] = '\0';
	return w->visit(w->arg, &set);
}

enum status sysv_sem_sets_walk(const struct sysv_sem_sets *x,
			       enum status (*visit)(void *arg, const struct sysv_sem_set *set),
			       void *arg)
{
	struct set_walk w = { x, visit, arg };

	return sysv_ipc_walk(x->dump, SYSV_SEM, visit_set, &w);
}

enum status sysv_sems_open(struct dump *d, struct sysv_sems *ret)
{
	*ret = (struct sysv_sems){ .dump = d };
	return sysv_sem_sets_open(d, &ret->sets) ?: STRUCTS_OPEN(d, rows, ret);
}

enum status sem_undo_list_of(const struct sysv_sems *x, uint64_t task, uint64_t *ret)
{
	struct undo_list u;
	enum status st = struct_read(&x->task, task, &u);

	return RESULT(st, ret, u.list);
}

/* What a process took is above 0: its end adds that. One that has exited has no list, and gave it back. */
static void find_takers(const struct sysv_sems *x, uint64_t set, struct sysv_sem_wait *ret)
{
	struct list_nodes l = list_of(x->dump, set + x->undos.offset, "undo values");
	uint64_t node;

	ret->complete = true;
	while (list_next(&l, &node)) {
		struct undo u;
		uint8_t value[2];

		if (struct_read(&x->undo, node - x->in_set.offset, &u) != ST_OK ||
		    (x->values.size == sizeof(u.values) &&
		     dump_u64(x->dump, u.values, &u.values, "sem_undo") != ST_OK) ||
		    dump_read(x->dump, u.values + sizeof(value) * ret->number, value, sizeof(value),
			      "undo values") != ST_OK) {
			ret->complete = false;
			continue;
		}
		if ((int16_t)le16(value) <= 0 || !u.list)
			continue;
		ret->list = ret->takers++ ? ret->list : u.list;
	}
	ret->complete &= list_end(&l) == ST_OK;
}

static enum status visit_requests(const struct walk *w, const struct sysv_sem_set *set,
				  uint64_t head)
{
	const struct sysv_sems *x = w->of;
	struct list_nodes l = list_of(x->dump, head, "requests of semaphores");
	uint64_t node;

	while (list_next(&l, &node)) {
		struct sysv_sem_wait wait = { .key = set->key, .id = set->id };
		struct request r;
		struct operation op;
		enum status st = struct_read(&x->request, node - x->in_queue.offset, &r)
					 ?: struct_read(&x->operation, r.operation, &op);

		if (st != ST_OK)
			return st;
		if (op.change >= 0 || op.number >= set->sems)
			continue;
		wait.task = r.sleeper;
		wait.number = op.number;
		wait.sem = set->address + x->sets.all.offset + op.number * x->sets.stride;
		find_takers(x, set->address, &wait);
		w->visit(w->arg, &wait);
	}
	return list_end(&l);
}

static enum status visit_waits(void *arg, const struct sysv_sem_set *set)
{
	const struct walk *w = arg;
	const struct sysv_sems *x = w->of;
	const uint64_t all = set->address + x->sets.all.offset;
	enum status st = visit_requests(w, set, set->address + x->alter.offset);

	for (uint64_t i = 0; i < set->sems && st == ST_OK; i++)
		st = visit_requests(w, set, all + i * x->sets.stride + x->pending.offset);
	return st;
}

enum status sysv_sem_waits_walk(const struct sysv_sems *x,
				void (*visit)(void *arg, const struct sysv_sem_wait *wait),
				void *arg)
{
	struct walk w = { x, visit, arg };

	return sysv_sem_sets_walk(&x->sets, visit_waits, &w);
}
