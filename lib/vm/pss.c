// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/pss.h"

#include "dump/pointer.h"

#define PSS_SHIFT 12 /* fractions of a byte that the kernel sums (fs/proc/task_mmu.c) */

enum status pss_open(struct dump *d, struct pss_reader *ret)
{
	return memmap_open(d, &ret->memmap) ?: page_types_open(d, &ret->memmap, &ret->types) ?:
		page_mapcounts_open(&ret->types, &ret->counts) ?: page_tables_open(d, &ret->tables);
}

#define AREA_PAGES (1ULL << 50) /* of an area of swap, more than an entry has bits for */

enum status pss_look_at_swap(struct pss_reader *p)
{
	struct dump *d = p->types.dump;
	uint64_t areas, place;
	enum status st = dump_value(d, "nr_swapfiles", &areas);

	if (st == ST_OK && !page_tables_swap_place(&p->tables, 0, &place))
		return dump_absent(d, "no entries of swap of a known architecture");
	if (st == ST_OK && areas > UINT64_MAX / AREA_PAGES)
		st = dump_corrupt(d, "nr_swapfiles: %lu", areas);
	if (st != ST_OK)
		return st;
	p->areas = areas;
	p->in_swap = dump_alloc(d, sizeof(*p->in_swap));
	pfnset_init(p->in_swap, d->arena, areas * AREA_PAGES);
	return ST_OK;
}

struct walk {
	struct pss_reader *p;
	uint64_t pages, fractions, anon, alone, anon_alone, merged, merged_part, swapped, huge;
	unsigned int span; /* of the entry that maps the page */
};

/* Types behind those of areas are of pages that migrate, and others. */
static enum status visit_kept(void *arg, uint64_t entry)
{
	struct walk *w = arg;
	uint64_t type, place;

	if (!page_tables_swap_type(&w->p->tables, entry, &type) || type >= w->p->areas ||
	    !page_tables_swap_place(&w->p->tables, entry, &place))
		return ST_OK;
	w->swapped++;
	pfnset_add(w->p->in_swap, type * AREA_PAGES + place);
	return ST_OK;
}

static enum status visit(void *arg, uint64_t phys)
{
	struct walk *w = arg;
	struct dump *d = w->p->types.dump;
	uint64_t pfn = phys >> d->page_shift;
	struct page_info info;
	uint32_t n;
	enum status st = page_type_at(&w->p->types, pfn, &info);

	/* Memory of a device, mapped by remap_pfn_range(). */
	if (st == ST_ABSENT || (st == ST_OK && info.state == PAGE_TYPE_HUGETLB))
		return ST_OK;
	st = st ?: page_mapcount(&w->p->counts, pfn, &info, &n);
	if (st != ST_OK)
		return dump_fail(d, st, "the struct page of pfn %#lx is not known", pfn);
	/* No mapping of the zero page, of a huge one, or of vvar is counted. */
	if (!n)
		return ST_OK;
	w->pages++;
	w->fractions += (dump_page_size(d) << PSS_SHIFT) / n;
	w->alone += n == 1;
	if (info.state == PAGE_TYPE_ANON) {
		w->anon += (dump_page_size(d) << PSS_SHIFT) / n;
		w->anon_alone += n == 1;
		w->huge += w->span > d->page_shift;
	}
	if (info.is_merged) {
		w->merged++;
		w->merged_part += (dump_page_size(d) << PSS_SHIFT) / n;
	}
	return ST_OK;
}

enum status pss_read(struct pss_reader *p, uint64_t pgd, struct pss *ret)
{
	struct walk w = { .p = p };
	struct dump *d = p->types.dump;
	struct page_tables tables = p->tables;
	enum status st = dump_pointer_phys(d, pgd, "the first page table of a process",
					   &tables.top);

	if (st != ST_OK)
		return st;
	return RESULT(page_tables_entries(d, &tables, 0, 1ULL << tables.sign_bit, visit,
					  p->in_swap ? visit_kept : NULL, &w, &w.span),
		      ret,
		      (struct pss){ .pages = w.pages,
				    .bytes = w.fractions >> PSS_SHIFT,
				    .anon_bytes = w.anon >> PSS_SHIFT,
				    .alone = w.alone,
				    .anon_alone = w.anon_alone,
				    .merged = w.merged,
				    .merged_bytes = w.merged_part >> PSS_SHIFT,
				    .swapped = w.swapped,
				    .anon_huge = w.huge });
}
