// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_tracers.h"

void stuck_find_tracer(struct stuck_tracers *x, struct dump *d, const struct hash_u64 *tasks,
		       struct stuck_task *s)
{
	struct stuck_task *const *found;
	enum status st;
	uint64_t task;

	if (s->task.state != STATE_TRACED)
		return;
	s->is_traced = true;
	if (!x->is_open)
		x->status = tracers_open(d, &x->tracers);
	x->is_open = true;
	st = x->status ?: tracer_of(&x->tracers, s->task.address, &task);
	found = st == ST_OK ? hash_u64_find(tasks, task) : NULL;
	if (st == ST_OK && !found)
		st = dump_fail(d, ST_UNKNOWN, "its task_struct at %#lx was not found", task);
	if (st == ST_OK)
		s->tracer = *found;
	else if (!x->unknown++)
		x->why = dump_why(d);
}
