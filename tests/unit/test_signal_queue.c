// SPDX-License-Identifier: GPL-2.0-or-later
/* Signals that wait: who sent them, what a POSIX timer has, a list that is cut, and the counter of a user in three forms. */
#include "stub.h"
#include "tasks/signal_queue.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define TASK AT(0)
#define HEAD (TASK + 32)
#define NODE(i) AT(10 + (i))
#define QUEUED 3

struct links {
	uint64_t next, prev;
};
static struct {
	uint64_t blocked, pid, cred, pad;
	struct links own;
} task = { .blocked = 0x1000000000, .pid = AT(1), .cred = AT(2) };
static struct {
	struct links list;
	uint32_t flags, pad;
	int32_t number, error, code, more, sender, uid;
} queued[QUEUED];
static uint32_t pid_level[1];
static uint64_t cred[2] = { AT(4), AT(5) };
static uint32_t of_user[4] = { 0, 0, 7, 0 };
static uint64_t of_ucounts[4] = { 0, 11, 22, 33 };

static const struct stub_memory memory[] = {
	{ TASK, &task, sizeof(task) },
	{ AT(1), pid_level, sizeof(pid_level) },
	{ AT(2), cred, sizeof(cred) },
	{ AT(4), of_user, sizeof(of_user) },
	{ AT(5), of_ucounts, sizeof(of_ucounts) },
	{ NODE(0), queued, sizeof(queued[0]) },
	{ NODE(1), queued + 1, sizeof(queued[0]) },
	{ NODE(2), queued + 2, sizeof(queued[0]) },
	{ 0 },
};

#define COMMON                                                                      \
	{ "struct task_struct", "pending.list", FIELD(32, 16) },                    \
		{ "struct task_struct", "blocked", FIELD(0, 8) },                   \
		{ "struct task_struct", "thread_pid", KINDED(KIND_POINTER, 8, 8) }, \
		{ "struct task_struct", "real_cred", KINDED(KIND_POINTER, 16, 8) }, \
		{ "struct signal_struct", "shared_pending.list", FIELD(64, 16) },   \
		{ "struct sigqueue", "list", FIELD(0, 16) },                        \
		{ "struct sigqueue", "flags", FIELD(16, 4) },                       \
		{ "struct sigqueue", "info.si_signo", FIELD(24, 4) },               \
		{ "struct sigqueue", "info.si_code", FIELD(32, 4) },                \
		{ "struct sigqueue", "info._sifields._kill._pid", FIELD(40, 4) },   \
		{ "struct pid", "level", FIELD(0, 4) },                             \
		{ "struct cred", "user", KINDED(KIND_POINTER, 0, 8) },              \
	{                                                                           \
		"struct cred", "ucounts", KINDED(KIND_POINTER, 8, 8)                \
	}

/* Until 5.13; struct ucounts is older than the limits in it. */
static const struct stub_member of_5_10[] = {
	COMMON,
	{ "struct user_struct", "sigpending", FIELD(8, 4) },
	{ "struct ucounts", "ucount", FIELD(0, 16) },
	{ 0 },
};
static const struct stub_member of_5_14[] = {
	COMMON,
	{ "struct ucounts", "ucount", FIELD(0, 32) },
	{ 0 },
};
static const struct stub_member of_6_1[] = {
	COMMON,
	{ "struct ucounts", "ucount", FIELD(0, 8) },
	{ "struct ucounts", "rlimit", FIELD(8, 24) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct sigqueue", 80 }, { 0 } };
static const struct stub_number third[] = { { "UCOUNT_RLIMIT_SIGPENDING", 2 }, { 0 } };
static const struct stub_number fourth[] = { { "UCOUNT_RLIMIT_SIGPENDING", 3 }, { 0 } };
static const struct stub_number none[] = { { 0 } };

static void link_up(void)
{
	uint64_t from = HEAD;

	for (unsigned int i = 0; i < QUEUED; i++) {
		queued[i].list = (struct links){ i + 1 < QUEUED ? NODE(i + 1) : HEAD, from };
		from = NODE(i);
		queued[i].flags = 0;
		queued[i].number = 37;
		queued[i].code = -1;
		queued[i].sender = 170;
	}
	task.own = (struct links){ NODE(0), from };
}

struct sum {
	unsigned int n, timers, senders;
	int32_t number, sender;
};

static void add(void *arg, const struct queued_signal *s)
{
	struct sum *sum = arg;

	sum->n++;
	sum->timers += s->is_timers;
	sum->senders += s->has_sender;
	sum->number = s->number;
	sum->sender = s->has_sender ? s->sender : sum->sender;
}

static enum status walk(struct sum *sum)
{
	STUB(s, .memory = memory, .members = of_6_1, .sizes = sizes, .enumerators = third);
	struct signal_queues q;

	*sum = (struct sum){ 0 };
	CHECK(signal_queues_open(&s.dump, &q) == ST_OK && q.bytes == 80);
	return signal_queue_walk(&q, TASK + q.own.offset, add, sum);
}

static void each_signal_has_its_sender(void)
{
	struct sum sum;

	link_up();
	queued[0].code = 0; /* kill() */
	queued[1].flags = 1;
	queued[1].code = -2; /* a POSIX timer's: its number is none of a process */
	CHECK(walk(&sum) == ST_OK && sum.n == QUEUED && sum.timers == 1 && sum.senders == 2);
	CHECK(sum.number == 37 && sum.sender == 170);
	queued[2].code = 1; /* of the kernel */
	CHECK(walk(&sum) == ST_OK && sum.senders == 1);
	task.own = (struct links){ HEAD, HEAD };
	CHECK(walk(&sum) == ST_OK && sum.n == 0);
}

static void what_a_damaged_list_lacks_is_told(void)
{
	struct sum sum;

	link_up();
	queued[0].list.next = AT(80); /* is in no dump */
	CHECK(walk(&sum) == ST_UNREADABLE && sum.n == QUEUED);
	link_up();
	queued[1].list.next = NODE(0); /* a circle */
	CHECK(walk(&sum) == ST_CORRUPT && sum.n == QUEUED);
}

static struct signal_task read_task(const struct stub_member *members,
				    const struct stub_number *enumerators)
{
	STUB(s, .memory = memory, .members = members, .sizes = sizes, .enumerators = enumerators);
	struct signal_queues q;
	struct signal_task t = { 0 };

	CHECK(signal_queues_open(&s.dump, &q) == ST_OK);
	CHECK(signal_task_read(&q, TASK, &t) == ST_OK);
	return t;
}

static void the_counter_of_a_user_has_three_forms(void)
{
	struct signal_task t = read_task(of_5_10, none);

	CHECK(t.blocked == 0x1000000000 && !t.is_nested && t.of_user.known && t.of_user.n == 7);
	t = read_task(of_5_14, fourth);
	CHECK(t.of_user.known && t.of_user.n == 33);
	t = read_task(of_6_1, third);
	CHECK(t.of_user.known && t.of_user.n == 33);
	/* A number that the array has not. */
	CHECK(!read_task(of_6_1, fourth).of_user.known);
}

static void a_pid_namespace_of_its_own_is_told(void)
{
	pid_level[0] = 1;
	CHECK(read_task(of_6_1, third).is_nested);
	pid_level[0] = 0;
	CHECK(!read_task(of_6_1, third).is_nested);
}

TESTS({ "each signal has its sender", each_signal_has_its_sender },
      { "what a damaged list lacks is told", what_a_damaged_list_lacks_is_told },
      { "the counter of a user has three forms", the_counter_of_a_user_has_three_forms },
      { "a PID namespace of its own is told", a_pid_namespace_of_its_own_is_told })
