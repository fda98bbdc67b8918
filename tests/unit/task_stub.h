/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks on the list of processes, with their threads and tables of open files. */
#pragma once

#include "stub.h"

#define PF_KTHREAD 0x00200000

struct link {
	uint64_t next, prev;
};
struct utask {
	struct link tasks, node;
	int32_t pid, tgid;
	char comm[16];
	uint64_t parent, signal, mm, active_mm, maj, min;
	uint64_t flags, files;
};
struct usignal {
	struct link head;
	uint64_t cmaj, cmin, maj, min, oom_mm;
	uint64_t members; /* of threads, where a test names it */
};

#define TASK_MEMBERS                                                            \
	{ "struct task_struct", "tasks", FIELD(0, 16) },                        \
		{ "struct task_struct", "thread_node", FIELD(16, 16) },         \
		{ "struct task_struct", "pid", FIELD(32, 4) },                  \
		{ "struct task_struct", "tgid", FIELD(36, 4) },                 \
		{ "struct task_struct", "comm", FIELD(40, 16) },                \
		{ "struct task_struct", "real_parent", FIELD(56, 8) },          \
		{ "struct task_struct", "signal", FIELD(64, 8) },               \
		{ "struct task_struct", "mm", FIELD(72, 8) },                   \
		{ "struct task_struct", "active_mm", FIELD(80, 8) },            \
		{ "struct task_struct", "maj_flt", FIELD(88, 8) },              \
		{ "struct task_struct", "min_flt", FIELD(96, 8) },              \
		{ "struct task_struct", "flags", FIELD(104, 4) },               \
		{ "struct task_struct", "files", FIELD(112, 8) },               \
		{ "struct signal_struct", "thread_head", FIELD(0, 16) },        \
		{ "struct signal_struct", "cmaj_flt", FIELD(16, 8) },           \
		{ "struct signal_struct", "cmin_flt", FIELD(24, 8) },           \
		{ "struct signal_struct", "maj_flt", FIELD(32, 8) },            \
		{ "struct signal_struct", "min_flt", FIELD(40, 8) },            \
		{ "struct signal_struct", "oom_mm", FIELD(48, 8) },             \
		{ "struct mm_struct", "total_vm", FIELD(0, 8) },                \
		{ "struct mm_struct", "rss_stat", KINDED(KIND_STRUCT, 8, 32) }, \
		{ "struct files_struct", "fdt", FIELD(0, 8) },                  \
		{ "struct fdtable", "max_fds", FIELD(0, 4) },                   \
		{ "struct fdtable", "fd", FIELD(8, 8) },                        \
		{ "struct file", "f_inode", FIELD(0, 8) },                      \
	{                                                                       \
		"struct file", "f_op", FIELD(8, 8)                              \
	}

/* As in every kernel. */
#define TASK_COUNTERS                                                       \
	{ "MM_FILEPAGES", 0 }, { "MM_ANONPAGES", 1 }, { "MM_SWAPENTS", 2 }, \
	{                                                                   \
		"MM_SHMEMPAGES", 3                                          \
	}
