/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kernels with tasks of their own share; members of struct task_struct in their order. */
enum { MM_FILEPAGES, MM_ANONPAGES, MM_SWAPENTS, MM_SHMEMPAGES, NR_MM_COUNTERS } keep_counters;
struct percpu_counter {
	u32 lock;
	s64 count;
	struct list_head list;
	s32 *counters;
};
#define TASK_MEMBERS                     \
	void *stack;                     \
	struct list_head tasks;          \
	s32 pid, tgid;                   \
	struct task_struct *real_parent; \
	struct list_head thread_node;    \
	u64 min_flt, maj_flt;            \
	char comm[16];                   \
	struct signal_struct *signal;    \
	struct mm_struct *mm;
