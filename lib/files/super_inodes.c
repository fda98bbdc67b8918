// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/super_inodes.h"

#include <stdlib.h>

#define MAX_INODES 4000000  /* of all that are counted */
#define MAX_SECONDS 1000000 /* that differ: a machine that fills a tmpfs for weeks */

struct members {
	uint64_t blob, marks;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct supers_inodes, member, "struct inode"),
	READS(struct members, blob, OPTIONAL, "CONFIG_SECURITY", "i_security"),
	READS(struct members, marks, OPTIONAL, "CONFIG_FSNOTIFY", "i_fsnotify_marks"),
	FINDS(struct supers_inodes, alias, "struct dentry", OPTIONAL, "7.1, 3.19", "d_alias",
	      "d_u.d_alias"),
	FINDS(struct supers_inodes, dentry_lru, "struct super_block", OPTIONAL, "all",
	      "s_dentry_lru"),
	FINDS(struct supers_inodes, inode_lru, "struct super_block", OPTIONAL, "all",
	      "s_inode_lru"),
	FINDS(struct supers_inodes, parent, "struct dentry", OPTIONAL, "all", "d_parent"),
};

enum status super_inodes_open(struct dump *d, struct supers_inodes *ret)
{
	*ret = (struct supers_inodes){ 0 };
	hash_u64_init(&ret->counted, d->arena, sizeof(struct super_inodes));
	ret->has_lrus = list_lrus_open(d, &ret->lrus) == ST_OK;
	ret->xattrs_problem = xattrs_open(d, &ret->xattrs) == ST_OK ? NULL : dump_why(d);
	return STRUCTS_OPEN(d, rows, ret) ?: inode_list_open(d, &ret->lists) ?:
		super_list_open(d, &ret->list) ?: inodes_open(d, &ret->inodes);
}

enum status super_inodes_sample(struct supers_inodes *x, uint64_t super, uint64_t *ret)
{
	struct list_nodes nodes = inode_list_nodes(&x->lists, super);
	uint64_t inode = 0;
	const bool found = inode_list_next(&x->lists, &nodes, &inode);

	return RESULT(found ? ST_OK : list_end(&nodes), ret, inode);
}

static void add_object(uint64_t *n, uint64_t *sample, uint64_t object)
{
	*n += object != 0;
	*sample = object ?: *sample;
}

/* Attributes of one inode. */
struct counting {
	struct super_inodes *of;
	struct inode *inode;
	uint64_t n, bytes;
};

static void add_attribute(void *arg, uint64_t object, uint64_t bytes)
{
	struct counting *c = arg;
	struct xattr_size *size = hash_u64_get(&c->of->sizes, bytes, NULL);

	c->n++;
	c->bytes += bytes;
	size->n++;
	size->files += size->last != c->inode->address;
	size->last = c->inode->address;
	size->sample = object;
}

/* The dentry of the directory of an inode; 0: none, or unknown. */
static uint64_t directory_of(const struct supers_inodes *x, const struct inode *inode)
{
	uint64_t parent;

	return inode->alias && x->alias.present && x->parent.present &&
			       dump_u64(x->list.dump,
					inode->alias - x->alias.offset + x->parent.offset, &parent,
					"dentry") == ST_OK
		       ? parent
		       : 0;
}

static bool is_empty(const struct inode *inode)
{
	return (inode->mode & INODE_FORMAT) == INODE_REGULAR && !inode->bytes;
}

static enum status count_attributes(struct supers_inodes *x, struct super_inodes *of,
				    struct inode *inode)
{
	struct counting c = { of, inode, 0, 0 };
	enum status st;

	if (!inode->super->is_shmem || x->xattrs_problem)
		return ST_OK;
	st = xattrs_walk(&x->xattrs, inode->address, add_attribute, &c);
	if (c.n) {
		struct xattr_dir *dir = hash_u64_get(&of->dirs, directory_of(x, inode), NULL);

		of->attributes += c.n;
		of->attribute_bytes += c.bytes;
		of->attribute_files++;
		of->attribute_empty += is_empty(inode);
		dir->files++;
		dir->attributes += c.n;
		dir->bytes += c.bytes;
		dir->file = *inode;
	}
	return st;
}

static void add_change(struct super_inodes *of, const struct inode *inode)
{
	if (!of->root.address || !of->root.super->is_shmem)
		return;
	if (inode->has_ctime && of->changes.n < MAX_SECONDS)
		++*(uint64_t *)hash_u64_get(&of->changes, inode->ctime_s, NULL);
	else
		of->changes_missing = true;
}

static void add_inode(struct supers_inodes *x, struct super_inodes *of, uint64_t address,
		      struct first_problem *problem)
{
	struct members m = { 0 };
	struct inode inode;
	enum status st = inode_read(&x->inodes, address, &inode)
				 ?: struct_read(&x->member, address, &m);

	if (st == ST_OK && inode.sb != of->super)
		st = dump_corrupt(x->list.dump,
				  "inode at %#lx is in the list of another file system", address);
	first_problem_keep(x->list.dump, problem, st);
	if (st != ST_OK)
		return;
	add_object(&of->inodes, &of->inode, address);
	add_object(&of->dentries, &of->dentry, inode.alias);
	add_object(&of->blobs, &of->blob, m.blob);
	of->empty += is_empty(&inode);
	of->watched += m.marks != 0;
	add_change(of, &inode);
	first_problem_keep(x->list.dump, problem, count_attributes(x, of, &inode));
}

static enum status count(struct supers_inodes *x, struct super_inodes *of)
{
	struct dump *d = x->list.dump;
	struct list_nodes nodes = inode_list_nodes(&x->lists, of->super);
	struct first_problem problem = { 0 };
	uint64_t inode;

	while (inode_list_next(&x->lists, &nodes, &inode)) {
		if (x->n++ >= MAX_INODES) {
			first_problem_keep(d, &problem,
					   dump_fail(d, ST_UNKNOWN,
						     "more than %u inodes are not counted",
						     MAX_INODES));
			break;
		}
		add_inode(x, of, inode, &problem);
	}
	first_problem_keep(d, &problem, list_end(&nodes));
	of->problem = problem.text;
	return first_problem_end(d, &problem);
}

static enum status add_listed(void *arg, unsigned int node NOT_USED, int64_t memcg NOT_USED,
			      uint64_t objects)
{
	*(uint64_t *)arg += objects;
	return ST_OK;
}

/* What has a reference is on no list: a dentry, with its inode; an inode without one. */
static struct maybe_u64 count_unused(struct supers_inodes *x, uint64_t super)
{
	const struct field *lists[] = { &x->dentry_lru, &x->inode_lru };
	struct maybe_u64 ret = { 0, x->has_lrus };

	for (size_t i = 0; i < ARRAY_SIZE(lists) && ret.known; i++)
		ret.known = lists[i]->present && list_lru_walk(&x->lrus, super + lists[i]->offset,
							       add_listed, &ret.n) == ST_OK;
	return ret;
}

const struct super_inodes *super_inodes_count(struct supers_inodes *x, uint64_t super)
{
	bool is_new;
	struct super_inodes *of = hash_u64_get(&x->counted, super, &is_new);

	if (!is_new)
		return of;
	of->super = super;
	hash_u64_init(&of->sizes, x->list.dump->arena, sizeof(struct xattr_size));
	hash_u64_init(&of->dirs, x->list.dump->arena, sizeof(struct xattr_dir));
	hash_u64_init(&of->changes, x->list.dump->arena, sizeof(uint64_t));
	if (!super_root(&x->list, &x->inodes, super, &of->root))
		of->root = (struct inode){ 0 };
	of->unused = count_unused(x, super);
	of->status = count(x, of);
	return dump_stopped(x->list.dump) ? NULL : of;
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

bool super_inodes_changes(const struct super_inodes *of, struct dump *d, struct super_changes *ret)
{
	uint64_t *seconds, inodes = 0, later = 0;
	size_t n = 0;

	if (!of->changes.n || of->changes_missing || of->status != ST_OK)
		return false;
	seconds = dump_alloc(d, of->changes.n * sizeof(*seconds));
	hash_u64_for_each(const uint64_t, count, &of->changes) {
		seconds[n++] = hash_u64_key(count);
		inodes += *count;
	}
	qsort(seconds, n, sizeof(*seconds), compare);
	*ret = (struct super_changes){ .first_s = seconds[0], .last_s = seconds[n - 1] };
	do
		later += *(const uint64_t *)hash_u64_find(&of->changes, seconds[--n]);
	while (n && later < inodes - inodes / 2);
	ret->half_s = seconds[n];
	return true;
}
