// SPDX-License-Identifier: GPL-2.0-or-later
/* References to mm_structs: of tasks, of files, of lists; damaged and missing ones. */
#include <string.h>

#include "vm/mm_holders.h"
#include "task_stub.h"
#include "test.h"

#define TASK(i) (0x10000ULL + (i)*0x1000)
#define SIGNAL(i) (0x20000ULL + (i)*0x1000)
#define MM(i) (0x30000ULL + (i)*0x1000)
#define FILES 0x40000ULL
#define TABLE 0x40100ULL
#define FDS 0x40200ULL
#define FILE_AT(i) (0x41000ULL + (i)*0x100)
#define SEQ 0x42000ULL
#define MAPS 0x42100ULL
#define CONTEXT 0x42200ULL
#define MEM_FOPS 0x50000ULL
#define MAPS_FOPS 0x50100ULL
#define UFFD_FOPS 0x50200ULL
#define RUNQUEUE 0x60000ULL
#define SCAN 0x61000ULL
#define SLOT(i) (0x62000ULL + (i)*0x100)
#define KSM 0x63000ULL

struct ufile {
	uint64_t inode, operations, data;
};
/* Offsets of struct mm_slot: list at 16, mm at 32. */
struct uslot {
	uint64_t hash[2];
	struct link node;
	uint64_t mm;
};

/* Behind the fourth those that are not on the list of processes. */
enum { INIT, USER, KTHREAD, WORKER, IDLE, THREAD, TASKS };

static struct utask tasks[TASKS];
static struct usignal signals[TASKS];
static const uint64_t files_table = TABLE;
static struct {
	uint64_t max, fd;
} table;
static uint64_t fds[4];
static struct ufile files[3];
static uint64_t seq_private = MAPS, maps_mm[2], context_mm;
static uint64_t runqueue_idle = TASK(IDLE);
static struct link scan_list;
static struct uslot slots[2], ksm_head;

static const struct stub_member members[] = {
	TASK_MEMBERS,
	{ "struct file", "private_data", FIELD(16, 8) },
	{ "struct seq_file", "private", FIELD(0, 8) },
	{ "struct userfaultfd_ctx", "mm", FIELD(0, 8) },
	{ "struct rq", "idle", FIELD(0, 8) },
	{ "struct mm_slot", "mm_node", FIELD(16, 16) },
	{ "struct mm_slot", "mm", FIELD(32, 8) },
	{ "struct khugepaged_scan", "mm_head", FIELD(0, 16) },
	{ "struct ksm_mm_slot", "slot", FIELD(0, 40) },
	/* Last: which of the two forms there is. */
	{ "struct proc_maps_private", "mm", FIELD(0, 8) },
	{ 0 },
};
static const struct stub_symbol symbols[] = {
	{ "init_task", TASK(INIT), { 0 } },
	{ "runqueues", RUNQUEUE, { 0 } },
	{ "proc_mem_operations", MEM_FOPS, { 0 } },
	{ "proc_pid_maps_operations", MAPS_FOPS, { 0 } },
	{ "userfaultfd_fops", UFFD_FOPS, { 0 } },
	{ "khugepaged_scan", SCAN, { 0 } },
	{ "ksm_mm_head", KSM, { 0 } },
	{ 0 },
};
static const struct stub_memory memory[] = {
	{ TASK(INIT), &tasks[INIT], sizeof(tasks[0]) },
	{ TASK(USER), &tasks[USER], sizeof(tasks[0]) },
	{ TASK(KTHREAD), &tasks[KTHREAD], sizeof(tasks[0]) },
	{ TASK(WORKER), &tasks[WORKER], sizeof(tasks[0]) },
	{ TASK(IDLE), &tasks[IDLE], sizeof(tasks[0]) },
	{ TASK(THREAD), &tasks[THREAD], sizeof(tasks[0]) },
	{ SIGNAL(INIT), &signals[INIT], sizeof(signals[0]) },
	{ SIGNAL(USER), &signals[USER], sizeof(signals[0]) },
	{ SIGNAL(KTHREAD), &signals[KTHREAD], sizeof(signals[0]) },
	{ SIGNAL(WORKER), &signals[WORKER], sizeof(signals[0]) },
	{ FILES, &files_table, 8 },
	{ TABLE, &table, sizeof(table) },
	{ FDS, fds, sizeof(fds) },
	{ FILE_AT(0), &files[0], sizeof(files[0]) },
	{ FILE_AT(1), &files[1], sizeof(files[1]) },
	{ FILE_AT(2), &files[2], sizeof(files[2]) },
	{ SEQ, &seq_private, 8 },
	{ MAPS, maps_mm, sizeof(maps_mm) },
	{ CONTEXT, &context_mm, 8 },
	{ RUNQUEUE, &runqueue_idle, 8 },
	{ SCAN, &scan_list, sizeof(scan_list) },
	{ SLOT(0), &slots[0], sizeof(slots[0]) },
	{ SLOT(1), &slots[1], sizeof(slots[1]) },
	{ KSM, &ksm_head, sizeof(ksm_head) },
	{ 0 },
};

static void link_tasks(void)
{
	static const char *const names[] = { "swapper/0", "hog",       "vhost-7",
					     "kworker",	  "swapper/0", "hog-2" };

	memset(signals, 0, sizeof(signals));
	for (unsigned int i = 0; i < TASKS; i++) {
		unsigned int next = (i + 1) % IDLE, prev = (i + IDLE - 1) % IDLE;
		uint64_t head = SIGNAL(i), node = TASK(i) + 16;

		tasks[i] = (struct utask){ .pid = (int32_t)i, .tgid = (int32_t)i };
		strcpy(tasks[i].comm, names[i]);
		tasks[i].tasks = (struct link){ TASK(next), TASK(prev) };
		tasks[i].node = (struct link){ head, head };
		tasks[i].signal = SIGNAL(i);
		tasks[i].flags = i == USER ? 0 : PF_KTHREAD;
		signals[i].head = (struct link){ node, node };
	}
	/* The second thread of a process, which has its signal_struct. */
	tasks[THREAD].tgid = USER;
	tasks[THREAD].signal = SIGNAL(USER);
	tasks[THREAD].flags = 0;
	tasks[THREAD].node = (struct link){ SIGNAL(USER), TASK(USER) + 16 };
	tasks[USER].node.next = signals[USER].head.prev = TASK(THREAD) + 16;
}

/* MM(0) is that of "hog"; others are of processes that have exited. */
static void set_up(void)
{
	link_tasks();
	tasks[USER].mm = tasks[USER].active_mm = MM(0);
	tasks[THREAD].mm = tasks[THREAD].active_mm = MM(0);
	tasks[USER].files = tasks[THREAD].files = FILES;
	tasks[KTHREAD].mm = tasks[KTHREAD].active_mm = MM(1);
	tasks[WORKER].active_mm = MM(0);
	tasks[IDLE].active_mm = MM(2);
	signals[USER].oom_mm = MM(0);
	table.max = 4;
	table.fd = FDS;
	for (unsigned int i = 0; i < 3; i++)
		fds[i] = FILE_AT(i);
	/* A file that was opened once and duplicated is one reference. */
	fds[3] = FILE_AT(0);
	files[0] = (struct ufile){ 1, MEM_FOPS, MM(2) };
	files[1] = (struct ufile){ 2, MAPS_FOPS, SEQ };
	files[2] = (struct ufile){ 3, UFFD_FOPS, CONTEXT };
	maps_mm[0] = MM(2);
	maps_mm[1] = MM(1);
	context_mm = MM(3);
	scan_list = (struct link){ SLOT(0) + 16, SLOT(0) + 16 };
	slots[0] = (struct uslot){ .node = { SCAN, SCAN }, .mm = MM(0) };
	ksm_head.node = (struct link){ SLOT(1) + 16, SLOT(1) + 16 };
	slots[1] = (struct uslot){ .node = { KSM + 16, KSM + 16 }, .mm = MM(0) };
}

static const char *held(const struct mm_holders *h, unsigned int i)
{
	static struct text_lists lists;

	text_lists_init(&lists, h->dump->arena);
	return mm_holders_list(h, MM(i), &lists)->text;
}

static const struct stub_number counters[] = { TASK_COUNTERS, { 0 } };

static void each_reference_is_found_once(void)
{
	STUB(s, .memory = memory, .members = members, .symbols = symbols, .enumerators = counters);
	struct mm_holders h;

	set_up();
	CHECK(mm_holders_read(&s.dump, &h) == ST_OK && !h.problem);
	CHECK(mm_holders_count(&h, MM(0)) == 4);
	CHECK(!strcmp(held(&h, 0), "ksmd, khugepaged, active_mm of 3(kworker), oom_mm of 1(hog)"));
	CHECK(mm_holders_count(&h, MM(1)) == 1);
	CHECK(!strcmp(held(&h, 1), "kthread_use_mm() of 2(vhost-7)"));
	CHECK(mm_holders_count(&h, MM(2)) == 3);
	CHECK(!strcmp(held(&h, 2), "/proc/PID/maps open in 1(hog), /proc/PID/mem open in 1(hog), "
				   "active_mm of 0(swapper/0)"));
	CHECK(!strcmp(held(&h, 3), "userfaultfd open in 1(hog)"));
	CHECK(mm_holders_count(&h, MM(4)) == 0 && !*held(&h, 4));
}

/* Up to 6.0 each scanner has a struct mm_slot of its own; by its name there is but one of the two. */
static void slots_of_one_name(void)
{
	static const struct stub_member of_each[] = {
		{ "struct khugepaged_scan.mm_slot", "mm_node", FIELD(16, 16) },
		{ "struct khugepaged_scan.mm_slot", "mm", FIELD(32, 8) },
		{ "struct ksm_scan.mm_slot", "mm_list", FIELD(8, 16) },
		{ "struct ksm_scan.mm_slot", "mm", FIELD(24, 8) },
	};
	struct stub_member older[sizeof(members) / sizeof(members[0]) + 4];
	STUB(s, .memory = memory, .members = older, .symbols = symbols, .enumerators = counters);
	struct mm_holders h;
	unsigned int n = 0;

	memset(older, 0, sizeof(older));
	for (unsigned int i = 0; members[i].type; i++)
		if (!strstr(members[i].type, "mm_slot"))
			older[n++] = members[i];
	memcpy(older + n, of_each, sizeof(of_each));
	set_up();
	ksm_head = (struct uslot){ { 0, SLOT(1) + 8 }, { SLOT(1) + 8, 0 }, 0 };
	slots[1] = (struct uslot){ { 0, KSM + 8 }, { KSM + 8, MM(0) }, 0x4141 };
	CHECK(mm_holders_read(&s.dump, &h) == ST_OK && !h.problem);
	CHECK(!strcmp(held(&h, 0), "ksmd, khugepaged, active_mm of 3(kworker), oom_mm of 1(hog)"));
	memset(&ksm_head, 0, sizeof(ksm_head));
}

static enum status add_memory(void *arg, const struct task *task)
{
	int32_t *seen = arg;

	if (task->has_memory)
		seen[seen[0]++] = task->pid;
	return ST_OK;
}

/* Of each process one thread stands for its memory: another one where the leader has exited. */
static void memory_of_a_leader_that_exited(void)
{
	STUB(s, .memory = memory, .members = members, .symbols = symbols, .enumerators = counters);
	int32_t seen[TASKS + 1] = { 1 };
	struct tasks t;

	set_up();
	CHECK(tasks_open(&s.dump, &t) == ST_OK && tasks_walk(&t, add_memory, seen) == ST_OK);
	CHECK(seen[0] == 3 && seen[1] == USER && seen[2] == KTHREAD);
	tasks[USER].mm = 0;
	s.dump.task_rows = NULL; /* a walk of another command */
	seen[0] = 1;
	CHECK(tasks_walk(&t, add_memory, seen) == ST_OK);
	CHECK(seen[0] == 3 && seen[1] == THREAD && seen[2] == KTHREAD);
}

/* Nothing behind a task is read to find it; one that is not there is looked for up to the end. */
static void a_task_by_its_pid(void)
{
	STUB(s, .memory = memory, .members = members, .symbols = symbols, .enumerators = counters);
	unsigned int opened, first, all;
	struct task task = { 0 };
	struct tasks t;

	set_up();
	CHECK(tasks_open(&s.dump, &t) == ST_OK);
	opened = s.reads;
	CHECK(tasks_find(&t, tasks[USER].pid, &task) == ST_OK && task.pid == tasks[USER].pid);
	first = s.reads - opened;
	CHECK(tasks_find(&t, 0x7fffffff, &task) == ST_ABSENT);
	all = s.reads - opened - first;
	CHECK(first && first < all);
}

/* struct proc_maps_private of 7.3 has its mm behind another name. */
static void the_newer_maps(void)
{
	struct stub_member newer[sizeof(members) / sizeof(members[0])];
	STUB(s, .memory = memory, .members = newer, .symbols = symbols, .enumerators = counters);
	struct mm_holders h;

	memcpy(newer, members, sizeof(members));
	newer[sizeof(members) / sizeof(members[0]) - 2] =
		(struct stub_member){ "struct proc_maps_private", "lock_ctx.mm", FIELD(8, 8) };
	set_up();
	CHECK(mm_holders_read(&s.dump, &h) == ST_OK && !h.problem);
	CHECK(mm_holders_count(&h, MM(1)) == 2 && mm_holders_count(&h, MM(2)) == 2);
}

/* What is missing costs that holder, and is said. */
static void parts_that_are_missing(void)
{
	STUB(s, .memory = memory, .members = members, .symbols = symbols, .enumerators = counters);
	struct mm_holders h;

	set_up();
	files[1].data = 0x999000;
	runqueue_idle = 0x999000;
	slots[1].node.prev = 0x999000;
	CHECK(mm_holders_read(&s.dump, &h) == ST_OK && h.problem);
	CHECK(!strcmp(held(&h, 2), "/proc/PID/mem open in 1(hog), others unknown"));
	CHECK(!strcmp(held(&h, 3), "userfaultfd open in 1(hog), others unknown"));
	CHECK(mm_holders_count(&h, MM(1)) == 1 && mm_holders_count(&h, MM(0)) >= 3);
	runqueue_idle = TASK(IDLE);
}

TESTS({ "slots of one name", slots_of_one_name },
      { "each reference to an mm_struct is found once", each_reference_is_found_once },
      { "files of /proc/PID/maps as of 7.3", the_newer_maps },
      { "memory of a leader that exited", memory_of_a_leader_that_exited },
      { "a task by its pid", a_task_by_its_pid },
      { "holders of which a part is missing", parts_that_are_missing })
