/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What records can be filtered by. */
#ifndef MEMOWNER_DEPOT_KEYS_H
#define MEMOWNER_DEPOT_KEYS_H

#include "cli/filter.h"
#include "stackdepot/stackdepot.h"
#include "symbols/stack.h"

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

struct record_facts {
	const struct depot_stack *record;
	const struct stack *stack;
	bool has_count; /* the refcount counts something */
	bool has_pages; /* and these are pages of page_owner */
};

/* Whether all filters keep a record. */
bool record_keeps(const struct filters *filters, const struct record_facts *f);

#endif
