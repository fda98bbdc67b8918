/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faults -v: the counters of page faults of the whole system. */
#ifndef MEMOWNER_FAULTS_SYSTEM_H
#define MEMOWNER_FAULTS_SYSTEM_H

#include "cli/cmdline.h"
#include "cli/report.h"
#include "mm/vm_events.h"

extern const struct view fault_system_view;

/* Shows the rows and ends the report. */
enum status fault_system_show(struct cmdline *in, const struct vm_event *events, size_t n,
			      struct report *r);

#endif
