// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/fork.h"

static bool has_members(struct dump *d, const struct fork *fork)
{
	struct field f;

	for (unsigned int i = 0; i < FORK_MEMBERS && fork->members[i].type; i++)
		if (dump_ask(d, member, fork->members[i].type, fork->members[i].member, &f) !=
		    ST_OK)
			return false;
	return true;
}

static bool fits(struct dump *d, const struct fork *fork)
{
	int64_t value;

	return has_members(d, fork) &&
	       (!fork->enumerator || dump_ask(d, enumerator, fork->enumerator, &value) == ST_OK) &&
	       (!fork->symbol || dump_has_symbol(d, fork->symbol));
}

size_t fork_find(struct dump *d, const char *of, const struct fork *forks, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!fits(d, &forks[i]))
			continue;
		decoder_trace(d, "fork   %s: %s [%s]", of, forks[i].form, forks[i].since);
		return i;
	}
	decoder_trace(d, "fork   %s: none that is known", of);
	return n;
}
