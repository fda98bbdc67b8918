// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memowner pages -t list: pages in use by their struct page in rising order, a row for those side by side that
 * are alike in all that is shown.  Nothing is kept but the row that grows.
 */
#include "holders.h"
#include "memory.h"
#include "pages/page_flags.h"
#include "select.h"

struct run {
	uint64_t pfn, pages;
	uint64_t words[OWNER_KEYS]; /* VALUE_UNKNOWN of keys that nothing needs */
	uint64_t flags, head;	    /* 0 where nothing needs them */
	enum page_type type;	    /* the same: PAGE_TYPE_OTHER */
	uint64_t walks;		    /* of holders: of WALK_WHOLE, of all pages */
};

struct page_list {
	struct owner_view *v;
	struct owner_select select;
	size_t keys[OWNER_KEYS], nkeys; /* that a column needs */
	bool has_flags, has_head, has_type;
	struct pageflags names;
	bool has_names;
	struct run run; /* pages is 0: none */
	uint64_t limit; /* rows to show, 0: all */
	uint64_t left_out;
	struct memory_gaps gaps;
	uint64_t visited;
};

#define ROW struct run
#define LIST struct page_list
#define KEY(KEY) CELL_OF(word_cell, KEY)
#define NAME(KEY) CELL_OF(name_cell, KEY)

static struct cell word_cell(const void *record, void *list, unsigned int key)
{
	return owner_value_cell(((const LIST *)list)->v, key, ((const ROW *)record)->words[key]);
}

/* Of what has none the key is "[CLASS]", which in text stands in its own column. */
static struct cell name_cell(const void *record, void *list, unsigned int key)
{
	const struct cell name = word_cell(record, list, key);
	const struct owner_view *v = ((const LIST *)list)->v;
	const char *word = cell_words(&name);
	struct cell class;

	if (v->in->opts.json || !word || *word != '[')
		return name;
	class = word_cell(record, list, KEY_CLASS);
	return cell_words(&class) && !strcmp(word, dump_text(v->dump, "[%s]", cell_words(&class)))
		       ? cell_text("")
		       : name;
}

static const char *flags_of(LIST *l, const ROW *r)
{
	char text[PAGEFLAGS_TEXT];

	if (!l->has_names)
		return NULL;
	pageflags_text(&l->names, r->flags, text);
	return dump_text(l->v->dump, "%s", text);
}

/* The holder of its pages; NULL: not asked for, unknown, or they are of another class than direct. */
static const char *inferred(const ROW *run, void *list)
{
	const struct cell c = word_cell(run, list, KEY_HOLDER);
	const char *word = cell_words(&c);

	return word && *word != '[' ? word : NULL;
}

/* In text what is inferred has a mark. */
static struct cell holder_cell(const void *record, void *list)
{
	struct owner_view *v = ((LIST *)list)->v;
	const char *word = inferred(record, list);

	return !word || v->in->opts.json ? name_cell(record, list, KEY_HOLDER)
					 : cell_text(dump_text(v->dump, "~%s", word));
}

CELL_WITH(bytes_cell, ROW, LIST, cell_uint(r->pages << v->v->page_shift))
CELL_WITH(phys_cell, ROW, LIST, cell_hex(r->pfn << v->v->page_shift))
CELL_WITH(flags_cell, ROW, LIST, cell_text(flags_of(v, r)))
CELL_WITH(basis_cell, ROW, LIST, cell_text(inferred(r, v) ? "inferred" : "derived"))
CELL_FROM(type_cell, ROW, cell_text(page_type_name(r->type)))
CELL_FROM(confidence_cell, ROW,
	  cell_if(r->walks, cell_uint(r->walks / r->pages * 1000 / WALK_WHOLE)))

static const struct view_column columns[] = {
	{ COLUMN_pfn, IN_BOTH | KNOWN, "of the first page", UINT_OF(ROW, pfn) },
	{ COLUMN_phys, KNOWN, "of the first page", CELL_BY(phys_cell) },
	{ COLUMN_pages, IN_BOTH | KNOWN, .width = 7, UINT_OF(ROW, pages) },
	{ COLUMN_bytes, IN_BOTH | KNOWN, .width = 7, CELL_BY(bytes_cell) },
	{ COLUMN_class, IN_BOTH, .width = 8, .choices = page_class_names + 1, KEY(KEY_CLASS) },
	{ COLUMN_type, 0, CELL_BY(type_cell) },
	{ COLUMN_head_pfn, 0, "with it rows end where a compound page does", UINT_OF(ROW, head) },
	{ COLUMN_page_flags, 0, "of the first one of a compound page", CELL_BY(flags_cell) },
	{ COLUMN_block_migratetype, 0, KEY(KEY_BLOCK_MIGRATETYPE) },
	{ COLUMN_node, IN_JSON, KEY(KEY_NODE) },
	{ COLUMN_zone, IN_JSON, KEY(KEY_ZONE) },
	{ COLUMN_memcg, IN_JSON, .width = 16, KEY(KEY_MEMCG) },
	{ COLUMN_cache, IN_BOTH, .width = 24, NAME(KEY_CACHE) },
	{ COLUMN_file, IN_BOTH, NAME(KEY_FILE) },
	{ COLUMN_mapper, 0, .width = 16, NAME(KEY_MAPPER) },
	{ COLUMN_holder, 0, CELL_BY(holder_cell) },
	{ COLUMN_confidence, 0, "of a holder", CELL_BY(confidence_cell) },
	BASIS_ASKED(basis_cell, "inferred where holder is shown and known"),
};

static enum status put_run(LIST *l)
{
	struct owner_view *v = l->v;
	const struct table *t = &v->in->table;
	/* What is neither shown nor filtered is looked at for what a filter did not find. */
	struct cell cells[VIEW_COLUMNS] = { 0 };
	const ROW run = l->run;

	l->run.pages = 0;
	if (!run.pages)
		return ST_OK;
	if (!owner_selects_group(&l->select, run.pages << v->page_shift)) {
		l->select.kept -= run.pages;
		return ST_OK;
	}
	if (v->in->filters.nrows || !l->limit || v->report.rows_shown < l->limit)
		row_fill(t, &run, l, cells);
	if (v->in->filters.nrows && !table_keeps(t, &v->in->filters, cells)) {
		l->left_out++;
		return ST_OK;
	}
	v->report.rows_total++;
	if (l->limit && v->report.rows_shown == l->limit)
		return ST_OK;
	v->report.rows_shown++;
	if (v->in->opts.json)
		table_json_row(t, v->out, cells);
	else
		table_stream_row(t, v->out, cells);
	return v->out->closed ? ST_STOPPED : ST_OK;
}

static bool are_alike(const LIST *l, const ROW *a, const ROW *b)
{
	return a->type == b->type && a->head == b->head && a->flags == b->flags &&
	       !ANY_OF(i, l->nkeys, a->words[l->keys[i]] != b->words[l->keys[i]]);
}

static enum status add_page(void *arg, const struct owner_page *page)
{
	LIST *l = arg;
	struct run *run = &l->run, next = { .pfn = page->pfn, .pages = 1 };
	enum page_class class = CLASS_UNKNOWN;
	enum status st = ST_OK;
	uint16_t confidence = 0;
	struct page_facts f;

	l->visited++;
	page_facts_init(l->v, page, &f);
	if (!memory_class(l->v, page, &f.info, &class)) {
		l->gaps.unreadable++;
		return ST_OK;
	}
	f.has_info = INFO_KNOWN;
	l->gaps.unknown += class == CLASS_UNKNOWN;
	if (class == CLASS_BUDDY || class == CLASS_PCP || class == CLASS_FREE ||
	    !owner_selects(&l->select, &f))
		return ST_OK;
	memset(next.words, 0xff, sizeof(next.words));
	for (size_t i = 0; i < l->nkeys; i++)
		next.words[l->keys[i]] = owner_value(&f, l->keys[i]);
	next.flags = l->has_flags ? f.info.head_flags : 0;
	next.head = l->has_head ? f.info.head : 0;
	next.type = l->has_type ? f.info.state : PAGE_TYPE_OTHER;
	if (l->v->holders)
		owner_page_holder(&f, &confidence);
	next.walks = confidence;
	if (run->pages && run->pfn + run->pages == page->pfn && are_alike(l, run, &next)) {
		run->pages++;
		run->walks += confidence;
		return ST_OK;
	}
	st = put_run(l);
	*run = next;
	return st;
}

static void open_columns(LIST *l)
{
	const struct owner_view *v = l->v;
	const struct table *t = &v->in->table;

	for (size_t key = 0; key < OWNER_KEYS; key++)
		if (owner_key_is_of_page(key) && key != KEY_PFN && key != KEY_PHYS &&
		    table_needs(t, owner_keys[key].column))
			l->keys[l->nkeys++] = key;
	l->has_type = table_needs(t, COLUMN_type);
	l->has_head = table_needs(t, COLUMN_head_pfn);
	l->has_flags = table_needs(t, COLUMN_page_flags);
	l->has_names = l->has_flags && pageflags_open(v->dump, &l->names) == ST_OK;
	if (l->has_flags && !l->has_names)
		dump_lacks(v->dump, "names of page flags", ST_UNKNOWN, "%s", v->dump->error);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	LIST *l = dump_alloc(v->dump, sizeof(*l));
	struct scan_stats cov = { .ram_pages = v->owner.ram.pages };
	enum status st;

	if (!memory_has_classes(v))
		return ST_OK;
	l->v = v;
	l->limit = v->in->opts.has_rows ? v->in->opts.rows : 0;
	open_columns(l);
	owner_select_init(v, &l->select);
	/* No record says that a page is allocated. */
	l->select.free = true;
	if (!v->in->opts.json)
		table_stream_header(&v->in->table, v->out);
	st = memory_scan(v, &cov, add_page, l);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	put_run(l);
	if (v->holders)
		owner_holders_trust(v, v->holders);
	report_rest(&v->report, v->report.rows_total - v->report.rows_shown, "row", "rows", NULL);
	report_columns_kept(&v->report, l->left_out);
	if (!v->in->opts.json && v->in->filters.n)
		owner_view_kept(v, &l->select);
	owner_tell_classes(v);
	memory_end(v, &cov, st, &l->gaps, l->visited, NULL);
	return st;
}

static enum status open_list(void *arg, enum availability *why)
{
	struct owner_view *v = arg;

	v->any_kernel = v->groups_pages = v->of_pages = true;
	return owner_view_open(v, why);
}

const struct view owner_page_list_view = { "list",
					   "-t list",
					   COLUMNS_OF(columns),
					   .has_groups = true,
					   .filters_rows = true,
					   .open = open_list,
					   .show = show };
