/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How wide the columns of the table of tasks are: dump_tasks() of mm/oom_kill.c pads each number, so that one which lost
 * characters, or has those of another, differs from the other rows. Text only.
 */
#pragma once

#include <stdbool.h>

#define OOM_WIDTHS 24 /* columns: twice as many as any kernel has */
#define OOM_WIDEST 32

/* Rows by the width of each column, of those with blanks in front. */
struct oom_widths {
	unsigned int rows[OOM_WIDTHS][OOM_WIDEST];
};

/* Takes a row; columns: of numbers. */
void oom_widths_take(struct oom_widths *w, const char *row, unsigned int columns);

/* Whether a column of a row is narrower than that of most rows, or wider though it has blanks in front. */
bool oom_widths_differ(const struct oom_widths *w, const char *row, unsigned int columns);
