// SPDX-License-Identifier: GPL-2.0-or-later
#include "audit_totals.h"

#include "sites.h"

#define UNCOUNTED INT64_MIN

/* A part below zero is bytes that the total lacks. */
struct part {
	const char *text; /* "  " and the name, but for a total */
	bool known;
	int64_t bytes, n;
	bool seldom; /* in text it is there only if it is not zero */
};

static bool is_part(const struct part *p)
{
	return p->text[0] == ' ';
}

#define ROW struct part

CELL_FROM(name_cell, ROW, cell_text(r->text + (is_part(r) ? 2 : 0)))
CELL_WITH(sum_cell, ROW, const char, cell_text(is_part(r) ? v : NULL))
CELL_FROM(count_cell, ROW, cell_if(r->known && r->n != UNCOUNTED, cell_int(r->n)))

static const struct view_column columns[] = {
	{ COLUMN_total, IN_TEXT | KNOWN, TEXT_OF(ROW, text) },
	{ COLUMN_name, IN_JSON | KNOWN, CELL_BY(name_cell) },
	{ COLUMN_sum, IN_JSON, CELL_BY(sum_cell) },
	{ COLUMN_bytes, IN_BOTH | SIGNED, INT_IF(ROW, bytes, known) },
	{ COLUMN_count, IN_BOTH | SIGNED, "of allocations, pages or objects", CELL_BY(count_cell) },
	BASIS(derived),
};

const struct view tag_check_view = { "check", "-C", COLUMNS_OF(columns), .opens_more = true };

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
static void add_parts(struct table *t, bool all, const struct part *parts, size_t n)
{
	const char *total = NULL;

	for (const struct part *p = parts; p < parts + n; p++) {
		if (!all && p->seldom && p->known && !p->bytes && !p->n)
			continue;
		total = is_part(p) ? total : p->text;
		row_add(t, p, (void *)total);
	}
}

static void add_counters(const struct tag_totals *s, bool all, struct table *t)
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
	add_parts(t, all, parts, ARRAY_SIZE(parts));
}

static void add_pages(const struct tag_totals *s, bool all, struct table *t)
{
	struct part used[] = {
		part_of("pages in use", s->knows_use, &s->used.all),
		part_of("  charged to a site", s->knows_use && s->knows_orders, &s->used.charged),
		seldom("  charged to a site, unsure", s->knows_use && s->knows_orders,
		       &s->used.unsure),
		part_of("  allocated before page_owner started", s->knows_use && s->knows_before,
			&s->used.before),
		seldom("  deliberately not tagged by the kernel", s->knows_use, &s->used.exempt),
		seldom("  guard pages", s->knows_use, &s->used.guard),
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

	used[6] = rest_of("  without a tag", s->knows_use && s->knows_orders && s->knows_tags, used,
			  6);
	owned[5] = rest_of("  without a tag", s->knows_owners && s->knows_orders && s->knows_tags,
			   owned, 5);
	add_parts(t, all, used, ARRAY_SIZE(used));
	add_parts(t, all, owned, ARRAY_SIZE(owned));
}

/* Pages are made of objects: what is left over has no number. */
static void add_slabs(const struct tag_totals *s, bool all, struct table *t)
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
	size_t n = ARRAY_SIZE(parts);

	parts[n - 1] = rest_of("  left over", s->knows_left, parts, n - 1);
	parts[n - 1].n = UNCOUNTED;
	add_parts(t, all, parts, n);
}

void tag_totals_rows(const struct tag_totals *s, bool all, struct table *t)
{
	add_counters(s, all, t);
	add_pages(s, all, t);
	add_slabs(s, all, t);
}
