// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/tracer.h"

struct traced {
	uint64_t flags, parent;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct tracers, task, "struct task_struct"),
	READS(struct traced, flags, REQUIRED, "all", "ptrace"),
	POINTS(struct traced, parent, REQUIRED, "all", "parent"),
};

enum status tracers_open(struct dump *d, struct tracers *ret)
{
	struct tracers t = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &t);

	return RESULT(st, ret, t);
}

enum status tracer_of(const struct tracers *t, uint64_t task, uint64_t *ret)
{
	struct traced traced;
	enum status st = struct_read(&t->task, task, &traced);

	if (st == ST_OK && !traced.flags)
		st = dump_absent(t->dump, "no task traces it");
	if (st == ST_OK && !traced.parent)
		st = dump_corrupt(t->dump, "task_struct at %#lx is traced by none", task);
	return RESULT(st, ret, traced.parent);
}
