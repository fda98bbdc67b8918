// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/sem_sets.h"

#define MAX_SEMS (1ULL << 31) /* of a set: kernel.sem has SEMMSL as an int */

struct set {
	uint32_t key, uid;
	int32_t id;
	uint64_t sems;
	bool has_uid, deleted;
};

struct walk {
	struct dump *dump;
	struct structure set;
	struct field permissions, all, last; /* in a sem_array; in a sem */
	struct sysv_pids pids;
	uint64_t stride; /* bytes of a struct sem */
	enum status (*visit)(void *arg, const struct sem_set *set);
	void *arg;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, set, "struct sem_array"),
	READS(struct set, key, REQUIRED, "all", "sem_perm.key"),
	READS(struct set, id, REQUIRED, "all", "sem_perm.id"),
	READS(struct set, deleted, REQUIRED, "all", "sem_perm.deleted"),
	READS(struct set, sems, REQUIRED, "all", "sem_nsems"),
	READS_IF(struct set, uid, has_uid, OPTIONAL, "3.5", "sem_perm.cuid.val"),
	FINDS(struct walk, permissions, "struct sem_array", REQUIRED, "all", "sem_perm"),
	/* 4.13: ipc/sem: drop sem_base, embed struct sem: a pointer before. */
	FINDS(struct walk, all, "struct sem_array", REQUIRED, "4.13", "sems"),
	/* 4.17: ipc/sem: Fix semctl(..., GETPID, ...) between pid namespaces: a struct pid *, a pid_t before. */
	FINDS(struct walk, last, "struct sem", OPTIONAL, "4.17", "sempid"),
};

static enum status visit_set(void *arg, uint64_t namespace NOT_USED, uint64_t permissions)
{
	const struct walk *w = arg;
	struct sem_set found = { .address = permissions - w->permissions.offset };
	struct set set;
	uint64_t pid = 0;
	enum status st = struct_read(&w->set, found.address, &set);

	if (st != ST_OK || set.deleted)
		return st;
	if (set.sems > MAX_SEMS)
		return dump_fail(w->dump, ST_CORRUPT, "the set at %#lx has %lu semaphores",
				 found.address, set.sems);
	found.sems = set.sems;
	found.bytes = w->all.offset + set.sems * w->stride;
	found.key = set.key;
	found.id = set.id;
	found.uid = (struct maybe_u64){ set.uid, set.has_uid };
	if (set.sems && w->last.present && w->last.size == sizeof(pid) &&
	    dump_u64(w->dump, found.address + w->all.offset + w->last.offset, &pid, "sem") ==
		    ST_OK) {
		found.last = sysv_pid(&w->pids, pid);
		found.last_life = sysv_pid_life(&w->pids, pid);
	}
	w->dump->error[0] = '\0';
	return w->visit(w->arg, &found);
}

enum status sem_sets_walk(struct dump *d,
			  enum status (*visit)(void *arg, const struct sem_set *set), void *arg)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	enum status st = dump_built_with(d, "CONFIG_SYSVIPC", "sem_init_ns", "struct sem_array");

	if (st != ST_OK)
		return st;
	*w = (struct walk){ .dump = d, .visit = visit, .arg = arg };
	st = STRUCTS_OPEN(d, rows, w) ?: sysv_pids_open(d, &w->pids);
	if (st == ST_OK && dump_ask(d, type_size, "struct sem", &w->stride) != ST_OK)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct sem");
	return st ?: sysv_ipc_walk(d, SYSV_SEM, visit_set, w);
}
