// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who keeps memory of which there is no record, by the graph of pointers: variables, stacks and
 * objects of modules, by what they alone lead to. All of it is inferred.
 */
#include "holders.h"

#include "holders/alike.h"
#include "holders/page_lists.h"
#include "holders/way_root.h"

struct holder_row {
	const struct holder *of;
	const char *root, *module, *part, *way;
	uint64_t bytes, pages, objects, part_bytes, part_objects;
	uint64_t confidence; /* tenths of a percent */
	bool has_confidence;
};

#define ROW struct holder_row

struct holders_view {
	struct owner_view *v;
	struct holders *h;
	struct page_lists lists; /* none where they are unknown */
};

/* In text each line of what is inferred begins with a mark. */
CELL_WITH(root_cell, ROW, const struct holders_view,
	  cell_text(v->v->in->opts.json ? r->root : dump_text(v->v->dump, "~%s", r->root)))

static const struct view_column columns[] = {
	{ COLUMN_root, IN_BOTH, .width = 24, CELL_BY(root_cell) },
	{ COLUMN_bytes, IN_BOTH, "that no other root leads to", UINT_OF(ROW, bytes) },
	{ COLUMN_ram_percent, IN_TEXT, SHARE_OF(ROW, pages) },
	{ COLUMN_objects, IN_BOTH, "and allocations of pages", UINT_OF(ROW, objects) },
	{ COLUMN_root_kind, IN_BOTH, VIA(NAME, ROW, of, kind, .names = holder_kind_names) },
	{ COLUMN_module, IN_JSON, "that the root is of, or vmlinux", TEXT_OF(ROW, module) },
	{ COLUMN_most, IN_BOTH, TEXT_OF(ROW, part) },
	{ COLUMN_most_bytes, IN_JSON, UINT_OF(ROW, part_bytes) },
	{ COLUMN_most_objects, IN_JSON, UINT_OF(ROW, part_objects) },
	{ COLUMN_way, IN_BOTH, TEXT_OF(ROW, way) },
	BASIS(inferred),
	{ COLUMN_confidence, IN_BOTH, UINT_IF(ROW, confidence, has_confidence) },
};

static const struct key holder_keys[] = {
	{ COLUMN_root, "name of the root", KEY_FILTERS, .also = COLUMN_holder },
	{ COLUMN_module, "module of the root, or vmlinux", KEY_FILTERS },
	{ COLUMN_most, "largest part of what it keeps", KEY_FILTERS },
	{ COLUMN_bytes, "bytes that it alone keeps", KEY_FILTERS },
};

/* What the rows do not have, and how far words can be trusted. */
struct total_row {
	const char *name;
	uint64_t bytes, pages, objects, of_objects;
	bool is_memory, has_bytes, has_objects;
};

#define TOTAL struct total_row

CELL_WITH(total_cell, TOTAL, const struct holders_view,
	  cell_text(!r->is_memory || v->v->in->opts.json ? r->name
							 : dump_text(v->v->dump, "~%s", r->name)))

CELL_FROM(total_basis_cell, TOTAL, cell_text(r->is_memory ? "inferred" : "derived"))

static const struct view_column total_columns[] = {
	{ COLUMN_name, IN_BOTH, CELL_BY(total_cell) },
	{ COLUMN_bytes, IN_BOTH, UINT_IF(TOTAL, bytes, has_bytes) },
	{ COLUMN_ram_percent, IN_TEXT, SHARE_IF(TOTAL, pages, has_bytes) },
	{ COLUMN_objects, IN_BOTH, UINT_IF(TOTAL, objects, has_objects) },
	{ COLUMN_of_objects, IN_BOTH, UINT_IF(TOTAL, of_objects, has_objects) },
	BASIS_BY(total_basis_cell, NULL),
};

static const struct view total_view = { "holders-total", "", COLUMNS_OF(total_columns) };

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	enum status st;

	owner_view_init(v);
	st = owner_view_open_states(v) ?: owner_holders_open(v);
	*why = st == ST_ABSENT ? UNKNOWN_LAYOUT : availability_of(st);
	return st;
}

/* Of objects by what the way has first of their module: the device that has them, an object that a timer has. */
static const char *root_of(struct holders_view *x, const struct holder *holder, const char *way)
{
	const struct module *m = graph_module(&x->h->graph, holder->owner);
	const char *name = holder_name(x->h, holder), *step, *of;
	size_t len;

	if (holder->kind != HOLDER_OBJECTS || !m)
		return name;
	step = way_root(way, m->name, &len);
	of = dump_text(x->v->dump, "[%s]", m->name);
	/* The first step may be of vmlinux, which keeps nothing of it. */
	return memmem(step, len, of, strlen(of)) ? dump_text(x->v->dump, "%.*s", (int)len, step)
						 : name;
}

static void add_row(struct holders_view *x, const struct holder *holder)
{
	struct owner_view *v = x->v;
	struct holder_row *row = dump_alloc(v->dump, sizeof(*row));
	const char *way = holder_way(x->h, holder);

	*row = (struct holder_row){
		.of = holder,
		.root = root_of(x, holder, way),
		.module = graph_owner_name(&x->h->graph, holder->owner),
		.part = holder_group_name(x->h, holder->part),
		.way = way,
		.bytes = holder->bytes,
		.pages = holder->bytes >> v->page_shift,
		.objects = holder->objects,
		.part_bytes = holder->part_bytes,
		.part_objects = holder->part_objects,
		.confidence = holder->walks / holder->bytes * 1000 / WALK_WHOLE,
		.has_confidence = true,
	};
	rows_add(v->in, row, x);
}

/* What no root leads to, if it is a percent of RAM: it is lost, or known by what is not followed. */
static bool is_much(const struct holders_view *x, const struct holder_part *lost)
{
	const uint64_t pages = lost->bytes >> x->v->page_shift;

	return pages && pages >= x->v->owner.ram.pages / 100;
}

static struct holder_row *add_lost_row(struct holders_view *x, const struct holder_part *lost,
				       const char *way)
{
	static const struct holder none = { .kind = HOLDER_NONE };
	struct owner_view *v = x->v;
	const char *what = holder_group_name(x->h, lost->node);
	struct holder_row *row = dump_alloc(v->dump, sizeof(*row));

	*row = (struct holder_row){
		.of = &none,
		.root = dump_text(v->dump, "none: %s", what),
		.way = way,
		.part = what,
		.bytes = lost->bytes,
		.pages = lost->bytes >> v->page_shift,
		.objects = lost->objects,
		.part_bytes = lost->bytes,
		.part_objects = lost->objects,
	};
	return row;
}

static void add_lost(struct holders_view *x)
{
	const struct holder_part *most = &x->h->sums.lost;
	struct holder_row *row;
	struct alike alike;

	if (holders_lack(x->h) || !is_much(x, most))
		return;
	alike_find(x->h, &alike);
	row = add_lost_row(x, most, alike_text(x->h, &alike));
	row->module = alike.owner == OWNER_NOBODY ? NULL
						  : graph_owner_name(&x->h->graph, alike.owner);
	rows_add(x->v->in, row, x);
	hash_u64_for_each(const struct holder_part *, lost, &x->h->lost)
		if ((*lost)->node != most->node && is_much(x, *lost))
			rows_add(x->v->in, add_lost_row(x, *lost, holder_lost_text(x->h, *lost)),
				 x);
}

/* Where words are missing, or memory that they lead to, no sum is known. */
static struct total_row memory_row(const struct holders_view *x, const char *name, uint64_t bytes)
{
	return (struct total_row){ .name = name,
				   .bytes = bytes,
				   .pages = bytes >> x->v->page_shift,
				   .is_memory = true,
				   .has_bytes = !holders_lack(x->h) };
}

static struct total_row count_row(const struct holders_view *x, const char *name, uint64_t n,
				  uint64_t of)
{
	return (struct total_row){
		.name = name, .objects = n, .of_objects = of, .has_objects = !holders_lack(x->h)
	};
}

/* "pages that no process maps, named by 50 lists of page pointers of rnic_mrs [rnic_lite]" */
static struct total_row list_row(struct holders_view *x, const struct page_list *l)
{
	return (struct total_row){
		.name = dump_text(x->v->dump, "pages that no process maps, named by %s",
				  page_list_name(x->h, l)),
		.bytes = l->pages << x->v->page_shift,
		.pages = l->pages,
		.objects = l->pages,
		.of_objects = x->lists.unmapped,
		.is_memory = true,
		.has_bytes = true,
		.has_objects = !x->lists.unread,
	};
}

/* Few are named by whatever is at work with them. */
static bool is_told_list(const struct holders_view *x, const struct page_list *l)
{
	return l->pages >= x->v->owner.ram.pages / 100;
}

static void put_totals(struct holders_view *x)
{
	const struct holder_sums *s = &x->h->sums;
	const struct graph *g = &x->h->graph;
	struct owner_view *v = x->v;
	struct total_row totals[8 + PAGE_LISTS] = {
		memory_row(x, "one module, or vmlinux", s->known),
		memory_row(x, "of these by words of stacks alone", s->by_stacks),
		memory_row(x, "of these by what names a module alone: no root leads there",
			   s->of_none),
		memory_row(x, "several modules, or a module and vmlinux", s->shared),
		memory_row(x, "unknown: walks back end elsewhere", s->differs),
		memory_row(x, "no root leads there, nor does it name a module", s->unreached),
		count_row(x, "free pages that words lead to", g->seen_pages, g->free_pages),
		count_row(x, "tasks, inodes, ... that no root leads to", s->alive_unreached,
			  s->alive),
	};
	size_t n = 8;

	for (unsigned int i = 0; i < x->lists.n; i++)
		if (is_told_list(x, &x->lists.largest[i]))
			totals[n++] = list_row(x, &x->lists.largest[i]);
	if (!v->in->opts.json)
		sink_printf(v->out,
			    "%smemory of slabs, direct pages and vmalloc, by what leads to it; and "
			    "how far words can be trusted:%s",
			    v->report.rows_shown ? "\n" : "", v->report.rows_shown ? "" : "\n");
	rows_put_below(&v->report, v->in, &total_view, totals, n, sizeof(totals[0]), x);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct holders_view *x = dump_alloc(v->dump, sizeof(*x));
	enum status st;

	x->v = v;
	v->in->table.whole = ram_base(&v->owner.ram);
	st = owner_holders_find(v, &x->h);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK) {
		report_no_data(&v->report, UNKNOWN_LAYOUT);
		return ST_OK;
	}
	if (x->h->sources.unreadable == v->owner.ram.pages) {
		dump_unreadable(v->dump,
				"no struct page in this dump: which memory is kept is unknown");
		report_no_data(&v->report, NOT_IN_DUMP);
		return ST_OK;
	}
	st = holders_find_types(x->h);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		report_unknown(&v->report, "structures on the ways", availability_of(st), "%s",
			       v->dump->error);
	st = page_lists_find(x->h, &x->lists);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		report_unknown(&v->report, "lists of page pointers", availability_of(st), "%s",
			       v->dump->error);
	hash_u64_for_each(const struct holder, of, &x->h->rows)
		add_row(x, of);
	add_lost(x);
	rows_show(&v->report, v->in);
	put_totals(x);
	rows_put_kept(&v->report, v->in);
	owner_holders_gaps(v, x->h);
	owner_holders_areas(v);
	owner_holders_limits(v);
	report_end(&v->report, NULL, !v->owner.ram.derived);
	return v->dump->interrupted ? ST_STOPPED : ST_OK;
}

const struct view owner_holders_view = {
	"holders",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(holder_keys),
	.below = &total_view,
	ROWS_ARE("root", "roots", "bytes,root", 10),
	.open = open_view,
	.show = show,
};
