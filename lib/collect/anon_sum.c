// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/anon_sum.h"

#include "util/units.h"

#define MAX_PAGES (1U << 22) /* that are looked up: about a second */
#define CHANGED 16	     /* tables may differ from counters by this part, as processes run */

struct anon_process {
	struct anon_process *next;
	uint64_t pgd, rss; /* rss: pages */
};

void anon_sum_add(struct dump *d, struct anon_sum *sum, const struct task *t, uint64_t pgd)
{
	struct anon_process *p = dump_alloc(d, sizeof(*p));
	uint64_t anon = t->rss_anon > 0 ? (uint64_t)t->rss_anon : 0;

	*p = (struct anon_process){ sum->first, pgd, t->rss > 0 ? (uint64_t)t->rss : 0 };
	sum->first = p;
	sum->counted += anon;
	sum->largest = anon > sum->largest ? anon : sum->largest;
}

enum status anon_sum_read(struct dump *d, struct anon_sums *sums, const struct anon_sum *sum,
			  uint64_t *pages)
{
	uint64_t bytes = 0, mapped = 0, rss = 0;
	enum status st;
	struct pss pss;

	for (const struct anon_process *p = sum->first; p; p = p->next)
		rss += p->rss;
	if (rss > MAX_PAGES - sums->read)
		return dump_fail(d, ST_UNKNOWN, "page tables of %s pages are too many to look up",
				 COUNT_TEXT(rss));
	sums->read += rss;
	if (!sums->reader) {
		sums->reader = dump_alloc(d, sizeof(*sums->reader));
		sums->status = pss_open(d, sums->reader);
		sums->problem = sums->status == ST_OK ? NULL : arena_strdup(d->arena, d->error);
	}
	st = sums->problem ? dump_fail(d, sums->status, "%s", sums->problem) : sums->status;
	for (const struct anon_process *p = sum->first; st == ST_OK && p; p = p->next) {
		st = p->pgd ? pss_read(sums->reader, p->pgd, &pss)
			    : dump_fail(d, ST_UNREADABLE, "a struct mm_struct cannot be read");
		if (st != ST_OK)
			break;
		bytes += pss.anon_bytes;
		mapped += pss.pages;
	}
	if (st == ST_OK && (mapped > rss ? mapped - rss : rss - mapped) > rss / CHANGED)
		st = dump_fail(d, ST_UNKNOWN, "page tables have %s pages, the counters %s",
			       COUNT_TEXT(mapped), COUNT_TEXT(rss));
	if (st == ST_OK)
		*pages = bytes >> d->page_shift;
	return st;
}
