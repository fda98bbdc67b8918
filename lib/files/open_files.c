// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/open_files.h"

#include "files/fd_bits.h"
#include "files/loop.h"
#include "files/open_list.h"
#include "net/scm.h"

#define KNOWN_FILES (1U << 14) /* struct file that are remembered */
#define CHUNK 512	       /* descriptors that are read at once */
#define MAX_OPENED (1U << 24)  /* descriptors, and files in flight, that are kept */

/* What one walk found, for all that ask. */
struct open_walk {
	struct open_list all;
	/* Of the files with one f_op, which several ask for: struct file_users by inode. */
	uint64_t operations;
	struct hash_u64 inodes;
	bool inodes_complete;
	const char *inodes_problem;
	struct open_list loops; /* files that loop devices may have: as an inode that is wanted */
	struct hash_u64 mms;
	struct fanotify fanotify;
	struct hash_u64 queues; /* of struct queue by address of the list */
	bool complete;
	const char *problem;
	const char *loops_problem; /* devices have files of file systems, and no other descriptor */
};

/* From a task_struct to the table of its descriptors. */
struct table {
	uint64_t files, mm, table, fd;
	uint32_t max;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct open_files, task, "struct task_struct"),
	READS(struct table, files, REQUIRED, "all", "files"),
	READS(struct table, mm, REQUIRED, "all", "mm"),
	STRUCTURE(struct open_files, files, "struct files_struct"),
	READS(struct table, table, REQUIRED, "all", "fdt"),
	STRUCTURE(struct open_files, table, "struct fdtable"),
	READS(struct table, max, REQUIRED, "all", "max_fds"),
	READS(struct table, fd, REQUIRED, "all", "fd"),
	STRUCTURE(struct open_files, file, "struct file"),
	READS(struct known_file, inode, REQUIRED, "3.9", "f_inode"),
	READS(struct known_file, operations, OPTIONAL, "all", "f_op"),
};

/* That was read last, of those with one place. */
struct remembered {
	uint64_t address; /* 0: none was */
	struct known_file file;
};

struct reader {
	struct open_files *of;
	struct dump *dump;
	struct open_walk *ret;
	struct hash_u64 tables;	      /* files_structs that were read */
	struct remembered *files;     /* KNOWN_FILES */
	const struct file_user *user; /* whose table is read */
	uint64_t socket_operations;   /* 0: no network */
	struct hash_u64 sockets;      /* of struct socket by address of the inode */
	struct hash_u64 receivers;    /* of struct file_user by tgid */
	const struct socket *socket;  /* whose queue is read */
	struct arena *meanwhile;      /* of what the walk alone needs */
};

/* Of fanotify, with events. */
struct queue {
	struct fanotify_queue q;
	struct file_users users;
};

/* A socket that processes have open, or that is in flight to them. */
struct socket {
	struct file_users users;
	unsigned int told; /* of the users that are kept, whom what is in its queue was added to */
};

static void note_problem(struct reader *r)
{
	struct open_walk *w = r->ret;

	w->complete = false;
	if (!w->problem)
		w->problem = dump_why(r->dump);
}

/* Where a process is, or where it belongs. */
static unsigned int place_of(const struct file_users *u, int32_t tgid)
{
	return COUNT_FRONT(i, u->kept, u->all[i]->tgid < tgid);
}

bool file_users_has(const struct file_users *u, int32_t tgid)
{
	return u && ANY_OF(i, u->kept, u->all[i]->tgid == tgid);
}

static void make_room(struct arena *a, struct file_users *u)
{
	const struct file_user **all;

	if (u->kept < u->room)
		return;
	u->room = u->room ? 4 * u->room : 2;
	all = arena_alloc(a, u->room * sizeof(*all));
	if (u->kept)
		memcpy(all, u->all, u->kept * sizeof(*all));
	u->all = all;
}

struct file_user *file_user_new(struct dump *d, int32_t tgid, const char *comm)
{
	struct file_user *user = dump_alloc(d, sizeof(*user));

	user->tgid = tgid;
	snprintf(user->comm, sizeof(user->comm), "%s", comm ?: "");
	return user;
}

struct file_user *file_user_of(struct hash_u64 *users, const struct task *task)
{
	bool is_new;
	struct file_user *user = hash_u64_get(users, (uint64_t)task->tgid, &is_new);

	if (is_new || task->pid == task->tgid) {
		user->tgid = task->tgid;
		memcpy(user->comm, task->comm, sizeof(user->comm));
	}
	return user;
}

void file_users_add(struct arena *a, struct file_users *u, const struct file_user *user)
{
	unsigned int at = place_of(u, user->tgid);

	if ((u->n && u->last == user->tgid) || (at < u->kept && u->all[at]->tgid == user->tgid))
		return;
	u->n++;
	u->last = user->tgid;
	if (at == FILE_USERS)
		return;
	u->kept -= u->kept == FILE_USERS;
	make_room(a, u);
	memmove(u->all + at + 1, u->all + at, (u->kept - at) * sizeof(*u->all));
	u->all[at] = user;
	u->kept++;
}

void file_users_add_all(struct arena *a, struct file_users *u, const struct file_users *more)
{
	for (unsigned int i = 0; i < more->kept; i++)
		file_users_add(a, u, more->all[i]);
	/* Those that are not kept are more than these at least. */
	if (more->n > u->n)
		u->n = more->n;
}

const struct text_list *file_users_list(const struct file_users *u, bool complete,
					struct text_lists *lists)
{
	if (!u->n && !complete)
		return NULL;
	for (unsigned int i = 0; i < u->kept; i++)
		if (u->all[i]->is_device)
			text_lists_add(lists, "/dev/%s", u->all[i]->comm);
		else
			text_lists_add(lists, "%s%d(%s)",
				       u->all[i]->queue		 ? "fanotify queue of "
				       : u->all[i]->in_flight	 ? "in flight to "
				       : u->all[i]->not_accepted ? "accept queue of "
								 : "",
				       u->all[i]->tgid, u->all[i]->comm);
	return text_lists_end(lists, u->n - u->kept, complete);
}

/* Of a file that several processes have open most are found here: those of a parent are its children's as well. */
static struct remembered *remembered(const struct reader *r, uint64_t file)
{
	/* Fibonacci hashing: the high bits are the mixed ones. */
	return &r->files[(file * 0x9e3779b97f4a7c15ULL) >> 32 & (KNOWN_FILES - 1)];
}

static enum status read_file(struct reader *r, uint64_t file, struct known_file *ret)
{
	struct remembered *known = remembered(r, file);
	const bool is_known = file && known->address == file;
	struct known_file found = { 0 };
	enum status st = is_known ? ST_OK : struct_read(&r->of->file, file, &found);

	if (st != ST_OK)
		return st;
	if (!is_known)
		*known = (struct remembered){ file, found };
	*ret = known->file;
	return ST_OK;
}

static void add_queue(struct reader *r, uint64_t file)
{
	struct fanotify_queue q;
	struct queue *queue;

	if (fanotify_of_file(&r->ret->fanotify, file, &q) != ST_OK) {
		note_problem(r);
		return;
	}
	if (!q.length)
		return;
	queue = hash_u64_get(&r->ret->queues, q.events, NULL);
	queue->q = q;
	file_users_add(r->dump->arena, &queue->users, r->user);
}

static void keep(struct reader *r, uint64_t file, const struct known_file *found)
{
	struct open_walk *w = r->ret;

	if (w->all.n == MAX_OPENED) {
		dump_corrupt(r->dump, "more than %u files are open", MAX_OPENED);
		note_problem(r);
		return;
	}
	open_list_add(&w->all, &(struct opened){ file, *found, r->user });
}

static void add_file(struct reader *r, uint64_t file)
{
	struct known_file found;

	if (read_file(r, file, &found) != ST_OK) {
		note_problem(r);
		return;
	}
	keep(r, file, &found);
	if (r->socket_operations && found.operations == r->socket_operations)
		file_users_add(r->meanwhile, hash_u64_get(&r->sockets, found.inode, NULL), r->user);
	if (r->ret->fanotify.operations && found.operations == r->ret->fanotify.operations)
		add_queue(r, file);
}

static enum status read_array(struct reader *r, uint64_t fd, uint32_t n)
{
	struct dump *d = r->dump;
	uint8_t raw[CHUNK * 8];
	enum status st = ST_OK;

	for (uint32_t i = 0; i < n && st == ST_OK; i += CHUNK) {
		uint32_t len = n - i < CHUNK ? n - i : CHUNK;

		if (dump_stopped(d))
			return ST_STOPPED;
		st = dump_read(d, fd + i * 8ULL, raw, len * 8ULL, "table of file descriptors");
		for (uint32_t k = 0; k < len && st == ST_OK; k++)
			if (le64(raw + k * 8))
				add_file(r, le64(raw + k * 8));
	}
	return st;
}

static enum status read_table(struct reader *r, struct table *t)
{
	enum status st = struct_read(&r->of->files, t->files, t)
				 ?: struct_read(&r->of->table, t->table, t);

	if (st == ST_OK && t->max > FD_TABLE_MOST)
		st = dump_corrupt(r->dump, "fdtable at %#lx has %u descriptors", t->table, t->max);
	return st ?: read_array(r, t->fd, t->max);
}

/* Threads share the tables of their process, unless one has its own. */
static enum status add_task(void *arg, const struct task *task)
{
	struct reader *r = arg;
	const struct file_user **mm_user;
	struct table table;
	bool is_new;
	enum status st = struct_read(&r->of->task, task->address, &table);

	if (st != ST_OK) {
		note_problem(r);
		return ST_OK;
	}
	r->user = NULL;
	if (table.mm) {
		mm_user = hash_u64_get(&r->ret->mms, table.mm, &is_new);
		if (is_new)
			*mm_user = r->user = file_user_new(r->dump, task->tgid, task->comm);
	}
	if (!table.files)
		return ST_OK;
	if (!hash_u64_add(&r->tables, table.files))
		return ST_OK;
	if (!r->user)
		r->user = file_user_new(r->dump, task->tgid, task->comm);
	st = read_table(r, &table);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		note_problem(r);
	return ST_OK;
}

/* Of the words of a loop device what may be a struct file: the inode will tell. */
static enum status add_loop(void *arg, uint64_t index, const uint64_t *words, unsigned int n)
{
	struct reader *r = arg;
	struct dump *d = r->dump;
	struct file_user *user = file_user_new(d, -1 - (int32_t)(index & INT32_MAX),
					       dump_text(d, "loop%u", (unsigned int)index));

	user->is_device = true;
	for (unsigned int i = 0; i < n; i++) {
		struct known_file file = { 0 };

		if (words[i] >> 63 && words[i] % 8 == 0 && read_file(r, words[i], &file) == ST_OK)
			open_list_add(&r->ret->loops, &(struct opened){ words[i], file, user });
	}
	return dump_stopped(d) ? ST_STOPPED : ST_OK;
}

static enum status add_loops(struct reader *r)
{
	enum status st = loop_walk(r->dump, add_loop, r);

	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK && st != ST_ABSENT)
		r->ret->loops_problem = dump_why(r->dump);
	return ST_OK;
}

/* The one process that has the socket open which sent it; NULL: several have, or it is unknown. */
static const struct file_user *sender_of(const struct reader *r, uint64_t inode)
{
	const struct socket *s = inode ? hash_u64_find(&r->sockets, inode) : NULL;

	return s && s->users.n == 1 ? s->users.all[0] : NULL;
}

static enum status add_file_in_flight(void *arg, uint64_t file, uint64_t sender)
{
	struct reader *r = arg;
	const struct file_users *users = &r->socket->users;

	for (unsigned int i = 0; i < users->kept; i++) {
		bool is_new;
		struct file_user *user = hash_u64_get(&r->receivers, (uint64_t)users->all[i]->tgid,
						      &is_new);
		const struct file_user *from = sender_of(r, sender);

		if (!is_new && user->sender != from)
			from = NULL;
		*user = *users->all[i];
		user->in_flight = true;
		user->sender = from;
		r->user = user;
		add_file(r, file);
	}
	return ST_OK;
}

/* What waits in the queue of a socket is of its users; a socket that waits there has a queue as well. */
static enum status add_in_flight(struct reader *r)
{
	struct scm *scm = dump_alloc(r->dump, sizeof(*scm));
	bool again = r->sockets.n;
	enum status st = again ? scm_open(r->dump, scm) : ST_OK;

	while (again && st == ST_OK) {
		again = false;
		hash_u64_for_each(struct socket, s, &r->sockets) {
			if (s->told == s->users.kept)
				continue;
			s->told = s->users.kept;
			r->socket = s;
			again = true;
			st = scm_walk(scm, hash_u64_key(s), add_file_in_flight, r);
			if (st == ST_STOPPED)
				return st;
			if (st != ST_OK)
				note_problem(r);
			st = ST_OK;
		}
	}
	return st;
}

/* Their users have what is in a queue by that alone. */
static void name_queues(struct reader *r)
{
	hash_u64_for_each(struct queue, queue, &r->ret->queues) {
		for (unsigned int i = 0; i < queue->users.kept; i++) {
			struct file_user *user = dump_alloc(r->dump, sizeof(*user));

			*user = *queue->users.all[i];
			user->queue = &queue->q;
			queue->users.all[i] = user;
		}
	}
}

enum status open_files_open(struct dump *d, struct open_files *ret)
{
	enum status st;

	*ret = (struct open_files){ .dump = d, .complete = true };
	hash_u64_init(&ret->inodes, d->arena, sizeof(struct file_users));
	st = STRUCTS_OPEN(d, rows, ret);
	ret->has_operations = st == ST_OK && STRUCT_HAS(&ret->file, struct known_file, operations);
	return st ?: tasks_open(d, &ret->tasks);
}

static struct open_walk *walk(struct open_files *o)
{
	struct dump *d = o->dump;
	struct open_walk *w = dump_alloc(d, sizeof(*w));
	struct reader r = { .of = o, .dump = d, .ret = w, .meanwhile = arena_within(d->arena) };
	struct tasks *tasks = &o->tasks;
	enum status st;

	w->complete = true;
	w->all.arena = w->loops.arena = d->arena;
	r.files = arena_alloc(r.meanwhile, KNOWN_FILES * sizeof(*r.files));
	hash_u64_init(&w->mms, d->arena, sizeof(const struct file_user *));
	hash_u64_init(&w->queues, d->arena, sizeof(struct queue));
	hash_u64_init(&r.tables, r.meanwhile, 0);
	hash_u64_init(&r.sockets, r.meanwhile, sizeof(struct socket));
	hash_u64_init(&r.receivers, d->arena, sizeof(struct file_user));
	if (o->has_operations &&
	    dump_ask(d, symbol, "socket_file_ops", &r.socket_operations) != ST_OK)
		r.socket_operations = 0;
	st = o->has_operations ? fanotify_find(d, &w->fanotify) : ST_ABSENT;
	if (st != ST_OK && st != ST_ABSENT)
		note_problem(&r);
	tasks->identity_only = true;
	st = tasks_walk(tasks, add_task, &r) ?: add_in_flight(&r) ?: add_loops(&r);
	if (st == ST_OK)
		name_queues(&r);
	if (dump_stopped(d))
		st = dump_fail(d, ST_STOPPED, "interrupted");
	if (st != ST_OK)
		note_problem(&r);
	/* A damaged list may be shorter than it was. */
	if (tasks->has_count && tasks->visited < tasks->count && w->complete) {
		dump_unreadable(d, "%lu of %lu threads were found", tasks->visited, tasks->count);
		note_problem(&r);
	}
	arena_reset(r.meanwhile);
	return w;
}

/* What one asks of the walk. */
struct asked {
	struct open_files *o;
	const struct hash_u64 *wanted;
	const struct queue *queue; /* which is read */
};

static enum status tell(const struct asked *a, const struct opened *opened)
{
	const struct known_file *file = &opened->file;
	struct open_files *o = a->o;
	enum status st;

	o->inode = file->inode;
	st = o->visit ? o->visit(o->arg, opened->address, file->operations, opened->user) : ST_OK;
	if (st != ST_OK || ((!o->operations || file->operations != o->operations) &&
			    (!a->wanted || !hash_u64_has(a->wanted, file->inode))))
		return st;
	file_users_add(o->dump->arena, hash_u64_get(&o->inodes, file->inode, NULL), opened->user);
	return ST_OK;
}

static void tell_event(void *arg, uint64_t inode)
{
	const struct asked *a = arg;

	if (a->wanted && hash_u64_has(a->wanted, inode))
		file_users_add_all(a->o->dump->arena, hash_u64_get(&a->o->inodes, inode, NULL),
				   &a->queue->users);
}

/* Who has a file open as well has it so. */
static void tell_queued(struct asked *a, struct open_walk *w)
{
	hash_u64_for_each(const struct queue, queue, &w->queues) {
		a->queue = queue;
		if (fanotify_walk(&w->fanotify, &queue->q, tell_event, a) == ST_OK)
			continue;
		a->o->complete = false;
		a->o->problem = a->o->problem ?: dump_why(a->o->dump);
	}
}

/* No file of a process: only its users are told. */
static void tell_loops(struct asked *a, struct open_walk *w)
{
	struct open_list_at at = open_list_begin(&w->loops);
	struct opened of;

	while (a->wanted && open_list_next(&at, &of))
		if (hash_u64_has(a->wanted, of.file.inode))
			file_users_add(a->o->dump->arena,
				       hash_u64_get(&a->o->inodes, of.file.inode, NULL), of.user);
}

enum status open_files_read(struct open_files *o, const struct hash_u64 *wanted)
{
	struct asked a = { o, wanted, NULL };
	struct dump *d = o->dump;
	struct open_walk *w = d->open_walk = d->open_walk ?: walk(o);
	struct open_list_at at = open_list_begin(&w->all);
	const bool is_alone = o->operations && !wanted && !o->visit;
	struct opened of;
	enum status st = ST_OK;

	o->mms = w->mms;
	o->complete = w->complete && !(wanted && w->loops_problem);
	o->problem = w->problem ?: wanted ? w->loops_problem : NULL;
	if (is_alone && o->operations == w->operations) {
		o->inodes = w->inodes;
		o->complete = w->inodes_complete;
		o->problem = w->inodes_problem;
		return ST_OK;
	}
	while (st == ST_OK && open_list_next(&at, &of))
		st = dump_stopped(d) ? ST_STOPPED : tell(&a, &of);
	if (st != ST_OK) {
		o->complete = false;
		o->problem = o->problem ?: dump_why(d);
	}
	tell_queued(&a, w);
	tell_loops(&a, w);
	if (st == ST_OK && is_alone) {
		w->operations = o->operations;
		w->inodes = o->inodes;
		w->inodes_complete = o->complete;
		w->inodes_problem = o->problem;
	}
	return ST_OK;
}

enum status open_files_open_by(struct dump *d, struct open_files *ret, const char *operations)
{
	uint64_t of = 0;
	enum status st = open_files_open(d, ret);

	if (st == ST_OK && !ret->has_operations)
		st = dump_unknown(d, "struct file has no member f_op");
	if (st == ST_OK && operations)
		st = dump_symbol(d, operations, &of);
	return RESULT(st, &ret->operations, of);
}

enum status open_files_visit(struct open_files *o, struct dump *d,
			     enum status (*visit)(void *arg, uint64_t file, uint64_t operations,
						  const struct file_user *user),
			     void *arg)
{
	enum status st = open_files_open_by(d, o, NULL);

	o->visit = visit;
	o->arg = arg;
	return st ?: open_files_read(o, NULL);
}

const struct file_users *open_files_find(const struct open_files *o, uint64_t inode)
{
	return hash_u64_find(&o->inodes, inode);
}

const struct file_user *open_files_mm(const struct open_files *o, uint64_t mm)
{
	const struct file_user *const *user = hash_u64_find(&o->mms, mm);

	return user ? *user : NULL;
}
