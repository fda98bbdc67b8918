// SPDX-License-Identifier: GPL-2.0-or-later
/* The allocation that -z asks about, and what each zone makes of it. */
#include "zones.h"

#include "oom/mems_allowed.h"
#include "order_word.h"

#define MAX_ORDER 15	 /* of a request in the log; NR_PAGE_ORDERS is 11 to 14 */
#define MAX_GFP_TEXT 256 /* names of a mask, joined by | */

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

/* The tables do not depend on the request: they are shown without an answer. */
static void refuse_names(struct zones_view *z)
{
	z->has_request = false;
	z->request_problem = "the names of gfp flags are not in this dump; give a number, 0x...";
	report_warn(&z->v->report, "whether a zone serves the request is unknown: %s",
		    z->request_problem);
	z->is_partial = true;
}

/* "GFP_ATOMIC,__GFP_COMP" */
static enum status parse_gfp(struct zones_view *z, const char *text)
{
	uint32_t mask = 0, flag;

	for (const char *p = text;; p++) {
		size_t len = strcspn(p, ",|");

		if (len && !find_flag(&z->names, p, len, &flag) && !z->names.gfp.n) {
			refuse_names(z);
			return ST_OK;
		}
		if (!len || !find_flag(&z->names, p, len, &flag))
			return dump_usage(
				z->v->dump,
				"unknown gfp flag '%.*s': behind the order stand gfp flags, "
				"such as 4 GFP_ATOMIC,__GFP_COMP, or a number, 0x...",
				(int)len, p);
		mask |= flag;
		p += len;
		if (!*p)
			break;
	}
	z->gfp = mask;
	return ST_OK;
}

/* An order of -1 is of sysrq-f, which asks for no memory. */
static void take_report(struct zones_view *z)
{
	const struct oom_report *r = z->report;

	if (!r || !r->has_order || r->order < 0 || r->order > MAX_ORDER || !r->gfp_mask.known ||
	    r->gfp_mask.value > UINT32_MAX)
		return;
	z->has_request = z->is_of_report = true;
	z->order = r->order;
	z->gfp = r->gfp_mask.value;
}

/* By the size of free_area[]. */
static unsigned int largest_order(struct dump *d, bool *is_known)
{
	struct free_areas areas;

	*is_known = free_areas_open(d, NULL, 0, &areas) == ST_OK;
	return *is_known ? areas.orders - 1 : MAX_ORDER;
}

enum status zone_request_parse(struct zones_view *z)
{
	const struct opts *o = &z->v->in->opts;
	struct dump *d = z->v->dump;
	uint64_t order;
	unsigned int largest;
	bool is_known;

	if (!o->nargs) {
		take_report(z);
		return ST_OK;
	}
	if (o->nargs > 2)
		return dump_usage(d, "unexpected argument '%s'", o->args[2]);
	largest = largest_order(d, &is_known);
	if (!units_parse(o->args[0], &order) || order > largest)
		return order_refuse(d, o->args[0], is_known ? largest + 1 : 0, false);
	z->order = order;
	z->has_request = true;
	if (o->nargs == 2)
		return parse_gfp(z, o->args[1]);
	z->gfp = gfp_kernel(&z->names.flags);
	if (!z->gfp)
		refuse_names(z);
	return ST_OK;
}

bool zone_request_asks(const struct zones_view *z)
{
	return z->has_request && !(z->is_of_report && z->report->scope == OOM_SCOPE_MEMCG);
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
static void describe(const struct zones_view *z, const struct zone_now *now,
		     const struct alloc_request *r, struct watermark_zone *ret)
{
	const struct zone_state *s = &now->state;
	bool known = now->has_state, counts_free = s->has_free_highatomic;

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

static struct maybe logged_pages(const struct zones_view *z, const struct mem_zone *l,
				 enum mem_zone_counter counter)
{
	const struct log_number *n = &l->kib[counter];

	return maybe(n->known, n->value >> (z->v->page_shift - 10));
}

/* The heads of the lists, by the letters that the log has of each order. */
static void logged_lists(const struct zones_view *z, const struct mem_zone *l,
			 struct zone_free *ret)
{
	const struct {
		char letter;
		int64_t type;
	} letters[] = { { 'U', 0 },
			{ 'M', 1 },
			{ 'E', 2 },
			{ 'H', z->kernel.highatomic },
			{ 'C', z->kernel.cma },
			{ 'I', z->kernel.isolate } };

	memset(ret, 0, sizeof(*ret));
	ret->orders = l->orders < FREE_AREA_ORDERS ? l->orders : FREE_AREA_ORDERS;
	ret->types = FREE_AREA_TYPES;
	ret->has_nr_free = true;
	for (unsigned int o = 0; o < ret->orders; o++) {
		ret->nr_free[o] = l->free_blocks[o];
		for (unsigned int t = 0; t < ret->types; t++)
			ret->lists[o][t].head = LIST_EMPTY;
		for (size_t i = 0; i < ARRAY_SIZE(letters); i++)
			if (letters[i].type >= 0 && letters[i].type < FREE_AREA_TYPES &&
			    strchr(l->types[o], letters[i].letter))
				ret->lists[o][letters[i].type].head = LIST_FILLED;
	}
}

const struct zone_now *zone_of_log(const struct zones_view *z, const struct mem_zone *l)
{
	const struct zone_now *found = NULL;

	for (size_t i = 0; i < z->zones.n; i++) {
		const struct zone *zone = z->now[i].zone;

		if (strcmp(zone->name, l->name) || (l->node.known && l->node.value != zone->node))
			continue;
		if (found)
			return NULL;
		found = &z->now[i];
	}
	return found;
}

/* What the check needs of a zone in the log. */
static void describe_logged(const struct zones_view *z, const struct mem_zone *l,
			    const struct alloc_request *r, struct zone_free *lists,
			    struct watermark_zone *ret)
{
	bool counts_free = z->has_states &&
			   STRUCT_HAS(&z->states.zone, struct zone_state, free_highatomic);
	bool has_boost = l->kib[MEM_ZONE_boost].known;

	*ret = (struct watermark_zone){
		.managed = logged_pages(z, l, MEM_ZONE_managed),
		.free = logged_pages(z, l, MEM_ZONE_free),
		/* With the boost, which kernels up to 5.10 do not print. */
		.min = logged_pages(z, l, MEM_ZONE_min),
		.boost = has_boost ? logged_pages(z, l, MEM_ZONE_boost) : maybe(true, 0),
		.highatomic = logged_pages(z, l,
					   counts_free && l->kib[MEM_ZONE_free_highatomic].known
						   ? MEM_ZONE_free_highatomic
						   : MEM_ZONE_reserved_highatomic),
		.cma = z->kernel.cma < 0 ? maybe(true, 0) : logged_pages(z, l, MEM_ZONE_free_cma),
	};
	/* Of a reserve of 0 pages 0 are free; of a larger one the number of free pages is unknown. */
	if (counts_free && !l->kib[MEM_ZONE_free_highatomic].known && ret->highatomic.n)
		ret->highatomic.known = false;
	if (ret->min.known && ret->boost.known)
		ret->min.n -= ret->boost.n;
	if (r->highest_zone < l->nreserve && l->reserve[r->highest_zone] <= INT64_MAX)
		ret->reserve = maybe(true, l->reserve[r->highest_zone]);
	if (l->orders) {
		logged_lists(z, l, lists);
		ret->free_area = lists;
	}
}

/* A text that is not understood excludes nothing. */
static bool allows_node(const char *list, unsigned int node)
{
	bool bad = false;

	return mems_allowed_have(list, node, &bad) || bad;
}

/* Whether the cpuset of the report's task leaves out the node; that counts for __GFP_HARDWALL. */
static bool cpuset_excludes(const struct zones_view *z, struct alloc_request *r, unsigned int node)
{
	enum gfp_state hardwall = gfp_state(&z->kernel.flags, r->gfp, GFP_BIT_HARDWALL);

	if (!*z->mems_allowed || r->ignores_cpuset || allows_node(z->mems_allowed, node))
		return false;
	if (hardwall == GFP_UNKNOWN)
		r->unknown_flag = gfp_flag_name(GFP_BIT_HARDWALL);
	return hardwall == GFP_SET;
}

const char zone_not_in_cpuset[] = "the cpuset of the task does not allow this node";

/*
 * The policy, which a VMA or the mount of a file may have too, or the cpuset of the task leaves out a node,
 * __GFP_THISNODE all others.
 */
static const char *excludes(const struct zones_view *z, struct alloc_request *r,
			    const struct zone *zone)
{
	const struct oom_report *report = z->report;
	unsigned int node = zone->node;

	if (z->zonelist.has_list && zonelist_find(&z->zonelist.list, zone) == z->zonelist.list.n)
		return "the zonelist of the request does not have this zone";
	if (!z->is_of_report || r->unknown_flag)
		return NULL;
	if (*report->nodemask >= '0' && *report->nodemask <= '9' &&
	    !allows_node(report->nodemask, node) && !r->ignores_cpuset)
		return "the memory policy of the request does not allow this node";
	return cpuset_excludes(z, r, node) ? zone_not_in_cpuset : NULL;
}

/*
 * The zone that the figures of the log are of.  Where no zone of the dump can be read the kernel's order of zones
 * says what a check needs of it, in *alone.
 */
static const struct zone *zone_of_figures(const struct zones_view *z, const struct mem_zone *l,
					  struct zone *alone)
{
	const struct {
		const char *name;
		int64_t index;
	} zones[] = { { "DMA", z->kernel.zone_dma },
		      { "DMA32", z->kernel.zone_dma32 },
		      { "Normal", z->kernel.zone_normal },
		      { "Movable", z->kernel.zone_movable } };
	const struct zone_now *found = zone_of_log(z, l);

	if (found)
		return found->zone;
	for (size_t i = 0; !z->zones.n && l->node.known && i < ARRAY_SIZE(zones); i++) {
		if (zones[i].index < 0 || strcmp(zones[i].name, l->name))
			continue;
		*alone = (struct zone){ .node = (unsigned int)l->node.value,
					.index = (unsigned int)zones[i].index,
					.name = zones[i].name };
		return alone;
	}
	return NULL;
}

/* By one form of the rule; now or logged is NULL. */
static bool check_by(const struct zones_view *z, const struct zone_now *now,
		     const struct mem_zone *logged, enum reserve_rule rule, struct zone_answer *ret)
{
	struct zone alone;
	const struct zone *zone = logged ? zone_of_figures(z, logged, &alone) : now->zone;
	struct watermark_zone w;
	struct zone_free lists;

	if (!alloc_request_init(&z->kernel, rule, z->order, z->gfp, &ret->request))
		return false;
	if (logged) {
		describe_logged(z, logged, &ret->request, &lists, &w);
		w.index = zone ? zone->index : 0;
		w.free.known &= zone != NULL;
	} else {
		describe(z, now, &ret->request, &w);
	}
	watermark_check(&z->kernel, &w, &ret->request, &ret->verdict);
	if (!zone && ret->verdict.missing)
		ret->verdict.missing = "which zone of this kernel it is";
	ret->other = zone ? excludes(z, &ret->request, zone) : NULL;
	if (ret->other)
		ret->verdict.result = WATERMARK_NOT_ALLOWED;
	else if (ret->request.unknown_flag && ret->verdict.result != WATERMARK_NO_PAGES)
		ret->verdict.result = WATERMARK_UNKNOWN;
	return true;
}

static void check(const struct zones_view *z, const struct zone_now *now,
		  const struct mem_zone *logged, struct zone_answer *ret)
{
	enum reserve_rule rule = z->kernel.rule;
	struct zone_answer other;

	memset(ret, 0, sizeof(*ret));
	if (!z->has_request || !z->has_kernel)
		return;
	if (rule != RESERVES_UNKNOWN) {
		ret->is_asked = check_by(z, now, logged, rule, ret);
		return;
	}
	ret->is_asked = check_by(z, now, logged, RESERVES_OF_NONBLOCK, ret);
	for (rule = RESERVES_OF_ATOMIC; ret->is_asked && rule < RESERVES_UNKNOWN; rule++) {
		if (!check_by(z, now, logged, rule, &other) ||
		    other.verdict.result == ret->verdict.result)
			continue;
		ret->verdict.result = WATERMARK_UNKNOWN;
		ret->other = "which of its reserves this kernel gives to these flags";
		break;
	}
}

void zone_request_check(const struct zones_view *z, const struct zone_now *now,
			struct zone_answer *ret)
{
	check(z, now, NULL, ret);
}

void zone_request_check_logged(const struct zones_view *z, const struct mem_zone *logged,
			       struct zone_answer *ret)
{
	check(z, NULL, logged, ret);
}

struct zone_figures zone_figures_of(const struct zone_answer *a)
{
	const struct watermark_verdict *v = &a->verdict;
	bool known = v->result == WATERMARK_OK || v->result == WATERMARK_BELOW ||
		     v->result == WATERMARK_NO_BLOCK;

	return (struct zone_figures){ watermark_results[v->result],
				      known,
				      known && !v->missing,
				      known && v->largest >= 0,
				      v->usable,
				      v->limit,
				      v->reserve,
				      v->largest };
}
