// SPDX-License-Identifier: GPL-2.0-or-later
/* Of processes of one name, whether a few of them have nearly all: workers, and not the helpers of the same name. */
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "util/units.h"

#define MANY 4	      /* of fewer the largest says enough */
#define NEARLY 90     /* percent of what all count */
#define MUCH_OF_ALL 4 /* one has much from this part of the largest one on */

const char *summary_few_of(struct summary *s, const struct process_group *g)
{
	uint64_t n = 0, pages = 0;

	for (const struct anon_process *p = g->sum.first; p; p = p->next) {
		if (p->anon < g->sum.largest / MUCH_OF_ALL)
			continue;
		n++;
		pages += p->anon;
	}
	if (g->processes < MANY || n < 2 || n > g->processes / 2 || !g->sum.counted ||
	    pages / NEARLY < g->sum.counted / 100)
		return NULL;
	return dump_text(s->dump, "%lu of them have %s%% of it", n,
			 PERCENT_TEXT(pages, g->sum.counted));
}
