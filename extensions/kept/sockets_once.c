// SPDX-License-Identifier: GPL-2.0-or-later
/* Sockets with their packets and users, of which several parts of a summary ask. */
#include "memowner/groups.h"

#include "collect/sockets.h"
#include "collect/task_places.h"
#include "memowner/summary.h"
#include "pageowner/view.h"

enum status summary_sockets_once(struct summary *s, const struct sockets **ret)
{
	const struct session session = owner_session(s->view);

	return sockets_collect(&session, ret);
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

/* "3 processes wallboard", each with its own connections: nine tenths is sent to them; NULL: to several names. */
const char *summary_receivers(struct summary *s, const struct hash_u64 *peers_of, uint64_t all)
{
	const char *name = NULL;
	uint64_t sent = 0;
	size_t n = 0;

	for (const struct hash_u64_entry *e = peers_of->first; e; e = e->next) {
		const struct text_list *peers = (const struct text_list *)(uintptr_t)e->key;
		const char *comm = peers && peers->n == 1 ? strchr(peers->text, '(') : NULL;

		if (!comm || (name && strcmp(comm, name) != 0))
			continue;
		name = comm;
		sent += *(const uint64_t *)e->value;
		n++;
	}
	return n > 1 && sent > all / 10 * 9 ? dump_text(s->dump, "%zu processes %.*s", n,
							(int)strcspn(name + 1, ")"), name + 1)
					    : NULL;
}

/* Of one process: its cgroup is charged for what its sockets have, unless it came there later. */
const char *summary_cgroup_of_user(struct summary *s, const struct text_list *users)
{
	const int32_t tgid = summary_only_user(users);
	struct task_places *places = dump_alloc(s->dump, sizeof(*places));
	struct tasks tasks;
	struct task task;
	const char *ret = NULL;

	task_places_open(s->dump, places);
	if (tgid && tasks_open(s->dump, &tasks) == ST_OK &&
	    tasks_find(&tasks, tgid, &task) == ST_OK)
		ret = task_cgroup(places, &task);
	s->dump->error[0] = '\0';
	return ret;
}
