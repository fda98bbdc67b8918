/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles into symbolized stacks, each looked up once. */
#ifndef MEMOWNER_STACKS_H
#define MEMOWNER_STACKS_H

#include "dump.h"
#include "map.h"
#include "stackdepot.h"
#include "symbolize.h"
#include "table.h"

struct stacks {
	struct dump *dump;
	struct depot depot;
	struct symbolizer symbols;
	struct map cache;
};

struct known_stack {
	bool decoded; /* the next two are true */
	struct depot_stack record;
	struct stack stack;
	bool printed; /* for whoever streams: it was shown already */
};

enum status stacks_open(struct dump *d, struct stacks *ret);

/* What is behind a handle; not decoded if it has no record.  NULL when there is no memory. */
struct known_stack *stacks_get(struct stacks *s, uint32_t handle);

/* Symbolizes the frames of a record. */
enum status stacks_symbolize(struct stacks *s, const struct depot_stack *record, struct stack *ret);

#endif
