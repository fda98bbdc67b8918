// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memowner counted: who has direct pages by lists and counters of the kernel itself; below, what of the class is
 * in none of them.
 */
#include "collect/counted.h"

#include "pageowner/class_counters.h"
#include "pageowner/memory.h"

#define ROW struct counted_row

CAN_HAVE(has_users, ROW, void,
	 r->kind == COUNTED_PERF || r->kind == COUNTED_PACKET || r->kind == COUNTED_BPF ||
		 r->kind == COUNTED_PIPE || r->kind == COUNTED_IO_URING ||
		 r->kind == COUNTED_SOCKET)
CAN_HAVE(is_listed, ROW, void, r->is_listed)
CAN_HAVE(is_counted, ROW, void, r->kind != COUNTED_SOCKET && r->kind != COUNTED_IO_URING)

static const struct view_column columns[] = {
	{ COLUMN_pages, IN_BOTH, "of class direct; null: in no list, or of unknown class",
	  .can_have = is_listed, UINT_IF(ROW, pages, has_pages) },
	{ COLUMN_bytes, IN_BOTH, "of pages; where no list has them, of counted_pages",
	  PAGES_MAYBE(ROW, size) },
	{ COLUMN_ram_percent, IN_TEXT, SHARE_MAYBE(ROW, size) },
	{ COLUMN_other_pages, IN_BOTH, .can_have = is_listed,
	  UINT_IF(ROW, other_pages, has_pages) },
	{ COLUMN_counted_pages, IN_BOTH, .can_have = is_counted, UINT_MAYBE(ROW, counted) },
	{ COLUMN_difference_pages, IN_BOTH, "of what is listed, of whatever class",
	  .can_have = is_listed, INT_IF(ROW, difference, has_difference) },
	{ COLUMN_counter, IN_JSON | OR_NONE, TEXT_OF(ROW, counter) },
	{ COLUMN_kind, IN_BOTH, .width = 8, NAME_OF(ROW, kind, counted_kind_names) },
	{ COLUMN_name, IN_BOTH | OR_NONE, COPY_OF(ROW, name) },
	{ COLUMN_structures, IN_JSON, .can_have = is_listed, UINT_IF(ROW, holders, is_listed) },
	{ COLUMN_address, IN_JSON | OR_NONE, HEX_NONZERO(ROW, address) },
	{ COLUMN_used_by, IN_BOTH, .can_have = has_users, LIST_OF(ROW, used_by) },
	BASIS(derived),
};

static const struct key keys[] = {
	{ COLUMN_kind, "kind of list or counter", KEY_FILTERS, .choices = counted_kind_names },
	{ COLUMN_name, "name of the row", KEY_FILTERS },
	{ COLUMN_used_by, "processes that have it open", KEY_FILTERS },
	{ COLUMN_bytes, "bytes of the pages of class direct, or counted", KEY_FILTERS },
};

/* A part of class direct. */
struct part {
	const char *name;
	struct maybe_u64 pages;
	const char *cause;
};

#define PART struct part

static const struct view_column part_columns[] = {
	{ COLUMN_pages, IN_BOTH, UINT_MAYBE(PART, pages) },
	{ COLUMN_bytes, IN_BOTH, PAGES_MAYBE(PART, pages) },
	{ COLUMN_ram_percent, IN_TEXT, SHARE_MAYBE(PART, pages) },
	{ COLUMN_name, IN_BOTH | KNOWN,
	  "direct: all pages of the class; listed: those of the rows; "
	  "counted: what is counted alone; rest: in none of these",
	  TEXT_OF(PART, name) },
	{ COLUMN_cause, IN_JSON | OR_NONE, "why pages is null", TEXT_OF(PART, cause) },
	BASIS(derived),
};

static const struct view part_view = { "counted-part", "", COLUMNS_OF(part_columns) };

struct counting {
	struct owner_view *v;
	struct class_pages found;
	struct scan_stats cov;
	struct counted counted;
};

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct counting *c = arg;
	struct page_info info;
	enum page_class class;

	if (memory_class(c->v, page, &info, &class))
		c->found.pages[class]++;
	else
		c->found.unreadable++;
	return ST_OK;
}

static void put_parts(struct counting *c)
{
	struct owner_view *v = c->v;
	const struct counted *k = &c->counted;
	const uint64_t direct = c->found.pages[CLASS_DIRECT];
	const uint64_t known = k->pages + k->only_counted;
	const char *unclassed = c->found.unreadable || c->found.pages[CLASS_UNKNOWN]
					? "the class of some pages is unknown"
					: NULL;
	const char *uncounted = class_large_kmalloc_problem(v, &c->found);
	const char *more = known > direct ? "more is counted than is of the class" : NULL;
	const char *why = unclassed ?: k->problem ?: uncounted ?: more;
	const struct part parts[] = {
		/* None is no number where not all classes are known. */
		{ "direct", { direct, direct || !unclassed }, direct ? NULL : unclassed },
		{ "listed", { k->pages, k->has_classes }, k->has_classes ? NULL : k->problem },
		{ "counted",
		  { k->only_counted, k->has_counters && !uncounted },
		  uncounted
			  ?: k->has_counters ? NULL
					     : k->problem },
		{ "rest", { direct - known, !why }, why },
	};
	struct table t;

	table_init(&t, v->dump, COLUMNS(part_columns), v->in->opts.json);
	t.whole = ram_base(&v->owner.ram);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		row_add(&t, &parts[i], v);
	if (v->report.rows_shown && !v->in->opts.json)
		sink_text(v->out, "\n");
	rows_put_table(&v->report, v->in, &part_view, &t,
		       "class direct; of it what rows list, what is counted alone, the rest:\n");
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct counting *c = dump_alloc(v->dump, sizeof(*c));
	struct session session = owner_session(v);
	struct counted_from from = { .session = &session,
				     .classes = v->classes,
				     .owner = v->has_owner ? &v->owner : NULL,
				     .lists = &v->lists };
	uint64_t pages;
	enum status st;

	if (!memory_has_classes(v))
		return ST_OK;
	c->v = v;
	c->cov.ram_pages = v->owner.ram.pages;
	v->in->table.whole = ram_base(&v->owner.ram);
	owner_view_counters(v);
	st = memory_scan(v, &c->cov, add_page, c);
	st = st
		     ?: report_part(&v->report, "lists of the kernel",
				    counted_collect(&from, &c->counted));
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	if (class_large_kmalloc(v, &c->found, &pages))
		counted_add(v->dump, &c->counted, COUNTED_SLAB, "large kmalloc",
			    "Slab, beyond the pages of slabs", pages);
	for (size_t i = 0; i < c->counted.n; i++)
		rows_add(v->in, &c->counted.all[i], v);
	rows_show(&v->report, v->in);
	put_parts(c);
	rows_put_kept(&v->report, v->in);
	report_gaps(&v->report, c->counted.gaps.rows, c->counted.gaps.n);
	const struct gap gap = GAP_WHY("pages of large kmalloc are unknown: %s",
				       class_large_kmalloc_problem(v, &c->found));
	report_gaps(&v->report, &gap, 1);
	memory_end_classes(v, &c->cov, st, &c->found, NULL);
	return v->dump->interrupted ? ST_STOPPED : ST_OK;
}

const struct view owner_counted_view = {
	"counted",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(keys),
	.below = &part_view,
	ROWS_ARE("row", "rows", "bytes,kind,name", 20),
	.open = memory_open_classes,
	.show = show,
};
