// SPDX-License-Identifier: GPL-2.0-or-later
/* What processes of a group share, and HELD of the group is without: anonymous memory since fork(). */
#include "processes.h"

struct sharing {
	const struct process *most; /* of it, which stands for the group */
	const struct process *first;
	uint64_t most_bytes, bytes, held;
	unsigned int n; /* processes */
};

/* Its part of what it does not map alone. */
static uint64_t part_of(const struct processes *p, const struct process *q)
{
	const uint64_t alone = q->anon_alone << p->v->page_shift;

	return q->has_pss && q->pss_anon_bytes > alone ? q->pss_anon_bytes - alone : 0;
}

static struct sharing *group_of(struct processes *p, struct sharing *all, size_t *n,
				const struct process *q)
{
	const struct view *of = p->v->in->shown;

	for (size_t i = 0; i < *n; i++)
		if (rows_same_group(p->v->in, of->member_columns, of->nmember_columns,
				    all[i].first, q, p))
			return &all[i];
	all[*n].first = q;
	return &all[(*n)++];
}

static void add(const struct processes *p, struct sharing *s, const struct process *q)
{
	const uint64_t part = part_of(p, q);
	int64_t held = 0;

	if (process_held(p, q, &held) && held > 0)
		s->held += (uint64_t)held;
	s->bytes += part;
	s->n++;
	if (!s->most || part > s->most_bytes) {
		s->most = q;
		s->most_bytes = part;
	}
}

/* Less beside what each has alone is no matter. */
static bool is_much(const struct sharing *s)
{
	return s->n > 1 && s->bytes > s->held / HELD_FEW;
}

/* The sum of the parts is all of it where no process outside has it too, which is not known here: at most that. */
void processes_put_shared(struct processes *p)
{
	struct cmdline *in = p->v->in;
	struct sharing *all, *most = NULL;
	size_t n = 0, much = 0;

	if (!in->ngroups || !in->shown->member_columns ||
	    !table_shows(&in->table, COLUMN_held_bytes) || !p->n)
		return;
	all = dump_alloc(p->v->dump, p->n * sizeof(*all));
	for (size_t i = 0; i < p->n; i++)
		if (p->all[i]->is_kept && part_of(p, p->all[i]))
			add(p, group_of(p, all, &n, p->all[i]), p->all[i]);
	for (size_t i = 0; i < n; i++) {
		if (!is_much(&all[i]))
			continue;
		much++;
		if (!most || all[i].bytes > most->bytes)
			most = &all[i];
	}
	if (!most)
		return;
	processes_tell(p,
		       dump_text(p->v->dump,
				 "HELD of a group is without anonymous memory that several of it "
				 "share: up to %s of %s (%d) and %s of its group, less where "
				 "others share it%s",
				 SIZE_TEXT((int64_t)most->bytes), most->most->task.comm,
				 most->most->task.tgid, PLURAL_TEXT(most->n - 1, "more", "more"),
				 much > 1 ? dump_text(p->v->dump, "; so of %s",
						      PLURAL_TEXT(much - 1, "more group",
								  "more groups"))
					  : ""));
}
