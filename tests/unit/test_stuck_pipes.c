// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that wait for pipes and children: circles, readers that are stopped, and those that are no finding. */
#include <string.h>

#include "collect/stuck_circle.h"
#include "collect/stuck_pipes.h"
#include "collect/stuck_words.h"
#include "memory/stuck_chains.h"
#include "files/pipe_waits.h"
#include "process_stub.h"
#include "tasks/child_wait.h"
#include "test.h"

#define TASKS 4
#define FDS 4
#define PIPES 2
#define FILE_AT(i, fd) (0x50000ULL + (i)*0x1000 + (fd)*0x100)
#define PIPE(i) (0x60000ULL + (i)*0x1000)
#define WAIT(i) (0x70000ULL + (i)*0x1000)
#define PID(i) (0x80000ULL + (i)*0x1000)
#define FOPS 0x90000ULL

struct ufile {
	uint64_t inode, operations, data, mode;
};
struct upipe {
	uint64_t bufs, spare;
	uint32_t size, head, tail, pad;
	struct link rd, wr;
};
/* struct wait_opts and, of those that wait for a pipe, its last part: struct wait_queue_entry. */
struct uwait {
	uint64_t type, pid, private;
	struct link entry;
};

static struct utask tasks[TASKS];
static struct {
	struct usignal signal;
	struct link children;
} signals[TASKS];
static struct {
	struct ufiles table;
	uint64_t fds[FDS];
} files[TASKS];
static struct ufile file[TASKS][FDS];
static struct upipe pipes[PIPES];
static struct uwait waits[TASKS];
static uint64_t pids[TASKS];
static struct stuck_task all[TASKS];

static const struct stub_member members[] = {
	TASK_MEMBERS,
	/* In place of its faults, which nothing here counts. */
	{ "struct task_struct", "vfork_done", FIELD(96, 8) },
	{ "struct file", "private_data", FIELD(16, 8) },
	{ "struct file", "f_mode", FIELD(24, 4) },
	{ "struct pipe_inode_info", "bufs", FIELD(0, 8) },
	{ "struct pipe_inode_info", "tmp_page", FIELD(8, 8) },
	{ "struct pipe_inode_info", "ring_size", FIELD(16, 4) },
	{ "struct pipe_inode_info", "head", FIELD(20, 4) },
	{ "struct pipe_inode_info", "tail", FIELD(24, 4) },
	{ "struct pipe_inode_info", "rd_wait", FIELD(32, 16) },
	{ "struct pipe_inode_info", "wr_wait", FIELD(48, 16) },
	{ "struct pipe_buffer", "page", FIELD(0, 8) },
	{ "struct wait_queue_head", "head", FIELD(0, 16) },
	{ "struct wait_queue_entry", "private", FIELD(0, 8) },
	{ "struct wait_queue_entry", "entry", FIELD(8, 16) },
	{ "struct wait_opts", "wo_type", FIELD(0, 4) },
	{ "struct wait_opts", "wo_pid", FIELD(8, 8) },
	{ "struct wait_opts", "child_wait", FIELD(16, 24) },
	{ "struct signal_struct", "wait_chldexit", FIELD(sizeof(struct usignal), 16) },
	{ "struct pid", "numbers", FIELD(0, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct pipe_buffer", 40 },
					    { "union thread_union", 0x4000 },
					    { 0 } };
static const struct stub_symbol symbols[] = { { "init_task", TASK(0), { 0 } },
					      { "pipefifo_fops", FOPS, { 0 } },
					      { 0 } };
static const struct stub_number counters[] = { TASK_COUNTERS, { 0 } };
#define OF(ADDRESS, i, ARRAY)                               \
	{                                                   \
		ADDRESS(i), &(ARRAY)[i], sizeof((ARRAY)[0]) \
	}
#define ALL(ADDRESS, ARRAY) \
	OF(ADDRESS, 0, ARRAY), OF(ADDRESS, 1, ARRAY), OF(ADDRESS, 2, ARRAY), OF(ADDRESS, 3, ARRAY)
#define FILES_OF(i)                                                             \
	{ FILE_AT(i, 0), file[i], 0x20 }, { FILE_AT(i, 1), &file[i][1], 0x20 }, \
		{ FILE_AT(i, 2), &file[i][2], 0x20 },                           \
	{                                                                       \
		FILE_AT(i, 3), &file[i][3], 0x20                                \
	}
static const struct stub_memory memory[] = {
	ALL(TASK, tasks), ALL(SIGNAL, signals), ALL(FILES, files),  ALL(WAIT, waits),
	ALL(PID, pids),	  OF(PIPE, 0, pipes),	OF(PIPE, 1, pipes), FILES_OF(0),
	FILES_OF(1),	  FILES_OF(2),		FILES_OF(3),	    { 0 },
};

static const char *const names[TASKS] = { "init", "parent", "child", "other" };

/* Nobody waits for anything; child (2) is of parent (1), other (3) of init (0). */
static void set_up(void)
{
	memset(files, 0, sizeof(files));
	memset(all, 0, sizeof(all));
	for (unsigned int i = 0; i < TASKS; i++) {
		const uint64_t none = SIGNAL(i) + sizeof(struct usignal);

		set_process(&tasks[i], &signals[i].signal, i, TASKS, names[i]);
		tasks[i].parent = TASK(i == 2 ? 1 : 0);
		signals[i].children = (struct link){ none, none };
		set_files(&files[i].table, i, FDS, FILES(i) + 24);
		pids[i] = i;
		all[i].task = (struct task){ .address = TASK(i),
					     .pid = (int32_t)i,
					     .tgid = (int32_t)i,
					     .ppid = i == 2,
					     .has_ppid = true,
					     .mm = MM(i),
					     .signal = SIGNAL(i),
					     .state = 'S' };
		strcpy(all[i].task.comm, names[i]);
		all[i].next = i + 1 < TASKS ? &all[i + 1] : NULL;
	}
	for (unsigned int i = 0; i < PIPES; i++) {
		const uint64_t rd = PIPE(i) + 32, wr = PIPE(i) + 48;

		pipes[i] = (struct upipe){ .size = 16, .rd = { rd, rd }, .wr = { wr, wr } };
	}
}

static void has(unsigned int task, unsigned int pipe, uint64_t mode)
{
	unsigned int fd = 0;

	while (files[task].fds[fd])
		fd++;
	files[task].fds[fd] = FILE_AT(task, fd);
	file[task][fd] = (struct ufile){ 1, FOPS, PIPE(pipe), mode };
}

static const struct frame write_frame = { .symbol = "anon_pipe_write" },
			  read_frame = { .symbol = "pipe_read" },
			  wait_frame = { .symbol = "do_wait" };

/* One that sleeps in a queue, whose only entry it is. */
static void enter(unsigned int task, uint64_t head, struct link *queue, const struct frame *in)
{
	const uint64_t node = WAIT(task) + 24;

	waits[task] = (struct uwait){ .type = 4, .private = TASK(task), .entry = { head, head } };
	*queue = (struct link){ node, node };
	all[task].caller = in;
}

static void writes(unsigned int task, unsigned int pipe)
{
	enter(task, PIPE(pipe) + 48, &pipes[pipe].wr, &write_frame);
}

static void reads(unsigned int task, unsigned int pipe)
{
	enter(task, PIPE(pipe) + 32, &pipes[pipe].rd, &read_frame);
}

static void waits_for(unsigned int task, unsigned int child)
{
	enter(task, SIGNAL(task) + sizeof(struct usignal), &signals[task].children, &wait_frame);
	if (child) {
		waits[task].type = 0;
		waits[task].pid = PID(child);
	}
}

/* What is told of all of them. */
static const char *told(bool has_all)
{
	static char text[512];
	static struct stub s;
	const struct stuck whole = { 0 };
	struct strbuf b = STRBUF_OF(512);

	STUB_OPEN(s, .memory = memory, .members = members, .symbols = symbols, .sizes = sizes,
		  .enumerators = counters);
	stuck_find_pipes(&s.dump, all, has_all);
	for (unsigned int i = 0; i < TASKS; i++)
		stuck_find_circle(&all[i]);
	for (unsigned int i = 0; i < TASKS; i++) {
		struct strbuf one = STRBUF_OF(512);

		if (all[i].is_deadlocked ? stuck_deadlock_words(&all[i], &one)
					 : stuck_pipe_words(&whole, &all[i], &one))
			strbuf_add(&b, "%s%s", strbuf_between(&b, " | "), one.buf);
	}
	snprintf(text, sizeof(text), "%s", b.buf);
	return text;
}

static void a_child_writes_and_its_parent_waits(void)
{
	for (unsigned int child = 0; child <= 2; child += 2) {
		set_up();
		has(1, 0, PIPE_END_READS);
		has(2, 0, PIPE_END_WRITES);
		writes(2, 0);
		waits_for(1, child);
		CHECK_TEXT(told(true),
			   "deadlock: parent (1) waits for the end of its child, child (2), which "
			   "waits for a full pipe, which parent (1) reads");
		CHECK_TEXT(all[2].waits_for, "pipe");
		CHECK(all[1].is_holder && all[2].holds == HOLDS_READS);
	}
	/* It waits for another one, which may end. */
	all[3].task.ppid = 1;
	waits_for(1, 3);
	for (unsigned int i = 0; i < TASKS; i++)
		all[i].holder = NULL, all[i].is_on_pipe = false;
	CHECK_TEXT(told(true), "");
	/* It waits for any, and another one may end. */
	waits_for(1, 0);
	CHECK_TEXT(told(true), "");
}

static void others_may_read(void)
{
	set_up();
	has(1, 0, PIPE_END_READS);
	has(2, 0, PIPE_END_WRITES);
	has(3, 0, PIPE_END_READS);
	writes(2, 0);
	waits_for(1, 2);
	CHECK_TEXT(told(true), "");
	/* Nothing is said where some tasks may be missing. */
	set_up();
	has(1, 0, PIPE_END_READS);
	has(2, 0, PIPE_END_WRITES);
	writes(2, 0);
	waits_for(1, 2);
	CHECK_TEXT(told(false), "");
}

static void two_that_write_to_each_other(void)
{
	set_up();
	has(1, 0, PIPE_END_READS);
	has(1, 1, PIPE_END_WRITES);
	has(3, 0, PIPE_END_WRITES);
	has(3, 1, PIPE_END_READS);
	writes(3, 0);
	writes(1, 1);
	CHECK_TEXT(told(true), "deadlock: parent (1) waits for a full pipe, which other (3) reads, "
			       "which waits for a full pipe, which parent (1) reads");
	/* One was woken. */
	set_up();
	has(1, 0, PIPE_END_READS);
	has(1, 1, PIPE_END_WRITES);
	has(3, 0, PIPE_END_WRITES);
	has(3, 1, PIPE_END_READS);
	writes(3, 0);
	writes(1, 1);
	all[1].task.state = 'R';
	CHECK_TEXT(told(true), "");
}

/* The parent has kept the end that the child waits for to be closed. */
static void a_reader_whose_parent_has_the_other_end(void)
{
	set_up();
	has(1, 0, PIPE_END_WRITES);
	has(2, 0, PIPE_END_READS);
	reads(2, 0);
	waits_for(1, 2);
	CHECK_TEXT(told(true), "deadlock: parent (1) waits for the end of its child, child (2), "
			       "which waits for an empty pipe, which parent (1) writes to");
	/* A shell that waits for the last command of a pipeline. */
	set_up();
	has(3, 0, PIPE_END_WRITES);
	has(2, 0, PIPE_END_READS);
	reads(2, 0);
	waits_for(1, 2);
	CHECK_TEXT(told(true), "");
}

static const struct frame freezer_frame = { .symbol = "get_signal" };

static void a_reader_that_is_stopped(void)
{
	set_up();
	has(3, 0, PIPE_END_READS);
	has(2, 0, PIPE_END_WRITES);
	writes(2, 0);
	all[3].task.state = 'T';
	CHECK_TEXT(told(true),
		   "child (2) waits for a full pipe, which other (3) reads; other (3) is stopped");
	/* One whose cgroup is frozen; get_signal() of a thread that runs is none. */
	for (unsigned int i = 0; i < 2; i++) {
		set_up();
		has(3, 0, PIPE_END_READS);
		has(2, 0, PIPE_END_WRITES);
		writes(2, 0);
		all[3].caller = &freezer_frame;
		all[3].task.state = i ? 'R' : 'S';
		CHECK_TEXT(told(true), i ? ""
					 : "child (2) waits for a full pipe, which other (3) "
					   "reads; other (3) is frozen");
	}
	/* An idle one of which the writer is stopped. */
	set_up();
	has(3, 0, PIPE_END_WRITES);
	has(2, 0, PIPE_END_READS);
	reads(2, 0);
	waits_for(1, 2);
	all[3].task.state = 'T';
	CHECK_TEXT(told(true), "");
	/* It has both ends itself. */
	set_up();
	has(2, 0, PIPE_END_READS);
	has(2, 0, PIPE_END_WRITES);
	writes(2, 0);
	CHECK_TEXT(told(true), "deadlock: child (2) waits for a full pipe, both ends of which it "
			       "alone has open");
	/* A FIFO, which another process may open. */
	set_up();
	has(2, 0, PIPE_END_READS | PIPE_END_WRITES);
	writes(2, 0);
	CHECK_TEXT(told(true), "");
	CHECK_TEXT(all[2].call, "writes to a full pipe that no other process reads");
	/* Another one reads it, or may. */
	for (unsigned int i = 0; i < 2; i++) {
		set_up();
		has(2, 0, PIPE_END_READS | PIPE_END_WRITES);
		writes(2, 0);
		if (i)
			has(3, 0, PIPE_END_READS);
		told(i != 0);
		CHECK(!all[2].call);
	}
}

#define STACK 0xa0000ULL

static const struct frame clone_frame = { .symbol = "kernel_clone" };

static void a_parent_in_vfork(void)
{
	STUB(s, .memory = memory, .members = members, .symbols = symbols, .sizes = sizes,
	     .enumerators = counters);
	struct strbuf b = STRBUF_OF(512);

	set_up();
	all[1].task.stack = STACK;
	all[1].task.state = 'D';
	all[1].caller = &clone_frame;
	all[1].waits_for = "other";
	all[2].task.state = 'T';
	/* Of none of these. */
	tasks[3].min = STACK + 0x100000;
	CHECK(!stuck_find_vforks(&s.dump, all) && !all[1].holder);
	tasks[2].min = STACK + 0x1800;
	CHECK(!stuck_find_vforks(&s.dump, all));
	CHECK(all[1].holder == &all[2] && all[1].holds == HOLDS_CHILD && all[2].is_holder);
	stuck_task_words(&all[1], &b);
	CHECK_TEXT(b.buf, "parent (1) waits for the exec or the end of its child, child (2)");
	/* The child wants what its parent has. */
	all[2].is_on_lock = all[2].has_lock = true;
	all[2].lock_name = "m";
	all[2].holder = &all[1];
	stuck_find_circle(&all[1]);
	b = STRBUF_OF(512);
	CHECK(stuck_deadlock_words(&all[1], &b));
	CHECK_TEXT(b.buf,
		   "deadlock: parent (1) waits for the exec or the end of its child, child (2), "
		   "which waits for m, which parent (1) has");
	/* A child that cannot be read may be it. */
	set_up();
	all[1].task.stack = STACK;
	all[1].task.state = 'D';
	all[1].caller = &clone_frame;
	all[2].task.address = 0xdead000;
	CHECK(stuck_find_vforks(&s.dump, all) && !all[1].holder);
	stub_close(&s);
}

/* A queue that leads in a circle, and a thread that is in none. */
static void damaged_queues(void)
{
	STUB(s, .memory = memory, .members = members, .symbols = symbols, .sizes = sizes,
	     .enumerators = counters);
	struct child_waits c;
	int32_t pid;

	set_up();
	waits_for(1, 2);
	CHECK(child_waits_open(&s.dump, &c) == ST_OK);
	CHECK(child_wait_find(&c, SIGNAL(1), TASK(1), &pid) == ST_OK && pid == 2);
	CHECK(child_wait_find(&c, SIGNAL(1), TASK(2), &pid) == ST_ABSENT);
	waits[1].entry.next = WAIT(1) + 24;
	CHECK(child_wait_find(&c, SIGNAL(1), TASK(2), &pid) == ST_CORRUPT);
	CHECK(child_wait_find(&c, 0x123000, TASK(2), &pid) == ST_UNREADABLE);
}

TESTS({ "a child that writes, and its parent that waits for it",
	a_child_writes_and_its_parent_waits },
      { "others may read", others_may_read },
      { "two that write to each other", two_that_write_to_each_other },
      { "a reader whose parent has the other end", a_reader_whose_parent_has_the_other_end },
      { "a reader that is stopped, both ends", a_reader_that_is_stopped },
      { "a parent in vfork()", a_parent_in_vfork }, { "queues that are damaged", damaged_queues })
