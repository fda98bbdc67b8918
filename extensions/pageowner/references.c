// SPDX-License-Identifier: GPL-2.0-or-later
#include "references.h"

#include "holders/references.h"
#include "holders.h"

#define TEXT_WORDS 10	/* that text has: more is a list, not an answer */
#define JSON_WORDS 1000 /* of a variable that everything refers to there is no end */

struct references {
	struct owner_view *v;
	struct holders h;
	bool has_told;
	struct reference words[JSON_WORDS];
};

/* A word; or who keeps the memory, by all words. */
struct reference_row {
	uint64_t address, leads_to, confidence;
	const char *name, *module, *root, *way;
	bool is_inferred, has_byte;
};

#define ROW struct reference_row

CELL_FROM(basis_cell, ROW, cell_text(r->is_inferred ? "inferred" : "derived"))

static const struct view_column columns[] = {
	{ COLUMN_address, IN_JSON, "of the word", HEX_NONZERO(ROW, address) },
	{ COLUMN_reference, IN_JSON, TEXT_OF(ROW, name) },
	{ COLUMN_leads_to, IN_JSON, UINT_IF(ROW, leads_to, has_byte) },
	{ COLUMN_root, IN_JSON, TEXT_OF(ROW, root) },
	{ COLUMN_module, IN_JSON, "of the root, or vmlinux", TEXT_OF(ROW, module) },
	{ COLUMN_way, IN_JSON, TEXT_OF(ROW, way) },
	BASIS_BY(basis_cell, "a word that leads there is derived, who keeps the memory inferred"),
	{ COLUMN_confidence, IN_JSON, UINT_IF(ROW, confidence, is_inferred) },
};

const struct view references_view = { "page-reference", "ADDR", COLUMNS_OF(columns),
				      .command = "memowner" };

struct references *references_open(struct owner_view *v, const uint64_t *addresses, size_t n)
{
	struct references *x = dump_alloc(v->dump, sizeof(*x));
	enum status st = owner_holders_open(v)
				 ?: owner_holders_find_watched(v, addresses, n, &x->h);

	x->v = v;
	if (st == ST_OK)
		owner_holders_gaps(v, &x->h);
	else if (st != ST_STOPPED)
		report_unknown(&v->report, "what leads to the address", availability_of(st), "%s",
			       v->dump->error);
	return st == ST_OK ? x : NULL;
}

/* "    0xffff888001234548  kmalloc-64 0xffff888001234540+0x8, to byte 0x10" */
static void put_word(struct references *x, const struct reference *r)
{
	struct owner_view *v = x->v;
	struct reference_row row = {
		.address = r->address,
		.name = reference_name(&x->h, r),
		.leads_to = r->to,
		.has_byte = !(r->to & PLACE_PAGE),
	};

	if (v->in->opts.json) {
		rows_put_record(&v->report, &references_view, &row, v);
		return;
	}
	sink_printf(v->out, "    0x%lx  %s", row.address, row.name);
	if (!row.has_byte)
		sink_text(v->out, ", by its struct page");
	else if (r->is_dma)
		sink_text(v->out, ", by its DMA address");
	else if (row.leads_to)
		sink_printf(v->out, ", to byte 0x%lx", row.leads_to);
	sink_text(v->out, "\n");
}

static size_t most_words(const struct references *x)
{
	return x->v->in->opts.json ? JSON_WORDS : TEXT_WORDS;
}

/* The first n of x->words, of total. */
static void put_words(struct references *x, size_t n, uint64_t total)
{
	struct owner_view *v = x->v;
	bool json = v->in->opts.json;

	if (!json && total)
		sink_printf(v->out, "  %s there:\n",
			    PLURAL_TEXT(total, "word leads", "words lead"));
	else if (!json)
		sink_text(v->out, holders_lack(&x->h) ? "  no word that was read leads there\n"
						      : "  no word that is followed leads there\n");
	for (size_t i = 0; i < n; i++)
		put_word(x, &x->words[i]);
	if (total > n && json)
		report_warn(&v->report, "%s there, the first %zu are told",
			    PLURAL_TEXT(total, "word leads", "words lead"), n);
	else if (total > n)
		sink_printf(v->out, "    ... %s\n", COUNT_OF(total - n, "more word"));
}

/* Who keeps it, as far as it is known; the share of walks back that agree is the confidence. */
static struct reference_row holder_of(struct references *x, uint32_t node)
{
	struct holders *h = &x->h;
	const struct walk_end *e = &h->ends[node];
	struct holder row = holders_row_of(h, node);
	struct reference_row ret = { .is_inferred = true,
				     .confidence = e->parts[0] * 1000ULL / WALK_WHOLE };

	if (row.owner != OWNER_NOBODY) {
		ret.root = holder_name(h, &row);
		ret.module = graph_owner_name(&h->graph, row.owner);
		ret.way = holder_way(h, &row);
	}
	return ret;
}

static void put_holder(struct references *x, uint32_t node)
{
	struct owner_view *v = x->v;
	const struct walk_end *e = &x->h.ends[node];
	struct reference_row row = holder_of(x, node);
	uint64_t tenths = row.confidence;
	const char *ends = holders_ends_text(v->dump->arena, &x->h, node);

	if (v->in->opts.json) {
		if (e->parts[0])
			rows_put_record(&v->report, &references_view, &row, v);
		return;
	}
	if (row.way)
		sink_printf(v->out, "  ~kept by %s: %lu.%lu%% of walks back agree\n", row.way,
			    tenths / 10, tenths % 10);
	else if (ends)
		sink_printf(v->out, "  ~the owner is unknown: %s\n", ends);
	else if (holders_reach(&x->h, node))
		sink_text(v->out,
			  "  ~the owner is unknown: words that few of its kind have lead there\n");
	else
		sink_text(
			v->out,
			holders_lack(&x->h)
				? "  ~the owner is unknown: words that may lead there are missing\n"
				: "  ~no root that is known leads there\n");
}

/* Of a page of processes or files: who has a list of pointers to its struct page, as what pinned it does. */
static void put_lists(struct references *x, uint64_t pfn)
{
	struct owner_view *v = x->v;
	uint64_t total;
	const size_t n = references_to_page(&x->h.graph, pfn, x->words, most_words(x), &total);
	struct reference_row row;

	if (!total)
		return;
	x->has_told = true;
	put_words(x, n, total);
	row = holder_of(x, x->words[0].node);
	if (v->in->opts.json)
		rows_put_record(&v->report, &references_view, &row, v);
	else if (row.way)
		sink_printf(v->out, "  ~named by the list at 0x%lx of %s\n", x->words[0].address,
			    row.way);
}

void references_put(struct references *x, uint64_t address)
{
	const struct graph *g = &x->h.graph;
	const uint64_t pfn = (address - g->linear) >> g->dump->page_shift;
	const struct span *span;
	uint32_t node, place;
	uint64_t total;
	size_t n;

	if (pfn < g->end && !g->page_spans[pfn]) {
		/* The array of struct page begins with that of page 0: vmemmap_base and its like name a range, not the page. */
		if (pfn)
			put_lists(x, pfn);
		return;
	}
	if (!graph_find(&x->h.graph, address, &span, &node, &place) || graph_is_root(span))
		return;
	x->has_told = true;
	n = references_to(g, node, x->words, most_words(x), &total);
	put_words(x, n, total);
	/* What is free has no keeper, whatever word is left of it. */
	if (!hash_u64_has(&x->h.graph.revived, node))
		put_holder(x, node);
}

void references_end(struct references *x)
{
	if (x && x->has_told)
		owner_holders_limits(x->v);
}
