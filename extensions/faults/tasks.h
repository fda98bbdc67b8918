/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faults: a row per thread, with its page faults and the memory of its process. */
#ifndef MEMOWNER_FAULTS_TASKS_H
#define MEMOWNER_FAULTS_TASKS_H

#include "cli/cmdline.h"
#include "cli/report.h"
#include "kernel/task.h"

extern const struct view fault_task_view;

/* Shows the rows and ends the report. */
enum status fault_tasks_show(struct dump *d, struct sink *out, struct cmdline *in,
			     struct tasks *tasks, struct report *r);

#endif
