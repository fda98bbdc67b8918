// SPDX-License-Identifier: GPL-2.0-or-later
#include "parts.h"

#include "pageowner/view.h"

/* What a part cannot do without. */
enum needs {
	NEEDS_NONE,
	NEEDS_PAGES,   /* System RAM and the memory map */
	NEEDS_CLASSES, /* and the class of each page */
};

enum where { DUMP = 1, LOG = 2, BOTH = DUMP | LOG };

static const struct part {
	enum where where;
	const char *name;
	enum status (*collect)(struct summary *s);
	enum needs needs;
	bool tells_absent;
} parts[] = {
#define PART(...) { __VA_ARGS__ },
#include "memowner/parts.def"
#undef PART
};

/* What the part needs was told by another one, or is why it is unknown. */
static bool has_needs(const struct summary *s, const struct part *p,
		      const struct first_problem **why)
{
	*why = p->needs == NEEDS_NONE		  ? NULL
	       : s->pages_problem.status != ST_OK ? &s->pages_problem
	       : p->needs == NEEDS_CLASSES	  ? &s->view->problems[SOURCE_CLASSES]
						  : NULL;
	return !*why || (*why)->status == ST_OK;
}

static enum status run(struct summary *s, const struct part *p)
{
	const struct first_problem *why;
	struct dump *d = s->dump;
	enum status st;

	/* A message of another part is no reason of this one. */
	d->error[0] = '\0';
	s->why = AVAILABLE;
	if (has_needs(s, p, &why))
		st = p->collect(s);
	else
		st = dump_fail(d, why->status, "%s", why->text ?: "");
	if (st != ST_ABSENT || !p->tells_absent)
		return summary_failed(s, p->name, st);
	summary_unknown(s, p->name, s->why == AVAILABLE ? NOT_BUILT : s->why, "%s",
			*d->error ? d->error : "this kernel has none");
	return ST_OK;
}

enum status parts_open(struct summary *s, enum availability *why)
{
	struct owner_view *v = s->view;

	v->report.tells_unknown = true;
	s->report = &v->report;
	s->main_class = CLASS_UNKNOWN;
	if (s->dump->log_file)
		return ST_OK;
	v->any_kernel = true;
	v->sums_up = true;
	v->needs = 1 << KEY_CLASS | 1 << KEY_MEMCG | 1 << KEY_OWNER;
	limits_trace(s->dump);
	return first_problem_keep(s->dump, &s->pages_problem, owner_view_open(v, why));
}

enum status parts_run(struct summary *s)
{
	const enum where where = s->dump->log_file ? LOG : DUMP;
	enum status ret = ST_OK;

	s->complete = s->pages_problem.status == ST_OK;
	for (const struct part *p = parts; p < parts + ARRAY_SIZE(parts); p++) {
		/* What the pass has found is shown, whatever it reached. */
		if (!(p->where & where) || (ret == ST_STOPPED && p->needs == NEEDS_NONE))
			continue;
		if (run(s, p) == ST_STOPPED)
			ret = ST_STOPPED;
	}
	return ret;
}
