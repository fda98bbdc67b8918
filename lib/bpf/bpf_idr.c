// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_idr.h"

#include "dump/first_problem.h"
#include "dump/layout.h"
#include "kernel/xarray.h"

/* 4.20: an XArray; the radix tree before. */
static const struct layout_row rows[] = {
	FIELD_ROW("struct idr", REQUIRED, "4.20, 4.11", "idr_rt.xa_head", "idr_rt.rnode"),
};

enum status bpf_idr_open(struct dump *d, const char *name, uint64_t *ret)
{
	struct field head;
	uint64_t idr = 0;
	enum status st = layout_resolve(d, rows, ARRAY_SIZE(rows), &head)
				 ?: dump_symbol(d, name, &idr);

	return st ?: dump_u64(d, idr + head.offset, ret, name);
}

struct walk {
	struct dump *dump;
	enum status (*visit)(void *arg, uint64_t id, uint64_t address);
	void *arg;
	struct first_problem problem;
};

static enum status visit_one(void *arg, uint64_t id, uint64_t address)
{
	struct walk *w = arg;

	if (dump_stopped(w->dump))
		return ST_STOPPED;
	return first_problem_keep(w->dump, &w->problem, w->visit(w->arg, id, address));
}

enum status bpf_idr_walk(struct dump *d, uint64_t head,
			 enum status (*visit)(void *arg, uint64_t id, uint64_t address), void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };

	return xarray_walk(d, head, visit_one, &w) ?: first_problem_end(d, &w.problem);
}
