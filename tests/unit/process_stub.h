/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of one thread each, on the list of processes, with their tables of open files. */
#pragma once

#include <string.h>

#include "task_stub.h"

#define TASK(i) (0x10000ULL + (i)*0x1000)
#define SIGNAL(i) (0x20000ULL + (i)*0x1000)
#define MM(i) (0x30000ULL + (i)*0x1000)
#define FILES(i) (0x40000ULL + (i)*0x1000)

/* struct files_struct, and its struct fdtable behind the first word. */
struct ufiles {
	uint64_t fdt, max, fd;
};

/* One of n, child of the first; its table of open files is still to be set. */
static inline void set_process(struct utask *t, struct usignal *s, unsigned int i, unsigned int n,
			       const char *comm)
{
	const uint64_t node = TASK(i) + 16;

	*t = (struct utask){ .tasks = { TASK((i + 1) % n), TASK((i + n - 1) % n) },
			     .node = { SIGNAL(i), SIGNAL(i) },
			     .pid = (int32_t)i,
			     .tgid = (int32_t)i,
			     .parent = TASK(0),
			     .signal = SIGNAL(i),
			     .mm = MM(i),
			     .files = FILES(i) };
	strcpy(t->comm, comm);
	s->head = (struct link){ node, node };
}

/* Its max descriptors are at fds. */
static inline void set_files(struct ufiles *f, unsigned int i, uint64_t max, uint64_t fds)
{
	*f = (struct ufiles){ FILES(i) + 8, max, fds };
}

/* Of the arrays tasks, signals and files of a test, and fds at FDS_AT(). */
#define PROCESS_MEMORY(i)                                                                         \
	{ TASK(i), &tasks[i], sizeof(tasks[i]) }, { SIGNAL(i), &signals[i], sizeof(signals[i]) }, \
		{ FILES(i), &files[i], sizeof(files[i]) },                                        \
	{                                                                                         \
		FDS_AT(i), fds[i], sizeof(fds[i])                                                 \
	}
