// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/standstill.h"

#include <string.h>

static const char *const names[] = { [STALL_NONE] = "hung_task",
				     [STALL_RCU] = "rcu_stall",
				     [STALL_SOFT] = "soft_lockup",
				     [STALL_HARD] = "hard_lockup" };

static bool is_same(const struct standstill *a, const struct standstill *b)
{
	if (a->kind != b->kind || a->cpu.known != b->cpu.known || a->pid.known != b->pid.known)
		return false;
	/* The same CPU in another task is stuck anew. */
	return (a->cpu.known || a->pid.known) && a->cpu.value == b->cpu.value &&
	       a->pid.value == b->pid.value && !strcmp(a->comm, b->comm);
}

static void keep(struct standstills *all, const struct standstill *s)
{
	for (unsigned int i = 0; i < all->n; i++) {
		struct standstill *of = &all->all[i];

		if (!is_same(of, s))
			continue;
		of->lines++;
		of->seconds = s->seconds;
		of->last = s->last;
		return;
	}
	if (all->n == STANDSTILLS)
		all->more++;
	else
		all->all[all->n++] = *s;
}

static bool take_hung(const char *line, struct standstill *s)
{
	struct hung_task h = { 0 };

	if (!hung_line(line, &h))
		return false;
	s->pid = h.pid;
	s->seconds = h.seconds;
	memcpy(s->comm, h.comm, sizeof(s->comm));
	return true;
}

/* Behind the line on the task itself. */
static bool take_owner(struct standstills *all, const char *line)
{
	struct hung_owner owner;
	uint64_t pid;

	if (!hung_owner_line(line, &pid, &owner))
		return false;
	for (unsigned int i = 0; i < all->n; i++)
		if (!all->all[i].kind && all->all[i].pid.known && all->all[i].pid.value == pid)
			all->all[i].owner = owner;
	return true;
}

/* The CPU of a stall of RCU is in a line behind its first one. */
static void keep_stall(struct standstills *all, const struct cpu_stall *c,
		       const struct kernel_record *rec)
{
	struct standstill s = { .kind = c->kind,
				.pid = c->pid,
				.cpu = c->cpu,
				.seconds = c->seconds,
				.lines = 1,
				.first = rec,
				.last = rec };

	if (!c->kind)
		return;
	memcpy(s.comm, c->comm, sizeof(s.comm));
	s.in_user = c->in_user;
	keep(all, &s);
}

void standstills_read(const struct kernel_log *log, struct standstills *ret)
{
	struct cpu_stall stall = { .kind = STALL_NONE };
	const struct kernel_record *first = NULL;

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < log->n; i++) {
		const struct kernel_record *rec = &log->records[i];
		struct standstill s = { .lines = 1, .first = rec, .last = rec };
		struct cpu_stall head = { .kind = STALL_NONE };

		if (!rec->text) {
			stall_gap(&stall);
			continue;
		}
		stall_line(&head, rec->text);
		if (head.kind) {
			keep_stall(ret, &stall, first);
			stall = head;
			first = rec;
		} else if (take_hung(rec->text, &s)) {
			keep(ret, &s);
		} else if (take_owner(ret, rec->text)) {
			continue;
		} else if (stall.is_open || stall.task_lines) {
			stall_line(&stall, rec->text);
		}
	}
	keep_stall(ret, &stall, first);
}

static bool has_owner(const struct standstill *s)
{
	return !s->kind && s->owner.lock && s->owner.pid.known;
}

const struct hung_owner *standstills_owner(const struct standstills *all, unsigned int *n)
{
	const struct hung_owner *most = NULL;

	*n = 0;
	for (unsigned int i = 0; i < all->n; i++) {
		unsigned int waiters = 0;

		for (unsigned int k = 0; has_owner(&all->all[i]) && k < all->n; k++)
			waiters += has_owner(&all->all[k]) &&
				   all->all[k].owner.pid.value == all->all[i].owner.pid.value;
		if (waiters > *n) {
			most = &all->all[i].owner;
			*n = waiters;
		}
	}
	return most;
}

const char *standstill_name(const struct standstill *s)
{
	return names[s->kind];
}

void standstill_text(const struct standstill *s, struct strbuf *b)
{
	if (s->kind == STALL_NONE)
		strbuf_add(b, "task %s (%lu) was blocked", s->comm, s->pid.value);
	else if (s->cpu.known)
		strbuf_add(b, "CPU %lu was stuck", s->cpu.value);
	else if (s->kind == STALL_RCU && s->pid.known)
		strbuf_add(b, "a section of RCU's readers did not end");
	else
		strbuf_add(b, "a CPU was stuck");
	if (s->seconds.known)
		strbuf_add(b, " for %s%lu s", s->kind ? "" : "more than ", s->seconds.value);
	if (!s->kind && s->owner.lock) {
		strbuf_add(b, " on ");
		hung_owner_text(&s->owner, b);
	}
	if (s->kind && s->pid.known)
		strbuf_add(b, " in %s (%lu)%s", *s->comm ? s->comm : "the task", s->pid.value,
			   s->in_user ? ", in user mode" : "");
	if (s->kind)
		strbuf_add(b, ": %s",
			   s->kind == STALL_RCU	   ? "a stall of RCU"
			   : s->kind == STALL_SOFT ? "a soft lockup"
						   : "a hard lockup");
}

const struct standstill *standstills_newest(const struct standstills *all, const bool *is_told)
{
	const struct standstill *most = NULL;

	for (unsigned int i = 0; i < all->n; i++)
		if (all->all[i].kind && !is_told[i] &&
		    (!most || all->all[i].last->ts_ns > most->last->ts_ns))
			most = &all->all[i];
	return most;
}

void standstill_times(const struct standstill *s, struct strbuf *b)
{
	if (s->lines > 1)
		strbuf_add(b, ", told %u times", s->lines);
}

void standstills_rest(const struct standstills *all, const bool *is_told, bool is_cut,
		      struct strbuf *b)
{
	bool at_least = is_cut || all->more;
	unsigned int n = 0;

	for (unsigned int i = 0; i < all->n; i++)
		n += all->all[i].kind && !is_told[i];
	if (n)
		strbuf_add(b, "%s%u more (memowner log)", at_least ? "at least " : "", n);
	else if (at_least)
		strbuf_add(b, "there may be more (memowner log)");
}
