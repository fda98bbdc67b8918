// SPDX-License-Identifier: GPL-2.0-or-later
/* Who may have memory by the log: a victim, of a text of the log alone the counters of a cgroup. */
#include "claims.h"

#include "summary.h"

/* What its counters have and no row. */
static void add_part(struct claims *c, const char *class, struct maybe_u64 part, uint32_t memory)
{
	uint64_t told = 0;

	for (unsigned int i = 0; i < c->n; i++)
		told += c->all[i].row && c->all[i].memory == memory ? c->all[i].pages : 0;
	if (part.known && told < part.n)
		claims_add(c, &(struct claim){
				      .class = class, .pages = part.n - told, .memory = memory });
}

#define EXPLAINED 80 /* percent of what is charged: below, what no counter has may be the most */

/* The counters of a log. A row of a kernel without a column of anonymous memory has its files too. */
void claims_add_parts(struct claims *c)
{
	const struct limit_parts *p = &c->s->parts;
	const struct maybe_u64 kernel = c->s->limit_kernel;
	const uint64_t files = p->shmem.n + p->file.n;

	if (!p->anon.known || !p->shmem.known || !p->file.known ||
	    p->anon.n + files + (kernel.known ? kernel.n : 0) <
		    c->s->limit_usage.n / 100 * EXPLAINED) {
		c->n = 0;
		return;
	}
	for (struct claim *x = c->all; x < c->all + c->n; x++) {
		if (!x->row || x->row->section != SECTION_GROUP || !c->s->lacks_anon)
			continue;
		x->pages -= x->pages < files ? x->pages : files;
		x->pages = x->pages < p->anon.n ? x->pages : p->anon.n;
		x->is_part = x->is_about = true;
	}
	add_part(c, "anon", p->anon, 1U << CLASS_ANON);
	add_part(c, "shmem", p->shmem, 1U << CLASS_SHMEM);
	add_part(c, "file", p->file, 1U << CLASS_FILE);
}

/* Whether a process of the log is among the rows: it is there, or they are those of the log. */
static bool has_process(const struct claims *c, uint64_t pid)
{
	return ANY_NEXT(row, c->s->first[SECTION_GROUP], row->pid.known && row->pid.n == pid);
}

/* What was killed had its memory when that ran out. */
void claims_add_victim(struct claims *c)
{
	const char *older;
	const struct oom_report *r = summary_report_of_end(c->s, &older);
	const struct oom_victim *v = r ? &r->victim : NULL;
	const unsigned int shift = c->s->dump->page_shift;

	if (!r || r->outcome != OOM_KILLED || r->kills > 1 || shift < 10 || !v->pid.known ||
	    !v->has_comm || !v->anon_rss_kib.known || has_process(c, v->pid.value))
		return;
	claims_add(c, &(struct claim){
			      .victim = v,
			      .pages = (v->anon_rss_kib.value +
					(v->shmem_rss_kib.known ? v->shmem_rss_kib.value : 0)) >>
				       (shift - 10),
			      .memory = 1U << CLASS_ANON,
			      .depth = DEPTH_OWNER });
}
