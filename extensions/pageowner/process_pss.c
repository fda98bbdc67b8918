// SPDX-License-Identifier: GPL-2.0-or-later
/* The proportional set size of each process, by its page tables. */
#include "processes.h"

static enum status find_one(struct processes *p, struct pss_reader *reader, struct process *q)
{
	struct dump *d = p->v->dump;
	struct pss pss = { 0 };
	enum status st = ST_OK;

	if (mm_counts_rss(&q->exact))
		st = pss_read(reader, q->info.pgd, &pss);
	if (st == ST_NOMEM || st == ST_STOPPED)
		return st;
	if (st != ST_OK) {
		p->no_pss++;
		if (!p->no_pss_tables++)
			p->pss_problem = arena_strdup(d->arena, d->error);
		return ST_OK;
	}
	/* Tables of a process that ran may be ahead of its counters. */
	q->has_pss = pss.pages == (uint64_t)mm_counts_rss(&q->exact);
	q->pss_bytes = pss.bytes;
	p->no_pss += !q->has_pss;
	return ST_OK;
}

enum status processes_find_pss(struct processes *p)
{
	struct dump *d = p->v->dump;
	struct pss_reader *reader = dump_alloc(d, sizeof(*reader));
	enum status st;

	if (!reader)
		return ST_NOMEM;
	st = pss_open(d, reader);
	if (st == ST_NOMEM)
		return st;
	if (st != ST_OK) {
		p->pss_problem = arena_strdup(d->arena, d->error);
		p->no_pss = p->no_pss_tables = p->n;
		return ST_OK;
	}
	for (size_t i = 0; i < p->n; i++) {
		if (!p->all[i]->has_exact || !p->all[i]->has_mm)
			continue;
		st = find_one(p, reader, p->all[i]);
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}
