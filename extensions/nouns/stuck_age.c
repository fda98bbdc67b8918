// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner stuck -f age=...: those who try again and again have run a moment ago, however long they wait. */
#include "stuck_asked.h"

#include "cli/filter_seen.h"

/* Whether a filter leaves an age out because it wants a longer one. */
static bool wants_longer(const struct filter *f, uint64_t age_ns)
{
	for (const struct alternative *a = f->first; a; a = a->next)
		if (f->exclude ? age_ns <= a->high && a->high != UINT64_MAX : age_ns < a->low)
			return true;
	return false;
}

static bool leaves_out(const struct owner_view *v, const struct stuck_task *s)
{
	const struct filters *f = &v->in->filters;
	const struct cell age = report_age(&v->report, s->since_ns);

	for (unsigned int i = 0; s->has_since && i < f->n; i++)
		if (v->in->keys[f->filters[i].key].column == COLUMN_blocked_ns &&
		    age.kind == CELL_UINT && wants_longer(&f->filters[i], age.u))
			return true;
	return false;
}

static bool tries_again(const struct stuck_task *s)
{
	return s->where == PLACE_ALLOCATOR || s->where == PLACE_RECLAIM ||
	       s->where == PLACE_COMPACTION || s->where == PLACE_CHARGE;
}

void stuck_warn_of_age(struct owner_view *v, const struct stuck *x)
{
	const struct cmdline *others = rows_without(v->in, COLUMN_blocked_ns);
	size_t rpc = 0, memory = 0;

	if (!others)
		return;
	for (const struct stuck_task *s = x->first; s; s = s->next) {
		const bool is_rpc = stuck_waits_for_rpc(s);

		/* Of several ranges one may have it. */
		if ((!is_rpc && !tries_again(s)) || !leaves_out(v, s) ||
		    rows_would_keep(v->in, s, v) || !rows_would_keep(others, s, v))
			continue;
		rpc += is_rpc;
		memory += !is_rpc;
	}
	if (rpc)
		report_warn(&v->report,
			    "by their AGE %s a server of RPC %s left out: it is the time since the "
			    "last run, which was to send the request again, and they may have "
			    "waited for longer",
			    PLURAL_TEXT(rpc, "thread that waits for", "threads that wait for"),
			    rpc == 1 ? "is" : "are");
	if (memory)
		report_warn(
			&v->report,
			"by their AGE %s in reclaim or the allocator %s left out: it is the time "
			"since the last run, and who reclaims runs again and again, and may have "
			"been at it for longer",
			COUNT_OF(memory, "thread"), memory == 1 ? "is" : "are");
}
