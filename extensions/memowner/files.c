// SPDX-License-Identifier: GPL-2.0-or-later
#include "files.h"

#include "cgroup/cgroup.h"

#define FILES 3
#define IN_ONE 80 /* percent of the files of a cgroup that a directory has, to be named */
#define LOCKED 80 /* percent of a file that is told by who locked it */

/* What frees shared memory that has a path: users may come to it. */
static const char WHEN_UNUSED[] = "removing it, once no process uses it";

/* One that is large enough to be told. */
struct large {
	struct cached_file *file; /* its status may be another than ST_OK */
	uint64_t pages, swapped, locked;
	uint64_t dirty, writeback; /* of page cache */
	uint64_t rank;
	const char *charged;	/* as in struct statement */
	bool is_mixed;		/* the same */
	uint64_t charged_pages; /* of all to the one that most are charged to */
};

enum status summary_files_open(struct dump *d, struct page_types *types, struct summary_files *ret)
{
	enum status st = cached_files_open(d, &ret->files);

	if (st == ST_OK)
		file_pages_open(d, types, &ret->pages);
	else
		decoder_trace(d, "decide no files: %s", d->error);
	return first_problem_keep(d, &ret->problem, st);
}

static enum status want_swapped(void *arg, uint64_t address)
{
	struct summary_files *f = arg;
	struct inode inode;
	enum status st = inode_read(&f->files.inodes, address, &inode);

	if (st != ST_OK || !inode.has_swapped || !inode.swapped)
		return ST_OK;
	return file_pages_want(&f->pages, inode.mapping, FILE_SHMEM);
}

/* The largest ones, the largest first. */
static void insert(struct large *largest, const struct large *new)
{
	unsigned int at = FILES;

	while (at && new->rank > largest[at - 1].rank) {
		if (at < FILES)
			largest[at] = largest[at - 1];
		at--;
	}
	if (at < FILES)
		largest[at] = *new;
}

static void find_largest(struct summary *s, struct summary_files *f, const struct hash_u64 *told,
			 struct large *ret)
{
	hash_u64_for_each(const struct file_use, use, &f->pages.uses) {
		struct large large = { .pages = use->pages };
		bool is_shmem = file_key_class(hash_u64_key(use)) == FILE_SHMEM;

		if (!file_key_mapping(hash_u64_key(use)) ||
		    (!is_shmem && !summary_reaches(s, LIMIT_FILE, large.pages) && !s->limit_path))
			continue;
		large.charged = summary_file_charge(s->view, use);
		large.is_mixed = large.charged && use->shares_memcg != use->pages;
		large.charged_pages = use->shares_memcg;
		large.locked = use->mlocked;
		large.dirty = is_shmem ? 0 : use->dirty;
		large.writeback = is_shmem ? 0 : use->writeback;
		if (!is_shmem && !summary_reaches_of(s, LIMIT_FILE, large.pages, large.charged))
			continue;
		large.file = cached_file_at(&f->files, file_key_mapping(hash_u64_key(use)));
		if (large.file->status == ST_OK && hash_u64_has(told, large.file->inode.address))
			continue;
		if (large.file->status == ST_OK && large.file->inode.has_swapped)
			large.swapped = large.file->inode.swapped;
		large.rank = summary_rank(s, large.pages + large.swapped, large.charged);
		if (summary_reaches_of(s, LIMIT_FILE, large.pages + large.swapped, large.charged) &&
		    !summary_mounts_have(f, large.file))
			insert(ret, &large);
	}
}

/* Such a file has no path, and looks deleted: "/SYSV005ea4c4 (deleted)" is one that is there. */
static const char *name_in_words(struct dump *d, const struct cached_file *file)
{
	if (file->kind == FILE_SHARED_ANON)
		return "shared anonymous memory (/dev/zero)";
	return file->kind == FILE_SYSV_SHM ? dump_text(d, "SysV shared memory %.*s",
						       (int)strcspn(file->path, " "), file->path)
					   : NULL;
}

/* Where one process alone has a deleted file, it is what that process keeps; what frees the memory of a file. */
static const char *keep_deleted(struct summary *s, struct summary_files *f,
				const struct large *large, const struct file_user *alone)
{
	bool is_deleted;

	cached_file_path(&f->files, large->file);
	is_deleted = cached_file_is_deleted(large->file);
	if (large->file->kind == FILE_SYSV_SHM || (is_deleted && (!alone || alone->is_device)))
		return NULL;
	if (!is_deleted)
		return large->file->inode.super->is_shmem ? WHEN_UNUSED : NULL;
	summary_keep(s, alone->tgid, large->pages, 0);
	return summary_end_of(s, alone->comm, alone->tgid);
}

/*
 * Page cache that reclaim cannot have before it is written. Of what no disk has, as ramfs, all is dirty, and none of it is
 * being written.
 */
static const char *unwritten(const struct summary *s, const struct large *large)
{
	return large->writeback && large->dirty + large->writeback >= large->pages / 2
		       ? dump_text(s->dump, "%s of it is dirty and %s is being written",
				   summary_size(s, large->dirty), summary_size(s, large->writeback))
		       : NULL;
}

/* Pages of which this dump has no struct page are in no class, and the kernel counts them all the same. */
static bool lacks_pages(const struct summary *s, const struct large *large)
{
	const uint64_t all = large->file->mapping.nrpages;

	return all > large->pages && all - large->pages <= s->pages_missing;
}

static const char *beyond(const struct summary *s, const struct large *large)
{
	const char *of = unwritten(s, large);

	if (of || !lacks_pages(s, large))
		return of;
	return arena_text(s->dump->arena, "the kernel counts %s",
			  summary_size(s, large->file->mapping.nrpages));
}

/* "on a tmpfs, mounted with size=512.0M"; NULL: it is on none, has no path, or that is unknown. */
static const char *tmpfs_of(struct summary *s, const struct large *large, const char *name)
{
	struct strbuf b = STRBUF_OF(256);

	if (!name || *name != '/' || large->file->kind != FILE_TMPFS)
		return NULL;
	strbuf_add(&b, "on a tmpfs");
	summary_add_size_limit(s, &large->file->inode, name, large->charged, &b);
	return dump_strdup(s->dump, b.buf);
}

static void put_file(struct summary *s, struct summary_files *f, const struct large *large,
		     const struct open_files *o)
{
	const struct file_user *alone = NULL;
	bool is_read = large->file->status == ST_OK;
	struct statement row = {
		.section = SECTION_FILE,
		.charged = large->charged,
		.is_mixed = large->is_mixed,
		.charged_pages = large->charged_pages,
		.is_locked = s->has_lockers && large->locked * 100 >= large->pages * LOCKED,
		/* The kernel may count pages of which this dump has no struct page. */
		.pages = { large->pages,
			   large->pages || !is_read || !large->file->mapping.nrpages },
	};

	s->has_files = true;
	if (is_read) {
		row.beyond = beyond(s, large);
		row.is_least = lacks_pages(s, large);
		row.inode = large->file->inode.address;
		row.swapped = (struct maybe_u64){ large->swapped, large->file->inode.has_swapped };
		row.name = cached_file_name(&f->files, large->file);
		row.brief = tmpfs_of(s, large, row.name);
		row.called = name_in_words(s->dump, large->file);
		row.written = (struct maybe_u64){ large->file->inode.mtime_s,
						  large->file->inode.has_mtime };
		row.used_by = o ? summary_file_users(s, large->file, o, &alone) : NULL;
		row.release = keep_deleted(s, f, large, alone);
		if (row.release == WHEN_UNUSED && row.used_by && row.used_by->n)
			row.release = "removing it, and the end of those that use it";
	}
	summary_add(s, &row);
}

/* Files of one directory that are charged to a cgroup. */
struct dir {
	uint64_t files, pages, most;
};

/* Page cache of many small files says no name: the directory that has nearly all of them does. */
static void tell_limited(struct summary *s, struct summary_files *f)
{
	struct hash_bytes dirs;
	struct dir all = { 0 };
	const struct hash_bytes_entry *most = NULL;

	if (!throttled_is_limit(s) || !s->throttled.cache)
		return;
	hash_bytes_init(&dirs, s->dump->arena, sizeof(struct dir));
	hash_u64_for_each(const struct file_use, use, &f->pages.uses) {
		const uint64_t mapping = file_key_mapping(hash_u64_key(use));
		const char *of = mapping ? summary_file_charge(s->view, use) : NULL, *name, *end;
		struct cached_file *file;
		struct dir *dir;

		if (!of || !cgroup_is_below(of, s->limit_path) ||
		    file_key_class(hash_u64_key(use)) == FILE_SHMEM)
			continue;
		s->throttled.unwritten += use->dirty + use->writeback + use->unevictable;
		all.files++;
		all.pages += use->shares_memcg;
		file = cached_file_at(&f->files, mapping);
		name = file->status == ST_OK ? cached_file_name(&f->files, file) : NULL;
		end = name && *name == '/' ? strrchr(name, '/') : NULL;
		if (!end || end == name)
			continue;
		dir = hash_bytes_get(&dirs, name, (size_t)(end - name), NULL)->value;
		dir->files++;
		dir->pages += use->shares_memcg;
		dir->most = use->shares_memcg > dir->most ? use->shares_memcg : dir->most;
	}
	for (const struct hash_bytes_entry *e = dirs.first; e; e = e->next)
		if (!most || ((struct dir *)e->value)->pages > ((struct dir *)most->value)->pages)
			most = e;
	if (most && ((struct dir *)most->value)->pages * 100 >= all.pages * IN_ONE) {
		const struct dir *dir = most->value;

		s->throttled.files = dump_text(s->dump, "%s in %.*s, the largest %s",
					       COUNT_OF(dir->files, "file"), (int)most->key_size,
					       (const char *)most->key, summary_size(s, dir->most));
	} else if (all.files) {
		s->throttled.files = dump_text(s->dump, "%s in several directories",
					       COUNT_OF(all.files, "file"));
	}
}

enum status summary_files_put(struct summary *s, struct summary_files *f)
{
	struct large largest[FILES] = { 0 };
	struct open_files *o = dump_alloc(s->dump, sizeof(*o));
	struct hash_u64 told, asked;
	enum status st;

	st = first_problem_end(s->dump, &f->problem);
	if (st != ST_OK)
		return st;
	/* A file whose pages are all in swap is on this list alone. */
	st = inodes_in_swap(&f->files.inodes, want_swapped, f);
	f->lacks_swapped = st != ST_OK && st != ST_ABSENT;
	st = summary_failed(s, "files in swap", st);
	if (st != ST_OK)
		return st;
	hash_u64_init(&told, s->dump->arena, 0);
	hash_u64_init(&asked, s->dump->arena, 0);
	st = summary_mounts_find(s, f, &asked) ?: summary_segments_put(s, f, &told);
	if (st != ST_OK)
		return st;
	tell_limited(s, f);
	summary_find_unwritten(s, f);
	find_largest(s, f, &told, largest);
	for (unsigned int i = 0; i < FILES && largest[i].file; i++) {
		if (largest[i].file->status != ST_OK)
			continue;
		hash_u64_get(&told, largest[i].file->inode.address, NULL);
		hash_u64_get(&asked, largest[i].file->inode.address, NULL);
	}
	st = asked.n || largest[0].file ? open_files_open(s->dump, o) : ST_ABSENT;
	if (st == ST_OK) {
		st = open_files_read(o, &asked);
	} else {
		st = summary_failed(s, "users of files", st);
		o = NULL;
	}
	if (st != ST_OK)
		return st;
	summary_mounts_put(s, f, &told, o);
	st = summary_deleted_put(s, f, &told) ?: summary_locked_put(s, f);
	if (st == ST_OK && !largest[0].file && summary_reaches(s, LIMIT_FILE, s->pages_missing))
		return summary_fail_missing(s);
	for (unsigned int i = 0; st == ST_OK && i < FILES && largest[i].file; i++)
		put_file(s, f, &largest[i], o);
	return st;
}
