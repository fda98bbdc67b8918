// SPDX-License-Identifier: GPL-2.0-or-later
/* Two large caches whose owners are unknown: as many objects of both may be of one thing that is made again and again. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "slab/slab_caches.h"

#define NEAR_PERCENT 2 /* so much may their numbers differ */

static uint64_t objects_of(const struct summary *s, unsigned int i)
{
	return s->caches[i].use && s->caches[i].row ? s->caches[i].use->taken : 0;
}

/* "2 objects of kmalloc-8k; ...": whether the text names them so. */
static bool names(const char *text, const char *cache)
{
	const char *at = strstr(text, " objects of ");
	const size_t n = cache ? strlen(cache) : 0;

	at = at ? at + strlen(" objects of ") : NULL;
	return at && n && !strncmp(at, cache, n) && (!at[n] || strchr(";, ", at[n]));
}

const char *summary_twin_cache(const struct summary *s, const char *text)
{
	uint64_t of = 0;

	for (unsigned int i = 0; i < SUMMARY_CACHES; i++)
		if (objects_of(s, i) && names(text, s->caches[i].row->name))
			of = objects_of(s, i);
	for (unsigned int i = 0; of && i < SUMMARY_CACHES; i++) {
		const uint64_t n = objects_of(s, i);
		const struct statement *row = n ? s->caches[i].row : NULL;

		if (!row || names(text, row->name) || !row->name || row->keeper || row->kept_by ||
		    !summary_reaches(s, LIMIT_HOLDER, row->pages.n) ||
		    (n > of ? n - of : of - n) * 100 > of * NEAR_PERCENT)
			continue;
		return dump_text(
			s->dump,
			"; %s, whose owner is unknown too, has as many, %s objects of %s: perhaps of "
			"the same",
			row->name, COUNT_TEXT(n), summary_size(s, row->pages.n));
	}
	return "";
}
