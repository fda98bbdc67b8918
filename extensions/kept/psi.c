// SPDX-License-Identifier: GPL-2.0-or-later
/* Pressure stall information of the machine and of all cgroups: several parts of a summary ask, and it is read once. */
#include "memowner/summary.h"

enum status summary_pressure(struct summary *s, const struct pressure **ret)
{
	struct throttled *t = &s->throttled;

	if (!t->is_read)
		t->unread = problem_of_part(s->dump, pressure_collect(s->dump, &t->pressure));
	t->is_read = true;
	*ret = &t->pressure;
	return first_problem_end(s->dump, &t->unread);
}
