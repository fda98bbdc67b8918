// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that are in another cgroup now, and whose memory the one at its limit is charged for: a charge stays behind. */

#include "memowner/summary.h"
#include "pageowner/view.h"

#define LOOKED_UP 131072 /* anonymous pages whose process is looked for: microseconds each */

struct walk {
	struct summary *s;
	struct mappers mappers;
	uint64_t step, seen;	/* each step-th page is looked up; pages so far */
	struct hash_u64 here;	/* of bool by memory cgroup */
	struct hash_u64 counts; /* of uint64_t, pages that were looked up, by tgid */
};

static bool is_charged_here(struct walk *w, uint64_t memcg)
{
	bool is_new;
	bool *is = hash_u64_get(&w->here, memcg, &is_new);

	if (is_new)
		*is = summary_is_limited(w->s, memcgs_path(&w->s->view->memcgs, memcg));
	return *is;
}

static enum status add_page(void *arg, uint64_t pfn)
{
	struct walk *w = arg;
	struct owner_view *v = w->s->view;
	struct page_mappers found = { 0 };
	const struct mapper_name *name;
	struct page_info info;
	enum status st;

	if (page_type_at(&v->states, pfn, &info) != ST_OK || !info.memcg ||
	    !is_charged_here(w, info.memcg) ||
	    page_class_at(v->classes, &info, pfn, RECORD_NONE, 0) != CLASS_ANON ||
	    w->seen++ % w->step)
		return ST_OK;
	st = mappers_find(&w->mappers, pfn, &found);
	if (st != ST_OK || found.processes != 1 || !found.mappings)
		return st == ST_STOPPED ? st : ST_OK;
	name = hash_u64_find(&w->mappers.names, found.users->mm);
	if (name && name->process.tgid)
		++*(uint64_t *)hash_u64_get(&w->counts, (uint64_t)name->process.tgid, NULL);
	return ST_OK;
}

/* Of another cgroup, with so much that it may be what the limit is full of. */
static bool may_be_charged(const struct summary *s, const struct statement *row)
{
	return row->pid.known && row->pages.known && !row->charged &&
	       !summary_is_limited(s, row->cgroup) &&
	       summary_reaches_of(s, LIMIT_HOLDER, row->pages.n, s->limit_path);
}

static void tell(struct walk *w, struct statement *row)
{
	const uint64_t *n = hash_u64_find(&w->counts, row->pid.n);
	const uint64_t pages = n ? *n * w->step : 0;

	/* More than half of it: the rest is charged to where it is now. */
	if (!n || pages <= row->pages.n / 2)
		return;
	row->charged = w->s->limit_path;
	row->hold = dump_text(w->s->dump,
			      "charged to %.200s, though it is in %.200s now: a charge stays where "
			      "the memory was first used",
			      w->s->limit_path, row->cgroup ?: "another cgroup");
}

enum status summary_charged_here(struct summary *s)
{
	struct owner_view *v = s->view;
	struct walk *w = dump_alloc(s->dump, sizeof(*w));
	enum status st;

	if (!s->limit_path || !s->limit_pages || !v->has_states || !v->has_memcgs || !v->classes ||
	    !ANY_NEXT(row, s->first[SECTION_GROUP], may_be_charged(s, row)))
		return ST_OK;
	*w = (struct walk){ .s = s, .step = 1 + s->limit_pages / LOOKED_UP };
	hash_u64_init(&w->here, s->dump->arena, sizeof(bool));
	hash_u64_init(&w->counts, s->dump->arena, sizeof(uint64_t));
	st = mappers_open(s->dump, &v->owner.ext.memmap, &v->states, &w->mappers)
		     ?: ram_walk(s->dump, &v->owner.ram, add_page, w);
	if (st != ST_OK)
		return st;
	for (struct statement *row = s->first[SECTION_GROUP]; row; row = row->next)
		if (may_be_charged(s, row))
			tell(w, row);
	return ST_OK;
}
