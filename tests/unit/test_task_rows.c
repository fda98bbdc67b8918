// SPDX-License-Identifier: GPL-2.0-or-later
/* Walks over all threads after the first: the same threads, problems and ends, without a read. */
#include "tasks/task.h"
#include "task_stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define TASK(i) AT(1 + (i)) /* 0: init_task */
#define SIGNAL(i) AT(10 + (i))
#define TASKS 4
#define SEEN 8

static struct utask tasks[TASKS];
static struct usignal signals[TASKS];
static const uint32_t threads = 3;
#define MEMORY(from, of)                                            \
	{ TASK(from), &(of), sizeof((of)) },                        \
	{                                                           \
		SIGNAL(from), &signals[from], sizeof(signals[from]) \
	}
static const struct stub_memory memory[] = {
	MEMORY(0, tasks[0]),
	MEMORY(1, tasks[1]),
	MEMORY(2, tasks[2]),
	MEMORY(3, tasks[3]),
	{ AT(42), &threads, sizeof(threads) },
	{ 0 },
};
/* 301, the thread of 300, is not in it. */
static const struct stub_memory holed[] = {
	MEMORY(0, tasks[0]),
	MEMORY(1, tasks[1]),
	MEMORY(2, tasks[2]),
	{ AT(42), &threads, sizeof(threads) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "init_task", TASK(0), { 0 } },
					      { "nr_threads", AT(42), FIELD(0, 4) },
					      { 0 } };
static const struct stub_member members[] = {
	TASK_MEMBERS, { "struct signal_struct", "nr_threads", FIELD(56, 4) }, { 0 }
};
static const struct stub_number sizes[] = { { "struct mm_struct", 64 }, { 0 } };
static const struct stub_number enumerators[] = { TASK_COUNTERS, { 0 } };

/* Processes 100 and 300, 300 with its thread 301. */
static void fill(void)
{
	static const int32_t pids[] = { 0, 300, 100, 301 }, tgids[] = { 0, 300, 100, 300 };

	for (unsigned int i = 0; i < TASKS; i++) {
		const bool is_thread = i == 3;

		tasks[i] = (struct utask){ .pid = pids[i], .tgid = tgids[i] };
		tasks[i].signal = SIGNAL(is_thread ? 1 : i);
		signals[i].head = (struct link){ TASK(i) + 16, TASK(i) + 16 };
		tasks[i].node = (struct link){ SIGNAL(i), SIGNAL(i) };
		signals[i].members = 1 + (i == 1);
	}
	signals[1].head = (struct link){ TASK(1) + 16, TASK(3) + 16 };
	tasks[1].node = (struct link){ TASK(3) + 16, SIGNAL(1) };
	tasks[3].node = (struct link){ SIGNAL(1), TASK(1) + 16 };
	for (unsigned int i = 0; i < 3; i++) {
		tasks[i].tasks.next = TASK((i + 1) % 3);
		tasks[i].tasks.prev = TASK((i + 2) % 3);
	}
}

/* A visitor that fails at one pid. */
struct seen {
	int32_t pids[SEEN];
	unsigned int n;
	int32_t fails_at;
	enum status with;
};

static enum status see(void *arg, const struct task *task)
{
	struct seen *s = arg;

	if (s->n < SEEN)
		s->pids[s->n++] = task->pid;
	return task->pid == s->fails_at ? s->with : ST_OK;
}

static void open_all(struct stub *s, const struct stub_memory *of, struct tasks *ret)
{
	fill();
	STUB_OPEN(*s, .memory = of, .symbols = symbols, .members = members, .sizes = sizes,
		  .enumerators = enumerators);
	CHECK(tasks_open(&s->dump, ret) == ST_OK);
}

static void has_pids(const struct seen *s, unsigned int n, const int32_t *pids)
{
	CHECK(s->n == n);
	for (unsigned int i = 0; i < n; i++)
		CHECK(s->pids[i] == pids[i]);
}

static const int32_t all[] = { 300, 301, 100 };

static void reads_once(void)
{
	static struct stub s;
	struct tasks t;
	struct seen first = { .fails_at = -1 }, second = { .fails_at = -1 };
	unsigned int reads;

	open_all(&s, memory, &t);
	CHECK(tasks_walk(&t, see, &first) == ST_OK);
	reads = s.reads;
	CHECK(tasks_walk(&t, see, &second) == ST_OK);
	CHECK(s.reads == reads);
	has_pids(&first, 3, all);
	has_pids(&second, 3, all);
	CHECK(t.visited == 3);
}

/* Who asks for memory too is not given rows without it. */
static void memory_is_read(void)
{
	static struct stub s;
	struct tasks t;
	struct seen seen = { .fails_at = -1 };
	unsigned int reads;

	open_all(&s, memory, &t);
	t.identity_only = true;
	CHECK(tasks_walk(&t, see, &seen) == ST_OK);
	reads = s.reads;
	t.identity_only = false;
	CHECK(tasks_walk(&t, see, &seen) == ST_OK);
	CHECK(s.reads > reads);
	reads = s.reads;
	t.identity_only = true;
	seen.n = 0;
	CHECK(tasks_walk(&t, see, &seen) == ST_OK);
	CHECK(s.reads == reads);
	has_pids(&seen, 3, all);
}

/* A search that ended early has not seen all. */
static void a_part_is_not_kept(void)
{
	static struct stub s;
	struct tasks t;
	struct task found;
	struct seen seen = { .fails_at = -1 };

	open_all(&s, memory, &t);
	CHECK(tasks_find(&t, 300, &found) == ST_OK);
	CHECK(found.pid == 300);
	CHECK(tasks_walk(&t, see, &seen) == ST_OK);
	has_pids(&seen, 3, all);
	CHECK(tasks_find(&t, 100, &found) == ST_OK);
	CHECK(found.pid == 100);
	CHECK(tasks_find(&t, 7, &found) == ST_ABSENT);
}

static void holes_stay(void)
{
	static const int32_t left[] = { 300, 100 };
	static struct stub s;
	struct tasks t;
	struct seen first = { .fails_at = -1 }, second = { .fails_at = -1 };

	open_all(&s, holed, &t);
	CHECK(tasks_walk(&t, see, &first) == ST_UNREADABLE);
	has_pids(&first, 2, left);
	CHECK(hash_u64_has(&t.cut, SIGNAL(1)));
	CHECK(tasks_open(&s.dump, &t) == ST_OK);
	s.dump.error[0] = 0;
	CHECK(tasks_walk(&t, see, &second) == ST_UNREADABLE);
	CHECK(s.dump.error[0]);
	has_pids(&second, 2, left);
	CHECK(hash_u64_has(&t.cut, SIGNAL(1)));
	CHECK(!hash_u64_has(&t.cut, SIGNAL(2)));
}

/* What a visitor cannot read costs the rest of that process alone, in the first walk and in others. */
static void visitors_fail(void)
{
	static const int32_t without[] = { 300, 100 };
	static const int32_t until[] = { 300 };
	static struct stub s;
	struct tasks t;

	open_all(&s, memory, &t);
	for (unsigned int i = 0; i < 3; i++) {
		struct seen unread = { .fails_at = 300, .with = ST_UNREADABLE };
		struct seen stops = { .fails_at = 300, .with = ST_STOPPED };
		struct seen whole = { .fails_at = -1 };

		s.dump.error[0] = 0;
		dump_fail(&s.dump, ST_UNREADABLE, "of the visitor");
		CHECK(tasks_walk(&t, see, &unread) == ST_UNREADABLE);
		has_pids(&unread, 2, without);
		CHECK(hash_u64_has(&t.cut, SIGNAL(1)));
		CHECK(tasks_walk(&t, see, &stops) == ST_STOPPED);
		has_pids(&stops, 1, until);
		if (i)
			CHECK(tasks_walk(&t, see, &whole) == ST_OK);
		if (i)
			has_pids(&whole, 3, all);
	}
}

/* A list that leaves out the first thread of its process, or others; and one that is not of all processes. */
static void lists_are_contradicted(void)
{
	static const int32_t without_thread[] = { 300, 100 }, without_process[] = { 300, 301 };
	static struct stub s;
	struct tasks t;
	struct seen empty = { .fails_at = -1 }, cut = { .fails_at = -1 },
		    short_of = { .fails_at = -1 };

	open_all(&s, memory, &t);
	signals[1].head = (struct link){ SIGNAL(1), SIGNAL(1) };
	CHECK(tasks_walk(&t, see, &empty) == ST_CORRUPT);
	CHECK(strstr(s.dump.error, "the threads of process 300 are not on its list"));
	has_pids(&empty, 2, without_thread);
	CHECK(hash_u64_has(&t.cut, SIGNAL(1)) && !hash_u64_has(&t.cut, SIGNAL(2)));
	open_all(&s, memory, &t);
	tasks[1].node.next = SIGNAL(1);
	CHECK(tasks_walk(&t, see, &cut) == ST_CORRUPT);
	CHECK(strstr(s.dump.error, "1 of the 2 threads of a process are on its list"));
	has_pids(&cut, 2, without_thread);
	open_all(&s, memory, &t);
	tasks[1].tasks.next = TASK(0);
	CHECK(tasks_walk(&t, see, &short_of) == ST_CORRUPT);
	CHECK(strstr(s.dump.error, "2 threads are on the lists of tasks, nr_threads is 3"));
	has_pids(&short_of, 2, without_process);
}

TESTS({ "the second walk reads nothing", reads_once }, { "memory is read", memory_is_read },
      { "a part is not kept", a_part_is_not_kept }, { "holes stay", holes_stay },
      { "lists are contradicted", lists_are_contradicted }, { "visitors fail", visitors_fail })
