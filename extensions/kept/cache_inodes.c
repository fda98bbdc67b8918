// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inodes of a file system, their dentries, what a security module has of them, and their extended attributes: objects
 * that stay with a file of tmpfs, which need not have a page.
 */
#include "memowner/verdict_words.h"
#include "cache_owners.h"
#include "files/super_space.h"

struct inode_owners {
	struct supers_inodes of;
	struct inode_paths paths;
	bool has_paths, is_open;
	struct first_problem problem; /* some file systems, or all, are missing */
	bool is_told;		      /* it is a row of the summary */
	bool has_attributes;	      /* of each tmpfs they are counted */
};

/* What is an object of the cache. */
static const struct part {
	const char *what;
	size_t n, sample; /* members of struct super_inodes */
} parts[] = {
	{ "inodes", offsetof(struct super_inodes, inodes), offsetof(struct super_inodes, inode) },
	{ "dentries of inodes", offsetof(struct super_inodes, dentries),
	  offsetof(struct super_inodes, dentry) },
	{ "data of a security module of inodes", offsetof(struct super_inodes, blobs),
	  offsetof(struct super_inodes, blob) },
};

static uint64_t member(const struct super_inodes *of, size_t offset)
{
	return *(const uint64_t *)((const char *)of + offset);
}

static struct inode_owners *owners_new(struct dump *d)
{
	struct inode_owners *x = dump_alloc(d, sizeof(*x));

	x->problem = problem_of_part(d, super_inodes_open(d, &x->of));
	x->is_open = x->problem.status == ST_OK;
	x->has_paths = inode_paths_open(d, &x->paths) == ST_OK;
	return x;
}

/* All inodes of a file system are of one cache. */
static void count_cached(struct asked_cache *a)
{
	struct inode_owners *x = a->inode_owners;
	struct list_nodes nodes = super_list_nodes(&x->of.list);
	struct dump *d = a->s->dump;
	uint64_t super, inode;

	while (super_list_next(&x->of.list, &nodes, &super)) {
		const enum status st = super_inodes_sample(&x->of, super, &inode);

		if (first_problem_keep(d, &x->problem, st) == ST_STOPPED)
			break;
		if (st == ST_OK && inode && is_in_cache(a, inode) &&
		    !super_inodes_count(&x->of, super))
			break;
	}
	first_problem_keep(d, &x->problem, list_end(&nodes));
}

/* They are in caches of kmalloc(), by the size of each. */
static bool may_have_attributes(const struct asked_cache *a)
{
	return !strncmp(slab_use_name(a->use) ?: "", "kmalloc-", 8);
}

static void count_attributes(struct asked_cache *a)
{
	struct inode_owners *x = a->inode_owners;
	struct list_nodes nodes = super_list_nodes(&x->of.list);
	struct dump *d = a->s->dump;
	struct inode root;
	uint64_t super;

	x->has_attributes = true;
	if (x->of.xattrs_problem) {
		summary_unknown(a->s, "extended attributes of tmpfs", UNKNOWN_LAYOUT, "%s",
				x->of.xattrs_problem);
		return;
	}
	while (super_list_next(&x->of.list, &nodes, &super))
		if (super_root(&x->of.list, &x->of.inodes, super, &root) && root.super->is_shmem &&
		    !super_inodes_count(&x->of, super))
			break;
	first_problem_keep(d, &x->problem, list_end(&nodes));
}

/* "tmpfs /run/sessions" */
static const char *name_of(struct asked_cache *a, const struct super_inodes *of)
{
	struct inode_owners *x = a->inode_owners;
	const char *path;

	if (!of->root.address)
		return dump_text(a->s->dump, "the file system at %#lx", of->super);
	return x->has_paths && inode_mount_path(&x->paths, &of->root, &path) == ST_OK
		       ? dump_text(a->s->dump, "%s %s", of->root.super->type, path)
		       : dump_text(a->s->dump, "%s %s", of->root.super->type, of->root.super->id);
}

static const char *empty_text(struct asked_cache *a, const struct super_inodes *of)
{
	return of->empty > of->inodes / 2
		       ? dump_text(a->s->dump, "%s of them empty files", COUNT_TEXT(of->empty))
		       : NULL;
}

/*
 * Whether neither open files nor watches are what refers to them, and its dentries go without that: those of a ramfs
 * stay as long as their files.
 */
static bool may_be_of_module(struct asked_cache *a, const struct super_inodes *of)
{
	static const char *const kept[] = { "ramfs", "rootfs", "tmpfs", "devtmpfs", "hugetlbfs" };
	const uint64_t half = of->inodes / 2;
	uint64_t files; /* as fs.file-nr has them */

	return !ANY_OF(i, ARRAY_SIZE(kept), !strcmp(of->root.super->type, kept[i])) &&
	       of->watched < half &&
	       percpu_counter_value(a->s->dump, "nr_files", &files) == ST_OK && files < half;
}

#define FEW_UNUSED 10 /* a tenth */

/* Nearly all are on an LRU list, or their dentries are: as a walk over files leaves them. */
static bool is_idle(const struct super_inodes *of)
{
	return of->status == ST_OK && of->unused.known &&
	       of->unused.n >= of->inodes - of->inodes / FEW_UNUSED;
}

/* "the kernel can free none of them: neither they nor their dentries are on an LRU list"; NULL: some of them, or that is unknown. */
static const char *pinned_text(struct asked_cache *a, const struct super_inodes *of)
{
	if (is_idle(of))
		return "the kernel can free nearly all of them: they are on an LRU list, or "
		       "their dentries are";
	if (!of->unused.known || of->unused.n >= of->inodes / FEW_UNUSED || !of->root.address ||
	    of->root.super->is_shmem)
		return NULL;
	return dump_text(
		a->s->dump,
		"the kernel can free %s of them: %s on an LRU list, so something has references to them",
		of->unused.n ? dump_text(a->s->dump, "at most %s", COUNT_TEXT(of->unused.n))
			     : "none",
		of->unused.n ? "the others are not" : "neither they nor their dentries are");
}

/* Who looks at the mount alone sees nothing of it: shmem_inode_acct_blocks() in mm/shmem.c counts pages of data. */
static const char *unseen_text(struct asked_cache *a, const struct super_inodes *of)
{
	struct super_spaces *spaces = dump_alloc(a->s->dump, sizeof(*spaces));
	struct super_space space;
	enum status st = super_spaces_open(a->s->dump, spaces)
				 ?: super_space_read(spaces, of->super, "tmpfs", &space);

	a->s->dump->error[0] = '\0';
	if (!of->empty || st != ST_OK)
		return "";
	return space.has_no_inodes
		       ? "; df(1) has what files contain as used, not their inodes, for which the "
			 "mount has no limit (nr_inodes=0)"
		       : "; df(1) has what files contain as used, not their inodes";
}

/* The file system that has most of the objects, in the row. */
static void take_super(struct asked_cache *a, const struct super_inodes *of, uint64_t n,
		       const char *what)
{
	const char *empty = empty_text(a, of), *least = of->status == ST_OK ? "" : "at least ";
	const char *pinned = pinned_text(a, of);
	struct strbuf b = STRBUF_OF(320);

	struct super_changes changes, *kept;

	a->super_at = of->super;
	a->changes = NULL;
	if (!strcmp(what, parts[0].what) && super_inodes_changes(of, a->s->dump, &changes)) {
		a->changes = kept = dump_alloc(a->s->dump, sizeof(*kept));
		*kept = changes;
	}
	a->keeper_text = name_of(a, of);
	a->keeper_what = dump_text(a->s->dump, "%s%s of %s objects of slab cache %s are %s of it",
				   least, COUNT_TEXT(n), COUNT_TEXT(slab_use_most(a->use)),
				   slab_use_name(a->use) ?: "unknown", what);
	/* Who made the files of a tmpfs no inode tells, but who is charged for these. */
	if (of->root.address && of->root.super->is_shmem)
		summary_add_kernel_charge(a->s, a->use->pages / 2, &b);
	a->keeper_objects = dump_text(a->s->dump, "%s%s inodes%s%s%s%s%s", least,
				      COUNT_TEXT(of->inodes), empty ? ", " : "", empty ?: "",
				      pinned ? "; " : "", pinned ?: "", b.buf);
	a->is_idle = is_idle(of);
	if (pinned && !a->is_idle && may_be_of_module(a, of))
		a->s->pinned_inodes = dump_text(a->s->dump, "references to the inodes of %s",
						a->keeper_text);
	a->command = "memowner caches";
	a->release = of->root.address && of->root.super->is_shmem
			     ? dump_text(a->s->dump,
					 "removing files of %s; the end of a process frees none "
					 "of them%s",
					 strchr(a->keeper_text, '/') ?: a->keeper_text,
					 unseen_text(a, of))
			     : NULL;
}

static void put(struct asked_cache *a, const struct part *part)
{
	struct cache_owners o = { .what = part->what };
	const struct super_inodes *most = NULL;

	hash_u64_for_each(const struct super_inodes, of, &a->inode_owners->of.counted) {
		const uint64_t n = member(of, part->n), sample = member(of, part->sample);

		if (!n || !is_in_cache(a, sample))
			continue;
		most = n > o.most ? of : most;
		cache_owners_add(&o, n, n, NULL,
				 n > o.most ? dump_text(a->s->dump, "of %s", name_of(a, of))
					    : NULL);
		o.problem = o.problem ?: of->problem;
	}
	if (!most)
		return;
	cache_owners_put(a, &o);
	if (units_tenths(o.most, slab_use_most(a->use)) >= OWNERS_MOST)
		take_super(a, most, o.most, part->what);
}

/* Extended attributes of one file system that are objects of the cache. */
struct in_cache {
	const struct super_inodes *super;
	uint64_t n;
	uint64_t files; /* that have them; 0: several sizes have, a file may too */
};

static struct in_cache attributes_in(struct asked_cache *a, const struct super_inodes *of)
{
	struct in_cache c = { .super = of };

	hash_u64_for_each(const struct xattr_size, size, &of->sizes) {
		if (!is_in_cache(a, size->sample))
			continue;
		c.files = c.n ? 0 : size->files;
		c.n += size->n;
	}
	return c;
}

/* The path of the directory whose files have nearly all of them; NULL: none has, or it is unknown. */
static const char *directory_with(struct asked_cache *a, const struct super_inodes *of)
{
	struct inode_owners *x = a->inode_owners;
	const struct xattr_dir *most = NULL;
	struct inode_name name;
	const char *end;

	hash_u64_for_each(const struct xattr_dir, dir, &of->dirs)
		most = !most || dir->bytes > most->bytes ? dir : most;
	if (!most || units_tenths(most->bytes, of->attribute_bytes) < OWNERS_MOST ||
	    !x->has_paths || inode_path(&x->paths, &most->file, &name) != ST_OK ||
	    *name.path != '/')
		return NULL;
	end = strrchr(name.path, '/');
	return end == name.path ? "/"
				: dump_text(a->s->dump, "%.*s", (int)(end - name.path), name.path);
}

/* "4,310 empty files of tmpfs /srv, nearly all of them in /srv/a" */
static const char *files_text(struct asked_cache *a, const struct in_cache *c)
{
	const char *path = directory_with(a, c->super), *name = name_of(a, c->super);
	const char *mount = strchr(name, '/');
	const bool is_below = path && (!mount || strcmp(path, mount) != 0);

	return dump_text(a->s->dump, "%s%s of %s%s%s",
			 c->files ? dump_text(a->s->dump, "%s ", COUNT_TEXT(c->files)) : "",
			 c->super->attribute_empty == c->super->attribute_files ? "empty files"
										: "files",
			 name, is_below ? ", nearly all of them in " : "", is_below ? path : "");
}

/* The file system that has most of them, in the row. */
static void take_attributes(struct asked_cache *a, const struct in_cache *c, const char *files)
{
	struct arena *arena = a->s->dump->arena;
	const char *least = c->super->status == ST_OK ? "" : "at least ";

	take_super(a, c->super, c->n, "extended attributes of files");
	a->keeper_what = arena_text(
		arena, "%s%s of %s objects of slab cache %s are extended attributes of %s", least,
		COUNT_TEXT(c->n), COUNT_TEXT(slab_use_most(a->use)), slab_use_name(a->use), files);
	a->keeper_objects = arena_text(arena, "%s%s extended attributes of files", least,
				       COUNT_TEXT(c->n));
}

static void put_attributes(struct asked_cache *a)
{
	struct cache_owners o = { .what = "extended attributes" };
	struct in_cache most = { 0 };

	hash_u64_for_each(const struct super_inodes, of, &a->inode_owners->of.counted) {
		const struct in_cache c = attributes_in(a, of);

		if (!c.n)
			continue;
		most = c.n > o.most ? c : most;
		cache_owners_add(&o, c.n, c.n, NULL,
				 c.n > o.most ? dump_text(a->s->dump, "of %s", files_text(a, &c))
					      : NULL);
		o.problem = o.problem ?: of->problem;
	}
	if (!most.n)
		return;
	cache_owners_put(a, &o);
	if (units_tenths(most.n, slab_use_most(a->use)) >= OWNERS_MOST)
		take_attributes(a, &most, files_text(a, &most));
}

/* What is missing may have the objects of any large cache. */
static void tell_problem(struct asked_cache *a)
{
	struct inode_owners *x = a->inode_owners;

	if (x->is_told || x->problem.status == ST_OK)
		return;
	x->is_told = true;
	summary_failed(a->s, "file systems whose inodes a slab cache has",
		       first_problem_end(a->s->dump, &x->problem));
}

void cache_ask_inodes(struct asked_cache *a, bool is_large)
{
	if (units_tenths(a->n, slab_use_most(a->use)) >= OWNERS_MOST)
		return;
	if (!a->inode_owners && is_large)
		a->inode_owners = owners_new(a->s->dump);
	if (!a->inode_owners)
		return;
	if (is_large && a->inode_owners->is_open)
		count_cached(a);
	if (is_large && a->inode_owners->is_open && !a->inode_owners->has_attributes &&
	    may_have_attributes(a))
		count_attributes(a);
	tell_problem(a);
	for (size_t i = 0; i < ARRAY_SIZE(parts) && !dump_stopped(a->s->dump); i++)
		put(a, &parts[i]);
	if (!dump_stopped(a->s->dump))
		put_attributes(a);
}
