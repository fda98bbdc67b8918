// SPDX-License-Identifier: GPL-2.0-or-later
/* Where waits end: who is traced, stopped or asleep in a driver, and how many wait for that. */
#include "collect/stuck_roots.h"
#include "collect/stuck_words.h"
#include "collect/waits.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"

enum { ROOT, FIRST, OTHER, BEHIND, ALONE, N };

static struct stuck_task all[N];
static const struct frame in_driver = { .symbol = "cap_fault", .module = "cap" };
static const struct frame in_kernel = { .symbol = "msleep" };

static void set_up(void)
{
	static const char *const names[N] = { "gateway", "shop", "shop", "probe", "idle" };

	for (int i = 0; i < N; i++) {
		all[i] = (struct stuck_task){
			.task = { .pid = 100 + i, .tgid = 100 + i, .mm = 0x1000, .state = 'S' },
			.waits_for = "other",
			.caller = &in_kernel,
			.next = i + 1 < N ? &all[i + 1] : NULL,
		};
		snprintf(all[i].task.comm, sizeof(all[i].task.comm), "%s", names[i]);
	}
}

static const struct stuck whole;

static const char *told(void)
{
	static char ret[512];
	struct strbuf b = STRBUF_OF(512);
	STUB(s, 0);

	stuck_mark_roots(&s.dump, all);
	stuck_count_roots(&s.dump, all);
	for (int i = ROOT + 1; i < N; i++)
		CHECK(!all[i].is_root && !stuck_root_words(&whole, &all[i], &b));
	if (!stuck_root_words(&whole, &all[ROOT], &b))
		return "none";
	snprintf(ret, sizeof(ret), "%s", b.buf);
	return ret;
}

/* Of a service that a tool of the support traces: its clients wait on sockets. */
static void a_traced_one(void)
{
	struct file_user user = { .tgid = 100, .comm = "gateway" };
	struct stuck_task tracer = { .task = { .pid = 117, .comm = "sup" },
				     .is_on_pipe = true,
				     .lock_name = "an empty pipe" };

	set_up();
	tracer.holder = &tracer;
	all[ROOT].is_traced = true;
	all[ROOT].tracer = &tracer;
	CHECK_TEXT(told(),
		   "gateway (100) stands in a ptrace stop of sup (117), which waits for an empty "
		   "pipe, both ends of which it alone has open");
	all[FIRST].peer = all[OTHER].peer = &user;
	all[BEHIND].holder = &all[OTHER];
	CHECK_TEXT(told(),
		   "gateway (100) stands in a ptrace stop of sup (117), which waits for an empty "
		   "pipe, both ends of which it alone has open; shop (101) and 1 more thread wait "
		   "for it, and 1 behind those");
	CHECK(all[ROOT].direct == 2 && all[ROOT].behind == 1);
}

static void a_stopped_one(void)
{
	set_up();
	all[ROOT].task.state = 'T';
	all[FIRST].holder = &all[ROOT];
	all[FIRST].holds = HOLDS_FUTEX;
	CHECK_TEXT(told(),
		   "gateway (100) is stopped, by which signal is unknown; shop (101) waits for it");
	/* A lock of the kernel that names it may be of a task that exited. */
	set_up();
	all[ROOT].task.state = 'T';
	all[ROOT].task.mm = 1;
	all[FIRST].holder = &all[ROOT];
	all[FIRST].holds = HOLDS_LOCK;
	CHECK_TEXT(told(), "gateway (100) is stopped, by which signal is unknown");
}

/* Who stopped it does not get on either. */
static void who_stopped_it(void)
{
	struct file_user user = { .tgid = 256, .comm = "nc" };
	struct stuck_task stopper = { .task = { .pid = 305, .comm = "log-archive" },
				      .peer = &user,
				      .peer_by = "TCP connection" };
	struct strbuf b = STRBUF_OF(512);

	set_up();
	all[ROOT].is_root = true;
	all[ROOT].task.state = 'T';
	all[ROOT].stopped_by = " by SIGSTOP, which log-archive (305) sent";
	all[ROOT].stopper = &stopper;
	CHECK(stuck_root_words(&whole, &all[ROOT], &b));
	CHECK_TEXT(b.buf, "gateway (100) is stopped by SIGSTOP, which log-archive (305) sent; "
			  "log-archive (305) waits on a TCP connection for nc (256)");
}

/* It looks again and again: since when it waits is unknown. */
static void a_driver_that_polls(void)
{
	for (int i = 0; i < 4; i++) {
		set_up();
		all[ROOT].task.state = i == 1 ? 'S' : 'D';
		all[ROOT].module_frame = i == 2 ? NULL : &in_driver;
		all[ROOT].task.mm = i == 3 ? 0 : 0x1000;
		told();
		CHECK(all[ROOT].polls == !i);
	}
}

/* A driver that waits for ever, also with the memory of a process locked; what has words of its own is none. */
static void in_a_driver(void)
{
	static struct in_fault fault;

	for (int i = 0; i < 7; i++) {
		set_up();
		all[ROOT].task.state = i == 1 ? 'S' : 'D';
		all[ROOT].is_on_completion = i == 6;
		all[ROOT].caller = &in_driver;
		all[ROOT].module_frame = i == 2 ? NULL : &in_driver;
		all[ROOT].waits_for = i == 3 ? "io" : "other";
		all[ROOT].holder = i == 4 ? &all[ALONE] : NULL;
		all[ROOT].fault = i == 5 ? &fault : NULL;
		all[ROOT].where = i == 5 ? PLACE_PAGE_FAULT : PLACE_NONE;
		CHECK_TEXT(told(),
			   !i	    ? "gateway (100) is asleep in cap_fault [cap]"
			   : i == 5 ? "gateway (100) is asleep in cap_fault [cap], in a page fault"
			   : i == 6 ? "gateway (100) waits for a completion in cap_fault [cap]"
				    : "none");
	}
	/* Asleep in a function of the kernel that the driver called. */
	set_up();
	all[ROOT].task.state = 'D';
	all[ROOT].module_frame = &in_driver;
	CHECK_TEXT(told(), "gateway (100) is asleep in msleep, called by cap_fault [cap]");
}

/* In the same function of a driver: the one that sleeps longest tells it, if none of them keeps others. */
static void several_alike(void)
{
	struct stuck x = { .first = all };
	struct strbuf b = STRBUF_OF(512);
	STUB(s, 0);

	set_up();
	for (int i = ROOT; i <= OTHER; i++) {
		all[i].task.state = 'D';
		all[i].module_frame = all[i].caller = all[i].function = &in_driver;
		all[i].has_since = true;
		all[i].since_ns = 30 - (uint64_t)i;
	}
	stuck_mark_roots(&s.dump, all);
	stuck_count_roots(&s.dump, all);
	CHECK(stuck_root_crowd(&x, &all[OTHER]) == 3 && !stuck_root_crowd(&x, &all[ROOT]));
	CHECK(!stuck_root_crowd_words(&x, &all[ROOT], &b) && !b.len);
	CHECK(stuck_root_crowd_words(&x, &all[OTHER], &b));
	CHECK_TEXT(b.buf, "shop (102) is asleep in cap_fault [cap]; and 2 more threads like that");
	CHECK(!stuck_root_crowd(&x, &all[BEHIND]));
	all[BEHIND].holder = &all[OTHER];
	stuck_count_roots(&s.dump, all);
	CHECK(stuck_root_crowd(&x, &all[OTHER]) == 1 && stuck_root_crowd(&x, &all[FIRST]) == 2);
}

/* A circle has no end. */
static void a_circle(void)
{
	set_up();
	all[ROOT].task.state = 'T';
	all[FIRST].holder = &all[OTHER];
	all[OTHER].holder = &all[FIRST];
	CHECK_TEXT(told(), "gateway (100) is stopped, by which signal is unknown");
	CHECK(!all[ROOT].direct && !all[ROOT].behind);
}

#define KTHREAD 0xffff888000100000ULL
#define WORKER 0xffff888000101000ULL
#define PWQ 0xffff888000102000ULL
#define QUEUE 0xffff888000103000ULL
#define WORK(i) (0xffff888000104000ULL + 0x100 * (uint64_t)(i))
#define WORKS 3

static uint64_t kthread[1] = { WORKER };
static struct {
	uint64_t next, prev, work, function, pool, pwq;
} worker = { WORKER, WORKER, WORK(9), 0x5000, 0, PWQ };
static struct {
	uint64_t wq, next, prev;
} pwq;
static char queue[256] = "evt_bridge";
static struct {
	uint64_t data, next, prev, function;
} works[WORKS];
static const struct stub_symbol functions[] = { { "evt_work", 0x5000, FIELD(0, 16) }, { 0 } };
static const struct stub_member members[] = {
	{ "struct kthread", "data", KINDED(KIND_POINTER, 0, 8) },
	{ "struct worker", "scheduled", FIELD(0, 16) },
	{ "struct worker", "current_work", KINDED(KIND_POINTER, 16, 8) },
	{ "struct worker", "current_func", KINDED(KIND_POINTER, 24, 8) },
	{ "struct worker", "pool", KINDED(KIND_POINTER, 32, 8) },
	{ "struct worker", "current_pwq", KINDED(KIND_POINTER, 40, 8) },
	{ "struct pool_workqueue", "wq", KINDED(KIND_POINTER, 0, 8) },
	{ "struct pool_workqueue", "inactive_works", FIELD(8, 16) },
	{ "struct workqueue_struct", "name", FIELD(0, 32) },
	{ "struct worker_pool", "cpu", FIELD(0, 4) },
	{ "struct worker_pool", "worklist", FIELD(8, 16) },
	{ "struct work_struct", "entry", FIELD(8, 16) },
	{ "struct work_struct", "func", KINDED(KIND_POINTER, 24, 8) },
	{ 0 },
};

static void link_works(void)
{
	pwq.wq = QUEUE;
	pwq.next = WORK(0) + 8;
	pwq.prev = WORK(WORKS - 1) + 8;
	for (int i = 0; i < WORKS; i++) {
		works[i].next = i + 1 < WORKS ? WORK(i + 1) + 8 : PWQ + 8;
		works[i].prev = i ? WORK(i - 1) + 8 : PWQ + 8;
	}
}

/* A work that never ends, others of its queue behind it; a list that breaks off is told as far as it goes. */
static void a_worker(void)
{
	const struct stub_memory memory[] = {
		{ KTHREAD, kthread, sizeof(kthread) },
		{ WORKER, &worker, sizeof(worker) },
		{ PWQ, &pwq, sizeof(pwq) },
		{ QUEUE, queue, sizeof(queue) },
		{ WORK(0), &works[0], sizeof(works[0]) },
		{ WORK(1), &works[1], sizeof(works[1]) },
		{ WORK(2), &works[2], sizeof(works[2]) },
		{ 0 },
	};

	for (int i = 0; i < 2; i++) {
		struct strbuf b = STRBUF_OF(512);
		STUB(s, .memory = memory, .members = members, .symbols = functions);

		link_works();
		if (i)
			works[1].next = 0xdead000;
		set_up();
		all[ROOT].task = (struct task){ .pid = 73,
						.comm = "kworker/u8:1",
						.state = 'D',
						.flags = PF_WQ_WORKER,
						.kthread = KTHREAD };
		all[ROOT].caller = all[ROOT].module_frame = &in_driver;
		stuck_mark_roots(&s.dump, all);
		stuck_count_roots(&s.dump, all);
		CHECK(stuck_root_words(&whole, &all[ROOT], &b));
		CHECK_TEXT(
			b.buf,
			i ? "kworker/u8:1 (73) is asleep in cap_fault [cap]; it runs work evt_work of "
			    "workqueue evt_bridge, behind which at least 2 works wait"
			  : "kworker/u8:1 (73) is asleep in cap_fault [cap]; it runs work evt_work of "
			    "workqueue evt_bridge, behind which 3 works wait");
		/* On a lock it is no root: what it runs is told with its name. */
		all[ROOT].is_root = false;
		all[ROOT].is_on_lock = true;
		all[ROOT].lock_name = "cap_mutex [cap]";
		b = (struct strbuf)STRBUF_OF(512);
		stuck_task_words(&all[ROOT], &b);
		CHECK_TEXT(b.buf, "kworker/u8:1 (73), running work evt_work, waits for cap_mutex "
				  "[cap]");
	}
}

/* A worker that goes on, too slowly for what is queued behind it. */
static void a_backlog(void)
{
	struct stuck_work work = { .function = "flash [can]", .queue = { .is_whole = true } };
	struct report report = { .info = { .panic_ns = 10000000000, .has_panic_time = true } };
	struct summary sum = { .report = &report };
	struct stuck x = { .first = all };
	struct strbuf b = STRBUF_OF(512);

	set_up();
	all[ROOT].task = (struct task){ .pid = 9, .comm = "kworker/u8:0", .state = 'D' };
	all[ROOT].caller = &in_driver;
	all[ROOT].waits_for = "other";
	all[ROOT].is_root = true;
	all[ROOT].work = &work;
	snprintf(work.queue.name, sizeof(work.queue.name), "can_flash");
	work.queue.inactive = 999;
	CHECK(!summary_add_backlog(&sum, &x, &b));
	work.queue.inactive = 46727;
	CHECK(summary_add_backlog(&sum, &x, &b));
	CHECK_TEXT(b.buf, "46,727 works of workqueue can_flash wait behind flash [can], which "
			  "kworker/u8:0 (9) runs; it is asleep in cap_fault [cap]");
	/* One that is there for long is a root. */
	b.len = 0;
	all[ROOT].has_since = true;
	all[ROOT].since_ns = 1;
	CHECK(!summary_add_backlog(&sum, &x, &b));
}

/* The function of a timer says less than the system call that it is in. */
static void in_a_call(void)
{
	struct strbuf b = STRBUF_OF(128);

	set_up();
	CHECK(wait_is_timeout("schedule_hrtimeout_range_clock") && !wait_is_timeout("do_sys_poll"));
	CHECK(!wait_call("schedule_hrtimeout_range_clock", USER_FILES_SOME) &&
	      !wait_call("msleep", USER_FILES_NONE));
	all[FIRST].call = wait_call("do_sys_poll", USER_FILES_SOME);
	stuck_task_words(&all[FIRST], &b);
	CHECK_TEXT(b.buf, "shop (101) waits in poll() for its files");
	/* It looks again and again, by msleep(). */
	CHECK(wait_is_timeout("msleep"));
	CHECK_TEXT(wait_call("netdev_run_todo", USER_FILES_UNKNOWN),
		   "waits until nothing refers to a network device that is to go");
	/* Registers that are not known say neither. */
	CHECK_TEXT(wait_call("do_poll", USER_FILES_UNKNOWN), "waits in poll()");
	CHECK_TEXT(wait_call("do_select", USER_FILES_NONE),
		   "sleeps in select() without a file to wait for");
	CHECK_TEXT(wait_call("ep_poll", USER_FILES_UNKNOWN), "waits in epoll_wait() for its files");
	b.len = 0;
	all[FIRST].call = wait_call("hrtimer_nanosleep.isra.0", USER_FILES_UNKNOWN);
	stuck_task_words(&all[FIRST], &b);
	CHECK_TEXT(b.buf, "shop (101) sleeps in nanosleep()");
	/* What it waits for is known. */
	b.len = 0;
	all[FIRST].waits_for = "io";
	stuck_task_words(&all[FIRST], &b);
	CHECK_TEXT(b.buf, "shop (101) waits for io");
}

TESTS({ "who stopped it", who_stopped_it }, { "a driver that polls", a_driver_that_polls },
      { "a traced one", a_traced_one }, { "a stopped one", a_stopped_one },
      { "in a driver", in_a_driver }, { "several that sleep alike", several_alike },
      { "a circle", a_circle }, { "a worker", a_worker }, { "a backlog", a_backlog },
      { "in a system call", in_a_call })
