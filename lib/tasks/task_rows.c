// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/task_rows.h"

/* Of more threads each walk reads again: a row has some 300 bytes. */
#define MOST_ROWS 65536
#define CHUNK_ROWS 256

struct rows_chunk {
	struct rows_chunk *next;
	unsigned int n;
	struct task rows[CHUNK_ROWS];
};

void task_rows_start(struct dump *d, bool identity_only, struct task_rows *ret)
{
	*ret = (struct task_rows){ .dump = d, .identity_only = identity_only };
}

void task_rows_add(struct task_rows *r, const struct task *task, enum status visited)
{
	struct rows_chunk *c = r->last;

	r->is_partial |= visited != ST_OK || r->n == MOST_ROWS;
	if (r->is_partial)
		return;
	if (!c || c->n == CHUNK_ROWS) {
		c = dump_alloc(r->dump, sizeof(*c));
		*(r->last ? &r->last->next : &r->first) = c;
		r->last = c;
	}
	c->rows[c->n++] = *task;
	r->n++;
}

void task_rows_end(struct task_rows *r, const struct tasks *t, enum status st)
{
	struct dump *d = r->dump;
	struct task_rows *kept;

	if (r->is_partial || dump_stopped(d) || st == ST_STOPPED)
		return;
	r->cut = t->cut;
	r->problem = problem_of_part(d, st);
	kept = dump_alloc(d, sizeof(*kept));
	*kept = *r;
	d->task_rows = kept;
}

const struct task_rows *task_rows_find(struct dump *d, bool identity_only)
{
	return d->task_rows && (identity_only || !d->task_rows->identity_only) ? d->task_rows
									       : NULL;
}

bool task_rows_lack_memory(struct dump *d, uint64_t mm)
{
	bool found = false;

	for (struct rows_chunk *c = d->task_rows ? d->task_rows->first : NULL; c; c = c->next)
		for (unsigned int i = 0; i < c->n; i++) {
			struct task *t = &c->rows[i];

			if (t->mm != mm)
				continue;
			found = true;
			t->mm_unreadable = t->mm_corrupt = true;
			t->has_mm = false;
			t->rss = t->swap = t->rss_anon = t->rss_file = t->rss_shmem = 0;
		}
	return found;
}

static void keep_cut(struct tasks *t, const struct task_rows *r)
{
	hash_u64_init(&t->cut, t->dump->arena, 0);
	for (const struct hash_u64_entry *e = r->cut.first; e; e = e->next)
		hash_u64_get(&t->cut, e->key, NULL);
}

/* As the walk itself: what a visitor cannot read costs the rest of that process. */
enum status task_rows_walk(const struct task_rows *r, struct tasks *t,
			   enum status (*visit)(void *arg, const struct task *task), void *arg)
{
	struct dump *d = t->dump;
	struct first_problem problem = { 0 };
	uint64_t left_out = 0; /* signal_struct */

	t->visited = 0;
	keep_cut(t, r);
	for (const struct rows_chunk *c = r->first; c; c = c->next) {
		for (unsigned int i = 0; i < c->n && !dump_stopped(d); i++) {
			const struct task *task = &c->rows[i];
			enum status st;

			if (left_out && task->signal == left_out)
				continue;
			left_out = 0;
			t->visited++;
			st = visit(arg, task);
			if (st == ST_OK)
				continue;
			hash_u64_get(&t->cut, task->signal, NULL);
			if (st != ST_UNREADABLE && st != ST_CORRUPT)
				return st;
			left_out = task->signal;
			first_problem_keep(d, &problem, st);
		}
	}
	return first_problem_end(d, problem.status == ST_OK ? &r->problem : &problem);
}
