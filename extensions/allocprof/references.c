// SPDX-License-Identifier: GPL-2.0-or-later
#include "references.h"

struct walk {
	struct tag_view *v;
	const struct reference_visitor *visitor;
	void *arg;
	struct scan_stats *stats;
};

static enum status visit_slab(struct walk *w, uint64_t pfn)
{
	struct slab_gaps gaps;
	enum status st = slub_walk(&w->v->slabs, pfn, w->visitor->untagged, w->visitor->object,
				   w->arg, &gaps);

	if (st == ST_OK)
		w->visitor->slab(w->arg, pfn, &gaps);
	return st;
}

static enum status visit_pfn(void *arg, uint64_t pfn)
{
	struct walk *w = arg;
	struct tag_view *v = w->v;
	struct page_info info;
	uint64_t tag;
	enum status st = page_type_at(&v->states, pfn, &info)
				 ?: page_tags_at(&v->pages, pfn, &info, &tag);

	w->stats->skipped += st == ST_ABSENT;
	w->stats->unreadable += st == ST_UNREADABLE;
	if (st == ST_ABSENT || st == ST_UNREADABLE)
		return ST_OK;
	w->stats->scanned++;
	w->stats->undecodable += st == ST_CORRUPT;
	if (st != ST_OK)
		return st == ST_CORRUPT ? ST_OK : st;
	st = w->visitor->page(w->arg, pfn, &info, tag);
	if (st == ST_OK && v->has_slabs && info.state == PAGE_TYPE_SLAB && info.head == pfn)
		st = visit_slab(w, pfn);
	return st;
}

enum status references_walk(struct tag_view *v, const struct reference_visitor *visitor, void *arg,
			    struct scan_stats *stats, bool *percpu_missing)
{
	struct walk w = { v, visitor, arg, stats };
	enum status st;

	stats->ram_pages = v->ram.pages;
	stats->ram_name = v->ram.name;
	st = ram_walk(v->dump, &v->ram, visit_pfn, &w);
	if (st != ST_OK)
		return st;
	st = percpu_objects_walk(v->dump, visitor->percpu, arg);
	if (st == ST_UNREADABLE || st == ST_CORRUPT || st == ST_UNKNOWN) {
		report_warn(v->report, "per-CPU memory is not available: %s", v->dump->error);
		*percpu_missing = true;
	}
	return st == ST_STOPPED ? st : ST_OK;
}
