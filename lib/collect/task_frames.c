// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/task_frames.h"

enum status task_frames_open(struct dump *d, struct task_frames *ret)
{
	ret->dump = d;
	symbolizer_open(d, &ret->symbols);
	return task_stacks_open(d, &ret->stacks)
		       ?: unwinder_open(d, ret->stacks.is_arm64, &ret->symbols.modules,
					&ret->unwinder);
}

enum status task_frames_read(struct task_frames *f, uint64_t task)
{
	enum status st = task_stack_read(&f->stacks, task, &f->stack);

	if (st == ST_OK) {
		st = unwind(&f->unwinder, &f->stack, &f->frames);
		if (st == ST_ABSENT)
			st = ST_UNKNOWN;
	}
	if (st != ST_OK) {
		f->frames.n = 0;
		f->frames.end = UNWIND_TO_END;
	}
	return st;
}

/* A return address may be that of the next function's start. */
const char *task_frames_name(struct task_frames *f, unsigned int i)
{
	const struct unwind_frame *frame = &f->frames.f[i];
	const struct frame *s = symbolize(&f->symbols, frame->regs ? frame->ip : frame->ip - 1);

	return s && s->symbol ? s->symbol : "";
}

/* Lines are those of the call before an address; an exception is at its address itself. */
static const struct frame *frame_of(struct task_frames *f, const struct unwind_frame *at)
{
	const struct frame *found = symbolize(&f->symbols, at->ip);
	const struct module *mod = modules_find(&f->symbols.modules, at->ip);
	struct frame *ret;

	if (!found || !at->regs || !f->symbols.lines)
		return found;
	ret = dump_alloc(f->dump, sizeof(*ret));
	*ret = *found;
	ret->source = lines_of_call(f->symbols.lines, at->ip + 1, mod);
	return ret;
}

const struct stack *task_frames_stack(struct task_frames *f)
{
	const struct unwind *w = &f->frames;
	struct stack *stack = dump_alloc(f->dump, sizeof(*stack));

	stack->frames = dump_alloc(f->dump, w->n * sizeof(*stack->frames));
	for (unsigned int i = 0; i < w->n; i++)
		stack->frames[i] = frame_of(f, &w->f[i]);
	stack->n = w->n;
	return stack;
}
