// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/list.h"

#define MAX_NODES (1U << 26) /* each has an object around it */

static enum status go_to(struct list_nodes *l, uint64_t at)
{
	uint8_t raw[16] = { 0 };
	/* An hlist_head is one pointer; an hlist_node has, as prev, the address of that which leads to it. */
	size_t bytes = l->is_hlist && at == l->head ? 8 : sizeof(raw);
	enum status st = dump_read(l->dump, at, raw, bytes, l->what);

	l->at = at;
	l->links[LIST_FORWARD] = le64(raw);
	l->links[LIST_BACKWARD] = le64(raw + 8);
	l->is_read = true;
	return st;
}

/* The other end of the list is left, if it has one. */
static void turn_back(struct list_nodes *l, enum status st)
{
	bool ends = l->is_hlist || l->way == LIST_BACKWARD;

	first_problem_keep(l->dump, &l->problem, st);
	l->way = ends || go_to(l, l->head) != ST_OK ? LIST_ENDED : LIST_BACKWARD;
}

static enum status follow(struct list_nodes *l)
{
	const uint64_t from = l->at, node = l->links[l->way];
	enum status st;

	if (l->n == MAX_NODES)
		return dump_corrupt(l->dump, "%s: more than %u", l->what, MAX_NODES);
	st = go_to(l, node);
	/* list_add_tail() writes the link to the head last: a CPU may have died in between. */
	if (st == ST_OK && l->links[!l->way] != from)
		st = dump_corrupt(l->dump, "%s: the link back of %#lx leads to %#lx, not to %#lx",
				  l->what, node, l->links[!l->way], from);
	return st;
}

/* The head leads to the last one too: where that is another, what follows the damaged link is missing. */
static enum status check_last(struct list_nodes *l)
{
	/* One of 0 tells nothing of the others. */
	if (l->is_hlist || l->way == LIST_BACKWARD || l->at == l->last || !l->last)
		return ST_OK;
	return dump_corrupt(l->dump,
			    "%s: %#lx leads to the head, and the head has %#lx as the last",
			    l->what, l->at, l->last);
}

bool list_next(struct list_nodes *l, uint64_t *node)
{
	const uint64_t end = l->is_hlist ? 0 : l->head;
	enum status st = ST_OK;

	if (!l->is_read) {
		st = go_to(l, l->head);
		l->last = l->links[LIST_BACKWARD];
	}
	if (st != ST_OK)
		turn_back(l, st);
	while (l->way != LIST_ENDED && !dump_stopped(l->dump)) {
		bool is_end = l->links[l->way] == end;

		st = is_end ? check_last(l) : follow(l);
		if (st == ST_OK && is_end)
			return false;
		if (st == ST_OK) {
			l->n++;
			*node = l->at;
			return true;
		}
		turn_back(l, st);
	}
	return false;
}

enum status list_end(const struct list_nodes *l)
{
	return dump_stopped(l->dump) ? ST_STOPPED : first_problem_end(l->dump, &l->problem);
}
