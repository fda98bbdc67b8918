// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that have their memory alone, as of tmpfs and ramfs: by file system, and the cgroup that is charged. */
#include "files.h"
#include "groups.h"

#include "files/shmem_policy.h"
#include "files/super_space.h"
#include "pageowner/view.h"
#include "vm/file_maps.h"

#define MAX_PATH 470 /* in a command to type */
#define NAME 100     /* of the largest file */
#define SMALL 256    /* a part of the memory of a file system as small says not where that is */
#define NEARLY 90    /* percent */

struct mounted {
	struct cached_file *largest;
	uint64_t most; /* pages that it has, in swap too */
	bool is_least; /* files of it may be missing, or what they have in swap */
	uint64_t files, pages, swapped;
	struct maybe_u64 first, last; /* changes of data of its files, in seconds since 1970 */
	uint64_t ndeleted, deleted;   /* of the files; pages of these, in swap too */
	const char *path;	      /* NULL: it has too little to be told */
	bool has_row;		      /* one row for all its files */
};

/* NULL: its pages can be written out. */
static struct cached_file *kept_file(struct summary_files *f, const struct hash_u64_entry *e)
{
	if (!file_key_mapping(e->key) || file_key_class(e->key) == FILE_HUGETLB ||
	    (file_key_class(e->key) == FILE_CACHE &&
	     !file_use_is_kept((const struct file_use *)e->value)))
		return NULL;
	return cached_file_at(&f->files, file_key_mapping(e->key));
}

static bool is_untold(const struct cached_file *file, const struct hash_u64 *told)
{
	return file && file->status == ST_OK && !hash_u64_has(told, file->inode.address);
}

/* NULL, too: the row of another section has it, or it cannot be read. */
static struct cached_file *file_of(struct summary_files *f, const struct hash_u64_entry *e,
				   const struct hash_u64 *told)
{
	struct cached_file *file = kept_file(f, e);

	return is_untold(file, told) ? file : NULL;
}

/* Unknown of one it is of all. */
static void add_times(struct mounted *m, const struct inode *inode)
{
	const bool known = inode->has_mtime && (m->files == 1 || m->first.known);

	if (m->files == 1 || inode->mtime_s < m->first.n)
		m->first.n = inode->mtime_s;
	if (inode->mtime_s > m->last.n)
		m->last.n = inode->mtime_s;
	m->first.known = m->last.known = known;
}

/* lacks: NULL, or of files of disks, of shmem: an inode that cannot be read may be of any file system of its class of pages. */
static void sum_files(struct summary_files *f, const struct hash_u64 *told, struct hash_u64 *supers,
		      bool lacks[2])
{
	for (const struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next) {
		const uint64_t pages = ((const struct file_use *)e->value)->pages;
		struct cached_file *file = kept_file(f, e);
		uint64_t swapped;
		struct mounted *m;

		if (lacks && file && (file->status == ST_UNREADABLE || file->status == ST_CORRUPT))
			lacks[file_key_class(e->key) == FILE_SHMEM] = true;
		if (!is_untold(file, told))
			continue;
		swapped = file->inode.has_swapped ? file->inode.swapped : 0;
		m = hash_u64_get(supers, file->inode.sb, NULL);
		if (!m->files++ || pages + swapped > m->most) {
			m->largest = file;
			m->most = pages + swapped;
		}
		add_times(m, &file->inode);
		m->pages += pages;
		m->swapped += swapped;
		m->ndeleted += !file->inode.nlink;
		m->deleted += file->inode.nlink ? 0 : pages + swapped;
	}
}

enum status summary_mount_path(struct summary *s, struct summary_files *f,
			       const struct inode *inode, const char **ret)
{
	const struct super *sb = inode->super;
	enum status st = f->files.paths_status;

	if (st == ST_OK)
		st = inode_mount_path(&f->files.paths, inode, ret);
	else
		st = dump_fail(s->dump, st, "%s", f->files.problem ?: "paths");
	if (st == ST_OK)
		return st;
	*ret = dump_text(s->dump, "[%.64s %u:%u]", sb->type, dev_major(sb->dev),
			 dev_minor(sb->dev));
	return summary_failed(s, "mount points", st);
}

/* Whoever is charged for it. */
static bool is_much(const struct summary *s, uint64_t pages)
{
	return summary_reaches_of(s, LIMIT_HOLDER, pages, s->limit_path);
}

static const struct cached_file *huge_file(struct summary_files *f, const struct hash_u64_entry *e)
{
	const struct cached_file *file =
		file_key_mapping(e->key) && file_key_class(e->key) == FILE_HUGETLB
			? cached_file_at(&f->files, file_key_mapping(e->key))
			: NULL;

	return file && file->status == ST_OK && file->inode.nlink ? file : NULL;
}

enum status summary_mounts_find(struct summary *s, struct summary_files *f, struct hash_u64 *named)
{
	struct hash_u64 none;
	enum status st = ST_OK;

	hash_u64_init(&none, s->dump->arena, 0);
	hash_u64_init(&f->supers, s->dump->arena, sizeof(struct mounted));
	sum_files(f, &none, &f->supers, NULL);
	for (struct hash_u64_entry *e = f->supers.first; e && st == ST_OK; e = e->next) {
		struct mounted *m = (struct mounted *)e->value;
		const uint64_t pages = m->pages + m->swapped;

		if (!is_much(s, pages))
			continue;
		st = summary_mount_path(s, f, &m->largest->inode, &m->path);
		m->has_row = *m->path == '/' && m->most <= pages / 2;
		if (m->has_row)
			hash_u64_get(named, m->largest->inode.address, NULL);
	}
	/* Whether a process has them open is told with their pool. */
	for (const struct hash_u64_entry *e = s->huge ? f->pages.uses.first : NULL; e;
	     e = e->next) {
		const struct cached_file *file = huge_file(f, e);

		if (file)
			hash_u64_get(named, file->inode.address, NULL);
	}
	return st;
}

bool summary_mounts_have(const struct summary_files *f, const struct cached_file *file)
{
	const struct mounted *m = file->status == ST_OK ? hash_u64_find(&f->supers, file->inode.sb)
							: NULL;

	return m && m->has_row;
}

const char *summary_file_charge(struct owner_view *v, const void *of)
{
	const struct file_use *use = of;

	return v->has_memcgs && use->memcg && use->shares_memcg > use->pages / 2
		       ? memcgs_path(&v->memcgs, use->memcg)
		       : NULL;
}

const char *summary_mounts_path(const struct summary_files *f, uint64_t super)
{
	const struct mounted *m = hash_u64_find(&f->supers, super);

	return m ? m->path : NULL;
}

struct charge {
	const char *path;
	uint64_t pages;
};

/* The cgroup that is charged for most of its pages; path NULL: none that is known. */
static struct charge find_charge(struct owner_view *v, struct summary_files *f, uint64_t super,
				 const struct hash_u64 *told)
{
	struct charge most = { NULL, 0 };
	struct hash_u64 paths;

	hash_u64_init(&paths, v->dump->arena, sizeof(uint64_t));
	for (const struct hash_u64_entry *e = f->pages.uses.first; e && v->has_memcgs;
	     e = e->next) {
		const struct file_use *use = (const struct file_use *)e->value;
		const struct cached_file *file = file_of(f, e, told);
		struct charge c = { NULL, 0 };
		uint64_t *pages;

		if (!file || file->inode.sb != super || !use->memcg)
			continue;
		c.path = intern(&v->texts, memcgs_path(&v->memcgs, use->memcg));
		if (!c.path)
			continue;
		pages = hash_u64_get(&paths, (uint64_t)(uintptr_t)c.path, NULL);
		c.pages = *pages += use->shares_memcg;
		most = c.pages > most.pages ? c : most;
	}
	return most;
}

const struct text_list *summary_file_users(struct summary *s, const struct cached_file *file,
					   const struct open_files *o,
					   const struct file_user **alone)
{
	struct file_all_users u;
	struct file_maps maps;
	enum status st = file_maps_open(s->dump, &maps);

	st = file_maps_all(&maps, st, file, o, &u);
	if (st != ST_OK && st != ST_STOPPED)
		dump_lacks(s->dump, "users of files", st, "%s", s->dump->error);
	if (alone && st != ST_STOPPED && u.all_complete && u.both.n == 1)
		*alone = u.both.all[0];
	return st == ST_STOPPED ? NULL : file_users_list(&u.both, u.all_complete, &s->view->lists);
}

/* The path of the one at its limit is in the verdict. */
static void add_charge(const struct summary *s, const char *path, bool is_part, struct strbuf *b)
{
	const bool is_limited = summary_is_limited(s, path);
	const char *below = is_limited ? path + strlen(s->limit_path) : path;

	strbuf_add(b, ", %scharged to %.200s%.300s%s", is_part ? "most " : "",
		   is_limited ? summary_last_of(s->limit_path) : "", below,
		   is_limited && !*below ? " itself" : "");
}

/* A long name without the path of its mount, which stands before it. */
static const char *name_in(const char *path, const char *name)
{
	const size_t n = strlen(path);

	return !name								  ? "without a name"
	       : strlen(name) > NAME && !strncmp(name, path, n) && name[n] == '/' ? name + n + 1
										  : name;
}

void summary_add_size(const struct super_space *space, struct strbuf *b)
{
	strbuf_add(b, ", %smounted with size=%s",
		   space->bytes && units_tenths(space->free, space->bytes) < limit(LIMIT_FULL)
			   ? "full: "
			   : "",
		   SIZE_TEXT((int64_t)space->bytes));
}

void summary_add_size_limit(struct summary *s, const struct inode *inode, const char *path,
			    const char *charged, struct strbuf *b)
{
	struct super_spaces *spaces = dump_alloc(s->dump, sizeof(*spaces));
	struct super_space space;
	enum status st;

	if (!inode->super->is_shmem || *path != '/')
		return;
	st = super_spaces_open(s->dump, spaces)
		     ?: super_space_read(spaces, inode->sb, "tmpfs", &space);

	if (st == ST_OK) {
		summary_add_size(&space, b);
		if (s->limit_pages && space.bytes >> s->dump->page_shift > s->limit_pages &&
		    summary_is_limited(s, charged))
			strbuf_add(b, ", above the limit of %s that its cgroup has",
				   summary_size(s, s->limit_pages));
	} else if (st == ST_ABSENT) {
		strbuf_add(b, ", mounted without a limit (size=0)");
	} else {
		summary_failed(s, "limits of tmpfs", st);
	}
}

/* "114 files", "3 files, mounted with mpol=bind:1". Of files whose pages are not in this dump nothing is known. */
static const char *brief_on(struct summary *s, const struct mounted *m)
{
	const struct inode *inode = &m->largest->inode;
	struct strbuf b = STRBUF_OF(512), policy = STRBUF_OF(256);
	struct shmem_policies policies;

	strbuf_add(&b, "%s%s", s->pages_missing || m->is_least ? "at least " : "",
		   COUNT_OF(m->files, "file"));
	if (m->swapped)
		strbuf_add(&b, " of %s", summary_size(s, m->pages + m->swapped));
	if (inode->super->is_shmem)
		summary_failed(s, "memory policies of mounts",
			       shmem_policies_open(s->dump, &policies)
				       ?: shmem_policy_add(&policies, inode->sb, &policy));
	if (policy.len)
		strbuf_add(&b, ", mounted with %s", policy.buf);
	return dump_strdup(s->dump, b.buf);
}

/* "23 segments of SysV shared memory": most of a tmpfs of the kernel's own, where memfds are as well; NULL: they are not. */
static const char *segments_text(struct summary *s, struct summary_files *f, uint64_t super,
				 const struct mounted *m, const struct hash_u64 *told)
{
	uint64_t segments = 0, pages = 0;

	for (const struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next) {
		struct cached_file *file = file_of(f, e, told);

		if (!file || file->inode.sb != super)
			continue;
		cached_file_path(&f->files, file);
		if (file->kind != FILE_SYSV_SHM)
			continue;
		segments++;
		pages += ((const struct file_use *)e->value)->pages +
			 (file->inode.has_swapped ? file->inode.swapped : 0);
	}
	return pages > (m->pages + m->swapped) / 2
		       ? dump_text(s->dump, "%s%s of SysV shared memory",
				   s->pages_missing ? "at least " : "",
				   COUNT_OF(segments, "segment"))
		       : NULL;
}

static const char *remark_on(struct summary *s, struct summary_files *f, const struct mounted *m,
			     const char *path, const struct charge *c, const struct open_files *o,
			     const char *segments)
{
	struct strbuf b = STRBUF_OF(512);

	strbuf_add(&b, "%s", segments ?: brief_on(s, m));
	if (m->swapped)
		strbuf_add(&b, ", %s of it in swap", summary_size(s, m->swapped));
	if (segments) {
		/* They look deleted, and stay until they are removed. */
	} else if (m->deleted > (m->pages + m->swapped) / 2) {
		strbuf_add(&b, ", %s of them deleted (%s)", COUNT_TEXT(m->ndeleted),
			   summary_size(s, m->deleted));
	} else if (m->files > 1) {
		const struct text_list *users = o ? summary_file_users(s, m->largest, o, NULL)
						  : NULL;

		strbuf_add(&b, ", the largest %.*s %s", NAME,
			   name_in(path, cached_file_name(&f->files, m->largest)),
			   summary_size(s, m->most));
		if (users && users->n) {
			strbuf_add(&b, " used by ");
			summary_user_names(users, &b);
		}
	}
	if (!m->largest->inode.super->is_shmem)
		strbuf_add(&b, ", cannot be reclaimed");
	/* That the root is charged says nothing. */
	if (c->path && c->path[1] && c->pages > m->pages / 2)
		add_charge(s, c->path, c->pages < m->pages, &b);
	summary_add_size_limit(s, &m->largest->inode, path, c->path, &b);
	return dump_strdup(s->dump, b.buf);
}

/* Whether a path is one that neither a shell nor a glob of a filter takes for more. */
static bool is_plain(const char *path)
{
	return *path == '/' && strspn(path, PLAIN_PATH) == strlen(path);
}

/* Who is charged for the files of the largest one; the files, where that is not known, or each is large. */
static void propose(struct summary *s, const struct mounted *m, const char *path,
		    const struct charge *c)
{
	const bool is_charged = is_plain(path) && c->path && c->path[1] && strlen(path) <= MAX_PATH;

	s->has_files |= !is_charged || summary_reaches(s, LIMIT_SHOWN, m->most);
	if (!is_charged)
		return;
	if (s->next_mount && s->next_mount_pages >= m->pages + m->swapped)
		return;
	s->next_mount_pages = m->pages + m->swapped;
	s->next_mount = dump_text(s->dump, "memowner pages -g memcg -f file=%s%s*", path,
				  path[1] ? "/" : "");
}

/* What the rows of the screen call it. */
static const char *kind_of(const struct super *sb)
{
	static const char *const types[] = { "ramfs", "rootfs" };

	for (size_t i = 0; i < ARRAY_SIZE(types) && !sb->is_shmem; i++)
		if (!strcmp(sb->type, types[i]))
			return types[i];
	return sb->is_shmem ? "tmpfs" : "files";
}

/* Where nearly all of its memory is, of files that are no small part of that: the mount point, or below it. */
static const char *directory_of(struct summary *s, struct summary_files *f, uint64_t super,
				const struct mounted *m, const struct hash_u64 *told)
{
	const uint64_t all = m->pages + m->swapped;
	char *dir = NULL;
	uint64_t pages = 0;

	for (const struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next) {
		struct cached_file *file = file_of(f, e, told);
		uint64_t of;

		if (!file || file->inode.sb != super)
			continue;
		of = ((const struct file_use *)e->value)->pages +
		     (file->inode.has_swapped ? file->inode.swapped : 0);
		if (of < all / SMALL)
			continue;
		cached_file_path(&f->files, file);
		if (!file->path || *file->path != '/')
			continue;
		pages += of;
		if (dir) {
			summary_keep_common(dir, file->path);
		} else {
			dir = dump_text(s->dump, "%s", file->path);
			*strrchr(dir, '/') = '\0';
		}
	}
	return dir && strlen(dir) > strlen(m->path ?: "") && pages * 100 >= all * NEARLY ? dir
											 : NULL;
}

/* Of files that have a name: each stays without a process. */
static const char *release_of(struct summary *s, const struct mounted *m, const char *path,
			      const char *dir)
{
	return *path != '/' || m->deleted
		       ? NULL
		       : dump_text(
				 s->dump,
				 "removing files of %s that no process uses (the end of a process alone "
				 "frees none)",
				 dir ?: path);
}

/* "24 files, the largest used by postgres (285), postgres (287), postgres (288) and 2 more" */
static const char *brief_with_users(struct summary *s, const struct mounted *m,
				    const struct open_files *o)
{
	const struct text_list *users = o && m->files > 1 && !m->deleted
						? summary_file_users(s, m->largest, o, NULL)
						: NULL;
	struct strbuf b = STRBUF_OF(256);

	strbuf_add(&b, "%s", brief_on(s, m));
	if (users && users->n) {
		strbuf_add(&b, ", the largest used by ");
		summary_user_names(users, &b);
	}
	return dump_strdup(s->dump, b.buf);
}

static void put_mounted(struct summary *s, struct summary_files *f, uint64_t super,
			const struct mounted *m, const struct hash_u64 *told,
			const struct open_files *o)
{
	const struct mounted *whole = hash_u64_find(&f->supers, super);
	struct charge charge = find_charge(s->view, f, super, told);
	const char *charged = charge.pages > m->pages / 2 ? charge.path : NULL, *segments, *dir;

	if (!whole || !whole->path ||
	    !summary_reaches_of(s, LIMIT_HOLDER, m->pages + m->swapped, charged))
		return;
	segments = *whole->path == '[' ? segments_text(s, f, super, m, told) : NULL;
	dir = *whole->path == '/' ? directory_of(s, f, super, whole, told) : NULL;
	SUMMARY_ADD(s, .section = SECTION_HOLDER, .by = kind_of(m->largest->inode.super),
		    .name = whole->path, .called = segments, .pages = { m->pages, true },
		    .is_least = m->is_least, .swapped = { m->swapped, true }, .inode = super,
		    .charged = charged, .written = m->last, .first_written = m->first,
		    .brief = segments ? "until ipcrm(1) removes them" : brief_with_users(s, m, o),
		    .release = release_of(s, m, whole->path, dir),
		    .remark = remark_on(s, f, m, whole->path, &charge, whole->has_row ? o : NULL,
					segments));
	propose(s, m, whole->path, &charge);
}

#define HUGE_NAMED 2 /* files */

/* ", open by no process: a 120.0M, b 48.0M"; what some process uses is told with who maps the pages. */
static const char *unused_text(struct summary *s, struct summary_files *f, const char *mount,
			       const struct largest *unused, uint64_t files, uint64_t pages,
			       uint64_t all)
{
	struct strbuf b = STRBUF_OF(512);

	if (!files)
		return "";
	if (files < all)
		strbuf_add(&b, ", %s of them with %s", COUNT_TEXT(files), summary_size(s, pages));
	strbuf_add(&b, "%sopen by no process", files < all ? " " : ", ");
	for (unsigned int i = 0; i < unused->n; i++) {
		struct cached_file *file = (struct cached_file *)(uintptr_t)unused->of[i].item;

		strbuf_add(&b, "%s%.*s %s", i ? ", " : ": ", NAME,
			   name_in(mount, cached_file_name(&f->files, file)),
			   summary_size(s, unused->of[i].size));
	}
	if (files > unused->n)
		strbuf_add(&b, " and %s more", COUNT_TEXT(files - unused->n));
	return dump_strdup(s->dump, b.buf);
}

/* Files of hugetlbfs keep pages of their pool without a process. o: NULL: who uses them is unknown. */
static void find_huge_files(struct summary *s, struct summary_files *f, const struct open_files *o)
{
	const struct cached_file *one = NULL;
	uint64_t files = 0, pages = 0, unused_files = 0, unused_pages = 0;
	struct largest unused = { .room = HUGE_NAMED };
	const char *path;

	for (const struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next) {
		const struct cached_file *file = huge_file(f, e);
		const struct text_list *users;
		uint64_t n;

		if (!file || (one && file->inode.sb != one->inode.sb))
			continue;
		one = file;
		n = ((const struct file_use *)e->value)->pages;
		files++;
		pages += n;
		users = o ? summary_file_users(s, file, o, NULL) : NULL;
		if (!users || users->n || text_list_is_cut(users))
			continue;
		unused_files++;
		unused_pages += n;
		largest_add(&unused, n, file);
	}
	if (!one || summary_mount_path(s, f, &one->inode, &path) != ST_OK || *path != '/')
		return;
	s->huge_mount = path;
	s->huge_unused = unused_pages;
	s->huge_files =
		dump_text(s->dump, "%s of %s %s %s%s", COUNT_OF(files, "file"), path,
			  files == 1 ? "has" : "have", summary_size(s, pages),
			  unused_text(s, f, path, &unused, unused_files, unused_pages, files));
}

void summary_mounts_put(struct summary *s, struct summary_files *f, const struct hash_u64 *told,
			const struct open_files *o)
{
	bool lacks[2] = { false, f->lacks_swapped }; /* of files of disks, of shmem */
	struct hash_u64 supers;

	hash_u64_init(&supers, s->dump->arena, sizeof(struct mounted));
	sum_files(f, told, &supers, lacks);
	hash_u64_for_each(struct mounted, of, &supers)
		of->is_least = lacks[of->largest->inode.super->is_shmem];
	hash_u64_for_each(const struct mounted, m, &supers)
		if (is_much(s, m->pages + m->swapped))
			put_mounted(s, f, hash_u64_entry_of(m)->key, m, told, o);
	find_huge_files(s, f, o);
}
