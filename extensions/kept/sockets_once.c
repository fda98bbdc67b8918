// SPDX-License-Identifier: GPL-2.0-or-later
/* Sockets with their packets and users: several parts of a summary ask, and they are read once. */
#include "memowner/groups.h"

#include "collect/sockets.h"
#include "memowner/summary.h"
#include "pageowner/view.h"

struct sockets_once {
	struct sockets all;
	struct first_problem unread; /* why they cannot be */
};

enum status summary_sockets_once(struct summary *s, const struct sockets **ret)
{
	if (!s->sockets) {
		const struct session session = owner_session(s->view);

		s->sockets = dump_alloc(s->dump, sizeof(*s->sockets));
		s->sockets->unread = problem_of_part(s->dump,
						     sockets_collect(&session, &s->sockets->all));
	}
	*ret = &s->sockets->all;
	return first_problem_end(s->dump, &s->sockets->unread);
}

enum status groups_ask_sockets(struct summary *s,
			       bool (*asks)(const struct summary *s, const struct statement *row),
			       void (*tell)(struct summary *s, struct statement *row,
					    const struct sockets *x))
{
	const struct sockets *x;
	enum status st;

	if (!s->groups || !ANY_NEXT(row, s->first[SECTION_GROUP], asks(s, row)))
		return ST_OK;
	st = summary_sockets_once(s, &x);
	if (st != ST_OK)
		return st == ST_ABSENT ? ST_OK : st;
	for (struct statement *row = s->first[SECTION_GROUP]; row; row = row->next)
		if (asks(s, row))
			tell(s, row, x);
	return ST_OK;
}
