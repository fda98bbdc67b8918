/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the members of a group began, in ten parts of the time from boot to the end, as a text of ten characters: a
 * row that grew has them throughout, a burst in one.
 */
#pragma once

#include "cli/table.h"

struct report;

/* For columns of SOURCE_TIMES, before rows are added: where the end is known. */
void rows_set_span(const struct report *r, struct table *t);

/* A member of an age in nanoseconds; one without is not counted. sum: of the group, at first zero. */
void row_times_add(const struct table *t, struct cell *sum, const struct cell *age);

/* "__17+#@___"; unknown: no member's age is, or the end of the machine. */
struct cell row_times_cell(const struct table *t, const struct cell *sum);
