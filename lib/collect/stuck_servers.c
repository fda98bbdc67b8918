// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_servers.h"

#include "tasks/seccomp_wait.h"

/* By an entry in a queue, or by the folio of a file. */
typedef enum status fuse_find(struct fuse *f, uint64_t task, const struct task_stack *s,
			      uint64_t from, uint64_t to, struct fuse_wait *ret);

static enum status find_fuse(struct stuck_servers *x, struct dump *d, const struct task_frames *at,
			     uint64_t end, fuse_find *find, struct stuck_task *s)
{
	enum status st;

	if (!x->fuse) {
		x->fuse = dump_alloc(d, sizeof(*x->fuse));
		if (fuse_open(d, x->fuse) != ST_OK)
			x->why = dump_why(d);
	}
	if (x->why)
		return dump_fail(d, ST_UNKNOWN, "%s", x->why);
	st = find(x->fuse, s->task.address, &at->stack, at->frames.f[0].sp, end, &s->fuse);
	return RESULT(st, &s->lock_name, dump_text(d, "FUSE connection %u", s->fuse.conn->dev));
}

static enum status find_userfault(struct stuck_servers *x, struct dump *d,
				  const struct task_frames *at, uint64_t end, struct stuck_task *s)
{
	enum status st;

	if (!x->userfaults) {
		x->userfaults = dump_alloc(d, sizeof(*x->userfaults));
		if (userfaults_open(d, x->userfaults) != ST_OK)
			x->why_no_userfaults = dump_why(d);
	}
	if (x->why_no_userfaults)
		return dump_fail(d, ST_UNKNOWN, "%s", x->why_no_userfaults);
	st = userfault_find(x->userfaults, s->task.address, &at->stack, at->frames.f[0].sp, end,
			    x->mms, &s->userfault);
	return RESULT(st, &s->lock_name, "userfaultfd");
}

static enum status find_group(struct stuck_servers *x, struct dump *d, const struct task_frames *at,
			      uint64_t end, uint64_t *ret)
{
	if (!x->fanotify) {
		x->fanotify = dump_alloc(d, sizeof(*x->fanotify));
		if (fanotify_waits_open(d, x->fanotify) != ST_OK)
			x->why_no_fanotify = dump_why(d);
	}
	return x->why_no_fanotify
		       ? dump_fail(d, ST_UNKNOWN, "%s", x->why_no_fanotify)
		       : fanotify_wait_find(x->fanotify, &at->stack, at->frames.f[0].sp, end, ret);
}

static enum status find_filter(struct stuck_servers *x, struct dump *d,
			       const struct task_frames *at, uint64_t task, uint64_t *ret)
{
	if (!x->seccomp) {
		x->seccomp = dump_alloc(d, sizeof(*x->seccomp));
		if (seccomp_waits_open(d, x->seccomp) != ST_OK)
			x->why_no_seccomp = dump_why(d);
	}
	return x->why_no_seccomp ? dump_fail(d, ST_UNKNOWN, "%s", x->why_no_seccomp)
				 : seccomp_wait_find(x->seccomp, task, &at->stack, ret);
}

static enum status find_asked(struct stuck_servers *x, struct dump *d, const struct task_frames *at,
			      enum wait_kind kind, uint64_t end, struct stuck_task *s)
{
	uint64_t object;
	enum status st = kind == WAIT_FANOTIFY ? find_group(x, d, at, end, &object)
					       : find_filter(x, d, at, s->task.address, &object);
	struct stuck_asked *a = x->asked;

	s->lock_name = kind == WAIT_FANOTIFY ? "the answer to an event of fanotify"
					     : "the answer to a notification of seccomp";
	if (st != ST_OK)
		return st;
	while (a && a->object != object)
		a = a->next;
	if (!a) {
		a = dump_alloc(d, sizeof(*a));
		*a = (struct stuck_asked){ .next = x->asked, .object = object, .kind = kind };
		x->asked = a;
	}
	s->asked = a;
	return ST_OK;
}

static enum status find_rpc(struct dump *d, const struct task_frames *at, uint64_t end,
			    struct stuck_task *s)
{
	struct rpc_waits rpc;
	struct rpc_wait wait;
	enum status st = rpc_waits_open(d, &rpc)
				 ?: rpc_wait_find(&rpc, s->task.address, &at->stack,
						  at->frames.f[0].sp, end, &wait);

	if (st == ST_OK && s->task.state == 'R' && !wait.has_timed_out)
		st = dump_absent(d, "it was woken by the answer");
	return RESULT(st, &s->lock_name,
		      dump_text(d, "RPC server %s (%s)", wait.server, wait.program));
}

enum status stuck_server_find(struct stuck_servers *x, struct dump *d, const struct task_frames *at,
			      enum wait_kind kind, uint64_t end, struct stuck_task *s)
{
	return kind == WAIT_FUSE	  ? find_fuse(x, d, at, end, fuse_wait_find, s)
	       : kind == WAIT_RPC	  ? find_rpc(d, at, end, s)
	       : kind == WAIT_USERFAULTFD ? find_userfault(x, d, at, end, s)
					  : find_asked(x, d, at, kind, end, s);
}

enum status stuck_server_of_page(struct stuck_servers *x, struct dump *d,
				 const struct task_frames *at, uint64_t end, bool page_lock,
				 struct stuck_task *s)
{
	return find_fuse(x, d, at, end, page_lock ? fuse_page_read_find : fuse_page_wait_find, s);
}

static const struct file_users *users_of(const struct stuck_task *s)
{
	return s->fuse.conn   ? &s->fuse.conn->users
	       : s->userfault ? &s->userfault->users
	       : s->asked     ? &s->asked->users
			      : NULL;
}

static bool is_complete(const struct stuck_servers *x, const struct stuck_task *s)
{
	return s->fuse.conn   ? x->fuse->users_complete
	       : s->userfault ? x->userfaults->users_complete
			      : x->asked_complete;
}

/* The threads that have not exited of the processes that have the other end. */
static void add_threads(struct dump *d, struct stuck_server *server, struct stuck_task *all)
{
	struct hash_u64 tgids;
	size_t room = 0;

	hash_u64_init(&tgids, d->arena, 0);
	for (unsigned int i = 0; i < server->users->kept; i++)
		hash_u64_add(&tgids, (uint64_t)server->users->all[i]->tgid);
	for (const struct stuck_task *s = all; s; s = s->next)
		room += s->task.mm && hash_u64_has(&tgids, (uint64_t)s->task.tgid);
	server->threads = dump_alloc(d, (room + 1) * sizeof(struct stuck_task *));
	for (struct stuck_task *s = all; s; s = s->next)
		if (s->task.mm && hash_u64_has(&tgids, (uint64_t)s->task.tgid))
			server->threads[server->n++] = s;
}

static void set_server(struct stuck_servers *x, struct dump *d, struct stuck_task *all,
		       bool is_whole, struct stuck_task *s)
{
	const struct file_users *users = users_of(s);
	struct stuck_server *server;
	bool is_new;

	if (!users)
		return;
	server = hash_u64_get(&x->servers, (uint64_t)(uintptr_t)users, &is_new);
	if (is_new) {
		server->users = users;
		server->complete = is_whole && is_complete(x, s) && users->n == users->kept;
		add_threads(d, server, all);
	}
	s->server = server;
}

struct users {
	struct stuck_servers *of;
	struct dump *dump;
	struct field private;	    /* of struct file */
	uint64_t fanotify, seccomp; /* addresses of their file_operations; 0: none */
};

static const struct layout_row rows[] = {
	FINDS(struct users, private, "struct file", REQUIRED, "all", "private_data"),
};

static enum status add_user(void *arg, uint64_t file, uint64_t operations,
			    const struct file_user *user)
{
	struct users *u = arg;
	uint64_t object;

	if (!operations || (operations != u->fanotify && operations != u->seccomp))
		return ST_OK;
	if (dump_u64(u->dump, file + u->private.offset, &object, "file") != ST_OK) {
		u->of->why_no_users = u->of->why_no_users ?: dump_why(u->dump);
		return ST_OK;
	}
	for (struct stuck_asked *a = u->of->asked; a; a = a->next)
		if (a->object == object)
			file_users_add(u->dump->arena, &a->users, user);
	return ST_OK;
}

static enum status read_operations(struct users *u)
{
	enum status st = ST_OK;

	for (const struct stuck_asked *a = u->of->asked; a && st == ST_OK; a = a->next)
		st = a->kind == WAIT_FANOTIFY
			     ? dump_symbol(u->dump, "fanotify_fops", &u->fanotify)
			     : dump_symbol(u->dump, "seccomp_notify_ops", &u->seccomp);
	return st;
}

static void read_asked(struct stuck_servers *x, struct dump *d)
{
	struct open_files *files = dump_alloc(d, sizeof(*files));
	struct users u = { .of = x, .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &u)
				 ?: read_operations(&u)
				 ?: open_files_visit(files, d, add_user, &u);

	if (st != ST_OK)
		x->why_no_users = dump_why(d);
	else
		x->why_no_users = x->why_no_users ?: files->problem;
	x->asked_complete = st == ST_OK && files->complete && !x->why_no_users;
}

const struct fuse *stuck_servers_read(struct stuck_servers *x, struct dump *d,
				      struct stuck_task *all, bool is_whole)
{
	bool has_fuse = ANY_NEXT(s, all, s->fuse.conn != NULL);

	if (has_fuse)
		fuse_read_users(x->fuse);
	if (x->userfaults && x->userfaults->first)
		userfaults_read_users(x->userfaults);
	if (x->asked)
		read_asked(x, d);
	hash_u64_init(&x->servers, d->arena, sizeof(struct stuck_server));
	for (struct stuck_task *s = all; s; s = s->next)
		set_server(x, d, all, is_whole, s);
	return has_fuse ? x->fuse : NULL;
}

struct stuck_task *stuck_server_of(const struct stuck_task *s)
{
	const struct stuck_server *server = s->server;
	struct stuck_task *found = NULL;

	if (!server || !server->complete)
		return NULL;
	for (size_t i = 0; i < server->n; i++) {
		struct stuck_task *t = server->threads[i];
		bool is_other = t->task.tgid != s->task.tgid;

		/* Its own process alone, else the one that is another. */
		if (found && is_other && found->task.tgid != s->task.tgid &&
		    found->task.tgid != t->task.tgid)
			return NULL;
		if (!found || found == s || (is_other && found->task.tgid == s->task.tgid))
			found = t;
	}
	return found;
}
