// SPDX-License-Identifier: GPL-2.0-or-later
/* Packets that wait in queueing disciplines of network devices: of no socket that a process reads. */
#include "memory/sockets.h"
#include "memowner/summary.h"

static void put_queued(struct summary *s, const struct queued *q)
{
	struct arena *a = s->dump->arena;
	const struct qdisc *root = &q->of.root;
	struct statement *row;

	row = summary_holder(
		s, "qdisc",
		arena_text(a, "%s waiting to be %s by %s of device %s",
			   COUNT_OF(root->packets, "packet"),
			   q->of.is_ingress ? "received" : "sent", root->kind, q->of.device.name),
		q->memory.n >> s->dump->page_shift, "memowner sockets -f protocol=QDISC",
		arena_text(a, "%s%s%s; %s with what they are kept in%s", SIZE_TEXT(root->bytes),
			   " of headers and data in ", queued_name(s->dump, q),
			   SIZE_TEXT(q->memory.n), q->at_least ? ", at least" : ""));
	if (row)
		row->release = arena_text(a, "a lower limit of %s (tc qdisc), or its removal",
					  root->kind);
}

enum status summary_qdiscs(struct summary *s)
{
	const uint64_t pages = s->classes[CLASS_SLAB] + s->classes[CLASS_DIRECT] +
			       s->classes[CLASS_PAGE_POOL];
	struct queued_packets all;
	enum status st;

	if (!summary_may_hold(s, pages))
		return ST_OK;
	st = sockets_queued(s->dump, &all);
	if (st != ST_OK)
		return st == ST_ABSENT ? ST_OK : st;
	for (const struct queued *q = all.first; q; q = q->next)
		put_queued(s, q);
	if (all.problem)
		summary_unknown(s, "packets in queueing disciplines", NOT_IN_DUMP,
				"some may be missing: %s", all.problem);
	return ST_OK;
}
