// SPDX-License-Identifier: GPL-2.0-or-later
/* The slab caches with the most pages. */
#include <inttypes.h>
#include <stdio.h>

#include "slab/slab_caches.h"
#include "summary.h"

#define ROWS 5

static const struct slab_use *largest_cache(const struct slab_caches *c,
					    const struct slab_use *before)
{
	const struct slab_use *best = NULL;
	bool behind = false;

	for (struct hash_bytes_entry *e = c->uses.first; e; e = e->next) {
		const struct slab_use *u = e->value;
		bool is_next = !before || u->pages < before->pages ||
			       (u->pages == before->pages && behind);

		behind |= u == before;
		if (u != before && is_next && u->pages && (!best || u->pages > best->pages))
			best = u;
	}
	return best;
}

enum status summary_put_caches(struct summary *s, const struct slab_caches *caches)
{
	const struct slab_use *u = NULL;
	char text[32];

	for (unsigned int i = 0; i < ROWS && (u = largest_cache(caches, u)); i++) {
		struct cell *row = summary_add(s, SECTION_CACHE);

		if (!row)
			return ST_NOMEM;
		s->has_caches = true;
		row[COL_NAME] = cell_text(slab_use_name(u));
		if (u->cache && u->cache->aliases) {
			snprintf(text, sizeof(text), "and %" PRIu32 " merged", u->cache->aliases);
			row[COL_REMARK] = cell_text(arena_strdup(s->dump->arena, text));
		}
		row[COL_PAGES] = cell_uint(u->pages);
		row[COL_BYTES] = cell_uint(u->pages << s->dump->page_shift);
	}
	return s->pages_missing && !s->has_caches ? summary_fail_missing(s) : ST_OK;
}
