// SPDX-License-Identifier: GPL-2.0-or-later
#include "filesystems.h"

#include "files/inode_list.h"
#include "files/super_list.h"

#define REQUIRES_DEV 1U	   /* FS_REQUIRES_DEV (include/linux/fs.h) */
#define MAX_INODES 4000000 /* of all file systems that are looked at */

struct filesystem_search {
	struct dump *dump;
	struct super_list list;
	struct inode_list lists;
	struct inodes inodes;
	struct inode_paths paths;
	struct super_spaces spaces;
	struct field disk, type; /* super_block.s_bdev, s_type */
	struct field flags;	 /* of a file_system_type */
	uint64_t seen;		 /* inodes */
	struct filesystems *ret;
	struct strbuf untold;
	struct first_problem problem;
};

static const struct layout_row rows[] = {
	FINDS(struct filesystem_search, disk, "struct super_block", REQUIRED, "all", "s_bdev"),
	FINDS(struct filesystem_search, type, "struct super_block", OPTIONAL, "all", "s_type"),
	FINDS(struct filesystem_search, flags, "struct file_system_type", OPTIONAL, "all",
	      "fs_flags"),
};

static enum status open_search(struct filesystem_search *x)
{
	struct dump *d = x->dump;

	return STRUCTS_OPEN(d, rows, x) ?: super_list_open(d, &x->list) ?:
		inode_list_open(d, &x->lists) ?: inodes_open(d, &x->inodes) ?:
		inode_paths_open(d, &x->paths) ?: super_spaces_open(d, &x->spaces);
}

/* One of several disks, as of btrfs, has none of them in s_bdev: its type says that it needs some. */
static bool is_on_disk(const struct filesystem_search *x, uint64_t super)
{
	uint64_t disk = 0, type = 0;
	uint32_t flags = 0;

	if (dump_u64(x->dump, super + x->disk.offset, &disk, "super_block.s_bdev") == ST_OK && disk)
		return true;
	return x->type.present && x->flags.present && x->flags.size == 4 &&
	       dump_u64(x->dump, super + x->type.offset, &type, "super_block.s_type") == ST_OK &&
	       dump_u32(x->dump, type + x->flags.offset, &flags, "file_system_type") == ST_OK &&
	       flags & REQUIRES_DEV;
}

static void leave_out(struct filesystem_search *x, const char *mount, const char *type,
		      const char *why)
{
	struct filesystem_left *left = dump_alloc(x->dump, sizeof(*left));

	*left = (struct filesystem_left){ x->ret->left, mount, type, why };
	x->ret->left = left;
}

static void read_space(struct filesystem_search *x, struct filesystem *f, enum status st)
{
	f->has_space = st == ST_OK;
	f->has_available = f->has_space && f->space.has_available;
	f->has_inodes = f->has_space && f->space.has_inodes;
	f->has_free_inodes = f->has_space && f->space.has_free_inodes;
	f->used = f->has_space ? f->space.bytes - f->space.free : 0;
	if (st == ST_ABSENT && !strstr(x->untold.buf, f->type))
		strbuf_add(&x->untold, "%s%s", strbuf_between(&x->untold, ", "), f->type);
	first_problem_keep(x->dump, &x->problem, st == ST_ABSENT ? ST_OK : st);
}

/* NULL: it is mounted nowhere, is internal, or has neither a disk nor a limit. */
static struct filesystem *filesystem_at(struct filesystem_search *x, uint64_t super,
					const struct inode *root)
{
	struct dump *d = x->dump;
	struct filesystem *f = dump_alloc(d, sizeof(*f));
	const bool on_disk = is_on_disk(x, super);
	const bool knows = super_space_knows(root->super->type) &&
			   (on_disk || root->super->is_shmem);
	enum status st;

	*f = (struct filesystem){ .super = super,
				  .root = root->super->root,
				  .is_shmem = root->super->is_shmem,
				  .type = root->super->type,
				  .id = root->super->id };
	st = inode_mount_path(&x->paths, root, &f->mount);
	if (st != ST_OK || *f->mount != '/') {
		if (knows || on_disk)
			first_problem_keep(d, &x->problem, st);
		return NULL;
	}
	if (!knows && !on_disk) {
		leave_out(
			x, f->mount, f->type,
			"it has neither a disk nor a limit here; of one of a server the server knows");
		return NULL;
	}
	f->device = dump_text(d, "%u:%u", dev_major(root->super->dev), dev_minor(root->super->dev));
	st = super_space_read(&x->spaces, super, f->type, &f->space);
	if (st == ST_ABSENT && !on_disk) {
		leave_out(x, f->mount, f->type, "it has no limit");
		return NULL;
	}
	read_space(x, f, st);
	return f;
}

struct cover {
	struct filesystem_search *x;
	uint64_t root; /* dentry that may be covered */
	bool is_covered;
};

static enum status see_mount(void *arg, const struct mount_place *m, bool *done)
{
	struct cover *c = arg;
	uint64_t point;

	if (m->root != c->root && m->by_init &&
	    vfsmount_point(&c->x->paths.paths, m->vfsmount, &point) == ST_OK && point == c->root)
		*done = c->is_covered = true;
	return ST_OK;
}

/* The root that the kernel makes first: where another is mounted above, no path leads to it. */
static bool is_covered(struct filesystem_search *x, const struct filesystem *f)
{
	struct list_nodes nodes = super_list_nodes(&x->list);
	struct cover c = { .x = x, .root = f->root };
	uint64_t super;

	while (!c.is_covered && super_list_next(&x->list, &nodes, &super))
		super_mounts_walk(&x->paths, super, see_mount, &c);
	return c.is_covered;
}

static void drop_covered(struct filesystem_search *x, struct filesystems *all)
{
	struct filesystem **at = &all->first;

	while (*at) {
		struct filesystem *f = *at;

		if (strcmp(f->type, "rootfs") != 0 || !is_covered(x, f)) {
			at = &f->next;
			continue;
		}
		*at = f->next;
		all->n--;
		leave_out(x, f->mount, f->type, "another file system is mounted above it");
	}
}

static enum status walk(struct filesystem_search *x, struct filesystems *ret)
{
	struct list_nodes nodes = super_list_nodes(&x->list);
	struct filesystem **last = &ret->first;
	uint64_t super;

	while (super_list_next(&x->list, &nodes, &super)) {
		struct inode root;
		struct filesystem *f;

		if (dump_stopped(x->dump))
			return ST_STOPPED;
		if (!super_root(&x->list, &x->inodes, super, &root)) {
			first_problem_keep(x->dump, &x->problem,
					   dump_unreadable(x->dump,
							   "the root of the super_block at %#lx",
							   super));
			continue;
		}
		f = filesystem_at(x, super, &root);
		if (!f)
			continue;
		*last = f;
		last = &f->next;
		ret->n++;
		ret->of_disk += f->has_space && f->space.is_of_disk;
	}
	drop_covered(x, ret);
	return first_problem_keep(x->dump, &x->problem, list_end(&nodes));
}

enum status filesystems_collect(struct dump *d, struct filesystems *ret)
{
	struct filesystem_search *x = dump_alloc(d, sizeof(*x));
	enum status st;

	*ret = (struct filesystems){ 0 };
	*x = (struct filesystem_search){ .dump = d, .ret = ret, .untold = STRBUF_OF(512) };
	st = open_search(x) ?: walk(x, ret);
	if (st != ST_OK)
		return st;
	ret->problem = x->problem.text;
	ret->search = x;
	ret->untold = x->untold.len ? dump_strdup(d, x->untold.buf) : NULL;
	d->error[0] = '\0';
	return ST_OK;
}

static void add_removed(struct filesystem_search *x, struct filesystem *f, uint64_t address)
{
	struct inode inode;
	uint64_t bytes = 0;
	enum status st = inode_read(&x->inodes, address, &inode);

	if (st == ST_OK && !inode.nlink && (inode.mode & INODE_FORMAT) == INODE_REGULAR) {
		f->removed++;
		if (f->has_removed_bytes)
			st = inode_space(&x->spaces, address, &bytes);
		if (bytes > f->most) {
			f->most = bytes;
			f->largest = address;
		}
		f->removed_bytes += bytes;
	}
	if (st != ST_OK)
		f->has_removed = f->has_removed_bytes = false;
	first_problem_keep(x->dump, &x->problem, st);
}

/* Only inodes that somebody uses are there without a name. */
void filesystem_find_removed(struct filesystems *all, struct filesystem *f)
{
	struct filesystem_search *x = all->search;
	struct list_nodes nodes = inode_list_nodes(&x->lists, f->super);
	uint64_t inode;
	enum status st = ST_OK;

	f->has_removed = true;
	f->has_removed_bytes = f->has_space && f->space.counts_blocks;
	while (inode_list_next(&x->lists, &nodes, &inode)) {
		if (x->seen++ >= MAX_INODES) {
			st = dump_fail(x->dump, ST_UNKNOWN, "more than %u inodes are not looked at",
				       MAX_INODES);
			break;
		}
		add_removed(x, f, inode);
	}
	st = st ?: list_end(&nodes);
	if (st != ST_OK)
		f->has_removed = f->has_removed_bytes = false;
	first_problem_keep(x->dump, &x->problem, st);
	all->problem = x->problem.text;
	x->dump->error[0] = '\0';
}

enum status filesystems_find_cached(struct filesystems *all)
{
	struct filesystem_search *x = all->search;
	struct supers_inodes *of = dump_alloc(x->dump, sizeof(*of));
	enum status st = super_inodes_open(x->dump, of);

	for (struct filesystem *f = st == ST_OK ? all->first : NULL; f; f = f->next) {
		const struct super_inodes *in = super_inodes_count(of, f->super);

		if (!in)
			return ST_STOPPED;
		f->has_cached = in->status == ST_OK;
		f->cached = in->inodes;
		f->named = in->dentries;
		f->watched = in->watched;
		f->has_changes = super_inodes_changes(in, x->dump, &f->changes);
		f->has_unused = in->unused.known;
		f->unused = in->unused.n;
		if (in->problem && !x->problem.text)
			x->problem.text = in->problem;
	}
	first_problem_keep(x->dump, &x->problem, st);
	all->problem = x->problem.text;
	x->dump->error[0] = '\0';
	return ST_OK;
}

uint64_t filesystem_used_tenths(const struct filesystem *f)
{
	const uint64_t usable = f->used + f->space.available;

	return f->has_available && usable ? (uint64_t)((unsigned __int128)f->used * 1000 / usable)
					  : 0;
}
