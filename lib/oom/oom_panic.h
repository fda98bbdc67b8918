/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The panic that a report ends in, by the first or the last line that panic() prints, of one text (kernel/panic.c). */
#pragma once

#include "oom/oom_report.h"

/* false: the line is none of a panic, or the last one of a panic that was read before */
bool oom_take_panic(struct oom_reports *all, const struct kernel_record *rec);
