// SPDX-License-Identifier: GPL-2.0-or-later
/* The allocation that -z asks for, and what each zone makes of it. */
#include "zones.h"

#include <stdio.h>
#include <string.h>

#include "util/units.h"

#define MAX_ORDER 15
#define GFP_KERNEL_NAME "GFP_KERNEL"
#define MAX_GFP_TEXT 256

/* One name of the kernel's table, or a number. */
static bool find_flag(const struct names *n, const char *text, size_t len, uint32_t *ret)
{
	char name[MAX_GFP_TEXT];
	uint64_t mask;

	snprintf(name, sizeof(name), "%.*s", (int)len, text);
	if (!strncmp(name, "0x", 2) && units_parse(name, &mask) && mask <= UINT32_MAX) {
		*ret = mask;
		return true;
	}
	for (unsigned int i = 0; i < n->gfp.n; i++)
		if (!strcmp(n->gfp.flags[i].name, name)) {
			*ret = n->gfp.flags[i].mask;
			return true;
		}
	return false;
}

/* "GFP_ATOMIC,__GFP_COMP" */
static enum status parse_gfp(struct zones_view *z, const char *text)
{
	struct dump *d = z->v->dump;
	uint32_t mask = 0, flag;

	if (!z->names.gfp.n && strncmp(text, "0x", 2))
		return dump_fail(d, ST_USAGE,
				 "the names of gfp flags are not in this dump: give them as a "
				 "number, 0x..., not '%s'",
				 text);
	for (const char *p = text; *p;) {
		size_t len = strcspn(p, ",|");

		if (!find_flag(&z->names, p, len, &flag))
			return dump_fail(
				d, ST_USAGE,
				"unknown gfp flag '%.*s': -z takes an order and gfp flags, "
				"such as 4 GFP_ATOMIC,__GFP_COMP",
				(int)len, p);
		mask |= flag;
		p += len + (p[len] != '\0');
	}
	z->gfp = mask;
	return ST_OK;
}

enum status zone_request_parse(struct zones_view *z)
{
	const struct opts *o = &z->v->in->opts;
	struct dump *d = z->v->dump;
	uint64_t order;

	if (!o->nargs)
		return ST_OK;
	if (o->nargs > 2)
		return dump_fail(d, ST_USAGE, "unexpected argument '%s'", o->args[2]);
	if (!units_parse(o->args[0], &order) || order > MAX_ORDER)
		return dump_fail(d, ST_USAGE, "-z takes an order from 0 to %d, not '%s'", MAX_ORDER,
				 o->args[0]);
	z->order = order;
	z->request_text = "as asked for";
	z->has_request = true;
	if (o->nargs == 2)
		return parse_gfp(z, o->args[1]);
	/* GFP_KERNEL: __GFP_DIRECT_RECLAIM|__GFP_KSWAPD_RECLAIM|__GFP_IO|__GFP_FS, all releases. */
	z->gfp = 0xcc0;
	return ST_OK;
}

static struct maybe maybe_counter(bool known, const struct counters *c, const char *name)
{
	struct maybe m = { false, 0 };

	m.known = known && counter_read(c, name, &m.n) == ST_OK;
	return m;
}

static struct maybe maybe(bool known, uint64_t n)
{
	return (struct maybe){ known && n <= INT64_MAX, (int64_t)n };
}

/* What the check needs of a zone at the panic. */
static void describe(struct zones_view *z, const struct zone_now *now,
		     const struct alloc_request *r, struct watermark_zone *ret)
{
	const struct zone_state *s = &now->state;
	const struct field *f = z->states.f;
	bool known = now->has_state, counts_free = f[ZONE_FREE_HIGHATOMIC].present;

	*ret = (struct watermark_zone){
		.index = now->zone->index,
		.managed = maybe(known, s->managed),
		.free = maybe_counter(now->has_shown, &now->shown, "nr_free_pages"),
		.min = maybe(known, s->marks[MARK_MIN]),
		.boost = maybe(known, s->boost),
		.highatomic = maybe(known,
				    counts_free ? s->free_highatomic : s->reserved_highatomic),
		/* Without CONFIG_CMA the rule has no such term, though the counter is there. */
		.cma = z->kernel.cma < 0
			       ? maybe(true, 0)
			       : maybe_counter(now->has_shown, &now->shown, "nr_free_cma"),
		.free_area = now->has_free ? &now->free : NULL,
	};
	if (known && r->highest_zone < s->reserves)
		ret->reserve = (struct maybe){ true, s->reserve[r->highest_zone] };
}

static bool check_by(struct zones_view *z, const struct zone_now *now, enum reserve_rule rule,
		     struct zone_answer *ret)
{
	struct watermark_zone w;

	if (!alloc_request_init(&z->kernel, rule, z->order, z->gfp, &ret->request))
		return false;
	describe(z, now, &ret->request, &w);
	watermark_check(&z->kernel, &w, &ret->request, &ret->verdict);
	return true;
}

void zone_request_check(struct zones_view *z, const struct zone_now *now, struct zone_answer *ret)
{
	enum reserve_rule rule = z->kernel.rule;
	struct zone_answer other;

	memset(ret, 0, sizeof(*ret));
	if (!z->has_request || !z->has_kernel)
		return;
	if (rule != RESERVES_UNKNOWN) {
		ret->is_asked = check_by(z, now, rule, ret);
		return;
	}
	ret->is_asked = check_by(z, now, RESERVES_OF_NONBLOCK, ret);
	if (ret->is_asked && check_by(z, now, RESERVES_OF_ATOMIC, &other) &&
	    other.verdict.result != ret->verdict.result)
		ret->verdict.result = WATERMARK_UNKNOWN;
}

/* "298 free - 15 (2^4 - 1) - 0 highatomic = 283 usable" */
static void put_usable(struct sink *out, const struct zone_answer *a)
{
	const struct watermark_verdict *v = &a->verdict;

	sink_printf(out, "free %lld", (long long)v->free);
	if (v->tail)
		sink_printf(out, " - %lld (2^%u - 1)", (long long)v->tail, a->request.order);
	if (v->highatomic)
		sink_printf(out, " - highatomic %lld", (long long)v->highatomic);
	if (v->cma)
		sink_printf(out, " - CMA %lld", (long long)v->cma);
	if (v->usable != v->free)
		sink_printf(out, " = %lld", (long long)v->usable);
}

/* "min 1,601 (493 and a boost of 1,108) + reserve 0" */
static void put_limit(struct sink *out, const struct zone_answer *a, const struct zone_now *now)
{
	const struct watermark_verdict *v = &a->verdict;
	int64_t base = now->state.marks[MARK_MIN];

	sink_printf(out, "min %lld", (long long)v->mark);
	if (v->mark != base)
		sink_printf(out, " (%lld + boost %lld)", (long long)base,
			    (long long)(v->mark - base));
	if (v->min != v->mark)
		sink_printf(out, ", for this request %lld", (long long)v->min);
	if (v->reserve)
		sink_printf(out, " + reserve %lld", (long long)v->reserve);
	if (v->reserve)
		sink_printf(out, " = %lld", (long long)v->limit);
}

static void put_answer(struct zones_view *z, const struct zone_now *now)
{
	struct sink *out = z->v->out;
	struct zone_answer a;
	const struct watermark_verdict *v = &a.verdict;

	zone_request_check(z, now, &a);
	if (!a.is_asked)
		return;
	sink_printf(out, "  node %u %s: ", now->zone->node, now->zone->name);
	switch (v->result) {
	case WATERMARK_NOT_ALLOWED:
		sink_text(out, "not used: the gfp flags do not allow this zone\n");
		return;
	case WATERMARK_NO_PAGES:
		sink_text(out, "not used: the zone has no pages\n");
		return;
	case WATERMARK_UNKNOWN:
		sink_text(out, a.request.no_watermarks
				       ? "unknown: __GFP_MEMALLOC ignores watermarks\n"
				       : "unknown: a figure that decides is not in this dump\n");
		return;
	case WATERMARK_BELOW:
		sink_text(out, "refused, too few free pages:\n    ");
		break;
	case WATERMARK_NO_BLOCK:
		sink_printf(out, "refused, no free block of order %u or above", a.request.order);
		if (v->largest >= 0)
			sink_printf(out, " (largest: order %d)", v->largest);
		sink_text(out, ":\n    ");
		break;
	case WATERMARK_OK:
		sink_text(out, "served:\n    ");
		break;
	}
	put_usable(out, &a);
	sink_text(out, v->result == WATERMARK_BELOW ? " <= " : " > ");
	put_limit(out, &a, now);
	sink_text(out, "\n");
}

void zone_request_print(struct zones_view *z)
{
	struct sink *out = z->v->out;
	const char *gfp = names_gfp(&z->names, z->gfp);
	struct alloc_request r;

	if (z->v->in->opts.json || !z->has_request)
		return;
	sink_printf(out, "\norder %u, gfp %#x%s%s%s, %s:\n", z->order, z->gfp, gfp ? " (" : "",
		    gfp ? gfp : "", gfp ? ")" : "", z->request_text);
	if (!z->has_kernel)
		sink_printf(out, "  unknown: %s\n", z->kernel_problem);
	else if (!alloc_request_init(&z->kernel, RESERVES_OF_NONBLOCK, z->order, z->gfp, &r))
		sink_text(out, "  unknown: the gfp flags name two zones\n");
	else
		for (size_t i = 0; i < z->zones.n; i++)
			put_answer(z, &z->now[i]);
}
