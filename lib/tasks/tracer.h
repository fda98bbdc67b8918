/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who traces a task: as long as ptrace is set, parent is the tracer, a thread of it (kernel/ptrace.c, ptrace_link()). */
#pragma once

#include "dump/structure.h"

/* In task.state: it stands in ptrace_stop() until its tracer lets it go on. */
#define STATE_TRACED 't'

struct tracers {
	struct dump *dump;
	struct structure task;
};

enum status tracers_open(struct dump *d, struct tracers *ret);

/* The task_struct of the tracer; ST_ABSENT: no task traces it. */
enum status tracer_of(const struct tracers *t, uint64_t task, uint64_t *ret);
