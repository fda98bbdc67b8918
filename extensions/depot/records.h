/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stack records as rows. */
#pragma once

#include "cli/rows.h"
#include "page_owner/page_owner_stacks.h"
#include "symbols/stack_cache.h"

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
