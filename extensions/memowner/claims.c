// SPDX-License-Identifier: GPL-2.0-or-later
#include "claims.h"
#include "claim_lists.h"
#include "graph/graph.h"
#include "holders/way_root.h"
#include "verdict_words.h"
#include "zone_use.h"

static const struct list_kind *kind_of(const struct statement *row)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (row->by && !strcmp(kinds[i].by, row->by))
			return &kinds[i];
	return &other;
}

/* Of a file system that is charged to one cgroup, what is of it is, too. */
static const char *charged_to(const struct summary *s, const struct statement *row)
{
	const char *of = claim_cgroup_of(row);

	for (const struct statement *h = row->within ? s->first[SECTION_HOLDER] : NULL; h && !of;
	     h = h->next)
		if (h != row && !h->within && h->name && !strcmp(h->name, row->within))
			of = h->charged;
	return of;
}

static bool is_dead_process(const struct statement *row)
{
	return !strcmp(row->by, "process") && row->owner && !strcmp(row->owner, "dead");
}

static bool is_module(const struct statement *row)
{
	return !strcmp(row->by, "module") && row->name && strcmp(row->name, "vmlinux") != 0;
}

/* Of a record of page_owner: a module, a process that is gone. Others are told by what they have now. */
static bool take_owner(const struct statement *row, struct claim *c)
{
	c->memory = OF_LISTS | OF_FILES;
	c->depth = DEPTH_MODULE;
	if (is_dead_process(row))
		c->memory |= OF(ANON);
	return is_module(row) || is_dead_process(row);
}

static bool take_row(const struct statement *row, struct claim *c)
{
	const struct list_kind *kind = kind_of(row);

	switch (row->section) {
	case SECTION_OWNER:
		return take_owner(row, c);
	case SECTION_GROUP:
		c->memory = OF(ANON);
		c->depth = DEPTH_OWNER;
		return true;
	case SECTION_FILE:
		c->memory = OF_FILES;
		c->depth = DEPTH_OBJECT;
		return true;
	case SECTION_CACHE:
		c->memory = OF(SLAB);
		c->depth = row->kept_by ? DEPTH_OBJECT : DEPTH_CALLER;
		return !row->is_rest;
	case SECTION_CANDIDATE:
		c->memory = OF(SLAB) | OF(DIRECT) | OF(VMALLOC) | OF(PAGE_POOL);
		c->depth = row->module ? DEPTH_MODULE : DEPTH_ROOT;
		return row->confidence.known || summary_is_lost(row);
	default:
		c->memory = kind->memory;
		c->depth = kind->depth;
		return true;
	}
}

/* Of a log the processes of the table are those of the cgroup. */
static bool is_in_scope(const struct claims *c, const struct statement *row)
{
	if (!c->of_limit)
		return true;
	if (c->s->dump->log_file)
		return row->section == SECTION_GROUP || row->memory == OF(PGTABLE);
	/* Objects of a cache are charged to the process that has them if so much is charged. */
	if (row->section == SECTION_CACHE &&
	    (!c->s->limit_kernel.known || row->pages.n > c->s->limit_kernel.n))
		return false;
	return summary_is_limited(c->s, charged_to(c->s, row)) &&
	       (row->section != SECTION_HOLDER || strcmp(row->by, "cgroup") ||
		strcmp(row->name, c->s->limit_path) != 0);
}

static void add_rows(struct claims *c, enum section section)
{
	for (const struct statement *row = c->s->first[section]; row; row = row->next) {
		struct claim claim = { .row = row };

		claim.is_part = c->of_limit && section == SECTION_FILE && row->is_mixed;
		claim.pages = claim.is_part ? row->charged_pages : row->pages.n;
		if (!row->pages.known || !is_in_scope(c, row) || !take_row(row, &claim))
			continue;
		if (claim_is_nameless(row))
			claim.depth = DEPTH_CLASS;
		/* An area has its caller, which says more than that nothing leads to it. */
		if (summary_is_lost(row) && c->s->lost_kind == NODE_AREA)
			claim.depth = DEPTH_CALLER;
		claim.memory = row->memory ?: claim.memory;
		claim.swapped = row->swapped.known ? row->swapped.n : 0;
		claim.is_least = !c->s->dump->log_file && summary_is_least(c->s, row);
		if (!c->of_blocks || !claim_is_movable(&claim))
			claims_add(c, &claim);
	}
}

/* Pages with which a share, in tenths of a percent, is reached. */
static uint64_t part_of(uint64_t pages, enum limit which)
{
	return (pages * limit(which) + 999) / 1000;
}

/* Of what is in some zones alone; what is not known to be there is no claim. */
static bool take_here(const struct zone_use *use, struct claim *x)
{
	const struct zone_part of = zone_use_find(use, x->row, claim_cgroup_of(x->row), x->memory);

	x->is_least = !of.all;
	x->is_part = x->is_least || of.here * 100 < of.all * ZONE_USE_WHOLE;
	/* Of a file system or a process each page was looked at. */
	x->is_about = x->is_part && !x->is_least && of.all != x->pages;
	x->swapped = 0;
	if (x->is_part)
		x->pages = of.all ? x->pages * of.here / of.all
				  : zone_use_least(use, x->memory, x->pages);
	return of.all || x->pages;
}

static void leave_here(struct claims *c)
{
	struct zone_use use;
	unsigned int n = 0;

	zone_use_read(c->s, &use);
	for (unsigned int i = 0; use.known && i < c->n; i++)
		if (take_here(&use, &c->all[i]))
			c->all[n++] = c->all[i];
	c->has_unplaced = n < c->n;
	c->n = n;
}

/* A tenth; of what splits blocks, which may be few pages, much of what cannot be moved. */
static uint64_t least_of(const struct claims *c)
{
	const uint64_t tenth = part_of(c->whole, LIMIT_HOLDER);
	uint64_t fixed = 0, least;

	for (unsigned int i = 0; c->of_blocks && c->s->classes && i < PAGE_CLASSES; i++)
		fixed += (OF_LISTS | OF(PGTABLE) | OF(KSTACK)) >> i & 1 ? c->s->classes[i] : 0;
	if (!fixed)
		return tenth;
	least = part_of(fixed, LIMIT_SPLITS);
	if (least < part_of(c->whole, LIMIT_SHOWN))
		least = part_of(c->whole, LIMIT_SHOWN);
	return least < tenth ? least : tenth;
}

static bool overlap(const struct claim *a, const struct claim *b);

/* What is beyond memory.high is charged as well. */
static uint64_t charged_whole(const struct summary *s)
{
	return claims_are_beyond(s) ? s->limit_usage.n : s->limit_pages;
}

void claims_find(const struct summary *s, struct claims *ret)
{
	static const enum section sections[] = { SECTION_OWNER, SECTION_HOLDER, SECTION_FILE,
						 SECTION_CACHE, SECTION_GROUP,	SECTION_CANDIDATE };

	*ret = (struct claims){ .s = s,
				.of_limit = summary_is_of_limit(s),
				.of_blocks = s->verdict == VERDICT_NO_BLOCK,
				.of_zones = s->verdict == VERDICT_ZONE };
	ret->whole = ret->of_limit   ? charged_whole(s)
		     : ret->of_zones ? s->short_zones.managed
				     : s->ram_pages;
	ret->least = least_of(ret);
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		add_rows(ret, sections[i]);
	claims_leave_rest(ret);
	claims_leave_maps(ret);
	if (ret->of_zones) {
		leave_here(ret);
		claims_add_nodes(ret);
		claims_join(ret, overlap);
		return;
	}
	claims_join(ret, overlap);
	claims_mark_shared(ret);
	if (!ret->of_blocks)
		claims_add_victim(ret);
	if (ret->of_limit && s->dump->log_file)
		claims_add_parts(ret);
	claims_add_cache(ret);
	if (ret->of_limit && (ret->n || !s->dump->log_file))
		claims_add_kernel(ret);
	else
		claims_add_classes(ret);
	claims_join_chunks(ret);
	claims_add_unmapped(ret);
}

static uint64_t size_of(const struct claim *c)
{
	return c->pages + c->swapped;
}

static bool is_of_files(const struct claim *c)
{
	return c->row->section == SECTION_FILE ||
	       (c->row->section == SECTION_HOLDER && kind_of(c->row)->depth == DEPTH_OBJECT);
}

/* Whatever a cgroup is charged may be of it, and a cache is. */
static bool is_of_slab(const struct claim *c)
{
	return (claim_is_cgroup(c) && !c->largest) || (c->row && c->memory == OF(SLAB));
}

/* A process may map what it pinned. */
static bool is_pinned_by(const struct statement *held, const struct statement *group)
{
	return held->pinned && group->section == SECTION_GROUP && held->pid.known &&
	       group->pid.known && held->pid.n == group->pid.n;
}

static bool has_part(const struct claim *joined, const struct claim *x)
{
	return ANY_OF(i, joined->nparts, joined->parts[i].row == x->row);
}

static bool is_merged(const struct claim *c)
{
	return c->row->section == SECTION_HOLDER && !strcmp(c->row->by, "ksm");
}

/* Rows of one kind, and a file beside the rest of its file system, share nothing. */
static bool overlap(const struct claim *a, const struct claim *b)
{
	if (a == b)
		return true;
	if (has_part(a, b) || has_part(b, a))
		return true;
	if (!a->row || !b->row)
		return (a->memory == OF(SLAB) && is_of_slab(b)) ||
		       (b->memory == OF(SLAB) && is_of_slab(a));
	if (claim_is_of_alike(a) || claim_is_of_alike(b))
		return claim_is_of_alike(a) ? claim_is_of_these(a, b) : claim_is_of_these(b, a);
	if (claim_is_cgroup(a) || claim_is_cgroup(b))
		return claim_is_cgroup(a) && claim_is_cgroup(b)
			       ? claim_is_inside(a, b) || claim_is_inside(b, a)
		       : claim_is_cgroup(a) ? claim_is_inside(b, a) || claim_is_of_kernel(b)
					    : claim_is_inside(a, b) || claim_is_of_kernel(a);
	if (a->row->section == b->row->section &&
	    (!a->row->by || !b->row->by || !strcmp(a->row->by, b->row->by)))
		return false;
	if (is_pinned_by(a->row, b->row) || is_pinned_by(b->row, a->row))
		return true;
	if (claim_is_beside_packets(a->row, b->row))
		return false;
	/* A group has what KSM did not merge. */
	if (is_merged(a) != is_merged(b))
		return a->row->section != SECTION_GROUP && b->row->section != SECTION_GROUP &&
		       (a->memory & b->memory);
	return (a->memory & b->memory) && !(is_of_files(a) && is_of_files(b));
}

/* The largest of those that nothing that was taken has; NULL: none. */
static const struct claim *largest(const struct claims *c, const struct claim *const *taken,
				   unsigned int n)
{
	const struct claim *most = NULL;

	for (const struct claim *x = c->all; x < c->all + c->n; x++) {
		bool is_taken = false;

		for (unsigned int i = 0; i < n; i++)
			is_taken |= overlap(x, taken[i]);
		if (!is_taken && (!most || size_of(x) > size_of(most)))
			most = x;
	}
	return most;
}

/* What says more of the same memory, or of nearly all of it. */
static const struct claim *told_by(const struct claims *c, const struct claim *of)
{
	const struct claim *best = of;

	for (const struct claim *x = c->all; x < c->all + c->n; x++)
		if (overlap(x, of) && size_of(x) * 100 >= size_of(of) * CLAIM_SAME &&
		    (x->depth > best->depth ||
		     (x->depth == best->depth && size_of(x) > size_of(best))))
			best = x;
	return best;
}

unsigned int claims_lead(const struct claims *c, const struct claim *ret[CLAIMS_TOLD])
{
	/* Of each that is told the largest row of its memory too. */
	const struct claim *taken[2 * CLAIMS_TOLD], *most;
	uint64_t first = 0;
	unsigned int n = 0;

	for (; n < CLAIMS_TOLD && (most = largest(c, taken, 2 * n)); n++) {
		if (size_of(most) < c->least || size_of(most) * 100 < first * CLAIM_NEAR)
			break;
		first = first ?: size_of(most);
		ret[n] = told_by(c, most);
		taken[2 * n] = most;
		taken[2 * n + 1] = ret[n];
	}
	return n;
}

const struct claim *claims_beside(const struct claims *c, const struct claim *of)
{
	const struct claim *most = largest(c, &of, 1);

	return most && size_of(most) >= c->least ? told_by(c, most) : NULL;
}

bool claim_is_of_one(const struct claim *c)
{
	const struct statement *row = c->row;

	return row && row->section == SECTION_GROUP && row->most_pid.known && !c->is_part &&
	       (row->most_pages + row->most_swapped) * 100 >= size_of(c) * CLAIM_SAME;
}

bool claim_is_of_kernel(const struct claim *c)
{
	return !(c->memory & (OF_PROCESSES | OF(HUGETLB) | CLAIM_CGROUP));
}

/* Of a root the detail has from what it is reached. */
static int name_bytes(const char *name)
{
	const char *from = strstr(name, " reached from ");

	return (int)strnlen(name, from ? from - name : 200);
}

static void add_kind_name(const struct claim *c, struct strbuf *b)
{
	const struct statement *row = c->row;
	const struct list_kind *kind = kind_of(row);
	const char *name = row->called ?: row->name ?: "of unknown name";
	const bool is_list = row->section == SECTION_HOLDER;

	strbuf_add(b, "%s%s%.*s",
		   row->called			   ? ""
		   : row->section == SECTION_FILE  ? "file "
		   : row->section == SECTION_CACHE ? "slab cache "
		   : is_list			   ? kind->words ?: row->by
						   : "",
		   is_list && !kind->words ? " " : "", name_bytes(name), name);
	if (row->section == SECTION_CACHE && !row->called && row->remark)
		claim_add_merged(row->remark, b);
}

void claim_name(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	const struct statement *row = c->row;
	const char *service;

	if (c->victim) {
		strbuf_add(b, "%s, which the OOM killer killed",
			   SUMMARY_TASK(log_maybe(c->victim->pid), c->victim->comm));
	} else if (!row) {
		strbuf_add(b, "%s", claim_class_text(s, c));
	} else if (row->section == SECTION_GROUP) {
		service = summary_service(row->cgroup, row->comm);
		if (claim_is_of_one(c))
			strbuf_add(b, "%s", SUMMARY_TASK(row->most_pid, row->comm));
		else
			summary_group_name(row, b);
		if (service)
			strbuf_add(b, " of %.200s", service);
		if (summary_was_killed(s, row))
			strbuf_add(b, ", which was killed");
	} else if (row->section == SECTION_OWNER) {
		strbuf_add(b, is_module(row) ? "module %s" : "%s, which has ended",
			   is_module(row) ? row->name : SUMMARY_TASK(row->pid, row->comm));
	} else if (row->section == SECTION_CANDIDATE && row->module) {
		strbuf_add(b,
			   summary_is_lost(row) ? "objects that module %s likely lost"
						: "module %s",
			   row->module);
	} else if (summary_is_lost(row)) {
		strbuf_add(b, "unknown");
	} else if (row->keeper) {
		strbuf_add(b, "%s", row->keeper);
	} else if (!claim_add_listed(row, b)) {
		add_kind_name(c, b);
	}
}

/* "by pointers from ev_default, confidence of the owner 99.7%" */
static void add_root(const struct summary *s, const struct statement *row, struct strbuf *b)
{
	const char *text = row->remark ?: "";
	size_t step;

	if (summary_is_lost(row)) {
		/* "none: no root leads to ..." */
		strbuf_add(b, "%.400s", strchr(text, ' ') ? strchr(text, ' ') + 1 : text);
		if (!row->confidence.known)
			strbuf_add(b, ", low confidence");
		strbuf_add(b, "%s", summary_twin_cache(s, text));
		claim_add_candidate(s, b);
		return;
	}
	if (row->memory == CLAIM_PINNED) {
		strbuf_add(b, "%.300s; inferred, confidence %s%%", text,
			   PERCENT_TEXT(row->confidence.n, 1000));
		return;
	}
	if (way_list_text(text, b))
		strbuf_add(b, "%s; ", claim_objects_text(s, text));
	strbuf_add(b, "%.400s%s", row->kept_by ?: "", row->kept_by ? "; " : "");
	text = way_root(text, row->module, &step);
	strbuf_add(b, "by pointers from %.*s", (int)step, text);
	if (row->confidence.known)
		strbuf_add(b, ", confidence of the owner %s%%",
			   PERCENT_TEXT(row->confidence.n, 1000));
}

bool claim_is_lost(const struct claim *c)
{
	return c->row && summary_is_lost(c->row);
}

/* A module that has much of the kernel's memory may have some of these, or what belongs to them. */
static void add_cache(const struct summary *s, const struct statement *row, struct strbuf *b)
{
	const struct statement *c = s->first[SECTION_CANDIDATE];

	strbuf_add(b, "%.300s",
		   row->keeper ? row->brief : row->kept_by ?: "who has its objects is unknown");
	while (c && (!c->module || summary_is_lost(c)))
		c = c->next;
	if (!row->keeper && !row->kept_by && c && c->pages.known && c->pages.n > row->pages.n / 4)
		strbuf_add(b, "; module %s has %s by pointers", c->module,
			   summary_size(s, c->pages.n));
}

/* "used by spoold (84); memory.min of 128.0M protects all of it from reclaim" */
static void add_file(const struct summary *s, const struct statement *row, struct strbuf *b)
{
	const char *protection = summary_protection(s, row->charged);
	struct strbuf users = STRBUF_OF(256);

	summary_users(row, &users);
	strbuf_add(b, "%s%s%s", row->brief ?: "", row->brief && users.len > 2 ? "; " : "",
		   users.len > 2 ? users.buf + 2 : "");
	if (protection)
		strbuf_add(b, "%s%s", strbuf_between(b, "; "), protection);
}

static void add_holder(const struct summary *s, const struct statement *row, struct strbuf *b)
{
	strbuf_add(b, "%.600s", row->brief ?: row->remark ?: "");
	if (row->by && !strcmp(row->by, "vmalloc"))
		claim_add_lost_areas(s, row, b);
	if (row->wait ?: row->hold)
		strbuf_add(b, "; %s", row->wait ?: row->hold);
	/* The verdict names that one. */
	if (row->charged && (!s->limit_path || strcmp(row->charged, s->limit_path) != 0))
		strbuf_add(b, "%scharged to cgroup %.200s", strbuf_between(b, "; "), row->charged);
}

static void add_largest(const struct summary *s, const struct statement *row, struct strbuf *b)
{
	strbuf_add(b, "%sthe largest ", strbuf_between(b, "; "));
	summary_group_name(row, b);
	strbuf_add(b, ": %s", summary_size(s, row->pages.n));
}

bool claim_is_granted(const struct summary *s, const struct claim *c)
{
	return c->row && c->row->cgroup &&
	       ANY_NEXT(g, s->first[SECTION_HOLDER],
			g->is_within_grant && g->name && !strcmp(g->name, c->row->cgroup));
}

/* "of 122.2M of 13 processes postgres", "the largest worker (12): 4.0M" */
static void add_processes(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	const struct statement *row = c->row;

	if (!row->most_pid.known)
		return;
	if (claim_is_of_one(c)) {
		claim_add_shared(s, row, b);
		strbuf_add(b, "%sof %s of ", strbuf_between(b, "; "), summary_size(s, c->pages));
		summary_group_name(row, b);
		if (row->counted.known && !row->merged)
			strbuf_add(b, ", which sum up to %s with what they share since fork",
				   summary_size(s, row->counted.n));
	} else {
		strbuf_add(b, "%sthe largest %s: %s", strbuf_between(b, "; "),
			   SUMMARY_TASK(row->most_pid, row->comm),
			   summary_size(s, row->most_pages));
		/* By both it is the largest. */
		if (row->most_swapped > row->most_pages / 4)
			strbuf_add(b,
				   row->shares_swap ? ", and %s in swap that others count, too"
						    : " and %s in swap",
				   summary_size(s, row->most_swapped));
		strbuf_add(b, "%s%s", row->few ? "; " : "", row->few ?: "");
		if (row->family)
			strbuf_add(b, "; %s", row->family);
		else if (row->oldest.known && row->youngest.known &&
			 row->oldest.n - row->youngest.n >= limit(LIMIT_SPREAD) * 1000000000ULL)
			strbuf_add(b, "; the first started %s before the last",
				   TIME_TEXT(row->oldest.n - row->youngest.n));
		strbuf_add(b, "%s%s%s%s", row->sleeps ? "; " : "", row->sleeps ?: "",
			   row->wait ? "; " : "", row->wait ?: "");
		strbuf_add(b, "%s%s", row->forked ? "; " : "", row->forked ?: "");
	}
}

/* What is configured is not what grew. */
static void add_group(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	const struct statement *row = c->row;
	const char *const more[] = { row->unread ?: row->clients, row->hold };

	if (row->remark)
		strbuf_add(b, "%s%s", strbuf_between(b, "; "), row->remark);
	if (row->merged && row->counted.known)
		strbuf_add(b, "%s%s of the %s that %s is KSM pages, which others share",
			   strbuf_between(b, "; "), summary_size(s, row->merged),
			   summary_size(s, row->counted.n),
			   row->most_pid.known ? "they count" : "it counts");
	else if (row->counted.known && !row->most_pid.known)
		strbuf_add(b, "%s%s with what it shares since fork", strbuf_between(b, "; "),
			   summary_size(s, row->counted.n));
	if (row->children_of && !claim_is_of_one(c))
		strbuf_add(b, "%s%s", strbuf_between(b, "; "), row->children_of);
	if (claim_is_of_one(c))
		summary_add_parent(s, (int32_t)row->most_pid.n, strbuf_between(b, "; "), b);
	add_processes(s, c, b);
	for (size_t i = 0; i < ARRAY_SIZE(more); i++)
		if (more[i])
			strbuf_add(b, "%s%s", strbuf_between(b, "; "), more[i]);
	for (const struct statement *g = s->first[SECTION_HOLDER]; g && row->cgroup; g = g->next)
		if (g->granted && g->name && !strcmp(g->name, row->cgroup))
			strbuf_add(b, "%sits cgroup %s %s", strbuf_between(b, "; "),
				   g->is_within_grant ? "stays within" : "has", g->granted);
}

void claim_detail(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	const struct statement *row = c->row;

	if (c->victim)
		claim_victim_detail(s, b);
	else if (!row)
		claim_class_detail(s, c, b);
	else if (c->nparts)
		claim_add_parts(s, c, b);
	else if (row->section == SECTION_CANDIDATE)
		add_root(s, row, b);
	else if (row->section == SECTION_CACHE)
		add_cache(s, row, b);
	else if (row->section == SECTION_OWNER)
		strbuf_add(b, "by page_owner");
	else if (row->section == SECTION_FILE)
		add_file(s, row, b);
	else if (row->section != SECTION_GROUP)
		add_holder(s, row, b);
	if (row && row->section == SECTION_GROUP && (!c->nparts || row->most_pid.known))
		add_group(s, c, b);
	if (claim_is_cgroup(c) && c->pages < row->pages.n && !c->is_part)
		strbuf_add(b, "%s%s with what rows of its own have", strbuf_between(b, "; "),
			   summary_size(s, row->pages.n));
	if (c->largest)
		add_largest(s, c->largest, b);
}
