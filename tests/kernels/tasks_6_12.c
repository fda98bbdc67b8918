// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks as of 6.2 and later: a process of two threads, one with a single one, a
 * kernel thread; rss in percpu_counters of two CPUs.  One mm is not in the dump.
 * CASE_cached: before 6.2, where each thread keeps what it has not added yet.
 */
#define RELEASE "6.12.0-tasks"
#define OWN_TASKS
struct list_head {
	struct list_head *next, *prev;
};
#include "common.h"

struct percpu_counter {
	u32 lock;
	s64 count;
	struct list_head list;
	s32 *counters;
};
enum { MM_FILEPAGES, MM_ANONPAGES, MM_SWAPENTS, MM_SHMEMPAGES, NR_MM_COUNTERS } keep_counters;
#ifdef CASE_cached
struct mm_rss_stat {
	s64 count[NR_MM_COUNTERS];
};
struct task_rss_stat {
	s32 events, count[NR_MM_COUNTERS];
};
struct mm_struct {
	u64 users, total_vm;
	struct mm_rss_stat rss_stat;
};
#define CACHED(...)                 \
	,                           \
	{                           \
		1,                  \
		{                   \
			__VA_ARGS__ \
		}                   \
	}
#else
struct mm_struct {
	u64 users, total_vm;
	struct percpu_counter rss_stat[NR_MM_COUNTERS];
};
#define CACHED(...)
#endif
struct signal_struct {
	s32 users;
	struct list_head thread_head;
	u64 min_flt, maj_flt, cmin_flt, cmaj_flt;
};
struct task_struct {
	struct list_head tasks;
	s32 pid, tgid;
	struct task_struct *real_parent;
	struct list_head thread_node;
	u64 min_flt, maj_flt;
	char comm[16];
	struct signal_struct *signal;
	struct mm_struct *mm;
#ifdef CASE_cached
	struct task_rss_stat rss_stat;
#endif
};

struct area {
	s32 pad, file, anon, swap, shmem;
};
static struct area area0 = { 0, 1, -2, 3, 0 }, area1 = { 0, 0, 5, 0, 0 };
void *__per_cpu_offset[2] = { DIRECT(&area0), DIRECT(&area1) };
struct cpumask {
	u64 bits[1];
};
struct cpumask __cpu_possible_mask = { { 3 } };
u32 nr_cpu_ids = 2;

/* Percpu counters of mm are at these places of an area. */
#define COUNTER(c, at)                      \
	{                                   \
		0, c, { 0, 0 }, (s32 *)(at) \
	}
#ifdef CASE_cached
static struct mm_struct mm = { 1, 1000, { { 20, -5, 40, 50 } } };
#else
static struct mm_struct mm = {
	1, 1000, { COUNTER(20, 4), COUNTER(30, 8), COUNTER(40, 12), COUNTER(50, 16) }
};
#endif

extern struct task_struct init_task, leader, thread, single, kthread;
#define NODE(t) DIRECT(&(t).thread_node)
#define TASKS(t) DIRECT(&(t).tasks)

struct signal_struct leader_signal = { .thread_head = { NODE(leader), NODE(thread) },
				       .cmin_flt = 5,
				       .cmaj_flt = 6 };
struct signal_struct single_signal = { .thread_head = { NODE(single), NODE(single) } };
struct signal_struct kthread_signal = { .thread_head = { NODE(kthread), NODE(kthread) } };
#define HEAD(s) DIRECT(&(s).thread_head)

/* The list goes through init_task as vmlinux links it, not through the direct map. */
struct task_struct init_task = { .tasks = { TASKS(leader), TASKS(kthread) }, .comm = "swapper" };
#ifdef CASE_loop
#define AFTER_SINGLE TASKS(leader)
#elif defined(CASE_self)
/* Its own next, and its threads cannot be reached. */
#define AFTER_SINGLE TASKS(single)
#define SINGLE_SIGNAL (void *)0xffff88ffff100000UL
#else
#define AFTER_SINGLE TASKS(kthread)
#endif
#ifndef SINGLE_SIGNAL
#define SINGLE_SIGNAL DIRECT(&single_signal)
#endif
struct task_struct leader = { { TASKS(single), (void *)&init_task.tasks },
			      10,
			      10,
			      DIRECT(&single),
			      { NODE(thread), HEAD(leader_signal) },
			      100,
			      3,
			      "leader",
			      DIRECT(&leader_signal),
			      DIRECT(&mm) CACHED(1, -2, 3, 4) };
struct task_struct thread = {
	{ 0, 0 }, 11, 10,	DIRECT(&single),	{ HEAD(leader_signal), NODE(leader) },
	200,	  2,  "thread", DIRECT(&leader_signal), DIRECT(&mm) CACHED(10, 0, 0, 0)
};
struct task_struct single = { { AFTER_SINGLE, TASKS(leader) },
			      1,
			      1,
			      DIRECT(&init_task),
			      { HEAD(single_signal), HEAD(single_signal) },
			      300,
			      0,
			      "single",
			      SINGLE_SIGNAL,
			      (void *)0xffff88ffff000000UL };
struct task_struct kthread = { { (void *)&init_task.tasks, TASKS(single) },
			       2,
			       2,
			       DIRECT(&init_task),
			       { HEAD(kthread_signal), HEAD(kthread_signal) },
			       0,
			       0,
			       "kthreadd",
			       DIRECT(&kthread_signal),
			       0 };
