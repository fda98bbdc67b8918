// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_owners.h"

/* A process by a thread of it that has not exited, the first one if that lives. */
struct process {
	struct stuck_task *thread;
	uint64_t threads, files; /* files: its table of descriptors, of that thread */
};

/* A table of file descriptors. */
struct table {
	int32_t first, last; /* tgids of processes that have it */
	uint64_t processes;
};

struct owners {
	struct dump *dump;
	struct field task_files;
	struct hash_u64 processes; /* of struct process by tgid */
	struct hash_u64 tables;	   /* of struct table by files_struct */
	struct hash_u64 files;	   /* of struct file_users by the struct file that owns a lock */
	bool has_tasks, has_files; /* none is missing */
	const char *why;
};

static bool is_of_file(const struct stuck_file_lock *l)
{
	return l->lock->kind != FILE_LOCK_POSIX;
}

static enum status add_process(struct owners *o, struct stuck_task *s)
{
	struct dump *d = o->dump;
	struct process *p;
	struct table *t;
	uint64_t files;
	bool is_new;

	if (s->task.is_kthread)
		return ST_OK;
	if (dump_u64(d, s->task.address + o->task_files.offset, &files, "task_struct") != ST_OK) {
		o->has_tasks = false;
		o->why = o->why ?: dump_why(d);
		return ST_OK;
	}
	/* Who exits gives back its memory before its table. */
	if (!files && !s->task.mm)
		return ST_OK;
	p = hash_u64_get(&o->processes, (uint64_t)s->task.tgid, &is_new);
	p->threads++;
	if (is_new || s->task.pid == s->task.tgid) {
		p->thread = s;
		p->files = files;
	}
	if (!files)
		return ST_OK;
	t = hash_u64_get(&o->tables, files, &is_new);
	if (is_new)
		t->first = s->task.tgid;
	if (is_new || t->last != s->task.tgid)
		t->processes++;
	t->last = s->task.tgid;
	return ST_OK;
}

static enum status add_user(void *arg, uint64_t file, uint64_t operations NOT_USED,
			    const struct file_user *user)
{
	struct owners *o = arg;
	if (hash_u64_has(&o->files, file))
		file_users_add(o->dump->arena, hash_u64_get(&o->files, file, NULL), user);
	return ST_OK;
}

static enum status read_users(struct owners *o)
{
	struct dump *d = o->dump;
	struct open_files *files = dump_alloc(d, sizeof(*files));
	enum status st = open_files_visit(files, d, add_user, o);

	if (st == ST_STOPPED)
		return st;
	o->has_files = st == ST_OK && files->complete;
	o->why = o->why ?: st == ST_OK ? files->problem : dump_why(d);
	return ST_OK;
}

/* Of processes that have a struct file that which took the lock, or the one with the lowest tgid. */
static const struct process *process_of_file(struct owners *o, struct stuck_file_lock *l)
{
	const struct file_users *users = hash_u64_find(&o->files, l->lock->owner);
	const struct table *table;
	const struct process *p = NULL;

	for (unsigned int i = 0; users && i < users->kept; i++) {
		const struct process *found = hash_u64_find(&o->processes,
							    (uint64_t)users->all[i]->tgid);

		if (found && (!p || users->all[i]->tgid == l->lock->pid))
			p = found;
	}
	if (!p)
		return NULL;
	l->processes = users->n;
	/* Of processes with one table the first alone is told. */
	table = hash_u64_find(&o->tables, p->files);
	if (table && table->processes > l->processes)
		l->processes = table->processes;
	return p;
}

static const struct process *process_of_table(struct owners *o, struct stuck_file_lock *l)
{
	const struct table *table = hash_u64_find(&o->tables, l->lock->owner);
	const struct process *taker = hash_u64_find(&o->processes, (uint64_t)l->lock->pid);

	if (!table)
		return NULL;
	l->processes = table->processes;
	return taker && taker->files == l->lock->owner
		       ? taker
		       : hash_u64_find(&o->processes, (uint64_t)table->first);
}

static void set_owner(struct owners *o, struct stuck_file_lock *l)
{
	const struct process *p = is_of_file(l) ? process_of_file(o, l) : process_of_table(o, l);

	if (!p)
		return;
	l->holder = p->thread;
	l->threads = p->threads;
	l->complete = o->has_tasks && (o->has_files || !is_of_file(l));
}

static const struct layout_row rows[] = {
	FINDS(struct owners, task_files, "struct task_struct", REQUIRED, "all", "files"),
};

enum status stuck_owners_find(struct dump *d, struct stuck_file_lock *first, struct stuck_task *all,
			      bool is_whole, const char **why)
{
	struct owners *o;
	bool needs_files = false;
	enum status st;

	if (!first)
		return ST_OK;
	o = dump_alloc(d, sizeof(*o));
	*o = (struct owners){ .dump = d, .has_tasks = is_whole };
	st = STRUCTS_OPEN(d, rows, o);
	if (st != ST_OK) {
		*why = dump_why(d);
		return ST_OK;
	}
	hash_u64_init(&o->processes, d->arena, sizeof(struct process));
	hash_u64_init(&o->tables, d->arena, sizeof(struct table));
	hash_u64_init(&o->files, d->arena, sizeof(struct file_users));
	for (const struct stuck_file_lock *l = first; l; l = l->next)
		if (is_of_file(l)) {
			hash_u64_get(&o->files, l->lock->owner, NULL);
			needs_files = true;
		}
	for (struct stuck_task *s = all; s && st == ST_OK; s = s->next)
		st = dump_stopped(d) ? ST_STOPPED : add_process(o, s);
	if (st == ST_OK && needs_files)
		st = read_users(o);
	for (struct stuck_file_lock *l = first; l && st == ST_OK; l = l->next)
		set_owner(o, l);
	*why = o->why;
	return st;
}
