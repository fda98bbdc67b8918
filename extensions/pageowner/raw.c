// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's own page_owner file: read_page_owner() in mm/page_owner.c. */
#include "raw_format.h"
#include "util/units.h"
#include "view.h"

/* No columns: it prints the kernel's text and nothing else. */
const struct view owner_raw_view = { "raw", "-t raw", .columns = NULL, .bare = true };

struct raw {
	struct owner_view *v;
	struct scan_stats cov;
	uint64_t shown;
	uint64_t untold; /* records whose text cannot be known */
	struct owner_select select;
};

enum status owner_raw_open(struct owner_view *v, enum availability *why)
{
	struct dump *d = v->dump;
	struct owner_text *text = dump_alloc(d, sizeof(*text));
	enum status st;

	*why = UNKNOWN_LAYOUT;
	if (!text)
		return ST_NOMEM;
	v->has_memcgs = memcgs_open(d, &v->memcgs) == ST_OK;
	st = page_types_open(d, &v->owner.ext.memmap, &v->states);
	v->has_states = st == ST_OK;
	if (st == ST_OK)
		st = owner_text_open(d, &v->owner, &v->zones, &v->names,
				     v->has_memcgs ? &v->memcgs : NULL, text);
	if (st != ST_ABSENT)
		*why = availability_of(st);
	v->text = text;
	return st;
}

/*
 * Prints one record of an allocation, in pfn order.  ST_ABSENT: its page is free, or not all that
 * the kernel's file has of it is in this dump (counted in raw->untold); ST_STOPPED: the output is
 * closed.
 */
static enum status put_record(struct raw *raw, const struct owner_record *r, struct cached_stack *k)
{
	struct owner_view *v = raw->v;
	const struct stack *stack = stack_cache_frames(&v->stacks, k);
	struct page_info page;
	enum status st = page_type_at(&v->states, r->page.pfn, &page);

	/* A page in the free lists of the allocator is free, even with a live record. */
	if (st == ST_OK && page.state == PAGE_TYPE_BUDDY)
		return ST_ABSENT;
	if (!stack)
		st = k->decoded ? ST_NOMEM : ST_CORRUPT;
	if (st == ST_OK)
		st = owner_text_write(v->text, r, &page, stack);
	if (st == ST_NOMEM)
		return st;
	if (st != ST_OK) {
		raw->untold++;
		return ST_ABSENT;
	}
	sink_write(v->out, v->text->buf, v->text->used);
	return v->out->closed ? ST_STOPPED : ST_OK;
}

static enum status add_page(void *arg, const struct owner_page *p)
{
	struct raw *raw = arg;
	struct owner_view *v = raw->v;
	struct cached_stack *k;
	struct owner_record r;
	struct page_facts f;
	enum status st;

	/*
	 * Up to 5.3 the kernel does not look whether the page is a first one: others have no
	 * record.
	 */
	if (!p->head)
		return ST_OK;
	page_facts_init(v, p, &f);
	if (!owner_selects(&raw->select, &f))
		return ST_OK;
	k = stack_cache_get(&v->stacks, p->handle);
	if (!k)
		return ST_NOMEM;
	page_owner_decode(&v->owner, p, &r);
	st = put_record(raw, &r, k);
	if (st == ST_ABSENT)
		return ST_OK;
	if (st == ST_OK && ++raw->shown == v->in->opts.rows && v->in->opts.has_rows)
		return ST_STOPPED;
	return st;
}

/* The output has the kernel's text alone: what it lacks is told beside it. */
static void remark(const struct raw *raw)
{
	struct dump *d = raw->v->dump;
	char n[UNITS_PLURAL];

	if (raw->untold)
		dump_remark(d, "left out: %s with a part that is not in this dump, or is corrupt",
			    units_plural(n, raw->untold, "record", "records"));
	if (raw->cov.undecodable)
		dump_remark(
			d, "left out: %s",
			units_plural(n, raw->cov.undecodable, "corrupt record", "corrupt records"));
	report_left_out(&raw->v->report, &raw->cov);
}

enum status owner_raw(struct owner_view *v)
{
	struct raw raw = { .v = v };
	enum status st;

	owner_select_init(v, &raw.select);
	st = page_owner_scan(&v->owner, SCAN_LIVE, &raw.cov, add_page, &raw);
	if (st == ST_OK || st == ST_STOPPED)
		remark(&raw);
	return st == ST_STOPPED && !v->dump->interrupted ? ST_OK : st;
}
