// SPDX-License-Identifier: GPL-2.0-or-later
/* What was freed and waits for a grace period of RCU, and who blocks that. */
#include "memory/rcu_waits.h"

#include "cache_owners.h"
#include "memowner/verdict_words.h"
#include "pageowner/view.h"

#define OLD_NS \
	5000000000ULL /* a grace period takes tens of milliseconds; jiffies_till_stall_check() warns after 21 s */

static bool is_blocked(const struct rcu_waits *r)
{
	return r->has_age && r->age_ns >= OLD_NS && r->nholders;
}

/* "pkcs11d (105)", "pkcs11d (105) and 2 more" */
static const char *names_text(struct dump *d, const struct rcu_waits *r)
{
	const char *first = rcu_holder_name(d, &r->holders[0]);

	return r->nall > 1 ? dump_text(d, "%s and %s more", first, COUNT_TEXT(r->nall - 1)) : first;
}

static void put_row(struct summary *s, const struct rcu_waits *r)
{
	struct dump *d = s->dump;
	const struct rcu_holder *h = &r->holders[0];
	const char *place = is_blocked(r) ? rcu_holder_place(d, h) : NULL;
	const char *age = r->has_age ? dump_text(d, ", %s old", TIME_TEXT(r->age_ns)) : "";
	struct statement *row;

	row = summary_holder(
		s, "rcu", is_blocked(r) ? names_text(d, r) : "nothing that is known",
		r->bytes >> d->page_shift, "memowner rcu",
		is_blocked(r)
			? dump_text(d,
				    "%s freed objects%s; the grace period%s, ends when %s "
				    "leaves its read-side section%s%s",
				    COUNT_TEXT(r->waiting), r->problem ? " at least" : "", age,
				    h->is_cpu ? "the CPU" : "it", place ? "; it is " : "",
				    place ?: "")
			: dump_text(d,
				    "%s freed objects, of %s the CPUs have not called back yet%s",
				    COUNT_TEXT(r->n), COUNT_TEXT(r->n - r->waiting),
				    r->has_age ? dump_text(d, "; the grace period is %s old",
							   TIME_TEXT(r->age_ns))
					       : ""));
	if (!row || !is_blocked(r))
		return;
	row->comm = h->comm;
	row->pid = (struct maybe_u64){ (uint64_t)h->tgid, h->has_task && h->tgid > 0 };
	row->module = h->module;
	row->wait = h->has_task && h->pid > 0 && h->comm
			    ? summary_warning_of(s, (uint64_t)h->pid, h->comm)
			    : NULL;
	row->release = h->is_cpu ? "a quiescent state of that CPU"
				 : dump_text(d, "the end of the RCU read-side section of %s",
					     rcu_holder_name(d, h));
}

enum status summary_rcu(struct summary *s)
{
	const struct session session = owner_session(s->view);
	struct rcu_waits *r;
	enum status st;

	if (!summary_may_hold(s, s->classes[CLASS_SLAB]))
		return ST_OK;
	r = dump_alloc(s->dump, sizeof(*r));
	st = rcu_waits_collect(&session, r);
	if (st != ST_OK)
		return st;
	s->rcu = r;
	put_row(s, r);
	if (r->problem)
		summary_unknown(s, "callbacks of RCU", NOT_IN_DUMP, "%s", r->problem);
	if (r->unknown)
		summary_unknown(s, "what callbacks of RCU free", NOT_IN_DUMP, "%s",
				r->what_problem);
	return r->is_partial ? ST_STOPPED : ST_OK;
}

void cache_ask_freed(struct asked_cache *a)
{
	const struct rcu_waits *r = a->s->rcu;
	struct cache_owners o = { .what = "freed and wait for", .command = "memowner rcu" };

	if (!r)
		return;
	hash_bytes_for_each(const struct rcu_wait, w, &r->all)
		if (w->cache_at == a->use->cache->address)
			cache_owners_add(&o, w->n, w->n, NULL, "RCU");
	if (is_blocked(r) && o.n)
		o.where = dump_text(a->s->dump, "a grace period of RCU that %s blocks",
				    names_text(a->s->dump, r));
	o.most = o.n;
	o.problem = r->problem ?: r->what_problem;
	cache_owners_put(a, &o);
}
