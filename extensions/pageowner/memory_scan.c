// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory.h"

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
