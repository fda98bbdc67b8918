// SPDX-License-Identifier: GPL-2.0-or-later
/* Text of -z: which zone serves the request, or refuses it for which reason. */
#include "zones.h"

/* "free 346 - 15 (2^4 - 1) = 331" */
static void put_usable(struct sink *out, const struct zone_answer *a)
{
	const struct watermark_verdict *v = &a->verdict;

	sink_printf(out, "free %ld", v->free);
	if (v->tail)
		sink_printf(out, " - %ld (2^%u - 1)", v->tail, a->request.order);
	if (v->highatomic)
		sink_printf(out, " - highatomic %ld", v->highatomic);
	if (v->cma)
		sink_printf(out, " - CMA %ld", v->cma);
	if (v->usable != v->free)
		sink_printf(out, " = %ld", v->usable);
}

/* "min 1601 (493 + boost 1108)" */
static void put_min(struct sink *out, const struct watermark_verdict *v)
{
	sink_printf(out, "min %ld", v->mark);
	if (v->boost)
		sink_printf(out, " (%ld + boost %ld)", v->mark - v->boost, v->boost);
}

/*
 * "min 491 + reserve 7 = 498".  A request that may use pages below min is compared with the part of
 * min that it must leave: "185 + reserve 7 = 192; of min 491 this request must leave 185".
 */
static void put_limit(struct sink *out, const struct zone_answer *a)
{
	const struct watermark_verdict *v = &a->verdict;
	bool is_part = v->min != v->mark;

	if (is_part)
		sink_printf(out, "%ld", v->min);
	else
		put_min(out, v);
	if (v->reserve)
		sink_printf(out, " + reserve %ld = %ld", v->reserve, v->limit);
	if (!is_part)
		return;
	sink_text(out, "; of ");
	put_min(out, v);
	sink_printf(out, " this request must leave %ld", v->min);
}

static void put_figures(struct sink *out, const struct zone_answer *a)
{
	sink_text(out, "\n    ");
	put_usable(out, a);
	sink_text(out, a->verdict.usable <= a->verdict.limit ? " <= " : " > ");
	put_limit(out, a);
	sink_text(out, "\n");
}

static void put_answer(struct sink *out, const struct zone_answer *a)
{
	const struct watermark_verdict *v = &a->verdict;
	unsigned int order = a->request.order;

	switch (v->result) {
	case WATERMARK_NOT_ALLOWED:
		sink_printf(out, "not used: %s\n",
			    a->other ?: "the gfp flags do not allow this zone");
		return;
	case WATERMARK_NO_PAGES:
		sink_text(out, "not used: the page allocator has no pages of this zone\n");
		return;
	case WATERMARK_UNKNOWN:
		if (a->request.unknown_flag) {
			sink_printf(out, "unknown: which gfp flag is %s\n",
				    a->request.unknown_flag);
			return;
		}
		if (v->missing && !a->other)
			sink_printf(out, "unknown: %s is missing\n", v->missing);
		else
			sink_printf(out, "unknown: %s\n",
				    a->other
					    ?: a->request.no_watermarks
					       ? "__GFP_MEMALLOC ignores watermarks"
					       : "a figure is corrupt");
		return;
	case WATERMARK_BELOW:
		sink_text(out, "refused, too few free pages:");
		break;
	case WATERMARK_NO_BLOCK:
		sink_printf(out, "refused, no free block of order %u or above", order);
		if (v->largest >= 0)
			sink_printf(out, "; the largest is of order %d", v->largest);
		sink_text(out, ":");
		break;
	case WATERMARK_OK:
		sink_text(out, "served:");
		break;
	}
	put_figures(out, a);
	/* What else is in its way, once the pages are free. */
	if (v->result == WATERMARK_BELOW && order && v->largest < (int)order) {
		if (v->largest >= 0)
			sink_printf(out, "    the largest free block is of order %d\n", v->largest);
	}
}

static bool put_now(struct zones_view *z)
{
	struct sink *out = z->v->out;
	bool is_short = false, is_served = false;

	for (size_t i = 0; i < z->zones.n; i++) {
		const struct zone_now *now = z->tried[i];
		struct zone_answer a;

		zone_request_check(z, now, &a);
		if (!a.is_asked)
			continue;
		sink_printf(out, "  node %u %s: ", now->zone->node, now->zone->name);
		put_answer(out, &a);
		is_short |= a.verdict.result == WATERMARK_NO_BLOCK;
		is_served |= a.verdict.result == WATERMARK_OK;
		if (a.verdict.result == WATERMARK_NO_BLOCK && now->has_state &&
		    zone_defers_compaction(&now->state, z->order))
			sink_printf(
				out,
				"    compaction for order %u is deferred: it failed at order %ld\n",
				z->order, now->state.order_failed);
		if (a.verdict.result == WATERMARK_BELOW && now->has_pcp && now->pcp)
			sink_printf(out,
				    "    the watermark does not count %lu free pages on the lists "
				    "of CPUs\n",
				    now->pcp);
	}
	/* No contradiction to the report. */
	if (is_served && z->is_of_report && !oom_report_is_by_kswapd(z->report))
		sink_printf(
			out,
			"  the request had failed before the report: at the %s it would be served\n",
			end_name(&z->v->report.info));
	return is_short;
}

/* Whether the zone serves the request. */
static bool put_logged_zone(struct zones_view *z, const struct mem_zone *l)
{
	struct sink *out = z->v->out;
	struct zone_answer a;

	zone_request_check_logged(z, l, &a);
	if (!a.is_asked)
		return false;
	if (l->node.known)
		sink_printf(out, "  node %lu %s: ", l->node.value, l->name);
	else
		sink_printf(out, "  %s: ", l->name);
	put_answer(out, &a);
	return a.verdict.result == WATERMARK_OK;
}

/* In the order of the zonelist; then those that the dump does not have. */
static bool put_logged_zones(struct zones_view *z)
{
	const struct mem_info *mem = &z->report->mem;
	bool is_served = false;

	for (size_t tried = 0; tried <= z->zones.n; tried++)
		for (unsigned int i = 0; i < mem->nzones; i++)
			if (zone_of_log(z, &mem->zones[i]) ==
			    (tried < z->zones.n ? z->tried[tried] : NULL))
				is_served |= put_logged_zone(z, &mem->zones[i]);
	return is_served;
}

static void put_logged(struct zones_view *z)
{
	struct sink *out = z->v->out;

	sink_text(out, "at the report, by the figures of the log:\n");
	if (!z->report->mem.nzones)
		sink_text(out, "  unknown: the report has no zones\n");
	/* __alloc_pages_may_oom() and warn_alloc() come behind get_page_from_freelist(). */
	if (put_logged_zones(z))
		sink_text(out, oom_report_is_by_kswapd(z->report)
				       ? "  no request had failed: kswapd asked, for lru_gen's "
					 "min_ttl_ms\n"
				       : "  the last try to allocate was before this report: pages "
					 "were freed in between\n");
	sink_printf(out, "at the %s, by the dump:\n%s", end_name(&z->v->report.info),
		    z->zones.n ? "" : "  unknown: no zone can be read\n");
}

/* What keeps blocks from being free takes a scan. */
static void put_next(struct zones_view *z, bool is_short)
{
	if (is_short && z->order)
		sink_printf(
			z->v->out,
			"  memowner fragmentation %u shows what keeps blocks of order %u from being free\n",
			z->order, z->order);
}

static void put_heading(struct zones_view *z)
{
	const char *gfp = names_gfp(&z->names, z->gfp);

	sink_printf(z->v->out, "\nwhether a zone serves order %u, gfp %#x%s%s%s\n", z->order,
		    z->gfp, gfp ? " (" : "", gfp ?: "", gfp ? ")" : "");
}

void zone_answers_put(struct zones_view *z)
{
	struct sink *out = z->v->out;
	bool json = z->v->in->opts.json;
	struct alloc_request r;

	if (z->request_problem && !json)
		sink_printf(out, "\nwhether a zone serves order %u\n  unknown: %s\n", z->order,
			    z->request_problem);
	if (!zone_request_asks(z))
		return;
	if (!json)
		put_heading(z);
	if (!z->has_kernel ||
	    !alloc_request_init(&z->kernel, RESERVES_OF_NONBLOCK, z->order, z->gfp, &r)) {
		if (!json)
			sink_printf(out, "  unknown: %s\n",
				    z->has_kernel ? "the gfp flags name two zones"
						  : z->kernel_problem);
		return;
	}
	zone_lists_put(z);
	if (json)
		return;
	if (z->is_of_report)
		put_logged(z);
	put_next(z, put_now(z));
}
