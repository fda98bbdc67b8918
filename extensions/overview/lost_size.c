// SPDX-License-Identifier: GPL-2.0-or-later
#include "memowner/lost_size.h"

#include "memowner/summary.h"
#include "oom/oom_report.h"

#define MOST_ORDER 16 /* more than any page allocator has: MAX_ORDER is a setting of the kernel */

unsigned int lost_order(const struct dump *d, uint64_t bytes)
{
	unsigned int order = 0;

	while (order < MOST_ORDER && 1ull << (d->page_shift + order) < bytes)
		order++;
	return bytes == 1ull << (d->page_shift + order) ? order : 0;
}

bool summary_asked_for_lost(const struct summary *s, const char *asked)
{
	return asked && s->lost_order && s->ran_out && s->ran_out->has_order &&
	       s->ran_out->order == (int)s->lost_order;
}

const char *summary_asked_words(struct summary *s, const char *asked)
{
	return !summary_asked_for_lost(s, asked)
		       ? asked
		       : dump_text(
				 s->dump,
				 "%s, which asked for order %u, %s, as most of those have to which "
				 "no root leads",
				 asked, s->lost_order,
				 SIZE_TEXT(1ull << (s->dump->page_shift + s->lost_order)));
}
