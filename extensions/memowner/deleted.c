// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Deleted files and memfds that one process alone keeps, by the events of fanotify that it has not read too, or
 * none, where each is too small for a row of its own.
 */
#include "files.h"

#include "files/fanotify.h"
#include "vm/file_maps.h"

#define NO_PROCESS UINT64_MAX
#define BY_EVENTS (1ULL << 32) /* beside the tgid */

struct keeper {
	const struct file_user *user; /* NULL: no process, the kernel does */
	uint64_t files, pages;
	uint64_t in_flight;		    /* of the files */
	const struct fanotify_queue *queue; /* whose events alone keep them; NULL: none */
};

/* A queue that is open. */
struct queue {
	struct fanotify_queue q;
	const struct file_user *user;
};

struct queues {
	struct fanotify fanotify;
	struct hash_u64 all;	   /* of struct queue by the address of its list */
	struct hash_u64 pinned;	   /* of struct queue * by the address of an inode */
	const struct hash_u64 *of; /* inodes that are asked for */
	struct queue *at;
	struct first_problem problem;
};

static enum status add_queue(void *arg, uint64_t file, uint64_t operations,
			     const struct file_user *user)
{
	struct queues *x = arg;
	struct fanotify_queue q;
	enum status st;

	if (!operations || operations != x->fanotify.operations)
		return ST_OK;
	st = fanotify_of_file(&x->fanotify, file, &q);
	if (st == ST_OK)
		*(struct queue *)hash_u64_get(&x->all, q.events, NULL) = (struct queue){ q, user };
	return first_problem_keep(x->fanotify.dump, &x->problem, st);
}

static void add_event(void *arg, uint64_t inode)
{
	struct queues *x = arg;

	if (hash_u64_has(x->of, inode))
		*(struct queue **)hash_u64_get(&x->pinned, inode, NULL) = x->at;
}

/* Of a queue that is not all there the events that are. */
static void find_pinned(struct queues *x)
{
	for (struct hash_u64_entry *e = x->all.first; e; e = e->next) {
		x->at = (struct queue *)e->value;
		first_problem_keep(x->fanotify.dump, &x->problem,
				   fanotify_walk(&x->fanotify, &x->at->q, add_event, x));
	}
}

/* NULL: it has a name, or a row. */
static struct cached_file *deleted_of(struct summary_files *f, uint64_t key,
				      const struct hash_u64 *told)
{
	struct cached_file *file;

	if (!file_key_mapping(key) || file_key_class(key) == FILE_HUGETLB)
		return NULL;
	file = cached_file_at(&f->files, file_key_mapping(key));
	return file && file->status == ST_OK && !file->inode.nlink &&
			       !hash_u64_has(told, file->inode.address)
		       ? file
		       : NULL;
}

static uint64_t find_deleted(struct summary_files *f, const struct hash_u64 *told,
			     struct hash_u64 *wanted)
{
	uint64_t pages = 0;

	for (const struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next) {
		const struct cached_file *file = deleted_of(f, e->key, told);

		if (!file)
			continue;
		hash_u64_get(wanted, file->inode.address, NULL);
		pages += ((const struct file_use *)e->value)->pages;
	}
	return pages;
}

/* Segments of System V stay until they are removed. */
static enum status add_keeper(struct summary_files *f, struct cached_file *file, uint64_t pages,
			      const struct file_maps *maps, enum status maps_status,
			      const struct open_files *o, const struct queues *queues,
			      struct hash_u64 *keepers)
{
	struct queue *const *pin = hash_u64_find(&queues->pinned, file->inode.address);
	struct file_all_users u;
	const struct file_user *user;
	struct keeper *k;

	cached_file_path(&f->files, file);
	if (!cached_file_is_deleted(file) || file->kind == FILE_SYSV_SHM)
		return ST_OK;
	if (file_maps_all(maps, maps_status, file, o, &u) == ST_STOPPED)
		return ST_STOPPED;
	if (!u.all_complete || u.both.n > 1)
		return ST_OK;
	pin = u.both.n ? NULL : pin;
	user = pin ? (*pin)->user : u.both.n ? u.both.all[0] : NULL;
	k = hash_u64_get(keepers, user ? (uint32_t)user->tgid | (pin ? BY_EVENTS : 0) : NO_PROCESS,
			 NULL);
	k->user = user;
	k->queue = pin ? &(*pin)->q : NULL;
	k->files++;
	k->in_flight += k->user && k->user->in_flight;
	k->pages += pages;
	return ST_OK;
}

/* What a process has not read of its queue keeps the files. */
static const char *events_text(struct summary *s, const struct fanotify_queue *q)
{
	return arena_text(s->dump->arena,
			  "its fanotify queue keeps, which has %s that were not read%s",
			  PLURAL_TEXT(q->length, "event", "events"),
			  q->max_length == UINT32_MAX ? " and no limit" : "");
}

enum status summary_deleted_put(struct summary *s, struct summary_files *f,
				const struct hash_u64 *told)
{
	struct dump *d = s->dump;
	struct open_files *o = dump_alloc(d, sizeof(*o));
	struct queues *queues = dump_alloc(d, sizeof(*queues));
	struct file_maps maps;
	struct hash_u64 wanted, keepers;
	enum status st, found, maps_status;

	hash_u64_init(&wanted, d->arena, 0);
	hash_u64_init(&keepers, d->arena, sizeof(struct keeper));
	hash_u64_init(&queues->all, d->arena, sizeof(struct queue));
	hash_u64_init(&queues->pinned, d->arena, sizeof(struct queue *));
	queues->of = &wanted;
	if (!summary_reaches(s, LIMIT_HOLDER, find_deleted(f, told, &wanted)))
		return ST_OK;
	st = open_files_open(d, o);
	if (st == ST_OK && o->has_operations) {
		o->visit = add_queue;
		o->arg = queues;
		found = fanotify_find(d, &queues->fanotify);
		if (found != ST_ABSENT)
			first_problem_keep(d, &queues->problem, found);
	}
	st = st ?: open_files_read(o, &wanted);
	if (st != ST_OK)
		return summary_failed(s, "users of deleted files", st);
	find_pinned(queues);
	maps_status = file_maps_open(d, &maps);
	for (const struct hash_u64_entry *e = f->pages.uses.first; e && st == ST_OK; e = e->next) {
		struct cached_file *file = deleted_of(f, e->key, told);

		if (file)
			st = add_keeper(f, file, ((const struct file_use *)e->value)->pages, &maps,
					maps_status, o, queues, &keepers);
	}
	hash_u64_for_each(const struct keeper, k, &keepers) {
		if (!k->user && summary_reaches(s, LIMIT_HOLDER, k->pages)) {
			s->has_unused_files = true;
			summary_failed(s, "queues of fanotify",
				       first_problem_end(d, &queues->problem));
		}
		summary_holder(
			s, "held",
			k->user ? arena_text(d->arena, "%s (%d)", k->user->comm, k->user->tgid)
				: "no process",
			k->pages, "memowner files -f deleted=yes -g process",
			arena_text(d->arena, "%s that %s%s%s",
				   PLURAL_TEXT(k->files, "deleted file", "deleted files"),
				   k->queue  ? events_text(s, k->queue)
				   : k->user ? "it alone keeps"
					     : "none has open or maps: the kernel keeps them",
				   !k->in_flight ? ""
				   : k->in_flight == k->files
					   ? ", in flight in its unix sockets"
					   : ", some in flight in its unix sockets",
				   s->pages_missing ? ", at least" : ""));
	}
	return st;
}
