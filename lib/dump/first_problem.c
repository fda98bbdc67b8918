// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/first_problem.h"

enum status first_problem_keep(struct dump *d, struct first_problem *p, enum status st)
{
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK && p->status == ST_OK) {
		p->status = st;
		p->text = dump_why(d);
	}
	return ST_OK;
}

enum status first_problem_end(struct dump *d, const struct first_problem *p)
{
	return p->status == ST_OK ? ST_OK : dump_fail(d, p->status, "%s", p->text ? p->text : "");
}
