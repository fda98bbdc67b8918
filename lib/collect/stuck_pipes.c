// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_pipes.h"

#include "collect/stuck_circle.h"
#include "files/dentry_path.h"
#include "files/pipe_waits.h"
#include "tasks/child_wait.h"
#include "tasks/vfork_wait.h"

/* Who has a pipe open. */
struct ends {
	struct file_users readers, writers;
	bool is_named; /* a FIFO: any process may open it later */
	uint64_t file; /* one of them */
};

/* Threads of a process that have not exited, and those that wait for what others do. */
struct process {
	struct stuck_task *first; /* the first thread, if it has not exited */
	size_t threads, blocked;
};

struct wait {
	struct wait *next_wait; /* in the order of the task list */
	struct stuck_task *task;
	enum pipe_function what;
	uint64_t pipe;	/* 0: unknown */
	int32_t child;	/* 0: any */
	bool has_child; /* whom it waits for is known */
	struct stuck_task *next;
	enum stuck_holds holds;
	bool is_told;
};

struct pipes_search {
	struct dump *dump;
	struct pipe_waits pipes;
	struct child_waits children;
	bool has_children;
	struct open_files open;
	struct file_paths paths;
	bool has_paths;
	struct hash_u64 ends;	   /* of struct ends by pipe */
	struct hash_u64 waits;	   /* of struct wait * by task_struct */
	struct hash_u64 processes; /* of struct process by tgid */
	struct stuck_task *all;
	uint64_t pipe; /* whose queue is walked */
	enum pipe_function what;
	struct wait *first;
	const char *why;
};

static struct wait *wait_of_task(const struct pipes_search *x, uint64_t task)
{
	struct wait *const *w = hash_u64_find(&x->waits, task);

	return w ? *w : NULL;
}

static void note(struct pipes_search *x, enum status st)
{
	if (st != ST_OK && st != ST_ABSENT && st != ST_STOPPED && !x->why)
		x->why = dump_why(x->dump);
}

static enum pipe_function function_of(const struct stuck_task *s)
{
	return s->caller && s->caller->symbol && s->task.state != 'R' && !s->on_cpu && !s->holder &&
			       !s->is_traced
		       ? pipe_function_of(s->caller->symbol)
		       : PIPE_NONE;
}

/* Whether anything of all that is a question: the tables of descriptors of all processes are read for it. */
static bool find_waits(struct pipes_search *x)
{
	size_t n[PIPE_FUNCTIONS] = { 0 };
	struct wait **last = &x->first;

	for (struct stuck_task *s = x->all; s; s = s->next) {
		const enum pipe_function what = function_of(s);
		struct wait *w;

		if (!what)
			continue;
		n[what]++;
		w = dump_alloc(x->dump, sizeof(*w));
		*w = (struct wait){ .task = s, .what = what };
		*(struct wait **)hash_u64_get(&x->waits, s->task.address, NULL) = w;
		*last = w;
		last = &w->next_wait;
	}
	return pipes_may_hang(n);
}

static enum status add_end(void *arg, uint64_t file, uint64_t operations,
			   const struct file_user *user)
{
	struct pipes_search *x = arg;
	struct arena *a = x->dump->arena;
	uint64_t pipe;
	uint32_t ends;
	enum status st;
	struct ends *of;

	if (!pipes_have(&x->pipes.pipes, operations))
		return ST_OK;
	st = pipe_of_file(&x->pipes.pipes, file, &pipe)
		     ?: pipe_ends_of_file(&x->pipes, file, &ends);
	note(x, st);
	if (st != ST_OK)
		return st == ST_STOPPED ? st : ST_OK;
	of = hash_u64_get(&x->ends, pipe, NULL);
	/* A file of pipe() has one end (create_pipe_files()). */
	of->is_named |= ends == (PIPE_END_READS | PIPE_END_WRITES);
	of->file = file;
	if (ends & PIPE_END_READS)
		file_users_add(a, &of->readers, user);
	if (ends & PIPE_END_WRITES)
		file_users_add(a, &of->writers, user);
	return ST_OK;
}

static enum status add_waiter(void *arg, uint64_t task)
{
	struct pipes_search *x = arg;
	struct wait *w = wait_of_task(x, task);

	if (w && w->what == x->what)
		w->pipe = x->pipe;
	return ST_OK;
}

static void find_pipes(struct pipes_search *x)
{
	for (const struct hash_u64_entry *e = x->ends.first; e; e = e->next) {
		x->pipe = e->key;
		for (x->what = PIPE_WRITES; x->what <= PIPE_READS; x->what++)
			note(x, pipe_waits_walk(&x->pipes, e->key, x->what == PIPE_WRITES,
						add_waiter, x));
	}
}

static void find_children(struct pipes_search *x)
{
	for (struct wait *w = x->first; w; w = w->next_wait) {
		enum status st;

		if (w->what != PIPE_CHILD || !x->has_children || !w->task->task.signal)
			continue;
		st = child_wait_find(&x->children, w->task->task.signal, w->task->task.address,
				     &w->child);
		note(x, st);
		w->has_child = st == ST_OK;
	}
}

static bool is_stopped(const struct stuck_task *s)
{
	return s->task.state == 'T' && !s->is_traced;
}

/* What ends only when another one does something: not what waits for a time, a terminal, a network. */
static bool is_blocked(const struct pipes_search *x, const struct stuck_task *s)
{
	const struct wait *w = wait_of_task(x, s->task.address);

	return is_stopped(s) || stuck_is_frozen(s) || s->is_on_lock || s->is_on_server ||
	       s->frozen || s->peer || s->remote || (w && (w->pipe || w->has_child));
}

static void count_threads(struct pipes_search *x)
{
	for (struct stuck_task *s = x->all; s; s = s->next) {
		struct process *p;

		/* Of those that have not exited. */
		if (!s->task.mm)
			continue;
		p = hash_u64_get(&x->processes, (uint64_t)s->task.tgid, NULL);
		p->threads++;
		p->blocked += is_blocked(x, s);
		if (!p->first || s->task.pid == s->task.tgid)
			p->first = s;
	}
}

/* The thread that stands for a process none of whose threads goes on; NULL: one may. */
static struct stuck_task *blocked_in(const struct pipes_search *x, int32_t tgid)
{
	const struct process *p = hash_u64_find(&x->processes, (uint64_t)tgid);

	return p && p->threads && p->blocked == p->threads ? p->first : NULL;
}

/* The next one of a way: of several processes each must be blocked, and the first that is stands for them. */
static struct stuck_task *other_end(const struct pipes_search *x, const struct wait *w)
{
	const struct ends *ends = hash_u64_find(&x->ends, w->pipe);
	const struct file_users *u = !ends		      ? NULL
				     : w->what == PIPE_WRITES ? &ends->readers
							      : &ends->writers;
	const int32_t own = w->task->task.tgid;
	struct stuck_task *next = NULL;

	if (!u || !u->n || u->kept < u->n)
		return NULL;
	for (unsigned int i = 0; i < u->kept; i++) {
		const struct file_user *of = u->all[i];
		struct stuck_task *s = of->is_device || of->in_flight ? NULL
								      : blocked_in(x, of->tgid);

		if (!s)
			return NULL;
		if (of->tgid != own)
			next = next ?: s;
	}
	/* It alone has both ends. */
	return next ?: ends->is_named ? NULL : w->task;
}

static struct stuck_task *child_of(const struct pipes_search *x, const struct wait *w)
{
	struct stuck_task *next = NULL;
	size_t n = 0;

	if (!w->has_child)
		return NULL;
	if (w->child)
		return blocked_in(x, w->child);
	hash_u64_for_each(const struct process, p, &x->processes) {
		if (!p->first->task.has_ppid || p->first->task.ppid != w->task->task.tgid)
			continue;
		n++;
		next = blocked_in(x, (int32_t)hash_u64_key(p));
	}
	/* Of several any one may end. */
	return n == 1 ? next : NULL;
}

/* Of a FIFO: "writes to /run/out, a full pipe that no other process reads"; any may open it later, so this ends no way. */
static void tell_alone(struct pipes_search *x, const struct wait *w)
{
	const struct ends *ends = w->what == PIPE_WRITES ? hash_u64_find(&x->ends, w->pipe) : NULL;
	const struct file_users *u = ends ? &ends->readers : NULL;
	const char *path;

	if (!u || !ends->is_named || u->n > 1 ||
	    (u->n && (u->kept < 1 || u->all[0]->tgid != w->task->task.tgid)))
		return;
	path = x->has_paths && file_path(&x->paths, ends->file, &path) == ST_OK ? path : NULL;
	w->task->call = dump_text(x->dump, "writes to %s%sa full pipe that no other process reads",
				  path ?: "", path ? ", " : "");
}

static void find_next(struct pipes_search *x)
{
	static const enum stuck_holds holds[] = {
		[PIPE_WRITES] = HOLDS_READS, [PIPE_READS] = HOLDS_WRITES, [PIPE_CHILD] = HOLDS_CHILD
	};

	for (struct wait *w = x->first; w; w = w->next_wait) {
		w->holds = holds[w->what];
		w->next = w->what == PIPE_CHILD ? child_of(x, w) : w->pipe ? other_end(x, w) : NULL;
		/* One whose pipe or ends could not be read may read it. */
		if (w->pipe && !x->why)
			tell_alone(x, w);
	}
}

/* Whether a way comes back to where it begins, or ends at one that waits for something else, or is stopped. */
static bool is_finding(const struct pipes_search *x, const struct wait *first)
{
	const struct stuck_task *s = first->task;

	for (unsigned int i = 0; i < STUCK_MAX_CIRCLE; i++) {
		const struct wait *w = wait_of_task(x, s->task.address);

		if (!w)
			return first->what == PIPE_WRITES && s != first->task;
		if (!w->next)
			return false;
		s = w->next;
		if (s == first->task)
			return true;
	}
	/* Into a circle of others. */
	return first->what == PIPE_WRITES;
}

/* What is on the way of a finding is told with it. */
static void tell(struct pipes_search *x, struct wait *w)
{
	for (unsigned int i = 0; i < STUCK_MAX_CIRCLE && w && !w->is_told && w->next; i++) {
		struct stuck_task *s = w->task;

		w->is_told = true;
		s->holder = w->next;
		s->holds = w->holds;
		s->is_on_pipe = true;
		s->where = PLACE_PIPE;
		s->waits_for = w->what == PIPE_CHILD ? "child" : "pipe";
		s->lock_name = w->what == PIPE_CHILD	? "the end of its child"
			       : w->what == PIPE_WRITES ? "a full pipe"
							: "an empty pipe";
		w->next->is_holder = true;
		w = wait_of_task(x, w->next->task.address);
	}
}

const char *stuck_find_pipes(struct dump *d, struct stuck_task *all, bool has_all_tasks)
{
	struct pipes_search *x = dump_alloc(d, sizeof(*x));
	enum status st;

	x->dump = d;
	x->all = all;
	hash_u64_init(&x->waits, d->arena, sizeof(struct wait *));
	hash_u64_init(&x->ends, d->arena, sizeof(struct ends));
	hash_u64_init(&x->processes, d->arena, sizeof(struct process));
	if (!find_waits(x))
		return NULL;
	st = pipe_waits_open(d, &x->pipes) ?: open_files_visit(&x->open, d, add_end, x);
	note(x, st);
	if (st != ST_OK)
		return x->why;
	x->has_paths = file_paths_open(d, &x->paths) == ST_OK;
	st = child_waits_open(d, &x->children);
	note(x, st);
	x->has_children = st == ST_OK;
	find_pipes(x);
	find_children(x);
	count_threads(x);
	/* Who else has the other end, or which thread may go on, is not known of all. */
	if (!x->open.complete || !has_all_tasks)
		return x->why ?: x->open.problem ?: "some tasks may be missing";
	find_next(x);
	for (struct wait *w = x->first; w; w = w->next_wait)
		if (w->next && is_finding(x, w))
			tell(x, w);
	return x->why;
}

/* kernel/fork.c: it is inline where a compiler likes; _do_fork() up to 5.9. */
static const char *const vfork_callers[] = { "wait_for_vfork_done", "kernel_clone", "_do_fork",
					     "do_fork" };

static bool waits_in_vfork(const struct stuck_task *s)
{
	return s->task.mm && s->task.stack && s->task.state != 'R' && !s->on_cpu && !s->holder &&
	       !s->is_on_lock && !s->where && s->caller && s->caller->symbol &&
	       FUNCTION_FIND(vfork_callers, s->caller->symbol);
}

static void set_vfork_child(struct stuck_task *s, struct stuck_task *child)
{
	s->holder = child;
	s->holds = HOLDS_CHILD;
	s->is_on_pipe = true;
	s->where = PLACE_PIPE;
	s->waits_for = "child";
	s->lock_name = "the exec or the end of its child";
	child->is_holder = true;
}

const char *stuck_find_vforks(struct dump *d, struct stuck_task *all)
{
	const uint64_t stack_bytes = thread_size(d);
	struct vfork_waits of;
	const char *why = NULL;

	if (!ANY_NEXT(s, all, waits_in_vfork(s)))
		return NULL;
	if (vfork_waits_open(d, &of) != ST_OK)
		return dump_why(d);
	for (struct stuck_task *child = all; child && !dump_stopped(d); child = child->next) {
		uint64_t done;
		enum status st = child->task.mm ? vfork_wait_of(&of, child->task.address, &done)
						: ST_ABSENT;

		if (st != ST_OK) {
			why = why ?: st == ST_ABSENT ? NULL : dump_why(d);
			continue;
		}
		for (struct stuck_task *s = all; s; s = s->next)
			if (s != child && done - s->task.stack < stack_bytes && waits_in_vfork(s))
				set_vfork_child(s, child);
	}
	return why;
}
