/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a report of a log has twice, compared: a console may lose a character within a number. */
#pragma once

#include "oom/oom_report.h"

/*
 * Whether one of two figures of the same, which were read one behind the other, is so much less that it lost a digit: it
 * is half of what it was, or less; of a small one its other digits tell.
 */
bool oom_is_short_of(uint64_t less, uint64_t more);

/* The limit and what is charged; the task that asked; the victim; swap and what
 * processes have there. What is less than the same elsewhere is left out. */
void oom_reports_check(struct dump *d, const struct kernel_log *log, struct oom_reports *all);
