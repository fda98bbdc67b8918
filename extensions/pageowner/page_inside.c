// SPDX-License-Identifier: GPL-2.0-or-later
/* pageowner ADDR: the address of a member of a struct page, as its list head, is not that of the page. */
#include "view.h"

#include "vm/address.h"

const char *owner_page_inside(struct owner_view *v, const struct address *a, uint64_t end)
{
	struct page_to_pfn f;
	uint64_t pfn;

	if (a->kind != ADDRESS_KERNEL || a->pages != 1 ||
	    page_to_pfn_open(v->dump, &v->owner.ext.memmap, end, &f) != ST_OK ||
	    page_to_pfn_find(&f, a->value, &pfn) == ST_OK)
		return NULL;
	for (uint64_t n = 1; n < f.page_bytes && n < dump_page_size(v->dump) && n < a->value; n++)
		if (page_to_pfn_find(&f, a->value - n, &pfn) == ST_OK)
			return dump_text(
				v->dump,
				"%#lx is %lu bytes inside of the struct page at %#lx, that of pfn:0x%lx",
				a->value, n, a->value - n, pfn);
	return NULL;
}
