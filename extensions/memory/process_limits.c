// SPDX-License-Identifier: GPL-2.0-or-later
/* How many descriptors each process has taken, its resource limits, and its scheduling policy. */
#include "files/fd_bits.h"
#include "processes.h"
#include "tasks/last_ran.h"

struct scheduled {
	uint64_t policy, rt_priority;
};

struct searched {
	struct structure task;
	struct rlimits rlimits;
	struct fd_bits fds;
	bool has_rlimits, has_fds;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct searched, task, "struct task_struct"),
	READS(struct scheduled, policy, REQUIRED, "all", "policy"),
	READS(struct scheduled, rt_priority, REQUIRED, "all", "rt_priority"),
};

static void read_limits(struct processes *p, const struct searched *x, struct process *q)
{
	struct scheduled s = { 0 };
	enum status st = struct_read(&x->task, q->task.address, &s);

	q->policy = (struct maybe_u64){ s.policy, st == ST_OK };
	q->rt_priority = (struct maybe_u64){ s.rt_priority, st == ST_OK };
	for (unsigned int k = 0; x->has_rlimits && st == ST_OK && k < TASK_LIMITS; k++) {
		st = rlimit_read(&x->rlimits, &q->task, k, &q->limits[k].n);
		q->limits[k].known = st == ST_OK;
	}
	if (st != ST_OK && !p->limits_problem)
		p->limits_problem = dump_why(p->v->dump);
}

static void count_descriptors(struct processes *p, const struct searched *x, struct process *q)
{
	const enum status st = fd_bits_count(&x->fds, q->task.address, FD_TABLE_MOST, 0,
					     &q->descriptors.n);

	q->descriptors.known = st == ST_OK;
	if (st != ST_OK && !p->descriptors_problem)
		p->descriptors_problem = dump_why(p->v->dump);
}

enum status processes_find_limits(struct processes *p)
{
	struct dump *d = p->v->dump;
	struct searched *x = dump_alloc(d, sizeof(*x));

	if (STRUCTS_OPEN(d, rows, x) != ST_OK) {
		p->limits_problem = dump_why(d);
		return ST_OK;
	}
	x->has_rlimits = rlimits_open(d, &x->rlimits) == ST_OK;
	if (!x->has_rlimits)
		p->limits_problem = dump_why(d);
	x->has_fds = fd_bits_open(d, &x->fds) == ST_OK;
	if (!x->has_fds)
		p->descriptors_problem = dump_why(d);
	for (size_t i = 0; i < p->n; i++) {
		if (!p->all[i]->has_task)
			continue;
		if (dump_stopped(d))
			return ST_STOPPED;
		read_limits(p, x, p->all[i]);
		if (x->has_fds)
			count_descriptors(p, x, p->all[i]);
	}
	return ST_OK;
}

static void add_limit(const char *name, uint64_t n, bool is_size, struct strbuf *b)
{
	strbuf_add(b, "%s%s %s", strbuf_between(b, ", "), name,
		   n > INT64_MAX ? "none"
		   : is_size	 ? SIZE_TEXT((int64_t)n)
				 : COUNT_TEXT(n));
}

const char *process_limits_text(const struct processes *p, const struct process *q)
{
	const char *policy = q->policy.known ? sched_policy_name(q->policy.n) : NULL;
	struct strbuf b = STRBUF_OF(256);

	for (unsigned int k = 0; k < TASK_LIMITS; k++)
		if (!q->limits[k].known)
			return NULL;
	if (!policy || !q->rt_priority.known)
		return NULL;
	add_limit("nofile", q->limits[TASK_LIMIT_NOFILE].n, false, &b);
	add_limit("as", q->limits[TASK_LIMIT_AS].n, true, &b);
	add_limit("memlock", q->limits[TASK_LIMIT_MEMLOCK].n, true, &b);
	strbuf_add(&b, "; %s", policy);
	if (q->rt_priority.n)
		strbuf_add(&b, " %lu", q->rt_priority.n);
	return dump_strdup(p->v->dump, b.buf);
}
