// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has terminals open: each end of a pseudo-terminal has a line discipline of its own, an area of vmalloc (n_tty_open()). */
#include "collect/open_counts.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define MOST_TENTHS 500 /* of a percent: half of all */

const char *summary_terminals(struct summary *s)
{
	struct open_counts *all = dump_alloc(s->dump, sizeof(*all));
	const struct open_count *most = NULL;
	uint64_t n = 0, sum = 0;

	/* Whoever is not known may have them: then nothing is said of a share. */
	if (open_counts_read(s->dump, false, all) != ST_OK || !all->complete)
		return NULL;
	hash_bytes_for_each(const struct open_count, c, &all->all) {
		const uint64_t terminals = open_counts_terminals(c);

		sum += terminals;
		most = terminals > n ? c : most;
		n = terminals > n ? terminals : n;
	}
	if (!most || units_tenths(n, sum) < MOST_TENTHS)
		return NULL;
	return dump_text(s->dump, "%s (%d) has %s open", most->comm, most->tgid,
			 PLURAL_TEXT(n, "end of a terminal", "ends of terminals"));
}
