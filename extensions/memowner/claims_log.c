// SPDX-License-Identifier: GPL-2.0-or-later
/* Who may have what is charged to a cgroup, of a text of the log: its counters beside its processes. */
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
		x->is_about = true;
	}
	add_part(c, "anon", p->anon, 1U << CLASS_ANON);
	add_part(c, "shmem", p->shmem, 1U << CLASS_SHMEM);
	add_part(c, "file", p->file, 1U << CLASS_FILE);
}
