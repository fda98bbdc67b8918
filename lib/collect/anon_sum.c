// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/anon_sum.h"

#include "util/units.h"

#define MAX_PAGES (1U << 22) /* that are looked up: about a second */
#define CHANGED 16	     /* tables may differ from counters by this part, as processes run */
#define LOST 256	     /* pages that are looked for in one process alone: half a page table */

void anon_sum_add(struct dump *d, struct anon_sum *sum, const struct task *t, uint64_t pgd)
{
	struct anon_process *p = dump_alloc(d, sizeof(*p));
	uint64_t anon = t->rss_anon > 0 ? (uint64_t)t->rss_anon : 0;
	uint64_t swap = t->swap > 0 ? (uint64_t)t->swap : 0;

	*p = (struct anon_process){ .next = sum->first,
				    .tgid = t->tgid,
				    .pgd = pgd,
				    .anon = anon,
				    .rss = t->rss > 0 ? (uint64_t)t->rss : 0 };
	sum->first = p;
	sum->counted += anon;
	sum->largest = anon > sum->largest ? anon : sum->largest;
	sum->swap_counted += swap;
	sum->swap_largest = swap > sum->swap_largest ? swap : sum->swap_largest;
}

static bool differ(uint64_t n, uint64_t counted)
{
	return (n > counted ? n - counted : counted - n) > counted / CHANGED;
}

static enum status open_reader(struct dump *d, struct anon_sums *sums)
{
	if (!sums->reader) {
		sums->reader = dump_alloc(d, sizeof(*sums->reader));
		sums->problem = problem_of_part(d, pss_open(d, sums->reader));
	}
	if (sums->problem.text)
		return first_problem_end(d, &sums->problem);
	if (!sums->reader->in_swap && !sums->no_swap && pss_look_at_swap(sums->reader) != ST_OK)
		sums->no_swap = dump_why(d);
	return ST_OK;
}

/* What the tables have in swap, if it is what the counters have. */
static void set_swap(struct dump *d, const struct anon_sums *sums, const struct anon_sum *sum,
		     uint64_t swapped, struct anon_found *ret)
{
	/* A kernel that was built without swap. */
	if (!dump_has_symbol(d, "nr_swapfiles"))
		ret->swap = (struct maybe_u64){ 0, true };
	else if (sums->no_swap)
		ret->why_no_swap = sums->no_swap;
	else if (differ(swapped, sum->swap_counted))
		ret->why_no_swap = dump_text(d,
					     "page tables have %s pages in swap, the counters %s",
					     COUNT_TEXT(swapped), COUNT_TEXT(sum->swap_counted));
	else
		ret->swap = (struct maybe_u64){ sums->reader->in_swap->n, true };
}

/*
 * Of one process: without a table, or with one of zeros, it has less than it counts, which is exact: of 80 dumps no process of
 * several differed by more than 16 pages.
 */
static bool is_lost(const struct anon_process *p, uint64_t mapped)
{
	return mapped < p->rss && p->rss - mapped >= LOST;
}

static void take_shared(struct anon_process *p, const struct pss *pss)
{
	const uint64_t own = pss->merged + pss->anon_alone;

	p->merged = pss->merged;
	p->shared = p->anon > own ? p->anon - own : 0;
}

enum status anon_sum_read(struct dump *d, struct anon_sums *sums, struct anon_sum *sum,
			  struct anon_found *ret)
{
	uint64_t bytes = 0, merged = 0, mapped = 0, swapped = 0, rss = 0;
	enum status st;
	struct pss pss;

	*ret = (struct anon_found){ 0 };
	for (const struct anon_process *p = sum->first; p; p = p->next)
		rss += p->rss;
	if (rss + sum->swap_counted > MAX_PAGES - sums->read)
		return dump_fail(d, ST_UNKNOWN, "page tables of %s pages are too many to look up",
				 COUNT_TEXT(rss + sum->swap_counted));
	sums->read += rss + sum->swap_counted;
	st = open_reader(d, sums);
	if (st == ST_OK && sums->reader->in_swap)
		pfnset_init(sums->reader->in_swap, d->arena, sums->reader->in_swap->end);
	for (struct anon_process *p = sum->first; st == ST_OK && p; p = p->next) {
		st = p->pgd ? pss_read(sums->reader, p->pgd, &pss)
			    : dump_unreadable(d, "a struct mm_struct cannot be read");
		if (st != ST_OK)
			break;
		bytes += pss.anon_bytes - pss.merged_bytes;
		merged += pss.merged_bytes;
		mapped += pss.pages;
		if (sum->first->next && is_lost(p, pss.pages)) {
			ret->why_least =
				dump_text(d, "page tables of %d have %s pages, the counters %s",
					  p->tgid, COUNT_TEXT(pss.pages), COUNT_TEXT(p->rss));
			mapped += p->rss - pss.pages;
		}
		swapped += pss.swapped;
		take_shared(p, &pss);
	}
	if (st == ST_OK && differ(mapped, rss))
		st = dump_fail(d, ST_UNKNOWN, "page tables have %s pages, the counters %s",
			       COUNT_TEXT(mapped), COUNT_TEXT(rss));
	if (st != ST_OK)
		return st;
	ret->pages = bytes >> d->page_shift;
	ret->merged = merged >> d->page_shift;
	set_swap(d, sums, sum, swapped, ret);
	return ST_OK;
}

const char *anon_sum_remark(struct dump *d, const struct anon_sum *sum, bool has_pages,
			    bool has_swap)
{
	const char *swap = SIZE_TEXT(sum->swap_counted << d->page_shift);

	has_swap |= !sum->swap_counted;
	if (has_pages)
		return has_swap
			       ? NULL
			       : dump_text(d,
					   "anon; what is in swap is of the largest, all count %s, "
					   "what they share is unknown",
					   swap);
	return dump_text(d, "anon%s of the largest; all count %s%s%s, what they share is unknown",
			 has_swap ? "" : " and swap", SIZE_TEXT(sum->counted << d->page_shift),
			 has_swap ? "" : " and ", has_swap ? "" : swap);
}
