// SPDX-License-Identifier: GPL-2.0-or-later
#include "stuck_spins.h"

#include <string.h>

#include "util/strbuf.h"

bool stuck_spin_words(const struct stuck *x, struct strbuf *b)
{
	size_t n = 0;

	stuck_for_each(s, x)
		if (s->spins)
			strbuf_add(b, "%s%s (%d)", n++ ? ", " : "", s->task.comm, s->task.pid);
	if (n)
		strbuf_add(b, n == 1 ? " was on a CPU and spun for a lock"
				     : " were on CPUs and spun for locks");
	return n;
}

/* The only one on a CPU that does not spin in a module; NULL: there is none, or more than one. */
static const struct stuck_task *owner_in(const struct stuck *x, const char *module)
{
	const struct stuck_task *ret = NULL;

	stuck_for_each(s, x) {
		if (s->spins || !s->runs_in || strcmp(s->runs_in->module, module) != 0)
			continue;
		if (ret)
			return NULL;
		ret = s;
	}
	return ret;
}

bool stuck_spin_owner_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b)
{
	const struct stuck_task *of =
		s->spins && s->runs_in ? owner_in(x, s->runs_in->module) : NULL;

	/* Where a thread ran whose registers are not known it may be there, too. */
	if (!of || x->frameless || !of->runs_in->symbol)
		return false;
	strbuf_add(b, "%s (%d), on a CPU in %s [%s], likely has the lock that %s (%d) spun for, in "
		      "the same module",
		   of->task.comm, of->task.pid, of->runs_in->symbol, of->runs_in->module,
		   s->task.comm, s->task.pid);
	return true;
}
