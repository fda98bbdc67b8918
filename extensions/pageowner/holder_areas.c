// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner holders -f module=X: what X asked of vmalloc() is known of its areas, whoever has their addresses. */
#include "holders.h"

#include "cli/filter_seen.h"
#include "vm/vmalloc.h"

struct made {
	struct owner_view *v;
	const struct filter *of;
	uint64_t areas, pages;
};

static enum status add_area(void *arg, const struct vm_area *area)
{
	struct made *m = arg;
	const struct frame *frame;

	if (!vm_area_owns(area) || !area->caller || !area->nr_pages)
		return ST_OK;
	frame = symbolize(&m->v->stacks.symbols, area->caller);
	if (!frame || frame->label == LABEL_GONE || frame->label == LABEL_UNKNOWN ||
	    !frame->module || !filter_names(m->of, frame->module))
		return ST_OK;
	m->areas++;
	m->pages += area->nr_pages;
	return ST_OK;
}

/* Bytes of the rows that filters kept. */
static uint64_t kept_bytes(const struct table *t)
{
	const size_t bytes = table_index(t, COLUMN_bytes);
	uint64_t sum = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i][bytes].kind == CELL_UINT)
			sum += t->rows[i][bytes].u;
	return sum;
}

void owner_holders_areas(struct owner_view *v)
{
	const struct cmdline *in = v->in;
	const uint64_t kept = kept_bytes(&in->table);
	struct vm_layout layout;

	for (unsigned int i = 0; i < in->filters.n; i++) {
		const struct filter *f = &in->filters.filters[i];
		struct made m = { .v = v, .of = f };

		if (f->exclude || in->keys[f->key].column != COLUMN_module || !f->first)
			continue;
		if (!v->has_depot)
			symbolizer_open(v->dump, &v->stacks.symbols);
		/* What is missing makes the sum smaller: it is told as at least that. */
		if (vm_layout_open(v->dump, &layout) == ST_OK)
			vm_areas_walk(&layout, add_area, &m);
		if (m.pages << v->page_shift <= kept + kept / 10)
			continue;
		report_warn(
			&v->report,
			"%s of vmalloc with %s note a function of %s as the one that made them: "
			"memowner vmalloc -f module=%s; here memory is of what leads to it",
			COUNT_OF(m.areas, "area"), SIZE_TEXT(m.pages << v->page_shift),
			f->first->next ? "these" : f->first->typed, f->seen->values);
	}
}
