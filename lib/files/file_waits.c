// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/file_waits.h"

#include "kernel/percpu.h"

struct pointer {
	uint64_t at;
};

struct context {
	uint64_t flock, posix, leases; /* heads of lists */
};

struct raw_lock {
	uint64_t file, owner, blocker;
	int32_t pid;
	uint32_t type;
};

#define MAX_TYPE \
	2 /* F_RDLCK, F_WRLCK, F_UNLCK of include/uapi/asm-generic/fcntl.h, on all but alpha, sparc, parisc */

static const struct layout_row rows[] = {
	STRUCTURE(struct file_waits, file, "struct file"),
	POINTS(struct pointer, at, REQUIRED, "3.9", "f_inode"),
	STRUCTURE(struct file_waits, inode, "struct inode"),
	POINTS(struct pointer, at, REQUIRED, "4.0", "i_flctx"),
	STRUCTURE(struct file_waits, context, "struct file_lock_context"),
	PLACES(struct context, flock, REQUIRED, "4.0", "flc_flock"),
	PLACES(struct context, posix, REQUIRED, "4.0", "flc_posix"),
	PLACES(struct context, leases, REQUIRED, "4.0", "flc_lease"),
	/* 6.9: struct file_lock_core, with which a struct file_lease begins as well. */
	STRUCTURE(struct file_waits, lock, "struct file_lock"),
	POINTS(struct raw_lock, file, REQUIRED, "6.9; all", "c.flc_file", "fl_file"),
	POINTS(struct raw_lock, owner, REQUIRED, "6.9; all", "c.flc_owner", "fl_owner"),
	/* Up to 4.20 every request waits for a lock, of requests of requests there are none. */
	POINTS(struct raw_lock, blocker, REQUIRED, "6.9; 5.0; all", "c.flc_blocker", "fl_blocker",
	       "fl_next"),
	READS(struct raw_lock, pid, REQUIRED, "6.9; all", "c.flc_pid", "fl_pid"),
	READS_TO(struct raw_lock, type, MAX_TYPE, REQUIRED, "6.9; all", "c.flc_type", "fl_type"),
	STRUCTURE(struct file_waits, range, "struct file_lock"),
	READS(struct file_range, start, REQUIRED, "all", "fl_start"),
	READS(struct file_range, end, REQUIRED, "all", "fl_end"),
	FINDS(struct file_waits, link, "struct file_lock", REQUIRED, "6.9; all", "c.flc_link",
	      "fl_link"),
	FINDS(struct file_waits, list, "struct file_lock", REQUIRED, "6.9; 4.0", "c.flc_list",
	      "fl_list"),
	FINDS(struct file_waits, requests, "struct file_lock", REQUIRED, "6.9; 5.0; all",
	      "c.flc_blocked_requests", "fl_blocked_requests", "fl_block"),
	FINDS(struct file_waits, member, "struct file_lock", REQUIRED, "6.9; 5.0; all",
	      "c.flc_blocked_member", "fl_blocked_member", "fl_block"),
	FINDS(struct file_waits, wait, "struct file_lock", REQUIRED, "6.9; all", "c.flc_wait",
	      "fl_wait"),
	FINDS(struct file_waits, heads, "struct file_lock_list_struct", REQUIRED, "4.5", "hlist"),
};

enum status file_waits_open(struct dump *d, struct file_waits *ret)
{
	*ret = (struct file_waits){ .dump = d };
	hash_u64_init(&ret->seen, d->arena, 0);
	hash_u64_init(&ret->waits, d->arena, sizeof(struct file_wait));
	if (!dump_has_symbol(d, "posix_lock_file"))
		return dump_absent(d, "this kernel was built without CONFIG_FILE_LOCKING");
	return STRUCTS_OPEN(d, rows, ret) ?: wait_queues_open(d, &ret->queues) ?:
		dump_symbol(d, "file_lock_list", &ret->lists);
}

/* A lock or a request whose requests are to be read. */
struct waited {
	struct waited *next;
	uint64_t address;
};

struct tree {
	struct file_waits *w;
	struct file_lock *lock;
	struct waited *first, **last;
};

static void add_waited(struct tree *t, uint64_t address)
{
	struct waited *of = dump_alloc(t->w->dump, sizeof(*of));

	of->address = address;
	*t->last = of;
	t->last = &of->next;
}

/* The tasks in the queue of a request; a request of lockd or FUSE has none. */
static enum status add_tasks(struct file_waits *w, const struct file_wait *wait)
{
	struct list_nodes queue = wait_queue_of(&w->queues, wait->request + w->wait.offset,
						"tasks that wait for a lock of a file");
	struct file_wait *kept;
	uint64_t entry, task;
	enum status st = ST_OK;

	while (st == ST_OK && wait_queue_next(&w->queues, &queue, &entry)) {
		st = wait_entry_task(&w->queues, entry, &task);
		if (st != ST_OK)
			break;
		kept = hash_u64_get(&w->waits, task, NULL);
		*kept = *wait;
		kept->entry = entry;
	}
	return st ?: list_end(&queue);
}

static enum status add_request(struct tree *t, uint64_t of, uint64_t address)
{
	struct file_waits *w = t->w;
	struct file_wait wait = { .lock = t->lock, .request = address };
	struct raw_lock raw;
	bool is_new;
	enum status st;

	hash_u64_get(&w->seen, address, &is_new);
	if (!is_new)
		return dump_corrupt(w->dump, "a request for a lock of a file waits twice");
	st = struct_read(&w->lock, address, &raw);
	if (st == ST_OK && raw.blocker != of)
		st = dump_corrupt(w->dump, "a request for a lock of a file names another lock");
	if (st == ST_OK && file_lock_has_range(t->lock->kind))
		st = struct_read(&w->range, address, &wait.range);
	if (st != ST_OK)
		return st;
	wait.is_shared = !raw.type;
	wait.file = raw.file;
	wait.owner = raw.owner;
	t->lock->waiters++;
	if (w->requests.offset != w->member.offset)
		add_waited(t, address);
	return add_tasks(w, &wait);
}

/* The requests that wait for a lock, those that wait for these, and so on. */
static enum status add_requests(struct file_waits *w, struct file_lock *lock)
{
	struct tree t = { .w = w, .lock = lock };
	struct first_problem problem = { 0 };
	enum status st = ST_OK;
	uint64_t node;

	t.last = &t.first;
	add_waited(&t, lock->address);
	for (const struct waited *of = t.first; of && st == ST_OK; of = of->next) {
		struct list_nodes list = list_of(w->dump, of->address + w->requests.offset,
						 "requests for a lock of a file");

		while (st == ST_OK && list_next(&list, &node))
			st = first_problem_keep(
				w->dump, &problem,
				add_request(&t, of->address, node - w->member.offset));
		st = st ?: first_problem_keep(w->dump, &problem, list_end(&list));
	}
	return st ?: first_problem_end(w->dump, &problem);
}

static enum status add_lock(struct file_waits *w, uint64_t address, enum file_lock_kind kind,
			    struct file_locks_of *of)
{
	struct file_lock *lock = dump_alloc(w->dump, sizeof(*lock));
	struct raw_lock raw;
	enum status st = struct_read(&w->lock, address, &raw);

	if (st == ST_OK && file_lock_has_range(kind))
		st = struct_read(&w->range, address, &lock->range);
	if (st != ST_OK)
		return st;
	lock->address = address;
	lock->file = raw.file;
	lock->owner = raw.owner;
	lock->pid = raw.pid;
	lock->kind = kind == FILE_LOCK_POSIX && raw.owner == raw.file ? FILE_LOCK_OFD : kind;
	lock->is_shared = !raw.type;
	lock->of = of;
	lock->next = of->first;
	of->first = lock;
	return add_requests(w, lock);
}

/* Of a lock of a list; true too where that is unknown. */
static bool has_requests(struct file_waits *w, uint64_t head)
{
	struct list_nodes list = list_of(w->dump, head, "locks of a file");
	struct raw_lock raw;
	uint64_t node, first;

	while (list_next(&list, &node)) {
		const uint64_t lock = node - w->list.offset, requests = lock + w->requests.offset;

		if (struct_read(&w->lock, lock, &raw) != ST_OK ||
		    dump_u64(w->dump, requests, &first, "file_lock") != ST_OK || first != requests)
			return true;
	}
	return list_end(&list) != ST_OK;
}

/* A database has hundreds of thousands of locks, and none waits for one of them: these are not kept. */
static enum status add_list(struct file_waits *w, uint64_t inode, uint64_t head,
			    enum file_lock_kind kind)
{
	struct list_nodes list = list_of(w->dump, head, "locks of a file");
	struct first_problem problem = { 0 };
	struct file_locks_of *of;
	enum status st = ST_OK;
	uint64_t node;

	if (!has_requests(w, head))
		return ST_OK;
	of = dump_alloc(w->dump, sizeof(*of));
	of->inode = inode;
	while (st == ST_OK && list_next(&list, &node))
		st = first_problem_keep(w->dump, &problem,
					add_lock(w, node - w->list.offset, kind, of));
	st = st ?: first_problem_keep(w->dump, &problem, list_end(&list));
	st = st ?: first_problem_end(w->dump, &problem);
	of->complete = st == ST_OK;
	return st;
}

/* All locks of the inode that one of them is of. */
static enum status add_inode(struct file_waits *w, uint64_t lock)
{
	struct first_problem problem = { 0 };
	struct raw_lock raw;
	struct pointer inode = { 0 }, p = { 0 };
	struct context c;
	bool is_new = false;
	enum status st = struct_read(&w->lock, lock, &raw)
				 ?: struct_read(&w->file, raw.file, &inode);

	if (st == ST_OK)
		hash_u64_get(&w->seen, inode.at, &is_new);
	if (st != ST_OK || !is_new)
		return st;
	st = struct_read(&w->inode, inode.at, &p) ?: struct_read(&w->context, p.at, &c);
	if (st != ST_OK)
		return st;
	st = first_problem_keep(w->dump, &problem, add_list(w, inode.at, c.flock, FILE_LOCK_FLOCK))
		     ?: first_problem_keep(w->dump, &problem,
					   add_list(w, inode.at, c.posix, FILE_LOCK_POSIX))
		     ?: first_problem_keep(w->dump, &problem,
					   add_list(w, inode.at, c.leases, FILE_LOCK_LEASE));
	return st ?: first_problem_end(w->dump, &problem);
}

static enum status read_cpu(struct file_waits *w, uint64_t head, struct first_problem *problem)
{
	struct list_nodes list = hlist_of(w->dump, head, "locks of files");
	enum status st = ST_OK;
	uint64_t node;

	while (st == ST_OK && list_next(&list, &node))
		st = first_problem_keep(w->dump, problem, add_inode(w, node - w->link.offset));
	return st ?: first_problem_keep(w->dump, problem, list_end(&list));
}

enum status file_waits_read(struct file_waits *w)
{
	struct first_problem problem = { 0 };
	struct percpu percpu;
	enum status st = first_problem_keep(w->dump, &problem, percpu_open(w->dump, &percpu));

	for (unsigned int i = 0; !problem.text && st == ST_OK && i < percpu.n; i++)
		st = read_cpu(w, w->lists + percpu.offset[i] + w->heads.offset, &problem);
	w->problem = problem.text;
	return st;
}

static bool is_bar(const struct file_lock *lock, const struct file_wait *wait)
{
	if (lock->is_shared && wait->is_shared)
		return false;
	if (file_lock_has_range(lock->kind))
		return lock->owner != wait->owner && lock->range.start <= wait->range.end &&
		       wait->range.start <= lock->range.end;
	return lock->file != wait->file;
}

uint64_t file_wait_bars(const struct file_wait *wait)
{
	uint64_t n = 0;

	if (!wait->lock->of->complete)
		return 0;
	for (const struct file_lock *lock = wait->lock->of->first; lock; lock = lock->next)
		n += lock == wait->lock || is_bar(lock, wait);
	return n;
}
