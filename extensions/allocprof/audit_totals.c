// SPDX-License-Identifier: GPL-2.0-or-later
#include "audit_totals.h"

const struct view_column total_columns[Y_COLUMNS] = {
	[Y_TEXT] = { COLUMN_text, IN_TEXT | KNOWN },
	[Y_WHAT] = { COLUMN_what, IN_JSON | KNOWN },
	[Y_OF] = { COLUMN_of, IN_JSON },
	[Y_BYTES] = { COLUMN_bytes, IN_BOTH | SIGNED },
	[Y_COUNT] = { COLUMN_count, IN_BOTH | SIGNED, "of allocations, pages or objects" },
};

#define UNCOUNTED INT64_MIN

/* A part below zero is bytes that the total lacks. */
struct part {
	const char *text; /* "  " and the name, but for a total */
	bool known;
	int64_t bytes, n;
	bool seldom; /* in text it is there only if it is not zero */
};

static struct part part_of(const char *text, bool known, const struct amount *a)
{
	return (struct part){ text, known, (int64_t)a->bytes, (int64_t)a->n, false };
}

static struct part seldom(const char *text, bool known, const struct amount *a)
{
	struct part part = part_of(text, known, a);

	part.seldom = true;
	return part;
}

/* What is unknown of the parts before is zero, and so in the rest. */
static struct part rest_of(const char *text, bool known, const struct part *parts, size_t n)
{
	struct part rest = { text, known, parts[0].bytes, parts[0].n, false };

	for (size_t i = 1; i < n; i++) {
		rest.bytes -= parts[i].bytes;
		rest.n -= parts[i].n;
	}
	return rest;
}

/* The first is the total, and so are all without an indent. */
static enum status add_parts(struct table *t, bool all, const struct part *parts, size_t n)
{
	const char *total = NULL;

	for (size_t i = 0; i < n; i++) {
		bool is_part = parts[i].text[0] == ' ';
		struct cell *row;

		if (!all && parts[i].seldom && parts[i].known && !parts[i].bytes && !parts[i].n)
			continue;
		row = table_add(t);
		if (!row)
			return ST_NOMEM;
		total = is_part ? total : parts[i].text;
		row[Y_TEXT] = cell_text(parts[i].text);
		row[Y_WHAT] = cell_text(parts[i].text + (is_part ? 2 : 0));
		row[Y_OF] = cell_if(is_part, cell_text(total));
		row[Y_BYTES] = cell_if(parts[i].known, cell_int(parts[i].bytes));
		row[Y_COUNT] = cell_if(parts[i].known && parts[i].n != UNCOUNTED,
				       cell_int(parts[i].n));
	}
	return ST_OK;
}

static enum status add_counters(const struct tag_totals *s, bool all, struct table *t)
{
	struct part parts[] = {
		part_of("counters of all sites", s->knows_counters, &s->counters),
		part_of("  references of pages", s->knows_pages, &s->pages),
		part_of("  references of objects", s->knows_pages, &s->objects),
		part_of("  references of per-CPU memory", s->knows_percpu, &s->percpu),
		seldom("  stale references", s->knows_pages, &s->stale),
		{ 0 },
		seldom("references to tags without counters", s->knows_counters, &s->uncounted),
	};

	parts[5] = rest_of("  without a reference", s->knows_rest, parts, 5);
	return add_parts(t, all, parts, sizeof(parts) / sizeof(parts[0]));
}

static enum status add_pages(const struct tag_totals *s, bool all, struct table *t)
{
	struct part used[] = {
		part_of("pages in use", s->knows_use, &s->used.all),
		part_of("  charged to a site", s->knows_use && s->knows_orders, &s->used.charged),
		seldom("  charged to a site, unsure", s->knows_use && s->knows_orders,
		       &s->used.unsure),
		part_of("  allocated before page_owner started", s->knows_use && s->knows_before,
			&s->used.before),
		seldom("  deliberately not tagged by the kernel", s->knows_use, &s->used.exempt),
		{ 0 },
	};
	struct part owned[] = {
		part_of("pages with a page_owner record", s->knows_owners, &s->owned.all),
		part_of("  charged to a site", s->knows_owners && s->knows_orders,
			&s->owned.charged),
		seldom("  charged to a site, unsure", s->knows_owners && s->knows_orders,
		       &s->owned.unsure),
		part_of("  allocated before page_owner started", s->knows_owners && s->knows_before,
			&s->owned.before),
		seldom("  deliberately not tagged by the kernel", s->knows_owners,
		       &s->owned.exempt),
		{ 0 },
		seldom("charged pages without a page_owner record", s->knows_use && s->knows_owners,
		       &s->unowned),
	};
	enum status st;

	used[5] = rest_of("  without a tag", s->knows_use && s->knows_orders && s->knows_tags, used,
			  5);
	owned[5] = rest_of("  without a tag", s->knows_owners && s->knows_orders && s->knows_tags,
			   owned, 5);
	st = add_parts(t, all, used, sizeof(used) / sizeof(used[0]));
	return st == ST_OK ? add_parts(t, all, owned, sizeof(owned) / sizeof(owned[0])) : st;
}

/* Pages are made of objects: what is left over has no number. */
static enum status add_slabs(const struct tag_totals *s, bool all, struct table *t)
{
	bool free = s->knows_slabs && s->knows_free;
	struct part parts[] = {
		part_of("slab pages", s->knows_slabs, &s->slab),
		part_of("  objects charged to a site", s->knows_slabs, &s->objects_charged),
		seldom("  objects charged to a site, unsure", s->knows_slabs, &s->objects_unsure),
		seldom("  objects deliberately not tagged by the kernel", s->knows_slabs,
		       &s->objects_exempt),
		part_of("  objects without a tag", free, &s->objects_plain),
		part_of("  objects in slabs without tags", free, &s->objects_no_vector),
		part_of("  free objects", free, &s->objects_free),
		seldom("  not in this dump, or corrupt", s->knows_slabs, &s->slabs_unknown),
		{ 0 },
	};
	size_t n = sizeof(parts) / sizeof(parts[0]);

	parts[n - 1] = rest_of("  left over", s->knows_left, parts, n - 1);
	parts[n - 1].n = UNCOUNTED;
	return add_parts(t, all, parts, n);
}

enum status tag_totals_rows(const struct tag_totals *s, bool all, struct table *t)
{
	enum status st = add_counters(s, all, t);

	if (st == ST_OK)
		st = add_pages(s, all, t);
	return st == ST_OK ? add_slabs(s, all, t) : st;
}
