// SPDX-License-Identifier: GPL-2.0-or-later
/* System V message queues of the first IPC namespace and of one that has an mqueue of its own. */
#include "files/sysv_msg.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define STRIDE 32 /* bytes of a struct ipc_ids, whose idr begins at 8 */
#define PERM 16	  /* q_perm in a struct msg_queue */
#define LINK 24	  /* m_list in a struct msg_msg */

struct queue {
	uint64_t before[2];
	uint32_t key, id;
	uint64_t deleted, data, messages, list[2], sender, receiver, receivers[2];
};
static struct queue first, second;
static struct {
	uint64_t lock, ids[3][STRIDE / 8];
} namespaces[2];
static struct {
	uint64_t lock, supers;
} type;
static struct {
	uint64_t info, instance[2];
} super = { .info = AT(1) };
static struct {
	uint64_t count;
	uint32_t nr;
} pid = { 1, 345 };

/* Two threads in msgrcv(). */
static struct {
	uint64_t list[2], task, type;
} waiting[2];
static struct {
	uint32_t pid;
} tasks[2] = { { 121 }, { 122 } };

static const struct stub_memory memory[] = { { AT(0), &namespaces[0], sizeof(namespaces[0]) },
					     { AT(1), &namespaces[1], sizeof(namespaces[1]) },
					     { AT(2), &first, sizeof(first) },
					     { AT(3), &second, sizeof(second) },
					     { AT(4), &type, sizeof(type) },
					     { AT(5), &super, sizeof(super) },
					     { AT(6), &pid, sizeof(pid) },
					     { AT(20), &waiting[0], sizeof(waiting[0]) },
					     { AT(21), &waiting[1], sizeof(waiting[1]) },
					     { AT(22), &tasks[0], sizeof(tasks[0]) },
					     { AT(23), &tasks[1], sizeof(tasks[1]) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "init_ipc_ns", AT(0), { 0 } },
					      { "msg_init_ns", AT(90), { 0 } },
					      { "mqueue_fs_type", AT(4), { 0 } },
					      { 0 } };
#define IN_QUEUE(NAME, PART)                                                                      \
	{                                                                                         \
		"struct msg_queue", NAME, FIELD(offsetof(struct queue, PART), sizeof(first.PART)) \
	}
#define POINTER_OF(STRUCT, NAME, OFFSET)                      \
	{                                                     \
		STRUCT, NAME, KINDED(KIND_POINTER, OFFSET, 8) \
	}
static const struct stub_member members[] = {
	IN_QUEUE("q_cbytes", data),
	IN_QUEUE("q_qnum", messages),
	IN_QUEUE("q_messages", list),
	IN_QUEUE("q_perm.key", key),
	IN_QUEUE("q_perm.id", id),
	{ "struct msg_queue", "q_perm.deleted", FIELD(offsetof(struct queue, deleted), 1) },
	{ "struct msg_queue", "q_perm", FIELD(PERM, 16) },
	POINTER_OF("struct msg_queue", "q_lspid", offsetof(struct queue, sender)),
	POINTER_OF("struct msg_queue", "q_lrpid", offsetof(struct queue, receiver)),
	IN_QUEUE("q_receivers", receivers),
	{ "struct msg_receiver", "r_list", FIELD(0, 16) },
	POINTER_OF("struct msg_receiver", "r_tsk", 16),
	{ "struct msg_receiver", "r_msgtype", FIELD(24, 8) },
	{ "struct task_struct", "pid", FIELD(0, 4) },
	{ "struct ipc_namespace", "ids", KINDED(KIND_ARRAY, 8, 3 * STRIDE) },
	{ "struct ipc_ids", "ipcs_idr", FIELD(8, 16) },
	POINTER_OF("struct idr", "idr_rt.xa_head", 8),
	{ "struct xa_node", "shift", FIELD(0, 1) },
	{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 8, 512) },
	{ "struct pid", "numbers", KINDED(KIND_ARRAY, 8, 0) } /* without a size since 5.17 */,
	{ "struct msg_msg", "m_list", FIELD(LINK, 16) },
	{ "struct file_system_type", "fs_supers", FIELD(8, 8) },
	{ "struct super_block", "s_fs_info", FIELD(0, 8) },
	{ "struct super_block", "s_instances", FIELD(8, 16) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct msg_queue", sizeof(struct queue) },
					    { "struct ipc_ids", STRIDE },
					    { "struct xa_node", 576 },
					    { "struct msg_msg", 48 },
					    { "struct msg_receiver", 32 },
					    { 0 } };

static struct {
	struct sysv_queue all[4];
	size_t n;
} seen;

static enum status keep(void *arg NOT_USED, const struct sysv_queue *q)
{
	if (seen.n < 4)
		seen.all[seen.n++] = *q;
	return ST_OK;
}

static enum status walk(void)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);

	seen.n = 0;
	return sysv_queues_walk(&s.dump, keep, NULL);
}

/* The messages are those of IPC_MSG_IDS, the second of three. */
static void fill(void)
{
	namespaces[0].ids[1][2] = AT(2) + PERM;
	namespaces[1].ids[1][2] = AT(3) + PERM;
	first = (struct queue){ .key = 0x6f72,
				.id = 7,
				.data = 24000000,
				.messages = 2000,
				.list = { AT(9) + LINK, AT(9) + LINK },
				.sender = AT(6) };
	second = (struct queue){ .id = 1, .list = { AT(3) + 48, AT(3) + 48 } };
	super.instance[0] = 0;
	type.supers = AT(5) + 8;
	super.instance[1] = AT(4) + 8;
}

static void queues_of_each_namespace(void)
{
	fill();
	CHECK(walk() == ST_OK && seen.n == 2);
	CHECK(seen.all[0].messages == 2000 && seen.all[0].bytes == 24000000 + 2000 * 48);
	CHECK(seen.all[0].message == AT(9) && seen.all[0].key == 0x6f72 && seen.all[0].id == 7);
	CHECK(seen.all[0].sender == 345 && seen.all[0].receiver == 0);
	CHECK(seen.all[0].namespace == AT(0) && seen.all[1].namespace == AT(1));
	CHECK(!seen.all[1].messages && !seen.all[1].message);
}

/* Circles of list_heads: of the queue with no receiver it leads to itself. */
static void who_waits_for_a_message(void)
{
	const uint64_t head = AT(2) + offsetof(struct queue, receivers);

	fill();
	first.receivers[0] = first.receivers[1] = head;
	CHECK(walk() == ST_OK && !seen.all[0].waiting && !seen.all[0].waits);
	first.receivers[0] = waiting[1].list[1] = AT(20);
	first.receivers[1] = waiting[0].list[0] = AT(21);
	waiting[0].list[1] = waiting[1].list[0] = head;
	waiting[0].task = AT(22);
	waiting[0].type = 4;
	waiting[1].task = AT(23);
	CHECK(walk() == ST_OK && seen.all[0].waiting == 2);
	CHECK(seen.all[0].waits == 121 && seen.all[0].waits_for == 4);
	/* A list that breaks off says nothing of how many. */
	waiting[0].list[0] = first.receivers[1] = AT(80);
	CHECK(walk() == ST_OK && seen.n == 2 && !seen.all[0].waiting);
}

static void a_namespace_is_read_once(void)
{
	fill();
	super.info = AT(0);
	CHECK(walk() == ST_OK && seen.n == 1);
	super.info = AT(1);
}

static void what_is_damaged_is_told(void)
{
	fill();
	first.messages = (uint64_t)-1;
	CHECK(walk() == ST_CORRUPT && seen.n == 1);
	fill();
	super.info = AT(80); /* is in no dump */
	CHECK(walk() == ST_UNREADABLE && seen.n == 1);
	super.info = AT(1);
	fill();
	first.deleted = 1;
	CHECK(walk() == ST_OK && seen.n == 1);
}

static void a_kernel_without_them_says_so(void)
{
	struct stub s = { .members = members };

	stub_open(&s);
	CHECK(sysv_queues_walk(&s.dump, keep, NULL) == ST_ABSENT);
	stub_close(&s);
	STUB_OPEN(s, .sizes = sizes);
	CHECK(sysv_queues_walk(&s.dump, keep, NULL) == ST_UNKNOWN);
	stub_close(&s);
}

TESTS({ "queues of each namespace", queues_of_each_namespace },
      { "who waits for a message", who_waits_for_a_message },
      { "a namespace is read once", a_namespace_is_read_once },
      { "what is damaged is told", what_is_damaged_is_told },
      { "a kernel without them says so", a_kernel_without_them_says_so })
