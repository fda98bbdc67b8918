// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inodes of a file system, their dentries and what a security module has of them: objects that stay with a file of
 * tmpfs, which need not have a page.
 */
#include "cache_owners.h"

struct inode_owners {
	struct supers_inodes of;
	struct inode_paths paths;
	bool has_paths, is_open;
	struct first_problem problem; /* some file systems, or all, are missing */
	bool is_told;		      /* it is a row of the summary */
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

/* "tmpfs /run/sessions" */
static const char *name_of(struct asked_cache *a, const struct super_inodes *of)
{
	struct inode_owners *x = a->inode_owners;
	const char *path;

	if (!of->root.address)
		return arena_text(a->s->dump->arena, "the file system at %#lx", of->super);
	return x->has_paths && inode_mount_path(&x->paths, &of->root, &path) == ST_OK
		       ? arena_text(a->s->dump->arena, "%s %s", of->root.super->type, path)
		       : arena_text(a->s->dump->arena, "%s %s", of->root.super->type,
				    of->root.super->id);
}

static const char *empty_text(struct asked_cache *a, const struct super_inodes *of)
{
	return of->empty > of->inodes / 2 ? arena_text(a->s->dump->arena, "%s of them empty files",
						       COUNT_TEXT(of->empty))
					  : NULL;
}

/* The file system that has most of the objects, in the row. */
static void take_super(struct asked_cache *a, const struct super_inodes *of, uint64_t n,
		       const char *what)
{
	struct arena *arena = a->s->dump->arena;
	const char *empty = empty_text(a, of), *least = of->status == ST_OK ? "" : "at least ";

	a->super = of;
	a->keeper_text = name_of(a, of);
	a->keeper_what = arena_text(arena, "%s%s of %s objects of slab cache %s are %s of it",
				    least, COUNT_TEXT(n), COUNT_TEXT(slab_use_most(a->use)),
				    slab_use_name(a->use) ?: "unknown", what);
	a->keeper_objects = arena_text(arena, "%s%s inodes%s%s", least, COUNT_TEXT(of->inodes),
				       empty ? ", " : "", empty ?: "");
	a->command = "memowner caches";
	a->release = of->root.address && of->root.super->is_shmem
			     ? arena_text(arena,
					  "removing files of %s; the end of a process frees none "
					  "of them",
					  strchr(a->keeper_text, '/') ?: a->keeper_text)
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
				 n > o.most ? arena_text(a->s->dump->arena, "of %s", name_of(a, of))
					    : NULL);
		o.problem = o.problem ?: of->problem;
	}
	if (!most)
		return;
	cache_owners_put(a, &o);
	if (units_tenths(o.most, slab_use_most(a->use)) >= OWNERS_MOST)
		take_super(a, most, o.most, part->what);
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
	tell_problem(a);
	for (size_t i = 0; i < ARRAY_SIZE(parts) && !dump_stopped(a->s->dump); i++)
		put(a, &parts[i]);
}
