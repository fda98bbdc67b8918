// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who may keep pages straight from the page allocator, or objects of the largest cache, of which there is no
 * record: the roots that the graph of pointers leads to, and modules that are no part of the kernel's source,
 * as drivers that are one may, too.  The graph reads all memory of the kernel, so it is not asked where something recorded the owners, nor
 * where that is much.
 */
#include "case.h"
#include "graph/types.h"
#include "pageowner/holders.h"
#include "slab/slab_caches.h"
#include "summary.h"

#define ROWS 3

bool summary_tells_owners(const struct slab_use *u)
{
	return u->cache->name && !strcmp(u->cache->name, "task_struct");
}

/* Of a cache that the kernel cannot shrink: it can have any number of dentries without a leak. */
static bool lacks_object_owners(const struct summary *s)
{
	const struct slab_use *u = s->largest_cache;

	return u && u->cache && !u->cache->is_reclaimable && !u->cache->has_tracks &&
	       !summary_tells_owners(u) && summary_reaches(s, LIMIT_HOLDER, u->pages);
}

uint64_t summary_pages_of_nobody(const struct summary *s)
{
	const uint64_t direct = s->classes[CLASS_DIRECT];

	return direct > s->counted_pages ? direct - s->counted_pages : 0;
}

static bool lacks_page_owners(const struct summary *s)
{
	return limit_of_class(CLASS_DIRECT,
			      units_tenths(summary_pages_of_nobody(s), s->ram_pages)) != NULL;
}

bool summary_lacks_owners(const struct summary *s)
{
	return s->classes && s->has_classes && !s->has_owner && !s->has_sites && s->ram_pages &&
	       (lacks_page_owners(s) || lacks_object_owners(s));
}

static bool is_much(const struct summary *s)
{
	static const enum page_class read[] = { CLASS_DIRECT, CLASS_PAGE_POOL, CLASS_SLAB,
						CLASS_VMALLOC };
	uint64_t pages = 0;

	for (size_t i = 0; i < ARRAY_SIZE(read); i++)
		pages += s->classes[read[i]];
	return pages << s->dump->page_shift > limit(LIMIT_GRAPH) << 20;
}

static void put(struct summary *s, struct holders *h, const struct holder *holder)
{
	const char *module = graph_owner_name(&h->graph, holder->owner);
	uint64_t pages = holder->bytes >> s->dump->page_shift;

	SUMMARY_ADD(s, .section = SECTION_CANDIDATE, .by = "root", .name = holder_name(h, holder),
		    .pages = { pages, true }, .bytes = { holder->bytes, true },
		    .confidence = { holder->walks / holder->bytes * 1000 / WALK_WHOLE, true },
		    .remark = holder_way(h, holder));
	if (!holder->owner)
		return;
	s->inferred_module = module;
	/* Bare pages have none. */
	if (strstr(holder_way(h, holder), "kmalloc-") && !types_of_module(s->dump, module))
		summary_none(s, arena_text(s->dump->arena, "structures of %s", module),
			     types_missing_text(s->dump, module));
}

/* What pages were not read may lead to what the rows have as well. */
static void put_gaps(struct summary *s, const struct holders *h)
{
	const struct graph_sources *of = &h->sources;

	if (of->problem)
		summary_unknown(s, "owners by pointers", NOT_IN_DUMP, "roots are missing: %s",
				of->problem);
	else if (holders_lack(h))
		summary_unknown(s, "owners by pointers", NOT_IN_DUMP,
				"pages with pointers are not in this dump");
}

enum status summary_inferred(struct summary *s)
{
	struct owner_view *v = s->view;
	struct largest largest = { .room = ROWS };
	struct holders *h;
	enum status st;

	if (!summary_lacks_owners(s))
		return ST_OK;
	s->next_graph = "memowner holders";
	if (lacks_object_owners(s) && s->largest_cache->cache->name)
		s->next_objects = s->largest_cache->cache->name;
	if (is_much(s))
		return ST_OK;
	h = dump_alloc(s->dump, sizeof(*h));
	st = owner_holders_open(v) ?: owner_holders_find(v, NULL, 0, h);
	if (st != ST_OK)
		return st;
	hash_u64_for_each(const struct holder, holder, &h->rows)
		if (summary_reaches(s, LIMIT_HOLDER, holder->bytes >> s->dump->page_shift))
			largest_add(&largest, holder->bytes, holder);
	for (unsigned int i = 0; i < largest.n; i++)
		put(s, h, largest.of[i].item);
	put_gaps(s, h);
	return ST_OK;
}

enum status summary_candidates(struct summary *s)
{
	const struct summary_case *c = s->of_case;
	unsigned int n = 0;

	if (!summary_lacks_owners(s) || !c || !c->has_modules)
		return ST_OK;
	for (const struct tainting_module *m = c->modules.first; m && n < ROWS; m = m->next) {
		if (!tainting_module_is_foreign(m) ||
		    (s->inferred_module && !strcmp(s->inferred_module, m->name)))
			continue;
		n++;
		SUMMARY_ADD(
			s, .section = SECTION_CANDIDATE, .by = "module", .name = m->name,
			.remark = arena_text(s->dump->arena,
					     "not of the kernel's source (%s); no "
					     "record says who has %s",
					     m->letters,
					     s->next_objects ? s->next_objects : "direct pages"));
	}
	return ST_OK;
}
