// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that processes have locked in memory with mlock(): their pages are in no row of anonymous memory. */
#include "files.h"

#include "vm/file_maps.h"
#include "vm/vma.h"

struct locker {
	const struct file_user *user;
	struct cached_file *largest;
	uint64_t files, pages, most;
	/* The cgroup that is charged for most of them. */
	const char *charged;
	uint64_t charged_pages;
	bool others; /* another process has locked one of them as well */
};

/* The majority, if there is one: what another one has more of takes its place. */
static void add_charge(struct locker *l, const char *cgroup, uint64_t pages)
{
	if (cgroup && l->charged && !strcmp(cgroup, l->charged)) {
		l->charged_pages += pages;
	} else if (pages > l->charged_pages) {
		l->charged = cgroup;
		l->charged_pages = pages;
	}
}

static enum status add_lockers(struct summary *s, struct summary_files *f,
			       const struct hash_u64_entry *e, const struct file_maps *maps,
			       const struct open_files *o, struct hash_u64 *lockers)
{
	struct cached_file *file = cached_file_at(&f->files, file_key_mapping(e->key));
	const uint64_t pages = ((const struct file_use *)e->value)->mlocked;
	struct file_users users = { 0 };
	enum status st = file->status;

	if (st == ST_OK)
		st = file_maps_users(maps, &file->mapping, o, &users);
	else
		dump_fail(o->dump, st, "%s", file->problem);
	for (unsigned int i = 0; i < users.kept; i++) {
		struct locker *l = hash_u64_get(lockers, (uint64_t)users.all[i]->tgid, NULL);

		l->user = users.all[i];
		l->files++;
		l->pages += pages;
		l->others |= users.n > 1;
		add_charge(l, summary_file_charge(s->view, e->value), pages);
		if (pages <= l->most)
			continue;
		l->most = pages;
		l->largest = file;
	}
	return st;
}

static bool is_locked(const struct hash_u64_entry *e)
{
	return file_key_mapping(e->key) && ((const struct file_use *)e->value)->mlocked;
}

static void put_locker(struct summary *s, struct summary_files *f, const struct locker *l)
{
	struct arena *a = s->dump->arena;
	struct statement *row;

	row = summary_held_of(
		s, 1U << CLASS_SHMEM | 1U << CLASS_FILE, arena_strdup(a, l->user->comm),
		l->user->tgid, l->pages,
		arena_text(a,
			   "memowner files -f used_by=%d -f mlocked_pages=1.. -g class "
			   "-o +mlocked_pages",
			   l->user->tgid),
		arena_text(a, "%s mlocked%s, the largest %.200s %s", COUNT_OF(l->files, "file"),
			   l->others ? ", some by others as well" : "",
			   cached_file_name(&f->files, l->largest) ?: "without a name",
			   summary_size(s, l->most)));
	if (!row)
		return;
	s->has_lockers = true;
	row->charged = l->charged_pages > l->pages / 2 ? l->charged : NULL;
}

enum status summary_locked_put(struct summary *s, struct summary_files *f)
{
	struct dump *d = s->dump;
	struct open_files *o = dump_alloc(d, sizeof(*o));
	struct hash_u64 lockers;
	struct file_maps maps;
	uint64_t pages = 0;
	enum status st;

	for (const struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next)
		pages += is_locked(e) ? ((const struct file_use *)e->value)->mlocked : 0;
	if (!summary_reaches(s, LIMIT_HOLDER, pages))
		return ST_OK;
	hash_u64_init(&lockers, d->arena, sizeof(struct locker));
	st = open_files_open(d, o) ?: open_files_read(o, NULL) ?: file_maps_open(d, &maps);
	if (st == ST_OK && !o->complete)
		summary_unknown(s, "who locked files", NOT_IN_DUMP, "%s", o->problem);
	maps.flags = VMA_LOCKED;
	for (const struct hash_u64_entry *e = f->pages.uses.first; e && st == ST_OK; e = e->next)
		if (is_locked(e))
			st = add_lockers(s, f, e, &maps, o, &lockers);
	if (st == ST_STOPPED)
		return st;
	hash_u64_for_each(const struct locker, l, &lockers)
		put_locker(s, f, l);
	return summary_failed(s, "who locked files", st);
}
