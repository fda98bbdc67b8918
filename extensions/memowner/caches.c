// SPDX-License-Identifier: GPL-2.0-or-later
/* The slab caches with the most pages. */
#include "pageowner/view.h"
#include "slab/slab_caches.h"
#include "summary.h"

static void add(struct summary *s, struct largest *largest, const struct slab_use *u)
{
	s->slab_objects += u->objects;
	if (u->pages)
		largest_add(largest, u->pages, u);
}

enum status summary_put_caches(struct summary *s, struct slab_caches *caches)
{
	struct largest largest = { .room = SUMMARY_CACHES };

	slab_caches_close(caches);
	for (const struct hash_bytes_entry *e = caches->uses.first; e; e = e->next)
		add(s, &largest, (const struct slab_use *)e->value);
	s->largest_cache = largest.n ? largest.of[0].item : NULL;
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct slab_use *u = largest.of[i].item;
		bool is_large = summary_reaches(s, LIMIT_HOLDER, u->pages);
		const char *merged = u->cache ? slab_merged_text(s->dump, u->cache, is_large)
					      : NULL;

		s->has_caches = true;
		SUMMARY_ADD(s, .section = SECTION_CACHE, .name = slab_use_name(u),
			    .pages = { u->pages, true }, .remark = merged);
		s->caches[i].use = u;
		s->caches[i].row = s->last[SECTION_CACHE];
	}
	return s->pages_missing && !s->has_caches ? summary_fail_missing(s) : ST_OK;
}
