// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/page_words.h"

bool page_words_name(const struct graph *g, uint64_t word, uint64_t *pfn)
{
	if (!g->page_bytes || word < g->pages)
		return false;
	*pfn = (word - g->pages) / g->page_bytes;
	return *pfn < g->end && (word - g->pages) % g->page_bytes <= PAGE_TAGS &&
	       !g->page_spans[*pfn];
}

void page_words_note(struct graph *g, uint32_t node, uint64_t word)
{
	struct page_words *last = g->page_words.n ? chunks_at(&g->page_words, g->page_words.n - 1)
						  : NULL;
	uint64_t pfn;

	if (!page_words_name(g, word, &pfn))
		return;
	if (!last || last->node != node) {
		last = chunks_add(&g->page_words);
		if (!last) {
			g->lacks_page_words = true;
			return;
		}
		last->node = node;
	}
	last->n++;
}
