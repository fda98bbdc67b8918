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

void page_words_window(const struct graph *g, struct read_window *ret)
{
	read_window_init(ret, g->dump);
	read_window_table(ret, UINT64_MAX & ~(dump_page_size(g->dump) - 1));
}

void page_words_each(const struct graph *g, struct read_window *window, uint32_t node,
		     void (*visit)(void *arg, uint64_t at, uint64_t pfn), void *arg)
{
	const struct span *s = graph_span_of(g, node);
	const uint64_t size = dump_page_size(g->dump), start = span_address(s, node),
		       end = start + s->stride;

	for (uint64_t at = start, len; at + 8 <= end; at += len) {
		const uint8_t *p;
		uint64_t pfn;

		len = size - (at & (size - 1));
		len = len < end - at ? len : end - at;
		p = read_window_at(window, at, len);
		for (uint64_t i = 0; p && i + 8 <= len; i += 8)
			if (page_words_name(g, le64(p + i), &pfn))
				visit(arg, at + i, pfn);
	}
}
