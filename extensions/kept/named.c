// SPDX-License-Identifier: GPL-2.0-or-later
/* The process that the summary names first, where memory is not what it is about: a page has more of it. */
#include "memowner/case.h"
#include "memowner/summary.h"

/* Of a section the first row that is of a process; 0: none is. */
static int32_t first_of(const struct summary *s, enum section section)
{
	for (const struct statement *row = s->first[section]; row; row = row->next) {
		const struct maybe_u64 *pid = row->pid.known ? &row->pid : &row->user_pid;

		if (pid->known && pid->n && pid->n <= INT32_MAX)
			return (int32_t)pid->n;
	}
	return 0;
}

/* Who was asked to end the machine, or asked for it, is not what went wrong. */
static bool is_asked_for(const struct summary *s)
{
	const struct statement *panic = s->first[SECTION_PANIC];

	return panic && panic->name && !strncmp(panic->name, "sysrq ", strlen("sysrq "));
}

/* Whose limit is used up: of one of all processes who has most of what it counts. */
static int32_t of_limit(const struct summary *s)
{
	const struct summary_case *c = s->of_case;

	if (!c || !c->used.n || s->verdict != VERDICT_NOT_SHORT)
		return 0;
	if (c->used.all[0].tgid)
		return c->used.all[0].tgid;
	return c->limit_users[0].n && c->limit_users[0].all[0].processes == 1
		       ? c->limit_users[0].all[0].tgid
		       : 0;
}

enum status summary_named(struct summary *s)
{
	struct dump *d = s->dump;

	if (!d->told_tgid)
		d->told_tgid = of_limit(s)	  ?: first_of(s, SECTION_STUCK)
				       ?: first_of(s, SECTION_EXCEPTION)
				       ?: (is_asked_for(s) ? 0 : first_of(s, SECTION_PANIC))
				       ?: first_of(s, SECTION_PROCESS);
	return ST_OK;
}
