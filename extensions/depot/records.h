/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stack records as rows. */
#pragma once

#include "cli/rows.h"
#include "page_owner/page_owner_stacks.h"
#include "symbols/symbolize.h"

/* What records can be filtered by. */
enum record_key {
	RECORD_STACK,
	RECORD_CALLER,
	RECORD_MODULE,
	RECORD_FRAMES,
	RECORD_COUNT,
	RECORD_PAGES,
	RECORD_POOL,
	RECORD_HANDLE,
	RECORD_ADDRESS,
	RECORD_KEYS
};

extern const struct key record_keys[RECORD_KEYS];

extern const struct view depot_view;	 /* the records of some handles */
extern const struct view depot_all_view; /* all records */

/* What rows of records are made from. */
struct record_source {
	struct cmdline *in;
	struct stack_cache *stacks;
	struct stack_list *users;
	struct report *report;
};

/* A row for a handle that was asked for; one without a record becomes a warning. */
void depot_view_add(const struct record_source *from, uint32_t handle);

/* Rows of all records in the hash table, the biggest count first, and the end of the report. */
enum status depot_all_show(const struct record_source *from);

/* Who uses handles of the stack depot, as rows. */

extern const struct view depot_users_view;

/* References of each user to n handles, or with none to all; and the end of the report. */
enum status depot_users_show(const struct record_source *from, const uint32_t *handles, size_t n);

/* Defects of the stack depot as rows. */

extern const struct view depot_verify_view;

/* Checks every record and every chain: a row for each defect, and the end of the report. */
enum status depot_verify_show(const struct record_source *from);

/* The state of the stack depot, and how many pages of page_owner have no usable stack, as rows. */

extern const struct view depot_stats_view;

/*
 * Shows the rows and ends the report.  scan: pages are counted in page_ext, not
 * by the refcounts of 6.9 and later.
 */
enum status depot_stats_show(struct dump *d, struct cmdline *in, struct depot *depot,
			     struct stack_list *users, bool scan, struct report *r);
