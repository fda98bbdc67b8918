// SPDX-License-Identifier: GPL-2.0-or-later
#include "object_of.h"

struct search {
	uint64_t address;
	const char *what; /* NULL: not found */
	int32_t pid;
	char comm[TASKS_COMM + 1];
};

static enum status look(void *arg, const struct task *task)
{
	struct search *s = arg;
	const char *what = task->address == s->address		? "task_struct"
			   : task->mm && task->mm == s->address ? "mm_struct"
								: NULL;

	/* Threads of a process share its memory. */
	if (!what || (s->what && task->pid != task->tgid))
		return ST_OK;
	s->what = what;
	s->pid = task->pid;
	memcpy(s->comm, task->comm, sizeof(s->comm));
	return ST_OK;
}

static const char *of_task(struct dump *d, uint64_t address)
{
	struct search s = { .address = address };
	struct tasks *t = dump_alloc(d, sizeof(*t));

	if (tasks_open(d, t) == ST_OK)
		tasks_walk(t, look, &s);
	return s.what ? dump_text(d, "%s of %d(%s)", s.what, s.pid, s.comm) : NULL;
}

static const char *of_socket(struct object_of *o, uint64_t address, uint64_t bytes)
{
	struct dump *d = o->v->dump;
	struct session session = owner_session(o->v);
	const char *who;

	if (!o->is_tried)
		o->with_sockets = sockets_collect(&session, &o->sockets);
	o->is_tried = true;
	for (size_t i = 0; o->with_sockets == ST_OK && i < o->sockets->n; i++) {
		const struct socket *s = o->sockets->all[i];

		if (s->sock.address - address >= bytes)
			continue;
		who = s->used_by ? s->used_by->text : "";
		return dump_text(d, "%s socket%s%s", s->protocol ?: "a", *who ? " of " : "", who);
	}
	return NULL;
}

const char *object_of_text(struct object_of *o, uint64_t address, uint64_t bytes)
{
	return of_task(o->v->dump, address) ?: of_socket(o, address, bytes);
}
