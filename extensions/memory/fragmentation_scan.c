// SPDX-License-Identifier: GPL-2.0-or-later
/* The scan of "memowner fragmentation": what each aligned block and each pageblock consists of. */
#include "fragmentation.h"

#include "order_word.h"
#include "zones.h"

/*
 * The order of the newest report of the log; sysrq-f (-1) asks for no memory, and a cgroup at its limit
 * lacks no block.
 */
static void take_report(struct fragmentation *f)
{
	struct zones_view *z = dump_alloc(f->v->dump, sizeof(*z));
	const struct oom_report *r;

	z->v = f->v;
	zone_log_read(z);
	r = z->report;
	f->v->has_gaps |= z->is_partial;
	/* Each report has an order: of one without it that line is missing. */
	f->lacks_request = r ? !r->has_order && r->scope != OOM_SCOPE_MEMCG : z->is_partial;
	if (!r || r->scope == OOM_SCOPE_MEMCG || !r->has_order || r->order < 0 ||
	    r->order >= (int)f->orders)
		return;
	f->has_request = true;
	f->request = r->order;
	/* An order 0 is never short of blocks, but of pages: then whole pageblocks are looked at. */
	f->order = r->order ? (unsigned int)r->order : f->order;
	f->report = r;
}

static enum status find_order(struct fragmentation *f)
{
	const struct opts *o = &f->v->in->opts;
	uint64_t order;

	if (!o->nargs) {
		take_report(f);
		return ST_OK;
	}
	if (o->nargs > 1)
		return dump_usage(f->v->dump, "unexpected argument '%s'", o->args[1]);
	if (!units_parse(o->args[0], &order) || order >= f->orders)
		return order_refuse(f->v->dump, o->args[0], f->orders, true);
	f->order = f->request = order;
	f->has_request = true;
	return ST_OK;
}

/* The free blocks as the kernel counts them: the lists are not walked. */
static enum status read_free(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	struct free_areas areas;
	enum status st = free_areas_open(v->dump, NULL, 0, &areas);

	if (st != ST_OK)
		return st;
	f->orders = areas.orders;
	for (size_t i = 0; i < f->nzones; i++) {
		struct zone_blocks *z = &f->zones[i];

		z->zone = i < v->zones.n ? &v->zones.zones[i] : NULL;
		if (!z->zone)
			continue;
		st = free_areas_read(&areas, z->zone, &z->free);
		if (st != ST_OK)
			return st;
		z->has_free = z->free.has_nr_free;
	}
	return ST_OK;
}

static struct zone_blocks *find_zone(struct fragmentation *f, uint64_t pfn)
{
	const struct zone *zone = zones_find(&f->v->zones, pfn);

	return &f->zones[zone ? (size_t)(zone - f->v->zones.zones) : f->v->zones.n];
}

static unsigned int type_of(struct fragmentation *f, uint64_t pfn)
{
	unsigned int type;

	return f->v->has_blocks && pageblocks_type(&f->v->blocks, pfn, &type) == ST_OK &&
			       type < FREE_AREA_TYPES
		       ? type
		       : BLOCK_TYPES - 1;
}

/* As /proc/pagetypeinfo: by the first page of the zone, and of each pageblock's length behind it. */
static void count_pageblocks(struct fragmentation *f)
{
	struct memmap *m = &f->v->owner.ext.memmap;
	uint64_t step = f->v->has_blocks ? 1ULL << f->v->blocks.order : 0;

	for (size_t i = 0; step && i < f->v->zones.n; i++) {
		const struct zone *zone = &f->v->zones.zones[i];

		for (uint64_t pfn = zone->start; pfn < zone->end; pfn += step) {
			struct block_sums *s = &f->zones[i].types[type_of(f, pfn)];
			bool online = true;

			if (dump_stopped(f->v->dump))
				return;
			if (!m->is_flat) {
				struct section_state state;
				uint64_t page;

				online = sections_state(&m->sections, pfn >> m->sections.shift,
							&state) == ST_OK
						 ? state.online
						 : sections_page(&m->sections, pfn, &page) !=
							   ST_ABSENT;
			}
			s->pageblocks += online;
			s->is_seen |= online;
		}
	}
}

static void end_pageblock(struct fragmentation *f)
{
	if (!f->has_block)
		return;
	f->sums->lost += f->fixed != 0;
	f->sums->unknown += !f->fixed && f->unknown;
	f->sums->mixed += f->mixed.is_mixed;
	f->sums->perhaps_mixed += !f->mixed.is_mixed && f->mixed.is_unknown;
	f->has_block = false;
}

static void begin_pageblock(struct fragmentation *f, uint64_t pfn)
{
	struct zone_blocks *in = find_zone(f, pfn);

	end_pageblock(f);
	if (in != f->in)
		f->mixed.next = 0;
	f->in = in;
	f->pageblock = pfn >> f->v->blocks.order;
	f->type = type_of(f, pfn);
	f->sums = &in->types[f->type];
	f->sums->is_seen = true;
	f->fixed = f->unknown = 0;
	mixed_block_next(&f->mixed);
	f->has_block = true;
}

/* What the kernel's count of mixed blocks looks at. */
static void add_to_mixed(struct fragmentation *f, const struct owner_page *page,
			 const struct page_info *info)
{
	struct owner_view *v = f->v;
	struct mixed_page m = { .pfn = page->pfn, .is_unknown = !info || page->unknown };
	struct owner_record r;

	if (!v->has_owner)
		return;
	if (info && info->state == PAGE_TYPE_BUDDY) {
		m.is_unknown = false;
		m.is_free = true;
		m.order = info->private < FREE_AREA_ORDERS ? info->private : FREE_AREA_ORDERS;
	} else if (info && info->flags & v->classes->reserved) {
		m.is_unknown = false;
		m.is_reserved = true;
	} else if (page->allocated) {
		page_owner_decode(&v->owner, page, &r);
		m.is_allocated = true;
		m.order = page->order;
		m.is_unknown |= !names_gfp_type(&v->names, r.gfp_mask, &m.type);
	}
	mixed_block_add(&f->mixed, f->type, &m);
}

static bool is_fixed(enum page_mobility m)
{
	return m == MOBILITY_RECLAIMABLE || m == MOBILITY_UNMOVABLE;
}

/* The first page of the allocation: of the compound page, or by the record of page_owner. */
static uint64_t first_page(const struct owner_page *page, const struct page_info *info)
{
	if (info->head == page->pfn && page->allocated && page->order)
		return owner_page_head(page);
	return info->head;
}

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct fragmentation *f = arg;
	struct owner_view *v = f->v;
	enum page_mobility mobility = MOBILITY_UNKNOWN;
	struct page_info info = { .head = page->pfn };
	const struct page_info *known = NULL;
	enum page_class class = CLASS_UNKNOWN;
	uint64_t first;

	f->visited++;
	if (!f->has_block || f->pageblock != page->pfn >> v->blocks.order ||
	    (f->in->zone ? page->pfn < f->in->zone->start || page->pfn >= f->in->zone->end
			 : zones_find(&v->zones, page->pfn) != NULL))
		begin_pageblock(f, page->pfn);
	if (memory_class(v, page, &info, &class)) {
		known = &info;
		mobility = page_mobility_of(&f->mobilities, &info, class);
		f->gaps.unknown += mobility == MOBILITY_UNKNOWN;
	} else {
		info = (struct page_info){ .head = page->pfn };
		f->gaps.unreadable++;
	}
	first = first_page(page, &info);
	f->sums->pages[mobility]++;
	f->fixed += is_fixed(mobility);
	f->unknown += mobility == MOBILITY_UNKNOWN;
	add_to_mixed(f, page, known);
	order_blocks_add(&f->blocks, f->in - f->zones, page->pfn, first, mobility);
	if (is_fixed(mobility))
		mixed_add_page(f, page, &info, first, mobility);
	return ST_OK;
}

static void add_block(void *arg, const struct order_block *b)
{
	struct fragmentation *f = arg;
	/* Blocks are complete before a page of another zone is added. */
	struct zone_blocks *z = &f->zones[f->blocks.zone];
	enum block_state state = order_block_state(b);

	z->states[b->order][state]++;
	if (b->order != f->order)
		return;
	mixed_end_block(f, b);
	if (state == BLOCK_CUT)
		return;
	if (b->fixed.has)
		z->types[type_of(f, b->start)].lost_order++;
	else if (b->pages[MOBILITY_UNKNOWN])
		z->types[type_of(f, b->start)].unknown_order++;
	near_add(f, b);
}

static enum status open_scan(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	struct dump *d = v->dump;
	enum status st;

	f->nzones = v->zones.n + 1;
	f->zones = dump_alloc(d, f->nzones * sizeof(*f->zones));
	st = read_free(f);
	f->movable = f->cma = -1;
	if (dump_enumerator(d, "MIGRATE_MOVABLE", &f->movable) != ST_OK)
		dump_lacks(d, "pages that stop compaction", ST_UNKNOWN, "%s", d->error);
	dump_ask(d, enumerator, "MIGRATE_CMA", &f->cma);
	if (st != ST_OK)
		return st;
	f->order = v->blocks.order < f->orders ? v->blocks.order : f->orders - 1;
	page_mobilities_open(d, v->slabs, &f->mobilities);
	order_blocks_init(&f->blocks, f->orders, add_block, f);
	f->cov.ram_pages = v->owner.ram.pages;
	return mixed_open(f);
}

enum status fragmentation_open(void *owner_view, enum availability *why)
{
	struct owner_view *v = owner_view;
	struct fragmentation *f = v->own = dump_alloc(v->dump, sizeof(*f));
	enum status st =
		memory_open(v, 1 << KEY_CLASS | 1 << KEY_CACHE | 1 << KEY_BLOCK_MIGRATETYPE, why);

	f->v = v;
	if (st != ST_OK)
		return st;
	*why = UNKNOWN_LAYOUT;
	if (!v->classes)
		return ST_UNKNOWN;
	if (!v->has_blocks)
		return dump_unknown(v->dump, "pageblocks");
	st = open_scan(f) ?: find_order(f);
	*why = availability_of(st);
	return st;
}

enum status fragmentation_scan(struct fragmentation *f)
{
	enum status st;

	count_pageblocks(f);
	st = memory_scan(f->v, &f->cov, add_page, f);
	end_pageblock(f);
	order_blocks_end(&f->blocks);
	owner_groups_count(&f->groups);
	f->cov.live -= f->undecodable;
	f->cov.undecodable += f->undecodable;
	return st;
}

void fragmentation_end(struct fragmentation *f, enum status st)
{
	struct owner_view *v = f->v;

	if (f->groups.select.filters->n && !v->in->opts.json)
		owner_view_kept(v, &f->groups.select);
	owner_tell_classes(v);
	memory_end(v, &f->cov, st, &f->gaps, f->visited, "callers and ages of unmovable pages");
}
