/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which report the lines on its victims belong to. */
#pragma once

#include "oom/oom_report.h"

/* "Out of memory: Killed process 5 (a) ...", "... OOM victim ... is already exiting" */
bool oom_take_victim(struct oom_reports *all, const struct kernel_record *rec);

/* Of the thread that frees the memory of victims. */
bool oom_take_reaped(struct oom_reports *all, const struct kernel_record *rec);
