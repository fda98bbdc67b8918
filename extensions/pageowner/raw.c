// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's own page_owner file: read_page_owner() in mm/page_owner.c. */
#include "raw_format.h"
#include "view.h"

/* No columns: it prints the kernel's text and nothing else. */
const struct view owner_raw_view = { "raw", "ajsrogkwRdml", NULL, 0, .has_groups = false };

struct raw {
	struct owner_view *v;
	struct coverage cov;
	uint64_t shown;
	struct owner_select select;
};

enum status owner_raw_open(struct owner_view *v, enum availability *why)
{
	struct dump *d = v->dump;
	struct owner_text *text = dump_alloc(d, sizeof(*text));
	enum status st;

	*why = UNKNOWN_LAYOUT;
	if (!text)
		return DUMP_NOMEM;
	v->has_memcgs = memcgs_open(d, &v->memcgs) == DUMP_OK;
	st = page_states_open(d, &v->owner.ext.memmap, &v->states);
	v->has_states = st == DUMP_OK;
	if (st == DUMP_OK)
		st = owner_text_open(d, &v->owner, &v->zones, &v->names,
				     v->has_memcgs ? &v->memcgs : NULL, text);
	if (st != DUMP_ABSENT)
		*why = availability_of(st);
	v->text = text;
	return st;
}

enum status owner_raw_record(struct owner_view *v, const struct owner_record *r,
			     struct known_stack *k)
{
	const struct stack *stack = stacks_frames(&v->stacks, k);
	struct page_info page;
	enum status st = page_state_at(&v->states, r->page.pfn, &page);

	/* Whatever its record says, a page in the lists of the allocator is free. */
	if (st == DUMP_OK && page.state == STATE_BUDDY)
		return DUMP_ABSENT;
	if (!stack)
		st = k->decoded ? DUMP_NOMEM : DUMP_CORRUPT;
	if (st == DUMP_OK)
		st = owner_text_write(v->text, r, &page, stack);
	if (st == DUMP_NOMEM)
		return st;
	if (st != DUMP_OK) {
		v->untold++;
		return DUMP_ABSENT;
	}
	sink_write(v->out, v->text->buf, v->text->used);
	return v->out->closed ? DUMP_STOPPED : DUMP_OK;
}

static enum status add_page(void *arg, const struct owner_page *p)
{
	struct raw *raw = arg;
	struct owner_view *v = raw->v;
	struct known_stack *k;
	struct owner_record r;
	struct owner_fact f;
	enum status st;

	/* Up to 5.3 the kernel does not look whether the page is a first one: others have no record. */
	if (!p->head)
		return DUMP_OK;
	owner_fact_init(v, p, &f);
	if (!owner_selects(&raw->select, &f))
		return DUMP_OK;
	k = stacks_get(&v->stacks, p->handle);
	if (!k)
		return DUMP_NOMEM;
	page_owner_decode(&v->owner, p, &r);
	st = owner_raw_record(v, &r, k);
	if (st == DUMP_ABSENT)
		return DUMP_OK;
	if (st == DUMP_OK && ++raw->shown == v->in->opts.rows && v->in->opts.has_rows)
		return DUMP_STOPPED;
	return st;
}

enum status owner_raw(struct owner_view *v)
{
	struct raw raw = { .v = v };
	enum status st;

	owner_select_init(v, &raw.select);
	st = page_owner_scan(&v->owner, SCAN_LIVE, &raw.cov, add_page, &raw);
	return st == DUMP_STOPPED && !v->dump->interrupted ? DUMP_OK : st;
}
