/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stack records as rows. */
#ifndef MEMOWNER_DEPOTVIEW_H
#define MEMOWNER_DEPOTVIEW_H

#include "invocation.h"
#include "report.h"
#include "stacklist.h"
#include "stacks.h"

extern const struct view depot_view;

/* A row for a handle that was asked for; one without a record becomes a warning. */
enum status depot_view_add(struct dump *d, struct table *t, struct stacks *stacks,
			   struct stack_list *users, uint32_t handle, struct report *r);

#endif
