// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory.h"

#include "util/units.h"

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

void memory_end(struct owner_view *v, const struct scan_stats *cov, enum status st,
		const struct memory_gaps *gaps, uint64_t visited, const char *callers)
{
	char n[UNITS_BYTES], ram[UNITS_BYTES], pages[UNITS_PLURAL];

	if (gaps->unreadable)
		report_warn(&v->report, "no struct page in this dump for %s",
			    units_plural(pages, gaps->unreadable, "page", "pages"));
	if (gaps->unknown)
		report_warn(&v->report, "the class of %s is unknown",
			    units_plural(pages, gaps->unknown, "page", "pages"));
	if (callers && !v->has_owner)
		report_warn(&v->report, "%s are unknown: %s", callers, v->owner_problem);
	units_count(n, visited - gaps->unreadable);
	units_count(ram, v->owner.ram.pages);
	if (!v->in->opts.json)
		sink_printf(v->out, "classes cover %s of %s pages of %s\n", n, ram,
			    v->owner.ram.name);
	v->has_gaps |= st != ST_OK || gaps->unreadable || gaps->unknown || v->classes->problem ||
		       (callers && cov->undecodable);
	if (v->has_owner)
		owner_view_end(v, cov, NULL);
	else
		report_end(&v->report, NULL, !v->has_gaps && !v->owner.ram.derived);
}
