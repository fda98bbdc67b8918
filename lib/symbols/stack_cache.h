/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles into symbolized stacks, each looked up once. */
#pragma once

#include "dump/dump.h"
#include "util/hash_u64.h"
#include "stackdepot/stackdepot.h"
#include "symbols/stack.h"
#include "symbols/symbolize.h"

struct stack_cache {
	struct dump *dump;
	unsigned int depth_limit; /* frames where the kernel cuts; 0: not known */
	struct depot depot;
	struct symbolizer symbols;
	struct lines lines;
	struct hash_u64 cache;
};

struct cached_stack {
	bool decoded; /* its record was found */
	struct depot_stack record;
	bool printed; /* for whoever streams: it was shown already */
	bool named;   /* record is filled */
	struct stack stack;
};

enum status stack_cache_open(struct dump *d, struct stack_cache *ret);

/* For -l: frames have their source; s stays where it is.  dir as for lines_open(). */
void stack_cache_with_lines(struct stack_cache *s, const char *dir);

/* What is behind a handle; not decoded if it has no record. */
struct cached_stack *stack_cache_get(struct stack_cache *s, uint32_t handle);

/* The same of a record that was found without its handle: 0 is the handle of one in 6.8. */
struct cached_stack *stack_cache_add(struct stack_cache *s, const struct depot_stack *record);

/* Its frames with names, looked up at the first call; NULL if it was not decoded. */
const struct stack *stack_cache_frames(struct stack_cache *s, struct cached_stack *k);
