// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_files.h"

#include "collect/stuck_frozen.h"
#include "collect/stuck_owners.h"
#include "util/units.h"

static const char *const kind_names[FILE_LOCK_KINDS] = {
	[FILE_LOCK_FLOCK] = "flock",
	[FILE_LOCK_POSIX] = "POSIX lock",
	[FILE_LOCK_OFD] = "OFD lock",
	[FILE_LOCK_LEASE] = "lease",
};

enum status stuck_files_read(struct stuck_files *x, struct dump *d)
{
	enum status st;

	*x = (struct stuck_files){ .dump = d };
	x->last = &x->first;
	hash_u64_init(&x->locks, d->arena, sizeof(struct stuck_file_lock));
	st = file_waits_open(d, &x->waits) ?: file_waits_read(&x->waits);
	if (st == ST_STOPPED)
		return st;
	x->complete = st == ST_ABSENT || (st == ST_OK && !x->waits.problem);
	if (st != ST_OK) {
		x->why = dump_why(d);
		return ST_OK;
	}
	x->has_paths = file_paths_open(d, &x->paths) == ST_OK;
	x->has_inodes = inodes_open(d, &x->inodes) == ST_OK;
	return ST_OK;
}

/* "flock of /run/lock/x", "POSIX lock of bytes 0-99 of /srv/db": of a range that is not all of the file. */
static void set_name(struct stuck_files *x, struct stuck_file_lock *l)
{
	const struct file_range *range = &l->lock->range;
	struct strbuf b = STRBUF_OF(64);
	const char *file;

	l->has_inode = x->has_inodes &&
		       inode_read(&x->inodes, l->lock->of->inode, &l->inode) == ST_OK;
	if (!x->has_paths || file_path(&x->paths, l->lock->file, &l->path) != ST_OK)
		l->path = NULL;
	file = l->path ? l->path
	       : l->has_inode
		       ? dump_text(x->dump, "inode %lu on %s", l->inode.number, l->inode.super->id)
		       : dump_text(x->dump, "struct file at %#lx", l->lock->file);
	if (range->end && range->end != INT64_MAX)
		strbuf_add(&b, "bytes %lu-%lu of ", range->start, range->end);
	else if (range->start)
		strbuf_add(&b, "bytes %lu-EOF of ", range->start);
	l->name = dump_text(x->dump, "%s of %s%s", kind_names[l->lock->kind], b.buf, file);
}

enum status stuck_files_find(struct stuck_files *x, const struct task_stack *stack,
			     struct stuck_task *s)
{
	const struct file_wait *wait = x->why ? NULL
					      : hash_u64_find(&x->waits.waits, s->task.address);
	struct stuck_file_lock *l;
	bool is_new;

	if (x->why)
		return dump_fail(x->dump, ST_UNKNOWN, "%s", x->why);
	if (!wait || wait->entry - stack->base >= stack->size)
		return dump_fail(x->dump, ST_UNKNOWN, "%s",
				 x->waits.problem
					 ?: "no request for a lock of a file has the thread");
	l = hash_u64_get(&x->locks, wait->lock->address, &is_new);
	if (is_new) {
		l->lock = wait->lock;
		set_name(x, l);
		*x->last = l;
		x->last = &l->next;
	}
	s->file_wait = wait;
	s->file_lock = l;
	s->lock.lock = wait->lock->address;
	s->lock.waiters = wait->lock->waiters;
	s->lock_name = l->name;
	return ST_OK;
}

static void set_holder(struct stuck_files *x, struct stuck_task *s)
{
	const struct stuck_file_lock *l = s->file_lock;

	if (!l)
		return;
	if (!l->holder) {
		x->unowned++;
		return;
	}
	s->holder = l->holder;
	s->holds = l->processes > 1 || !l->complete ? HOLDS_SHARED
		   : l->threads > 1		    ? HOLDS_PROCESS
						    : HOLDS_LOCK;
	l->holder->is_holder = true;
}

enum status stuck_files_set_holders(struct stuck_files *x, struct stuck_task *all, bool is_whole)
{
	enum status st = stuck_owners_find(x->dump, x->first, all, is_whole, &x->why_no_owners);

	for (struct stuck_task *s = all; s && st == ST_OK; s = s->next)
		set_holder(x, s);
	return st;
}

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
		return dump_absent(d, NO_OWNER "; whether a file system is frozen is unknown: %s",
				   x->why);
	if (!x->f->n)
		return dump_absent(d, NO_OWNER "; no file system is frozen");
	return dump_absent(d, NO_OWNER "; %s %s: %s (%s)%s",
			   PLURAL_TEXT(x->f->n, "file system is", "file systems are"),
			   x->f->n > 1		      ? "frozen, or being frozen"
			   : x->f->first->is_complete ? "frozen"
						      : "being frozen",
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
	s->lock_name = dump_text(d, "%s, %s", wait->super->name, wait->super->state);
	return ST_OK;
}

void stuck_thaw_words(const struct frozen_super *f, struct strbuf *b)
{
	if (f->is_complete && *f->name == '/')
		strbuf_add(b, "; fsfreeze -u %.*s thaws what a process froze",
			   (int)strcspn(f->name, " "), f->name);
}
