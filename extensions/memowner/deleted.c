// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Deleted files, memfds and rings of AIO that one process alone keeps, by the events of fanotify that it has not read
 * too, or none, where each is too small for a row of its own.
 */
#include "files.h"

#include "vm/file_maps.h"

#define NO_PROCESS UINT64_MAX
#define BY_EVENTS (1ULL << 32) /* beside the tgid */
#define BY_DEVICES (1ULL << 33)

struct keeper {
	const struct file_user *user; /* NULL: no process, the kernel does */
	uint64_t files, pages;	      /* of files that have no row */
	uint64_t in_flight, rings;    /* of the files */
	uint64_t devices;	      /* loop devices that have them; 0: none has */
	uint64_t super;		      /* of all of them; 0: of several */
	const char *charged; /* for most pages of each of them; NULL: several, none, or unknown */
	uint64_t all, all_pages, all_swapped; /* with those that have one */
	struct cached_file *largest;	      /* of all */
	uint64_t most;			      /* pages that it has, in swap too */
};

/* Keepers of one name. */
struct keepers {
	char comm[TASKS_COMM + 1];
	uint64_t processes, files, pages, swapped;
	uint64_t most;			   /* of one, in swap too */
	const struct keeper *with_largest; /* file */
};

/* Rings of io_setup() (fs/aio.c): pages of a file without a directory, which the kernel keeps until io_destroy(). */
static bool is_ring(const struct cached_file *file)
{
	return !strcmp(file->inode.super->type, "aio");
}

/* NULL: it has a name. */
static struct cached_file *deleted_of(struct summary_files *f, uint64_t key)
{
	struct cached_file *file;

	if (!file_key_mapping(key) || file_key_class(key) == FILE_HUGETLB)
		return NULL;
	file = cached_file_at(&f->files, file_key_mapping(key));
	return file && file->status == ST_OK && (!file->inode.nlink || is_ring(file)) ? file : NULL;
}

static uint64_t find_deleted(struct summary_files *f, struct hash_u64 *wanted)
{
	uint64_t pages = 0;

	for (const struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next) {
		const struct cached_file *file = deleted_of(f, e->key);

		if (!file)
			continue;
		hash_u64_get(wanted, file->inode.address, NULL);
		pages += ((const struct file_use *)e->value)->pages;
	}
	return pages;
}

static uint64_t key_of(const struct file_user *user)
{
	return !user		 ? NO_PROCESS
	       : user->is_device ? BY_DEVICES
				 : (uint32_t)user->tgid | (user->queue ? BY_EVENTS : 0);
}

/* Segments of System V stay until they are removed. */
static enum status add_keeper(struct summary_files *f, struct cached_file *file, uint64_t pages,
			      const char *charged, bool is_told, const struct file_maps *maps,
			      enum status maps_status, const struct open_files *o,
			      struct hash_u64 *keepers)
{
	const uint64_t swapped = file->inode.has_swapped ? file->inode.swapped : 0;
	struct file_all_users u;
	const struct file_user *user;
	struct keeper *k;

	cached_file_path(&f->files, file);
	if ((!cached_file_is_deleted(file) && !is_ring(file)) || file->kind == FILE_SYSV_SHM)
		return ST_OK;
	if (file_maps_all(maps, maps_status, file, o, &u) == ST_STOPPED)
		return ST_STOPPED;
	if (!u.all_complete || u.both.n > 1)
		return ST_OK;
	user = u.both.n ? u.both.all[0] : NULL;
	k = hash_u64_get(keepers, key_of(user), NULL);
	k->devices += user && user->is_device && user != k->user;
	k->user = user;
	k->all++;
	k->all_pages += pages;
	k->all_swapped += swapped;
	if (!k->largest || pages + swapped > k->most) {
		k->largest = file;
		k->most = pages + swapped;
	}
	if (is_told)
		return ST_OK;
	k->super = !k->files || k->super == file->inode.sb ? file->inode.sb : 0;
	k->charged = !k->files						     ? charged
		     : k->charged && charged && !strcmp(k->charged, charged) ? charged
									     : NULL;
	k->files++;
	k->rings += is_ring(file);
	k->in_flight += k->user && k->user->in_flight;
	k->pages += pages;
	return ST_OK;
}

/* What a process has not read of its queue keeps the files. */
static const char *events_text(struct summary *s, const struct fanotify_queue *q)
{
	return dump_text(s->dump, "its fanotify queue keeps, which has %s that were not read%s",
			 COUNT_OF(q->length, "event"),
			 q->max_length == UINT32_MAX ? " and no limit" : "");
}

/* "framebroker (98) passed to it through unix sockets and that it has not received"; others it has open or mapped. */
static const char *kept_text(struct summary *s, const struct keeper *k)
{
	const struct file_user *from = k->user ? k->user->sender : NULL;
	const char *sender = from ? SUMMARY_TASK(((struct maybe_u64){ (uint64_t)from->tgid, true }),
						 from->comm)
				  : NULL;

	if (!k->user)
		return "none has open or maps: the kernel keeps them";
	if (k->devices)
		return dump_text(
			s->dump, "%s: losetup -d frees them",
			k->devices > 1 ? dump_text(s->dump, "%s loop devices keep, as /dev/%s does",
						   COUNT_TEXT(k->devices), k->user->comm)
				       : dump_text(s->dump, "/dev/%s keeps", k->user->comm));
	if (k->user->queue)
		return events_text(s, k->user->queue);
	if (k->in_flight && k->in_flight == k->files)
		return dump_text(
			s->dump,
			"%s passed to it through unix sockets and that it has not received",
			sender ?: "unknown processes");
	return k->in_flight ? dump_text(s->dump,
					"it alone keeps, some of them passed to it by %sunix "
					"sockets and not received",
					sender ? dump_text(s->dump, "%s through ", sender) : "")
			    : "it alone keeps";
}

/* Several of one name, of which none has half, are told together. */
static bool are_several(const struct keepers *n)
{
	return n && n->processes > 1 && n->most < (n->pages + n->swapped) / 2;
}

static void sum_names(struct hash_u64 *keepers, struct hash_bytes *names)
{
	hash_u64_for_each(const struct keeper, k, keepers) {
		const uint64_t pages = k->all_pages + k->all_swapped;
		struct keepers *n;

		if (!k->user || k->user->is_device || k->user->queue)
			continue;
		n = hash_bytes_get(names, k->user->comm, strlen(k->user->comm) + 1, NULL)->value;
		snprintf(n->comm, sizeof(n->comm), "%s", k->user->comm);
		n->processes++;
		n->files += k->all;
		n->pages += k->all_pages;
		n->swapped += k->all_swapped;
		n->most = pages > n->most ? pages : n->most;
		if (!n->with_largest || k->most > n->with_largest->most)
			n->with_largest = k;
	}
}

static const struct keepers *name_of(const struct hash_bytes *names, const struct keeper *k)
{
	return !k->user || k->user->is_device || k->user->queue
		       ? NULL
		       : hash_bytes_find(names, k->user->comm, strlen(k->user->comm) + 1);
}

/* "6 deleted files, each kept by one of them alone, the largest /memfd:ram 98.0M" */
static const char *names_text(struct summary *s, struct summary_files *f, const struct keepers *n)
{
	return dump_text(s->dump, "%s%s, each kept by one of them alone, the largest %.200s %s",
			 s->pages_missing ? "at least " : "", COUNT_OF(n->files, "deleted file"),
			 cached_file_name(&f->files, n->with_largest->largest),
			 summary_size(s, n->with_largest->most));
}

static void put_names(struct summary *s, struct summary_files *f, const struct hash_bytes *names)
{
	hash_bytes_for_each(const struct keepers, n, names) {
		struct statement *row;

		if (!are_several(n))
			continue;
		row = summary_held_of_name(
			s, 1U << CLASS_SHMEM | 1U << CLASS_FILE, n->comm, n->processes,
			n->with_largest->user->tgid, n->pages + n->swapped,
			"memowner files -f deleted=yes -g process", names_text(s, f, n));
		if (!row)
			continue;
		summary_set_swapped(s, row, n->pages, n->swapped);
		row->release = "the end of these processes";
	}
}

static void put_keeper(struct summary *s, struct summary_files *f, const struct keeper *k)
{
	const bool are_rings = k->rings && k->rings == k->files;
	struct statement *row;

	if (!k->user && summary_reaches(s, LIMIT_HOLDER, k->pages))
		s->leftover =
			dump_text(s->dump, "%s, %s, that none has open or maps, the kernel keeps",
				  COUNT_OF(k->files, "deleted file"), summary_size(s, k->pages));
	s->has_unused_files |= !k->user && summary_reaches(s, LIMIT_HOLDER, k->pages);
	row = summary_held_of(s, 1U << CLASS_SHMEM | 1U << CLASS_FILE,
			      k->user && !k->devices ? dump_strdup(s->dump, k->user->comm) : NULL,
			      k->user && !k->devices ? k->user->tgid : 0, k->pages,
			      are_rings ? "memowner files -f fs_type=aio -g process"
					: "memowner files -f deleted=yes -g process",
			      dump_text(s->dump, "%s that %s%s",
					are_rings ? PLURAL_TEXT(k->files, "ring of io_setup()",
								"rings of io_setup()")
						  : COUNT_OF(k->files, "deleted file"),
					kept_text(s, k),
					s->pages_missing ? ", and maybe more" : ""));
	if (!row)
		return;
	/* That the root is charged says nothing. */
	row->charged = k->charged && k->charged[1] ? k->charged : NULL;
	if (k->super)
		row->within = summary_mounts_path(f, k->super);
}

enum status summary_deleted_put(struct summary *s, struct summary_files *f,
				const struct hash_u64 *told)
{
	struct dump *d = s->dump;
	struct open_files *o = dump_alloc(d, sizeof(*o));
	struct file_maps maps;
	struct hash_u64 wanted, keepers;
	struct hash_bytes names;
	enum status st, maps_status;

	hash_u64_init(&wanted, d->arena, 0);
	hash_u64_init(&keepers, d->arena, sizeof(struct keeper));
	hash_bytes_init(&names, d->arena, sizeof(struct keepers));
	if (!summary_reaches(s, LIMIT_HOLDER, find_deleted(f, &wanted)))
		return ST_OK;
	st = open_files_open(d, o) ?: open_files_read(o, &wanted);
	if (st != ST_OK)
		return summary_failed(s, "users of deleted files", st);
	if (!o->complete)
		summary_unknown(s, "users of deleted files", NOT_IN_DUMP, "%s", o->problem);
	maps_status = file_maps_open(d, &maps);
	for (const struct hash_u64_entry *e = f->pages.uses.first; e && st == ST_OK; e = e->next) {
		struct cached_file *file = deleted_of(f, e->key);

		if (file)
			st = add_keeper(f, file, ((const struct file_use *)e->value)->pages,
					summary_file_charge(s->view, e->value),
					hash_u64_has(told, file->inode.address), &maps, maps_status,
					o, &keepers);
	}
	sum_names(&keepers, &names);
	put_names(s, f, &names);
	hash_u64_for_each(const struct keeper, k, &keepers) {
		if (k->user && !k->user->is_device && k->pages)
			summary_keep(s, k->user->tgid, k->pages, 0)->rings += k->rings == k->files
										      ? k->pages
										      : 0;
		if (!are_several(name_of(&names, k)))
			put_keeper(s, f, k);
	}
	return st;
}
