// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks as of 6.2 and later: a process of two threads, one with a single one, a
 * kernel thread and two workers; rss in percpu_counters of two CPUs.  One mm is not in the
 * dump.  CASE_cached: before 6.2, where each thread keeps what it has not added yet, with
 * names of members as of 5.10.  CASE_v1: the memory controller is not on the default hierarchy, which
 * has a root alone.  CASE_off: cgroup_disable=memory.  CASE_victim, CASE_reaped, CASE_given_up: the OOM killer chose the first process.
 * CASE_zombie: the first thread of a process has exited, another one has its memory.
 */
#define RELEASE "6.12.0-tasks"
#define OWN_TASKS
/* As many as _totalram_pages has. */
#define MAX_PFN 90000
#define HIGHEST_SECTION 1
struct list_head {
	struct list_head *next, *prev;
};
#include "common.h"

#include "tasktypes.h"

#ifdef CASE_cached
struct mm_rss_stat {
	s64 count[NR_MM_COUNTERS];
};
struct task_rss_stat {
	s32 events, count[NR_MM_COUNTERS];
};
#define COUNTERS_OF_MM struct mm_rss_stat rss_stat
#define CACHED(...) , .rss_stat = { 1, { __VA_ARGS__ } }
#else
#define COUNTERS_OF_MM struct percpu_counter rss_stat[NR_MM_COUNTERS]
#define CACHED(...)
#endif
struct mm_struct {
	s32 mm_count, mm_users;
	u64 pgtables_bytes, total_vm, locked_vm, pinned_vm;
	COUNTERS_OF_MM;
	u64 flags;
	void *owner, *pgd;
};
struct signal_struct {
	s32 users, nr_threads;
	u32 flags;
	s16 oom_score_adj;
	struct mm_struct *oom_mm;
	struct list_head thread_head;
	u64 min_flt, maj_flt, cmin_flt, cmaj_flt;
};

/* Names of kernel threads. */
struct worker_pool {
	s32 id;
};
struct workqueue_struct {
	char name[32];
};
struct worker {
	void *current_work;
	struct worker_pool *pool;
	char desc[32];
	struct workqueue_struct *rescue_wq;
};
struct kthread {
	u64 flags;
	void *data;
#ifndef CASE_cached
	char *full_name;
#endif
};

/* Cgroups: / and /web, the latter without a controller of its own in /web/inner. */
struct kernfs_node {
#ifdef CASE_cached
	struct kernfs_node *__parent; /* 6.15 */
#else
	struct kernfs_node *parent;
#endif
	const char *name;
};
struct cgroup {
	u64 flags;
	struct kernfs_node *kn;
};
struct cgroup_subsys_state {
	struct cgroup *cgroup;
	void *ss;
};
enum cgroup_subsys_id { cpu_cgrp_id, memory_cgrp_id, CGROUP_SUBSYS_COUNT } keep_controllers;
struct css_set {
	struct cgroup_subsys_state *subsys[CGROUP_SUBSYS_COUNT];
	s32 refcount;
	struct cgroup *dfl_cgrp;
};

#ifdef CASE_cached
#define STATE state
#define KTHREAD set_child_tid
typedef s64 state_t;
#else
#define STATE __state
#define KTHREAD worker_private
typedef u32 state_t;
#endif
struct task_struct {
	TASK_MEMBERS
	void *vfork_done;
#ifdef CASE_cached
	struct task_rss_stat rss_stat;
#endif
	state_t STATE;
	s32 exit_state;
	u32 flags;
	u64 start_time;
	void *KTHREAD;
	struct css_set *cgroups;
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
#define RSS { { 20, -5, 40, 50 } }
#else
#define RSS { COUNTER(20, 4), COUNTER(30, 8), COUNTER(40, 12), COUNTER(50, 16) }
#endif
/* Bits 21 and 22 of mm.flags are MMF_OOM_SKIP and MMF_UNSTABLE; 4 is SIGNAL_GROUP_EXIT. */
#ifdef CASE_victim
#define MM_FLAGS (1UL << 22)
#define OOM_MM .oom_mm = DIRECT(&mm), .flags = 4,
#elif defined(CASE_reaped)
#define MM_FLAGS (3UL << 21)
#define OOM_MM .oom_mm = DIRECT(&mm), .flags = 4,
#elif defined(CASE_given_up)
#define MM_FLAGS (1UL << 21)
#define OOM_MM .oom_mm = DIRECT(&mm), .flags = 4,
#else
#define MM_FLAGS 0
#define OOM_MM
#endif
/* Of two threads and one more user; 8 pages are locked. */
static struct mm_struct mm = { .mm_count = 2, .mm_users = 3, .pgtables_bytes = 20480, .total_vm = 1000,
			       .locked_vm = 8, .rss_stat = RSS, .flags = MM_FLAGS };
/* RAM and swap, which oom_score_adj is a share of. */
u64 _totalram_pages = 90000, total_swap_pages = 10000;

extern struct task_struct init_task, leader, thread, single, kthread, worker, rescuer;
#define NODE(t) DIRECT(&(t).thread_node)
#define TASKS(t) DIRECT(&(t).tasks)

struct signal_struct leader_signal = { OOM_MM .nr_threads = 2,
				       .oom_score_adj = 100,
				       .thread_head = { NODE(leader), NODE(thread) },
				       .min_flt = 7,
				       .maj_flt = 8,
				       .cmin_flt = 5,
				       .cmaj_flt = 6 };
struct signal_struct single_signal = { .nr_threads = 1, .thread_head = { NODE(single), NODE(single) } };
struct signal_struct kthread_signal = { .nr_threads = 1, .thread_head = { NODE(kthread), NODE(kthread) } };
struct signal_struct worker_signal = { .nr_threads = 1, .thread_head = { NODE(worker), NODE(worker) } };
struct signal_struct rescuer_signal = { .nr_threads = 1, .thread_head = { NODE(rescuer), NODE(rescuer) } };
#define HEAD(s) DIRECT(&(s).thread_head)

/* The list goes through init_task as vmlinux links it, not through the direct map. */
struct task_struct init_task = { .tasks = { TASKS(leader), TASKS(rescuer) }, .comm = "swapper" };
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

/* Bits of task_struct.flags. */
#define PF_WQ_WORKER 0x20
#define PF_KTHREAD 0x200000
#define SECOND 1000000000ULL

static const char top_name[] = "", web_name[] = "web", inner_name[] = "inner";
#ifdef CASE_cached
#define NODE_OF(up, text)                    \
	{                                    \
		.__parent = up, .name = text \
	}
#else
#define NODE_OF(up, text)                  \
	{                                  \
		.parent = up, .name = text \
	}
#endif
static struct kernfs_node top_node = NODE_OF(0, top_name);
static struct kernfs_node web_node = NODE_OF(DIRECT(&top_node), web_name);
static struct kernfs_node inner_node = NODE_OF(DIRECT(&web_node), inner_name);
static struct cgroup top = { 0, DIRECT(&top_node) }, web = { 0, DIRECT(&web_node) },
		     inner = { 0, DIRECT(&inner_node) };
static struct cgroup_subsys_state top_css = { DIRECT(&top), 0 }, web_css = { DIRECT(&web), 0 };
static struct css_set top_set = { { 0, DIRECT(&top_css) }, 1, DIRECT(&top) };
#ifdef CASE_v1
static struct css_set web_set = { { 0, DIRECT(&web_css) }, 1, DIRECT(&top) };
#else
static struct css_set web_set = { { 0, DIRECT(&web_css) }, 1, DIRECT(&inner) };
#endif
#ifdef CASE_v1
struct static_key memory_cgrp_subsys_on_dfl_key = { { 0 } };
#else
struct static_key memory_cgrp_subsys_on_dfl_key = { { 1 } };
#endif
#ifdef CASE_off
struct static_key memory_cgrp_subsys_enabled_key = { { 0 } };
#else
struct static_key memory_cgrp_subsys_enabled_key = { { 1 } };
#endif

static const char full_name[] = "a_kernel_thread_with_a_long_name";
static struct worker_pool pool = { 3 };
static struct workqueue_struct queue = { "a_queue_with_a_long_name" };
static struct worker busy_worker = { (void *)0x10, DIRECT(&pool), "events_unbound", 0 };
static struct worker rescue_worker = { 0, 0, "", DIRECT(&queue) };
#ifdef CASE_cached
static struct kthread named = { 0, 0 };
#define RESCUER "a_queue_with_a_"
#else
static struct kthread named = { 0, 0, (char *)full_name };
#define RESCUER "kworker/R-a_que"
#endif
static struct kthread of_worker = { 0, DIRECT(&busy_worker) };
static struct kthread of_rescuer = { 0, DIRECT(&rescue_worker) };

/* TASK_IDLE is 0x402; a user task keeps an address of user space in set_child_tid. */
struct task_struct leader = {
	.tasks = { TASKS(single), (void *)&init_task.tasks },
	.pid = 10,
	.tgid = 10,
	.real_parent = DIRECT(&single),
	.thread_node = { NODE(thread), HEAD(leader_signal) },
	.min_flt = 100,
	.maj_flt = 3,
	.comm = "leader",
	.signal = DIRECT(&leader_signal),
#ifndef CASE_zombie
	.mm = DIRECT(&mm) CACHED(1, -2, 3, 4),
#endif
	.STATE = 1,
	.start_time = SECOND / 2,
	.KTHREAD = (void *)0x7f0000001000,
	.cgroups = DIRECT(&web_set),
};
struct task_struct thread = {
	.pid = 11,
	.tgid = 10,
	.real_parent = DIRECT(&single),
	.thread_node = { HEAD(leader_signal), NODE(leader) },
	.min_flt = 200,
	.maj_flt = 2,
	.comm = "thread",
	.signal = DIRECT(&leader_signal),
	.mm = DIRECT(&mm) CACHED(10, 0, 0, 0),
	.STATE = 2,
	.start_time = SECOND,
	.cgroups = DIRECT(&web_set),
};
struct task_struct single = {
	.tasks = { AFTER_SINGLE, TASKS(leader) },
	.pid = 1,
	.tgid = 1,
	.real_parent = DIRECT(&init_task),
	.thread_node = { HEAD(single_signal), HEAD(single_signal) },
	.min_flt = 300,
	.comm = "sing\nle",
	.signal = SINGLE_SIGNAL,
	.mm = (void *)0xffff88ffff000000UL,
	.exit_state = 0x20,
	.cgroups = DIRECT(&top_set),
};
struct task_struct kthread = {
	.tasks = { TASKS(worker), TASKS(single) },
	.pid = 2,
	.tgid = 2,
	.real_parent = DIRECT(&init_task),
	.thread_node = { HEAD(kthread_signal), HEAD(kthread_signal) },
	.comm = "a_kernel_thread",
	.signal = DIRECT(&kthread_signal),
	.flags = PF_KTHREAD,
	.KTHREAD = DIRECT(&named),
	.cgroups = DIRECT(&top_set),
};
struct task_struct worker = {
	.tasks = { TASKS(rescuer), TASKS(kthread) },
	.pid = 3,
	.tgid = 3,
	.real_parent = DIRECT(&kthread),
	.thread_node = { HEAD(worker_signal), HEAD(worker_signal) },
	.comm = "kworker/u8:1",
	.signal = DIRECT(&worker_signal),
	.STATE = 0x402,
	.flags = PF_KTHREAD | PF_WQ_WORKER,
	.KTHREAD = DIRECT(&of_worker),
	/* Not in the dump. */
	.cgroups = (void *)0xffff88ffff200000UL,
};
struct task_struct rescuer = {
	.tasks = { (void *)&init_task.tasks, TASKS(worker) },
	.pid = 4,
	.tgid = 4,
	.real_parent = DIRECT(&kthread),
	.thread_node = { HEAD(rescuer_signal), HEAD(rescuer_signal) },
	.comm = RESCUER,
	.signal = DIRECT(&rescuer_signal),
	.STATE = 0x402,
	.flags = PF_KTHREAD | PF_WQ_WORKER,
	.KTHREAD = DIRECT(&of_rescuer),
	.cgroups = DIRECT(&top_set),
};
