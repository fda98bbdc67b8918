// SPDX-License-Identifier: GPL-2.0-or-later
#include "counters.h"

#include <string.h>

#include "util/endian.h"
#include "mm/page_owner_stacks.h"
#include "util/units.h"
#include "view.h"

#define DEFAULT_ROWS 10

/* The handle that a record has of itself, if it is one of the depot's. */
static const struct cached_stack *stack_of(struct stack_cache *stacks, uint64_t record)
{
	const struct field *f = &stacks->depot.f[DEPOT_HANDLE];
	const struct cached_stack *k;
	uint8_t raw[8] = { 0 };
	uint32_t handle;

	if (f->size > sizeof(raw) ||
	    dump_try(stacks->dump, record + f->offset, raw, f->size) != ST_OK)
		return NULL;
	handle = le32(raw);
	k = stack_cache_get(stacks, handle);
	return k && k->decoded && k->record.record == record ? k : NULL;
}

static bool has_count(const struct cached_stack *k)
{
	return k && k->decoded && k->record.has_count && k->record.count &&
	       k->record.count < DEPOT_COUNT_UNUSED / 2;
}

uint64_t owner_counted_pages(const struct cached_stack *k)
{
	return has_count(k) ? k->record.count - 1 : 0;
}

static enum status add(struct owner_counted *c, const struct cached_stack *k)
{
	uint64_t *pages;
	bool is_new;

	if (!has_count(k)) {
		c->unreadable++;
		return ST_OK;
	}
	if (k->record.count == 1)
		return ST_OK;
	pages = hash_u64_get(&c->pages, k->record.handle, &is_new);
	if (!pages)
		return ST_NOMEM;
	*pages = k->record.count - 1;
	c->total += *pages;
	return ST_OK;
}

enum status owner_counted_open(struct stack_cache *stacks, struct owner_counted *ret)
{
	struct dump *d = stacks->dump;
	struct stack_list list;
	enum status st = stack_list_open(d, &list);

	memset(ret, 0, sizeof(*ret));
	hash_u64_init(&ret->pages, d->arena, sizeof(uint64_t));
	if (st == ST_OK && !list.present)
		st = dump_fail(d, ST_ABSENT,
			       "this kernel does not count pages per stack (6.9 and later do)");
	for (struct hash_u64_entry *e = list.records.first; st == ST_OK && e; e = e->next) {
		ret->stacks++;
		st = add(ret, stack_of(stacks, e->key));
	}
	return st;
}

enum { COL_RANK, COL_PAGES, COL_BYTES, COL_COUNTED, COL_RAM, COL_HANDLE, COL_STACK, COLUMNS };

static const struct view_column columns[COLUMNS] = {
	[COL_RANK] = { COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH | KNOWN, "as the kernel counted" },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | KNOWN },
	[COL_COUNTED] = { COLUMN_counted_percent, IN_TEXT | KNOWN },
	[COL_RAM] = { COLUMN_ram_percent, IN_TEXT | KNOWN },
	[COL_HANDLE] = { COLUMN_handle, IN_BOTH | KNOWN },
	[COL_STACK] = { COLUMN_stack, IN_BOTH | KNOWN },
};

const struct view owner_counters_view = { "counters", "-k", COLUMNS_OF(columns) };

static enum status fill_table(struct owner_view *v, const struct owner_counted *c)
{
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	enum status st;

	for (struct hash_u64_entry *e = c->pages.first; e; e = e->next) {
		struct cell *row = table_add(t);
		uint64_t pages = *(const uint64_t *)e->value;

		if (!row)
			return ST_NOMEM;
		row[COL_PAGES] = cell_uint(pages);
		row[COL_BYTES] = cell_uint(pages << v->dump->page_shift);
		row[COL_COUNTED] = cell_uint(units_tenths(pages, c->total));
		row[COL_RAM] = cell_uint(units_tenths(pages, v->owner.ram.pages));
		row[COL_HANDLE] = cell_hex(e->key);
	}
	st = table_sort(t, o->sort ? o->sort : "bytes", o->reverse);
	for (size_t i = 0; i < t->n; i++)
		t->rows[i][COL_RANK] = cell_uint(i + 1);
	return st;
}

/* "450 stacks, 58,606 pages by the kernel's own counters", and what these leave out. */
static void put_total(struct owner_view *v, const struct owner_counted *c)
{
	char stacks[UNITS_PLURAL], pages[UNITS_PLURAL];

	sink_printf(
		v->out,
		"%s, %s by the kernel's own counters; pages of early boot are not counted, nor,\n"
		"since 6.17, stacks first seen where the kernel could not list them\n",
		units_plural(stacks, c->pages.n, "stack", "stacks"),
		units_plural(pages, c->total, "page", "pages"));
}

enum status owner_counters_open(struct owner_view *v, enum availability *why)
{
	enum status st;

	v->counted = dump_alloc(v->dump, sizeof(*v->counted));
	st = v->counted ? owner_counted_open(&v->stacks, v->counted) : ST_NOMEM;
	*why = availability_of(st);
	return st;
}

enum status owner_counters(struct owner_view *v)
{
	struct table *t = &v->in->table;
	const struct owner_counted *counted = v->counted;
	enum status st = fill_table(v, counted);
	char n[UNITS_PLURAL];
	size_t shown;

	if (st != ST_OK)
		return st;
	shown = opts_rows(&v->in->opts, DEFAULT_ROWS, t->n);
	for (size_t i = 0; i < shown; i++)
		t->rows[i][COL_STACK] = cell_stack(stack_cache_frames(
			&v->stacks, stack_cache_get(&v->stacks, t->rows[i][COL_HANDLE].u)));
	report_rows(&v->report, t, &v->in->opts, DEFAULT_ROWS);
	report_rest(&v->report, t->n - shown, "stack", "stacks", NULL);
	if (!v->in->opts.json)
		put_total(v, counted);
	if (counted->unreadable)
		report_warn(&v->report, "no valid record for %s of the kernel's list",
			    units_plural(n, counted->unreadable, "stack", "stacks"));
	report_end(&v->report, NULL, !counted->unreadable);
	return ST_OK;
}
