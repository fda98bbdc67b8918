// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/list_ends.h"

#include "kernel/list.h"

struct walk {
	struct dump *dump;
	uint64_t n, max; /* of list_heads that were visited */
	const char *what;
	enum status (*visit)(void *arg, uint64_t node);
	void *arg;
	bool ended; /* not by a defect of the list */
};

static enum status visit_node(void *arg, uint64_t node)
{
	struct walk *w = arg;
	enum status st = ST_OK;

	if (w->n++ == w->max)
		st = dump_fail(w->dump, ST_CORRUPT, "%s: more than %lu", w->what, w->max);
	st = st ?: w->visit(w->arg, node);
	w->ended = st != ST_OK;
	return st;
}

/*
 * Each list_head is the next of the one before: so none is visited twice, and the walk does not come
 * behind the defect, where list_walk() ended.
 */
static enum status walk_back(struct walk *w, uint64_t head)
{
	uint64_t from = head, node;
	uint8_t raw[16];
	enum status st = dump_read(w->dump, head, raw, sizeof(raw), w->what);

	while (st == ST_OK) {
		node = le64(raw + 8);
		if (node == head)
			return ST_OK;
		if (dump_stopped(w->dump))
			return dump_fail(w->dump, ST_STOPPED, "interrupted");
		st = dump_read(w->dump, node, raw, sizeof(raw), w->what);
		if (st != ST_OK || le64(raw) != from)
			return ST_OK;
		st = visit_node(w, node);
		from = node;
	}
	return w->ended ? st : ST_OK;
}

enum status list_walk_ends(struct dump *d, uint64_t head, uint64_t max, const char *what,
			   enum status (*visit)(void *arg, uint64_t node), void *arg)
{
	struct walk w = { .dump = d, .max = max, .what = what, .visit = visit, .arg = arg };
	const char *problem;
	enum status st, back;

	st = list_walk(d, head, what, visit_node, &w);
	if (w.ended || (st != ST_UNREADABLE && st != ST_CORRUPT))
		return st;
	problem = dump_why(d);
	back = walk_back(&w, head);
	return back == ST_OK ? dump_fail(d, st, "%s", problem) : back;
}
