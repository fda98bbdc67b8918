/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stack records as rows. */
#ifndef MEMOWNER_DEPOT_RECORDS_H
#define MEMOWNER_DEPOT_RECORDS_H

#include "cli/cmdline.h"
#include "cli/report.h"
#include "mm/page_owner_stacks.h"
#include "symbols/stack_cache.h"

extern const struct view depot_view;

/* A row for a handle that was asked for; one without a record becomes a warning. */
enum status depot_view_add(struct dump *d, struct table *t, struct stack_cache *stacks,
			   struct stack_list *users, uint32_t handle, struct report *r);

#endif
