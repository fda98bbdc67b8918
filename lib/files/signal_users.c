// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/signal_users.h"

#include "util/units.h"

#define SIGNALS 64 /* bits of a sigset_t */
#define MANY 1000

/* What the lists of a process, or of its threads, have. */
struct process {
	struct signal_user *to;
	uint64_t numbers[SIGNALS + 1];
	struct hash_u64 senders; /* of uint64_t by PID */
	uint64_t taken;		 /* the bits of signals that one thread does not block */
	bool is_nested;
};

struct search {
	struct dump *dump;
	struct signal_users *ret;
	struct hash_u64 processes; /* of struct process by tgid */
	struct hash_u64 users;	   /* of struct file_user by tgid */
	struct hash_u64 nested;	   /* tgids of processes in a PID namespace of their own */
	struct process *process;   /* that is read */
	struct first_problem problem;
};

static void add_signal(void *arg, const struct queued_signal *s)
{
	struct process *p = arg;

	if (s->is_timers)
		return;
	p->to->n++;
	p->numbers[s->number > 0 && s->number <= SIGNALS ? s->number : 0]++;
	if (s->has_sender && s->sender > 0)
		++*(uint64_t *)hash_u64_get(&p->senders, (uint64_t)s->sender, NULL);
}

static enum status add_list(struct search *x, uint64_t head)
{
	return first_problem_keep(x->dump, &x->problem,
				  signal_queue_walk(&x->ret->of, head, add_signal, x->process));
}

static enum status add_task(void *arg, const struct task *task)
{
	struct search *x = arg;
	struct signal_task t = { 0 };
	struct process *p;
	bool is_new;
	enum status st;

	if (task->is_kthread)
		return ST_OK;
	p = hash_u64_get(&x->processes, (uint64_t)task->tgid, &is_new);
	if (is_new) {
		hash_u64_init(&p->senders, x->dump->arena, sizeof(uint64_t));
		p->to = hash_u64_get(&x->ret->all, (uint64_t)task->tgid, NULL);
	}
	p->to->user = file_user_of(&x->users, task);
	x->process = p;
	st = first_problem_keep(x->dump, &x->problem,
				signal_task_read(&x->ret->of, task->address, &t));
	p->taken |= ~t.blocked;
	p->is_nested |= t.is_nested;
	if (t.is_nested)
		hash_u64_add(&x->nested, (uint64_t)task->tgid);
	if (t.of_user.known)
		p->to->of_user = t.of_user;
	st = st ?: add_list(x, task->address + x->ret->of.own.offset);
	if (st == ST_OK && is_new)
		st = add_list(x, task->signal + x->ret->of.shared.offset);
	return st;
}

/* A PID of another namespace may be that of any process here. */
static void name_sender(struct search *x, struct process *p)
{
	const struct file_user *sender;

	for (const struct hash_u64_entry *e = p->senders.first; e; e = e->next) {
		const uint64_t n = *(const uint64_t *)e->value;

		p->to->senders++;
		if (n <= p->to->of_sender)
			continue;
		p->to->of_sender = n;
		p->to->sender = (int32_t)e->key;
	}
	sender = hash_u64_find(&x->users, (uint64_t)p->to->sender);
	if (sender && !p->is_nested && !hash_u64_has(&x->nested, (uint64_t)p->to->sender))
		p->to->sender_comm = sender->comm;
}

static void settle(struct search *x, struct process *p)
{
	struct signal_user *to = p->to;

	for (int32_t i = 0; i <= SIGNALS; i++)
		if (p->numbers[i] > to->of_number) {
			to->of_number = p->numbers[i];
			to->number = i;
		}
	to->blocks = to->number && !(p->taken >> (to->number - 1) & 1);
	name_sender(x, p);
}

enum status signal_users_collect(struct dump *d, struct signal_users *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	struct tasks *tasks = dump_alloc(d, sizeof(*tasks));
	enum status st;

	x->dump = d;
	x->ret = ret;
	*ret = (struct signal_users){ 0 };
	hash_u64_init(&ret->all, d->arena, sizeof(struct signal_user));
	hash_u64_init(&x->processes, d->arena, sizeof(struct process));
	hash_u64_init(&x->users, d->arena, sizeof(struct file_user));
	hash_u64_init(&x->nested, d->arena, 0);
	st = signal_queues_open(d, &ret->of) ?: tasks_open(d, tasks);
	if (st != ST_OK)
		return st;
	tasks->identity_only = true;
	st = first_problem_keep(d, &x->problem, tasks_walk(tasks, add_task, x));
	if (st != ST_OK)
		return st;
	hash_u64_for_each(struct process, p, &x->processes)
		settle(x, p);
	ret->problem = x->problem.text;
	ret->has_all = !x->problem.text;
	return dump_stopped(d) ? ST_STOPPED : ST_OK;
}

const struct signal_user *signals_of(const struct signal_users *u, int32_t tgid)
{
	return hash_u64_find(&u->all, (uint64_t)tgid);
}

const char *signal_sender_text(struct dump *d, const struct signal_user *u)
{
	const char *most;

	if (!u->senders)
		return "";
	most = u->sender_comm ? dump_text(d, "%s (%d)", u->sender_comm, u->sender)
			      : dump_text(d, "PID %d", u->sender);
	return u->senders == 1 ? most
			       : dump_text(d, "%s PIDs, most by %s", COUNT_TEXT(u->senders), most);
}

const char *signal_words(struct dump *d, const struct signal_user *u)
{
	const char *sender = u->of_sender >= u->n / 2 ? signal_sender_text(d, u) : "";

	return u->n < MANY ? NULL
			   : dump_text(d, "%s%s%s%s",
				       u->blocks ? " that it blocks" : " that it has not taken",
				       *sender ? ", sent by " : "", sender, *sender ? "," : "");
}
