// SPDX-License-Identifier: GPL-2.0-or-later
#include "text_range.h"

#include "view.h"

/* Live pages of a part of RAM. */
struct beyond {
	const struct page_owner *owner;
	uint64_t newest; /* of the text, when it had come there */
	uint64_t pages, older;
};

static enum status add_page(void *arg, const struct owner_page *p)
{
	struct beyond *b = arg;
	struct owner_record record;

	b->pages++;
	if (p->ts_ns >= b->newest)
		return ST_OK;
	/* A page that was migrated has the time of the one before it. */
	page_owner_decode(b->owner, p, &record);
	b->older += record.last_migrate_reason == b->owner->never_migrated;
	return ST_OK;
}

/* RAM between two PFNs. */
static struct ram part_of(struct dump *d, const struct ram *ram, uint64_t start, uint64_t end)
{
	struct ram part = *ram;

	part.ranges = dump_alloc(d, (ram->n + 1) * sizeof(*part.ranges));
	part.n = part.pages = part.offline = part.capture = 0;
	for (size_t i = 0; i < ram->n; i++) {
		struct ram_range r = ram->ranges[i];

		r.start = r.start > start ? r.start : start;
		r.end = r.end < end ? r.end : end;
		if (r.start >= r.end)
			continue;
		part.ranges[part.n++] = r;
		part.pages += r.end - r.start;
	}
	return part;
}

static enum status look_beyond(struct owner_view *v, uint64_t start, uint64_t end, uint64_t newest,
			       struct beyond *ret)
{
	const struct ram ram = v->owner.ram;
	struct scan_stats cov;
	enum status st = ST_OK;

	*ret = (struct beyond){ .owner = &v->owner, .newest = newest };
	v->owner.ram = part_of(v->dump, &ram, start, end);
	if (v->owner.ram.n)
		st = page_owner_scan(&v->owner, SCAN_LIVE, &cov, add_page, ret);
	v->owner.ram = ram;
	return st;
}

static void limit(struct owner_view *v, const struct saved_scan *text, const struct beyond *below,
		  const struct beyond *above)
{
	const struct ram *ram = &v->owner.ram;
	const uint64_t start = below->older ? text->first_pfn : 0;
	const uint64_t end = above->older ? text->end_pfn : UINT64_MAX;
	const struct ram part = part_of(v->dump, ram, start, end);
	const char *which = dump_text(v->dump, "PFN %#lx to %#lx", text->first_pfn,
				      text->end_pfn - 1);

	report_warn(&v->report,
		    "%s is not all of page_owner: it has %s, and %s older than its newest "
		    "record; what it has is compared, %s of %s",
		    text->path, which,
		    PLURAL_TEXT(below->older + above->older, "page beyond is", "pages beyond are"),
		    COUNT_TEXT(part.pages), COUNT_OF(ram->pages, "page"));
	v->owner.ram = part;
	v->owner.ram.name = dump_text(v->dump, "%s of %s", ram->name, which);
	v->has_gaps = true;
}

static enum status compare_time(void *arg, const struct owner_page *p)
{
	struct text_mark *mark = arg;

	/* What was found is no time of a record. */
	if (p->pfn == mark->pfn && p->ts_ns == mark->ts)
		mark->ts = 0;
	return ST_OK;
}

/* Whether a page has the record yet that the text has of it, to the nanosecond. */
static enum status is_of_this_boot(struct owner_view *v, const struct saved_scan *text, bool *ret)
{
	const struct ram ram = v->owner.ram;
	struct scan_stats cov;
	enum status st = ST_OK;

	*ret = false;
	for (unsigned int i = 0; i < text->noldest && st == ST_OK && !*ret; i++) {
		struct text_mark mark = text->oldest[i];

		v->owner.ram = part_of(v->dump, &ram, mark.pfn, mark.pfn + 1);
		if (v->owner.ram.n)
			st = page_owner_scan(&v->owner, SCAN_LIVE, &cov, compare_time, &mark);
		*ret = !mark.ts;
	}
	v->owner.ram = ram;
	return st;
}

enum status text_range_limit(struct owner_view *v, const struct saved_scan *text)
{
	struct beyond below, above;
	bool is_same_boot;
	enum status st;

	if (text->kind != SCAN_PAGE_OWNER || v->saved || !text->rises)
		return ST_OK;
	st = is_of_this_boot(v, text, &is_same_boot);
	if (st == ST_OK)
		st = look_beyond(v, 0, text->first_pfn, text->begin_ts, &below);
	if (st == ST_OK)
		st = look_beyond(v, text->end_pfn, UINT64_MAX, text->newest_ts, &above);
	if (st != ST_OK)
		return st;
	if (is_same_boot && (below.older || above.older))
		limit(v, text, &below, &above);
	else if (!is_same_boot && (below.pages || above.pages))
		report_warn(
			&v->report,
			"%s has PFN %#lx to %#lx: whether it is all of page_owner is unknown, and GROWTH "
			"may include %s beyond",
			text->path, text->first_pfn, text->end_pfn - 1,
			COUNT_OF(below.pages + above.pages, "page"));
	return ST_OK;
}
