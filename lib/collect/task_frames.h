/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames of a task's kernel stack, with the names of their functions. */
#pragma once

#include "symbols/symbolize.h"
#include "tasks/unwind.h"

struct task_frames {
	struct dump *dump;
	struct symbolizer symbols;
	struct task_stacks stacks;
	struct unwinder unwinder;
	/* Of the task that was read last. */
	struct task_stack stack;
	struct unwind frames;
};

/* *ret must stay where it is. */
enum status task_frames_open(struct dump *d, struct task_frames *ret);

/*
 * What else but ST_OK: its stack is not in this dump, or no stack, or of a task on a CPU no frames are
 * known; it has no frames then.
 */
enum status task_frames_read(struct task_frames *f, uint64_t task);

/* The function of frame i; "": unknown. */
const char *task_frames_name(struct task_frames *f, unsigned int i);

/* All frames, with lines where symbols.lines is set; it lives as long as the command. */
const struct stack *task_frames_stack(struct task_frames *f);
