// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_frozen.h"

#include "util/units.h"

/* Which processes have the directory of a frozen file system open. NULL, or why some are unknown. */
static const char *find_users(struct frozen *f)
{
	struct open_files *o = dump_alloc(f->dump, sizeof(*o));
	struct hash_u64 wanted;

	hash_u64_init(&wanted, f->dump->arena, 0);
	for (const struct frozen_super *s = f->first; s; s = s->next)
		if (s->root)
			hash_u64_add(&wanted, s->root);
	if (!wanted.n)
		return NULL;
	if (open_files_open(f->dump, o) != ST_OK || open_files_read(o, &wanted) != ST_OK)
		return dump_why(f->dump);
	for (struct frozen_super *s = f->first; s; s = s->next)
		s->users = open_files_find(o, s->root);
	return o->problem;
}

static enum status read_all(struct stuck_frozen *x, struct dump *d)
{
	struct frozen *f = dump_alloc(d, sizeof(*f));
	enum status st = frozen_open(d, f);
	bool is_open = st == ST_OK;

	st = st ?: frozen_read(f);
	if (st == ST_STOPPED)
		return st;
	x->is_read = true;
	x->why = st == ST_OK ? f->problem : dump_why(d);
	x->f = is_open ? f : NULL;
	if (is_open)
		x->why_no_users = find_users(f);
	return ST_OK;
}

/* Readers of such a lock are counted, by each CPU for itself. */
#define NO_OWNER "a percpu_rw_semaphore does not say who has it"

static enum status fail(const struct stuck_frozen *x, struct dump *d)
{
	if (x->why)
		return dump_fail(d, ST_ABSENT,
				 NO_OWNER "; whether a file system is frozen is unknown: %s",
				 x->why);
	if (!x->f->n)
		return dump_fail(d, ST_ABSENT, NO_OWNER "; no file system is frozen");
	return dump_fail(d, ST_ABSENT, NO_OWNER "; %s frozen: %s (%s)%s",
			 PLURAL_TEXT(x->f->n, "file system is", "file systems are"),
			 x->f->first->name, x->f->first->state, x->f->n > 1 ? ", ..." : "");
}

enum status stuck_frozen_find(struct stuck_frozen *x, struct dump *d,
			      const struct task_stack *stack, struct stuck_task *s)
{
	enum status st = x->is_read ? ST_OK : read_all(x, d);
	const struct frozen_wait *wait = st == ST_OK && x->f
						 ? hash_u64_find(&x->f->waits, s->task.address)
						 : NULL;

	if (st != ST_OK)
		return st;
	if (!wait || wait->entry - stack->base >= stack->size)
		return fail(x, d);
	s->frozen = wait->super;
	s->lock.lock = wait->lock;
	s->lock.waiters = wait->waiters;
	s->lock_name = arena_text(d->arena, "%s, %s", wait->super->name, wait->super->state);
	return ST_OK;
}
