// SPDX-License-Identifier: GPL-2.0-or-later
#include "ownerview.h"

/* Needs what is known of struct page. */
static void open_classes(struct owner_view *v)
{
	struct dump *d = v->dump;
	const struct ram *ram = &v->owner.ram;
	struct page_classes *c = dump_alloc(d, sizeof(*c));

	if (c && page_classes_open(d, &v->states, ram->ranges[ram->n - 1].end, c) == DUMP_OK)
		v->classes = c;
	else
		report_warn(&v->report, "classes of pages: %s", d->error);
	if (v->classes && c->problem)
		report_warn(&v->report, "classes of pages are not all known: %s", c->problem);
}

static void open_pages(struct owner_view *v, enum owner_list_need need)
{
	struct dump *d = v->dump;

	if (need == NEEDS_NO_PAGES)
		return;
	v->has_memcgs = memcgs_open(d, &v->memcgs) == DUMP_OK;
	if (need == NEEDS_MEMCG && !v->has_memcgs && !owner_list_shows_class(&v->in->table))
		return;
	v->has_states = page_states_open(d, &v->owner.ext.memmap, &v->states) == DUMP_OK;
	if (need == NEEDS_PAGES && !v->has_states)
		report_warn(&v->report, "struct page: %s", d->error);
	if (v->has_states && owner_list_shows_class(&v->in->table))
		open_classes(v);
}

enum status owner_view_open(struct owner_view *v, enum availability *why)
{
	struct dump *d = v->dump;
	enum status st = page_owner_open(d, &v->owner, why);

	if (st != DUMP_OK)
		return st;
	st = stacks_open(d, &v->stacks);
	if (st != DUMP_OK) {
		*why = st == DUMP_ABSENT ? UNKNOWN_LAYOUT : availability_of(st);
		return st;
	}
	names_open(d, &v->names);
	if (zones_open(d, &v->zones) != DUMP_OK)
		dump_note(d, "decide nodes and zones unknown: %s", d->error);
	open_pages(v, owner_list_needs(&v->in->table));
	return DUMP_OK;
}

void owner_view_end(struct owner_view *v, const struct coverage *cov)
{
	struct report *r = &v->report;

	if (v->stacks.symbols.problem)
		report_warn(r, "names of modules are missing: %s", v->stacks.symbols.problem);
	if (cov->undecodable)
		report_warn(r, "%llu pages have a record or a stack that makes no sense",
			    (unsigned long long)cov->undecodable);
	if (cov->unreadable)
		report_warn(r, "the page_ext entries of %llu pages are not in this dump",
			    (unsigned long long)cov->unreadable);
	if (v->owner.ram.derived)
		report_warn(r, "System RAM is the span of the zones, with their holes: %s",
			    v->owner.ram.derived);
	report_end(r, cov, !cov->unreadable && !v->owner.ram.derived);
}
