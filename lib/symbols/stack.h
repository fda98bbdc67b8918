/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames of a call stack, with their names. */
#pragma once

#include "symbols/frame.h"

struct stack {
	unsigned int n;
	const struct frame **frames; /* innermost first */
	unsigned int cut; /* frames that the kernel kept of a deeper stack; 0: all are here */
};

/* register_early_stack() makes that of all pages that are older than page_owner. */
bool stack_is_early(const struct stack *s);

/*
 * The module of the innermost frame that is of one, "[gone]" where no text is mapped any more, else
 * "vmlinux".  NULL: unknown, or no frames.
 */
const char *stack_module(const struct stack *s);

/* The innermost frame that is not of an allocator; NULL: none. */
const struct frame *stack_caller(const struct stack *s);
