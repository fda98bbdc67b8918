// SPDX-License-Identifier: GPL-2.0-or-later
/* What keeps mm_structs from being freed, besides the threads that use them. */
#include "processes.h"

#define LINES 8

enum status processes_find_holders(struct processes *p)
{
	struct dump *d = p->v->dump;
	enum status st = mm_holders_read(d, &p->holders);

	if (st == ST_STOPPED)
		return st;
	p->has_holders = st == ST_OK;
	p->holders_problem = st == ST_OK ? p->holders.problem : dump_why(d);
	return ST_OK;
}

static bool rest_of(uint64_t count, uint64_t found, uint64_t *ret)
{
	if (found > count)
		return false;
	*ret = count - found;
	return true;
}

/* Of a kernel thread mm_users has nothing: kthread_use_mm() takes a reference to the structure. */
bool process_unknown_users(const struct process *q, uint64_t *ret)
{
	return q->has_mm && q->has_threads &&
	       rest_of(q->info.users, q->threads + (q->kernel_name ? 1 : 0), ret);
}

/* All users together have one reference (mmput() in kernel/fork.c). */
bool process_unknown_references(const struct processes *p, const struct process *q, uint64_t *ret)
{
	return q->has_mm && p->has_holders && !p->holders_problem &&
	       rest_of(q->info.count, mm_holders_count(&p->holders, q->mm) + (q->info.users != 0),
		       ret);
}

static void put_process(const struct processes *p, const struct process *q)
{
	const struct text_list *holders;
	struct sink *out = p->v->out;
	uint64_t users, references;

	sink_printf(out, "mm_struct 0x%lx without a task: mm_users %u, mm_count %u", q->mm,
		    q->info.users, q->info.count);
	holders = p->has_holders ? mm_holders_list(&p->holders, q->mm, &p->v->lists) : NULL;
	if (holders && holders->n)
		sink_printf(out, "; referenced by %s", holders->text);
	else if (!p->has_holders || p->holders_problem)
		sink_text(out, "; holders unknown");
	if (process_unknown_users(q, &users) && users)
		sink_printf(out, "; %s", COUNT_OF(users, "unknown user"));
	if (process_unknown_references(p, q, &references) && references)
		sink_printf(out, "; %s", COUNT_OF(references, "unknown reference"));
	sink_text(out, "\n");
}

void processes_put_holders(struct processes *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct process *q = p->all[i];

		if (q->has_task || q->kernel_name || !q->has_mm || n++ >= LINES)
			continue;
		put_process(p, q);
	}
	if (n > LINES)
		report_rest(&p->v->report, n - LINES, "mm_struct", "mm_structs", NULL);
}
