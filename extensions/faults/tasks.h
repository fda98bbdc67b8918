/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Page faults as rows: by task, and of the whole system. */
#ifndef MEMOWNER_FAULTS_TASKS_H
#define MEMOWNER_FAULTS_TASKS_H

#include "cli/cmdline.h"
#include "cli/report.h"
#include "kernel/task.h"
#include "mm/vm_events.h"

extern const struct view fault_task_view;
extern const struct view fault_system_view;

/* Both show their rows and end the report. */
enum status fault_tasks_show(struct dump *d, struct sink *out, struct invocation *in,
			     struct tasks *tasks, struct report *r);
enum status fault_system_show(struct invocation *in, const struct vm_event *events, size_t n,
			      struct report *r);

#endif
