// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether memory was short where no report says so: by the zones, and what the kernel could have given back. */
#include "memowner/case.h"
#include "memowner/summary.h"
#include "memowner/verdict.h"
#include "memowner/verdict_words.h"
#include "zones/zones.h"

enum answer { IS_NOT, MAY_BE, IS };

/* What decides, each as far as what it rests on is known. */
struct shortage {
	struct mem_bounds available; /* least and most are MemAvailable if it is known */
	uint64_t stays;		     /* of it, that vm.vfs_cache_pressure=0 keeps */
	bool has_available;
	enum answer low, tight, refused;
};

/* Little is free, and what reclaim frees at once is not much more. */
static bool is_low(const struct summary *s, uint64_t available)
{
	return limit_of_free(units_tenths(s->free.n, s->ram_pages)) &&
	       !summary_reaches(s, LIMIT_AVAILABLE, available);
}

/* What a request of a user could still have is as little, or all waited for it. */
static bool is_tight(const struct summary *s, uint64_t available)
{
	return limit_of_free(units_tenths(available, s->ram_pages)) ||
	       (s->is_all_pressed && !summary_reaches(s, LIMIT_PLENTY, available)) ||
	       ((s->is_pressed || !verdict_has_swap(s)) &&
		!summary_reaches(s, LIMIT_OTHER_FREE, available));
}

/* Either is the less true the more is available. */
static enum answer answer_of(const struct summary *s, const struct mem_bounds *m,
			     bool (*is)(const struct summary *s, uint64_t available))
{
	if (!is(s, m->least))
		return IS_NOT;
	return m->has_most && is(s, m->most) ? IS : MAY_BE;
}

static void find_shortage(struct summary *s, struct shortage *ret)
{
	struct mem_bounds *m = &ret->available;
	bool refuse = false;

	*ret = (struct shortage){ 0 };
	ret->has_available = verdict_available(s, &m->least, &ret->stays);
	if (ret->has_available) {
		m->most = m->least;
		m->has_most = true;
	} else {
		mem_bounds_read(s->dump, s->free.n, m);
	}
	ret->low = answer_of(s, m, is_low);
	ret->tight = answer_of(s, m, is_tight);
	if (zones_refuse_kernel(s->view, &refuse))
		ret->refused = refuse ? IS : IS_NOT;
	else
		/* With so much free as a whole they serve somebody. */
		ret->refused = summary_reaches(s, LIMIT_PLENTY, m->least) ? IS_NOT : MAY_BE;
}

static bool is_short(const struct shortage *x)
{
	return x->low == IS || x->tight == IS || x->refused == IS;
}

static bool may_be_short(const struct shortage *x)
{
	return x->low != IS_NOT || x->tight != IS_NOT || x->refused != IS_NOT;
}

/* ", MemAvailable at most 30.1M" */
static void add_bounds(const struct summary *s, const struct shortage *x, struct strbuf *b)
{
	const struct mem_bounds *m = &x->available;

	if (x->has_available)
		verdict_add_available(s, m->least, x->stays, b);
	else if (m->has_most)
		strbuf_add(b, ", MemAvailable at most %s", summary_size(s, m->most));
}

static void add_short(struct summary *s, const struct shortage *x, const char *older,
		      struct strbuf *b)
{
	const bool is_tight = x->tight == IS;

	strbuf_add(b, "memory was short%s: ",
		   verdict_has_no_report(s, older) ? ", though the log has no OOM report" : "");
	verdict_add_free(s, b);
	if (is_tight)
		add_bounds(s, x, b);
	/* Otherwise little being free says it. */
	if (x->refused == IS && x->low != IS && !is_tight)
		strbuf_add(b, ", and no zone would serve the kernel (GFP_KERNEL, order 0)");
	verdict_add_swap(s, b);
	verdict_add_idle_pools(s, b);
	if (s->throttled.path) {
		strbuf_add(b, "; ");
		throttled_add_text(s, b);
	}
}

/* "unknown whether memory was short, but ...: 59.8M of 1023.5M was free, 5.8%, MemAvailable is unknown, at most 61.2M" */
static void add_unknown(struct summary *s, const struct shortage *x, struct strbuf *b)
{
	strbuf_add(b, "unknown whether memory was short");
	summary_add_hoarder(s, b);
	strbuf_add(b, ": ");
	verdict_add_free(s, b);
	if (!x->has_available && (x->low == MAY_BE || x->tight == MAY_BE)) {
		strbuf_add(b, ", MemAvailable is unknown");
		if (x->available.has_most)
			strbuf_add(b, ", at most %s", summary_size(s, x->available.most));
	} else if (x->refused == MAY_BE) {
		strbuf_add(b, ", whether a zone would serve the kernel is unknown");
	}
	verdict_add_swap(s, b);
	if (throttled_is_limit(s)) {
		strbuf_add(b, "; ");
		throttled_add_text(s, b);
	}
}

static void add_enough(struct summary *s, const struct shortage *x, struct strbuf *b)
{
	s->verdict = VERDICT_NOT_SHORT;
	strbuf_add(b, "memory was not short");
	summary_add_hoarder(s, b);
	strbuf_add(b, ": ");
	verdict_add_free(s, b);
	if (x->has_available && x->available.least > s->free.n &&
	    !summary_reaches(s, LIMIT_PLENTY, s->free.n))
		strbuf_add(b, ", MemAvailable %s with what can be reclaimed",
			   summary_size(s, x->available.least));
	verdict_add_full_swap(s, b);
}

static void add_cut_log(const struct summary *s, struct strbuf *b)
{
	strbuf_add(b, "unknown whether memory ran out: %s; at the end ",
		   s->log_cut ? "a part of the log is missing" : "the log cannot be read");
	verdict_add_free(s, b);
}

static enum verdict add_answer(struct summary *s, const struct shortage *x, const char *older,
			       struct strbuf *b)
{
	const struct commit *commit = &s->of_case->commit;

	if (x->tight == IS && verdict_add_watermarks(s, b))
		return VERDICT_KEPT;
	if (is_short(x)) {
		add_short(s, x, older, b);
		return VERDICT_SHORT;
	}
	if (verdict_is_committed(commit)) {
		verdict_add_commit(s, commit, b);
		verdict_add_free(s, b);
		return VERDICT_COMMIT;
	}
	if (!s->log_whole && !throttled_is_limit(s)) {
		add_cut_log(s, b);
		return VERDICT_UNKNOWN;
	}
	if (may_be_short(x)) {
		add_unknown(s, x, b);
		return VERDICT_UNKNOWN;
	}
	if (throttled_is_limit(s)) {
		throttled_add_text(s, b);
		strbuf_add(b, "; the machine has memory: ");
		verdict_add_free(s, b);
		return s->throttled.is_max ? VERDICT_CGROUP : VERDICT_HIGH;
	}
	add_enough(s, x, b);
	return VERDICT_NOT_SHORT;
}

/* That memory was not short rests on the log too. */
enum verdict verdict_of_zones(struct summary *s, const char *older, struct maybe_u64 *number,
			      struct strbuf *b)
{
	struct shortage x;
	enum verdict verdict;

	*number = s->free;
	if (!s->free.known) {
		strbuf_add(b, "unknown whether memory was short: ");
		verdict_add_free(s, b);
		return VERDICT_UNKNOWN;
	}
	find_shortage(s, &x);
	verdict = add_answer(s, &x, older, b);
	if (verdict == VERDICT_CGROUP || verdict == VERDICT_HIGH)
		return verdict;
	if ((older || s->log_whole) &&
	    !(verdict == VERDICT_SHORT && verdict_has_no_report(s, older))) {
		strbuf_add(b, "; ");
		verdict_add_no_report(s, older, b);
	}
	return verdict;
}
