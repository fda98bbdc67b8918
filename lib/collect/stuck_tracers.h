/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of a thread that stands in a ptrace stop its tracer. */
#pragma once

#include "collect/stuck.h"

/* Zero before the first such thread. */
struct stuck_tracers {
	struct tracers tracers;
	enum status status; /* of tracers_open() */
	bool is_open;
	size_t unknown;	 /* threads in a ptrace stop whose tracer is unknown */
	const char *why; /* of the first one of them */
};

/* tasks: of struct stuck_task * by task_struct, all that were found. */
void stuck_find_tracer(struct stuck_tracers *x, struct dump *d, const struct hash_u64 *tasks,
		       struct stuck_task *s);
