// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/sysv_sem.h"

#include "files/sysv_ipc.h"
#include "kernel/list.h"

#define MAX_SEMS 32000 /* of a set: SEMMSL, include/uapi/linux/sem.h */

struct set {
	uint32_t key;
	int32_t id;
	bool deleted;
	uint32_t sems;
};

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

struct walk {
	const struct sysv_sems *of;
	void (*visit)(void *arg, const struct sysv_sem_wait *wait);
	void *arg;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct sysv_sems, set, "struct sem_array"),
	READS(struct set, key, REQUIRED, "all", "sem_perm.key"),
	READS(struct set, id, REQUIRED, "all", "sem_perm.id"),
	READS(struct set, deleted, REQUIRED, "all", "sem_perm.deleted"),
	READS(struct set, sems, REQUIRED, "all", "sem_nsems"),
	FINDS(struct sysv_sems, permissions, "struct sem_array", REQUIRED, "all", "sem_perm"),
	FINDS(struct sysv_sems, all, "struct sem_array", REQUIRED, "4.13", "sems"),
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

enum status sysv_sems_open(struct dump *d, struct sysv_sems *ret)
{
	enum status st = dump_built_with(d, "CONFIG_SYSVIPC", "sem_init_ns", "struct sem_array");

	*ret = (struct sysv_sems){ .dump = d };
	st = st ?: STRUCTS_OPEN(d, rows, ret);
	if (st == ST_OK && dump_ask(d, type_size, "struct sem", &ret->stride) != ST_OK)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct sem");
	return st;
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

static enum status visit_requests(const struct walk *w, const struct set *set, uint64_t address,
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
		wait.sem = address + x->all.offset + op.number * x->stride;
		find_takers(x, address, &wait);
		w->visit(w->arg, &wait);
	}
	return list_end(&l);
}

static enum status visit_set(void *arg, uint64_t namespace NOT_USED, uint64_t permissions)
{
	const struct walk *w = arg;
	const struct sysv_sems *x = w->of;
	const uint64_t address = permissions - x->permissions.offset;
	struct set set;
	enum status st = struct_read(&x->set, address, &set);

	if (st != ST_OK || set.deleted)
		return st;
	if (set.sems > MAX_SEMS)
		return dump_fail(x->dump, ST_CORRUPT, "the set at %#lx has %u semaphores", address,
				 set.sems);
	st = visit_requests(w, &set, address, address + x->alter.offset);
	for (uint32_t i = 0; i < set.sems && st == ST_OK; i++)
		st = visit_requests(w, &set, address,
				    address + x->all.offset + i * x->stride + x->pending.offset);
	return st;
}

enum status sysv_sem_waits_walk(const struct sysv_sems *x,
				void (*visit)(void *arg, const struct sysv_sem_wait *wait),
				void *arg)
{
	struct walk w = { x, visit, arg };

	return sysv_ipc_walk(x->dump, SYSV_SEM, visit_set, &w);
}
