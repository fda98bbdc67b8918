// SPDX-License-Identifier: GPL-2.0-or-later
#include "buddy/mixed_blocks.h"

#include "buddy/free_area.h"

void mixed_block_add(struct mixed_block *m, unsigned int type, const struct mixed_page *page)
{
	/* The kernel leaves a pageblock at the first allocation of another type. */
	if (m->is_mixed || page->pfn < m->next)
		return;
	/* Behind an unknown page it is unknown which pages the kernel does not look at. */
	if (page->is_unknown)
		m->is_unknown = true;
	if (m->is_unknown)
		return;
	if (page->is_free) {
		if (page->order < FREE_AREA_ORDERS)
			m->next = page->pfn + (1ULL << page->order);
		return;
	}
	if (page->is_reserved || !page->is_allocated)
		return;
	m->is_mixed = page->type != type;
	if (!m->is_mixed && page->order < FREE_AREA_ORDERS)
		m->next = page->pfn + (1ULL << page->order);
}
