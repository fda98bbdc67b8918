// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the next boot could record of the memory whose owner is unknown: one option that this kernel has, and
 * what it takes.
 */
#include "alloctag/state.h"
#include "collect/boot_costs.h"
#include "summary.h"
#include "verdict_words.h"
#include "pageowner/view.h"

/* Whether there is so much that its owner is a question. */
static bool is_much(const struct summary *s, uint64_t pages)
{
	return s->has_classes && s->ram_pages && summary_reaches(s, LIMIT_HOLDER, pages);
}

static void put(struct summary *s, const char *option, struct maybe_u64 bytes, const char *of)
{
	SUMMARY_ADD(s, .section = SECTION_BOOT, .name = option, .bytes = bytes, .remark = of);
}

/* Who allocated direct pages. */
static bool ask_of_pages(struct summary *s)
{
	struct owner_view *v = s->view;
	struct memmap *m = &v->owner.ext.memmap;
	const struct ram *ram = &v->owner.ram;
	const char *of = "tells who allocates direct pages";

	if (!is_much(s, summary_pages_of_nobody(s)) || v->has_owner || s->has_sites ||
	    v->records_unknown)
		return false;
	if (v->owner_why == OFF_AT_BOOT)
		put(s, "page_owner=on", page_owner_cost(s->dump, m, ram), of);
	else if (v->owner_why == NOT_BUILT && s->sites_why == OFF_AT_BOOT)
		put(s, PROFILING_OPTION "=1", profiling_cost(s->dump, m, ram, s->slab_objects), of);
	else if (v->owner_why == NOT_BUILT && s->sites_why == NOT_BUILT &&
		 !summary_has_roots(s, CLASS_DIRECT))
		put(s, NULL, (struct maybe_u64){ 0 },
		    "who allocates direct pages: this kernel has no boot option that tells it; "
		    "a kernel built with CONFIG_PAGE_OWNER has page_owner=on");
	else
		return false;
	return true;
}

/* Who allocated the objects of the largest cache. A cache of many names is one without only for all. */
static void ask_of_objects(struct summary *s)
{
	const struct slab_use *u = s->largest_cache;
	bool is_one = u && u->cache && u->cache->has_aliases && !u->cache->aliases &&
		      u->cache->kind;
	struct maybe_u64 cost;

	if (s->has_sites || summary_is_of_exception(s) || !u || !u->cache ||
	    !is_much(s, u->pages) || u->cache->has_tracks || s->tells_objects ||
	    summary_has_roots(s, CLASS_SLAB))
		return;
	cost = is_one ? tracks_cost(s->dump, u->objects, u->cache->address, u->cache->size)
		      : tracks_cost(s->dump, s->slab_objects, 0, 0);
	if (!cost.known)
		return;
	put(s,
	    is_one ? arena_text(s->dump->arena, "slub_debug=U,%s", u->cache->kind) : "slub_debug=U",
	    cost,
	    arena_text(s->dump->arena, "tells who allocates objects of %s, and slows %s%s",
		       u->cache->kind ?: "the largest cache", is_one ? "it" : "all caches",
		       cost.n >> s->dump->page_shift < s->ram_pages / 2
			       ? ""
			       : "; with that memory runs out earlier"));
}

enum status summary_next_boot(struct summary *s)
{
	if (s->classes && !ask_of_pages(s))
		ask_of_objects(s);
	return ST_OK;
}
