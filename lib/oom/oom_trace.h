/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call trace of a report: who asked for memory, and in which system call. */
#pragma once

#include "oom/oom_report.h"

/* "openat" of "__x64_sys_openat"; NULL: it is no entry of a system call. */
const char *system_call_name(const char *function);

/*
 * " vgx_ioctl+0x154/0x2a0 [vgx]": takes of a frame what the report does not have yet; false: it is no frame.
 * Those with a '?' were only lying on the stack, and are taken for nothing.
 */
bool oom_trace_take(struct oom_report *r, const char *text);

/* Whether it is a frame of what none but the OOM killer calls: its report is printed there. */
bool oom_trace_is_killer(const char *text);

/* So of what sysrq-f calls: somebody asked for a victim, whether memory ran out or not. */
bool oom_trace_is_sysrq(const char *text);
