/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the stack depot, and how many pages of page_owner have no usable stack, as rows. */
#pragma once

#include "cli/rows.h"
#include "page_owner/page_owner_stacks.h"

extern const struct view depot_stats_view;

/*
 * Shows the rows and ends the report.  scan: pages are counted in page_ext, not
 * by the refcounts of 6.9 and later.
 */
enum status depot_stats_show(struct dump *d, struct cmdline *in, struct depot *depot,
			     struct stack_list *users, bool scan, struct report *r);
