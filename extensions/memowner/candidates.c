// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Modules that are no part of the kernel's source, where much memory is straight from the page allocator
 * and nothing recorded who asked for it: candidates, as drivers of the kernel's own source are, too.
 */

#include "case.h"
#include "summary.h"

#define ROWS 3

enum status summary_candidates(struct summary *s)
{
	const struct summary_case *c = s->of_case;
	unsigned int n = 0;

	if (!summary_lacks_owners(s) || !c || !c->has_modules)
		return ST_OK;
	for (const struct tainting_module *m = c->modules.first; m && n < ROWS; m = m->next) {
		if (!tainting_module_is_foreign(m) ||
		    (s->inferred_module && !strcmp(s->inferred_module, m->name)))
			continue;
		n++;
		summary_add(s, &(struct statement){
				       .section = SECTION_CANDIDATE,
				       .by = "module",
				       .name = m->name,
				       .remark = arena_text(s->dump->arena,
							    "not of the kernel's source (%s); no "
							    "record says who has direct pages",
							    m->letters) });
	}
	return ST_OK;
}
