// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory.h"

#include "class_counters.h"

struct scan {
	struct owner_view *v;
	enum status (*visit)(void *arg, const struct owner_page *page);
	void *arg;
};

/* Without page_owner: no record, or none that can be read. */
static enum status visit_pfn(void *arg, uint64_t pfn)
{
	struct scan *s = arg;
	const struct owner_page page = { .pfn = pfn, .unknown = s->v->records_unknown };

	return s->visit(s->arg, &page);
}

enum status memory_scan(struct owner_view *v, struct scan_stats *cov,
			enum status (*visit)(void *arg, const struct owner_page *page), void *arg)
{
	struct scan s = { v, visit, arg };

	return v->has_owner ? page_owner_scan(&v->owner, SCAN_ALL, cov, visit, arg)
			    : ram_walk(v->dump, &v->owner.ram, visit_pfn, &s);
}

enum status memory_open(struct owner_view *v, uint64_t needs, enum availability *why)
{
	v->any_kernel = true;
	v->needs = needs;
	return owner_view_open(v, why);
}

enum status memory_open_classes(void *arg, enum availability *why)
{
	return memory_open(arg, 1 << KEY_CLASS, why);
}

bool memory_has_classes(struct owner_view *v)
{
	if (!v->classes)
		report_no_data(&v->report, UNKNOWN_LAYOUT);
	return v->classes;
}

void memory_end(struct owner_view *v, const struct scan_stats *cov, enum status st,
		const struct memory_gaps *gaps, uint64_t visited, const char *callers)
{
	const struct gap lacks[] = {
		{ "no struct page in this dump for %s", gaps->unreadable, "page", "pages" },
		{ "the class of %s is unknown", gaps->unknown, "page", "pages" },
	};

	REPORT_GAPS(&v->report, lacks);
	if (callers && !v->has_owner)
		report_warn(&v->report, "%s are unknown: %s", callers, v->owner_problem);
	if (!v->in->opts.json)
		sink_printf(v->out, "classes cover %s of %s pages of %s\n",
			    COUNT_TEXT(visited - gaps->unreadable), COUNT_TEXT(v->owner.ram.pages),
			    v->owner.ram.name);
	if (gaps->unreadable && visited == gaps->unreadable)
		report_none_read(&v->report, v->owner.ram.pages, v->owner.ram.name);
	v->has_gaps |= st != ST_OK || v->classes->problem || (callers && cov->undecodable);
	if (v->has_owner)
		return owner_view_end(v, cov, NULL);
	owner_put_base(v);
	report_end(&v->report, NULL, !v->has_gaps && !v->owner.ram.derived);
}

void memory_end_classes(struct owner_view *v, const struct scan_stats *cov, enum status st,
			const struct class_pages *found, const char *callers)
{
	const struct memory_gaps gaps = { found->unreadable, found->pages[CLASS_UNKNOWN] };
	uint64_t visited = found->unreadable;

	for (unsigned int i = 0; i < PAGE_CLASSES; i++)
		visited += found->pages[i];
	memory_end(v, cov, st, &gaps, visited, callers);
}
