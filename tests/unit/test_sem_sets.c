// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets of System V semaphores of the first IPC namespace. */
#include "files/sysv_ipc.h"
#include "files/sysv_sem.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define STRIDE 32 /* bytes of a struct ipc_ids, whose idr begins at 8 */
#define SEM 64	  /* bytes of a struct sem */

struct set {
	uint64_t before;
	uint32_t key, id, uid, deleted;
	uint32_t sems, pad;
	uint64_t last; /* of the first semaphore, behind which the others are */
};
static struct set set;
static struct {
	uint64_t lock, ids[3][STRIDE / 8];
} namespace;
static struct {
	uint64_t count, task;
	uint32_t nr;
} pid = { .count = 1, .nr = 957 };

static const struct stub_memory memory[] = { { AT(0), &namespace, sizeof(namespace) },
					     { AT(2), &set, sizeof(set) },
					     { AT(6), &pid, sizeof(pid) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "init_ipc_ns", AT(0), { 0 } },
					      { "sem_init_ns", AT(90), { 0 } },
					      { 0 } };
#define IN_SET(NAME, PART)                                                                    \
	{                                                                                     \
		"struct sem_array", NAME, FIELD(offsetof(struct set, PART), sizeof(set.PART)) \
	}
static const struct stub_member members[] = {
	IN_SET("sem_perm.key", key),
	IN_SET("sem_perm.id", id),
	IN_SET("sem_perm.cuid.val", uid),
	{ "struct sem_array", "sem_perm.deleted", FIELD(offsetof(struct set, deleted), 1) },
	IN_SET("sem_nsems", sems),
	{ "struct sem_array", "sem_perm", FIELD(8, 16) },
	{ "struct sem_array", "sems", KINDED(KIND_ARRAY, offsetof(struct set, last), 0) },
	{ "struct sem", "sempid", KINDED(KIND_POINTER, 0, 8) },
	{ "struct ipc_namespace", "ids", KINDED(KIND_ARRAY, 8, 3 * STRIDE) },
	{ "struct ipc_ids", "ipcs_idr", FIELD(8, 16) },
	{ "struct idr", "idr_rt.xa_head", KINDED(KIND_POINTER, 8, 8) },
	{ "struct xa_node", "shift", FIELD(0, 1) },
	{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 8, 512) },
	{ "struct pid", "numbers", KINDED(KIND_ARRAY, 16, 0) },
	{ "struct pid", "tasks", KINDED(KIND_ARRAY, 8, 8) },
	{ "struct file_system_type", "fs_supers", FIELD(8, 8) },
	{ "struct super_block", "s_fs_info", FIELD(0, 8) },
	{ "struct super_block", "s_instances", FIELD(8, 16) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct sem_array", sizeof(struct set) },
					    { "struct sem", SEM },
					    { "struct ipc_ids", STRIDE },
					    { "struct xa_node", 576 },
					    { 0 } };
static const struct stub_number values[] = { { "PIDTYPE_TGID", 0 }, { 0 } };

static struct sysv_sem_set seen;
static struct sysv_pids pids;
static enum sysv_life life;
static int32_t last;
static size_t sets;

static enum status keep(void *arg NOT_USED, const struct sysv_sem_set *of)
{
	seen = *of;
	last = sysv_pid(&pids, of->pid);
	life = sysv_pid_life(&pids, of->pid);
	sets++;
	return ST_OK;
}

static enum status walk_in(struct dump *d)
{
	struct sysv_sem_sets x;

	sets = 0;
	return sysv_sem_sets_open(d, &x)
		       ?: sysv_pids_open(d, &pids)
		       ?: sysv_sem_sets_walk(&x, keep, NULL);
}

static enum status walk(void)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
	     .enumerators = values);

	return walk_in(&s.dump);
}

static void fill(void)
{
	/* IPC_SEM_IDS is the first of three. */
	namespace.ids[0][2] = AT(2) + 8;
	set = (struct set){ .key = 0x42, .id = 7, .uid = 34, .sems = 8160, .last = AT(6) };
}

static void a_set(void)
{
	fill();
	CHECK(walk() == ST_OK && sets == 1);
	CHECK(seen.address == AT(2) && seen.sems == 8160 && seen.key == 0x42 && seen.id == 7);
	CHECK(seen.bytes == offsetof(struct set, last) + 8160 * SEM);
	CHECK(seen.has_uid && seen.uid == 34 && last == 957);
	CHECK(life == SYSV_ENDED);
	pid.task = AT(9);
	CHECK(walk() == ST_OK && life == SYSV_LIVE);
	pid.task = 0;
	/* None has used it; one that is not in the dump. */
	set.last = 0;
	CHECK(walk() == ST_OK && !last && life == SYSV_LIFE_UNKNOWN);
	set.last = AT(80);
	CHECK(walk() == ST_OK && !last && life == SYSV_LIFE_UNKNOWN);
}

static void what_is_no_set(void)
{
	fill();
	set.deleted = 1;
	CHECK(walk() == ST_OK && !sets);
	fill();
	set.sems = UINT32_MAX;
	CHECK(walk() == ST_CORRUPT && !sets);
	namespace.ids[0][2] = AT(80) + 8;
	CHECK(walk() == ST_UNREADABLE && !sets);
}

static void a_kernel_without_them_says_so(void)
{
	struct stub s = { .members = members };

	stub_open(&s);
	CHECK(walk_in(&s.dump) == ST_ABSENT);
	stub_close(&s);
	STUB_OPEN(s, .sizes = sizes);
	CHECK(walk_in(&s.dump) == ST_UNKNOWN);
	stub_close(&s);
}

TESTS({ "a set", a_set }, { "what is no set", what_is_no_set },
      { "a kernel without them says so", a_kernel_without_them_says_so })
