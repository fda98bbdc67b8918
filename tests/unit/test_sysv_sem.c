// SPDX-License-Identifier: GPL-2.0-or-later
/* Who waits for a semaphore of System V, and whose end would give back to it. */
#include "files/sysv_sem.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000ULL)
#define NAMESPACE AT(0)
#define SET AT(1)
#define TASK AT(2)
#define REQUEST AT(3)
#define OPERATION AT(4)
#define UNDO(i) AT(5 + (i))
#define VALUES(i) AT(8 + (i))
#define LIST(i) AT(11 + (i))
#define UNDOS 3u
#define SEM(i) (SET + 64 + (i)*32)

struct link {
	uint64_t next, prev;
};
static struct {
	uint32_t key;
	int32_t id;
	uint64_t deleted, sems;
	struct link alter, undos;
	uint64_t pad;
	struct {
		uint64_t value, pad;
		struct link pending;
	} sem[2];
} set;
static struct {
	struct link list;
	uint64_t sleeper, operation;
} request;
static struct {
	uint16_t number;
	int16_t change;
} operation;
static struct {
	struct link list;
	uint64_t of;
	union {
		uint64_t at;
		int16_t all[4];
	} values;
} undo[UNDOS];
static int16_t values[UNDOS][2];
static uint64_t ids[2]; /* of the namespace: the root of its idr */
static uint64_t task[1] = { LIST(0) };

static const struct stub_memory memory[] = {
	{ NAMESPACE, ids, sizeof(ids) },
	{ SET, &set, sizeof(set) },
	{ REQUEST, &request, sizeof(request) },
	{ OPERATION, &operation, sizeof(operation) },
	{ UNDO(0), &undo[0], sizeof(undo[0]) },
	{ UNDO(1), &undo[1], sizeof(undo[1]) },
	{ UNDO(2), &undo[2], sizeof(undo[2]) },
	{ VALUES(0), values[0], sizeof(values[0]) },
	{ VALUES(1), values[1], sizeof(values[1]) },
	{ VALUES(2), values[2], sizeof(values[2]) },
	{ TASK, task, sizeof(task) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "sem_init_ns", AT(90), { 0 } },
					      { "init_ipc_ns", NAMESPACE, { 0 } },
					      { 0 } };
#define MEMBERS                                                                       \
	{ "struct ipc_namespace", "ids", FIELD(0, 16) },                              \
		{ "struct ipc_ids", "ipcs_idr", FIELD(0, 16) },                       \
		{ "struct file_system_type", "fs_supers", FIELD(0, 8) },              \
		{ "struct super_block", "s_instances", FIELD(0, 16) },                \
		{ "struct super_block", "s_fs_info", FIELD(16, 8) },                  \
		{ "struct idr", "idr_rt.xa_head", KINDED(KIND_POINTER, 8, 8) },       \
		{ "struct xa_node", "shift", FIELD(0, 1) },                           \
		{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 8, 512) },            \
		{ "struct sem_array", "sem_perm", FIELD(0, 16) },                     \
		{ "struct sem_array", "sem_perm.key", FIELD(0, 4) },                  \
		{ "struct sem_array", "sem_perm.id", FIELD(4, 4) },                   \
		{ "struct sem_array", "sem_perm.deleted", FIELD(8, 1) },              \
		{ "struct sem_array", "sem_nsems", FIELD(16, 4) },                    \
		{ "struct sem_array", "pending_alter", FIELD(24, 16) },               \
		{ "struct sem_array", "list_id", FIELD(40, 16) },                     \
		{ "struct sem_array", "sems", FIELD(64, 0) },                         \
		{ "struct sem", "pending_alter", FIELD(16, 16) },                     \
		{ "struct sem_queue", "list", FIELD(0, 16) },                         \
		{ "struct sem_queue", "sleeper", KINDED(KIND_POINTER, 16, 8) },       \
		{ "struct sem_queue", "blocking", KINDED(KIND_POINTER, 24, 8) },      \
		{ "struct sembuf", "sem_num", FIELD(0, 2) },                          \
		{ "struct sembuf", "sem_op", FIELD(2, 2) },                           \
		{ "struct sem_undo", "list_id", FIELD(0, 16) },                       \
		{ "struct sem_undo", "ulp", KINDED(KIND_POINTER, 16, 8) },            \
	{                                                                             \
		"struct task_struct", "sysvsem.undo_list", KINDED(KIND_POINTER, 0, 8) \
	}
static const struct stub_member pointed[] = {
	MEMBERS, { "struct sem_undo", "semadj", KINDED(KIND_POINTER, 24, 8) }, { 0 }
};
static const struct stub_member inside[] = { MEMBERS,
					     { "struct sem_undo", "semadj", FIELD(24, 0) },
					     { 0 } };
static const struct stub_number sizes[] = {
	{ "struct sem", 32 }, { "struct ipc_ids", 16 }, { "struct xa_node", 576 }, { 0 }
};

static void set_up(void)
{
	set.key = 0x4d2;
	set.id = 32769;
	set.deleted = 0;
	set.sems = 2;
	set.alter = (struct link){ SET + 24, SET + 24 };
	set.undos = (struct link){ UNDO(0), UNDO(2) };
	for (int i = 0; i < 2; i++)
		set.sem[i].pending = (struct link){ SEM(i) + 16, SEM(i) + 16 };
	set.sem[1].pending = (struct link){ REQUEST, REQUEST };
	request.list = (struct link){ SEM(1) + 16, SEM(1) + 16 };
	request.sleeper = TASK;
	request.operation = OPERATION;
	operation.number = 1;
	operation.change = -1;
	for (unsigned int i = 0; i < UNDOS; i++) {
		undo[i].list.next = i + 1 < UNDOS ? UNDO(i + 1) : SET + 40;
		undo[i].list.prev = i ? UNDO(i - 1) : SET + 40;
		undo[i].of = LIST(i);
		undo[i].values.at = VALUES(i);
		values[i][0] = 5;
		values[i][1] = (int16_t)i - 1;
	}
	ids[0] = 0;
	ids[1] = SET;
}

static struct sysv_sem_wait found;
static unsigned int visits;

static void keep(void *arg NOT_USED, const struct sysv_sem_wait *wait)
{
	found = *wait;
	visits++;
}

static enum status walk(const struct stub_member *with)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = with, .sizes = sizes);
	struct sysv_sems x;
	uint64_t list;

	visits = 0;
	found = (struct sysv_sem_wait){ 0 };
	CHECK(sysv_sems_open(&s.dump, &x) == ST_OK);
	CHECK(sem_undo_list_of(&x, TASK, &list) == ST_OK && list == LIST(0));
	return sysv_sem_waits_walk(&x, keep, NULL);
}

static void one_has_taken_it(void)
{
	set_up();
	CHECK(walk(pointed) == ST_OK && visits == 1);
	CHECK(found.task == TASK && found.sem == SEM(1) && found.key == 0x4d2 &&
	      found.id == 32769 && found.number == 1);
	/* Of values -1, 0 and 1 the last. */
	CHECK(found.takers == 1 && found.list == LIST(2) && found.complete);
	for (unsigned int i = 0; i < UNDOS; i++) {
		undo[i].values.all[0] = 5;
		undo[i].values.all[1] = (int16_t)i - 1;
	}
	CHECK(walk(inside) == ST_OK && found.takers == 1 && found.list == LIST(2));
}

static void none_or_several_have(void)
{
	set_up();
	/* One that has exited; two. */
	undo[2].of = 0;
	CHECK(walk(pointed) == ST_OK && visits == 1 && !found.takers && found.complete);
	values[0][1] = 2;
	values[1][1] = 1;
	CHECK(walk(pointed) == ST_OK && found.takers == 2 && found.list == LIST(0));
	undo[1].values.at = 0x1000;
	CHECK(walk(pointed) == ST_OK && found.takers == 1 && !found.complete);
}

static void what_is_no_wait_to_take(void)
{
	set_up();
	/* Until it is 0; a semaphore that the set has not; a set that is removed. */
	operation.change = 0;
	CHECK(walk(pointed) == ST_OK && !visits);
	operation.change = -1;
	operation.number = 2;
	CHECK(walk(pointed) == ST_OK && !visits);
	operation.number = 1;
	set.deleted = 1;
	CHECK(walk(pointed) == ST_OK && !visits);
	set.deleted = 0;
	set.sems = UINT32_MAX;
	CHECK(walk(pointed) == ST_CORRUPT && !visits);
	set.sems = 2;
	request.operation = 0x1000;
	CHECK(walk(pointed) == ST_UNREADABLE && !visits);
}

TESTS({ "one has taken it", one_has_taken_it }, { "none, or several, have", none_or_several_have },
      { "what is no wait to take", what_is_no_wait_to_take })
