// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/cached_file.h"

#define BTREE_INODE 1 /* BTRFS_BTREE_INODE_OBJECTID: its pages are those of extent buffers */

const char *const file_kind_names[FILE_KINDS + 1] = {
	[FILE_REGULAR] = "regular",
	[FILE_TMPFS] = "tmpfs",
	[FILE_MEMFD] = "memfd",
	[FILE_SYSV_SHM] = "sysv_shm",
	[FILE_SHARED_ANON] = "shared_anon",
	[FILE_KERNEL_SHMEM] = "kernel_shmem",
	[FILE_HUGETLBFS] = "hugetlbfs",
	[FILE_BLOCK] = "block_device",
	[FILE_SWAPFILE] = "swapfile",
	[FILE_OTHER] = "other",
};

/* Names that the kernel gives to inodes of mm/shmem.c which no directory has. */
static const struct {
	const char *prefix;
	enum file_kind kind;
} pseudo_names[] = {
	{ "/memfd:", FILE_MEMFD },	   /* mm/memfd.c */
	{ "/SYSV", FILE_SYSV_SHM },	   /* newseg() in ipc/shm.c */
	{ "/dev/zero", FILE_SHARED_ANON }, /* shmem_zero_setup() in mm/shmem.c */
};

enum status cached_files_open(struct dump *d, struct cached_files *ret)
{
	enum status st;

	*ret = (struct cached_files){ .dump = d };
	st = inodes_open(d, &ret->inodes);
	if (st != ST_OK)
		return st;
	hash_u64_init(&ret->files, d->arena, sizeof(struct cached_file));
	ret->paths_status = inode_paths_open(d, &ret->paths);
	if (ret->paths_status != ST_OK)
		ret->problem = dump_why(d);
	if (ret->problem)
		dump_lacks(d, "names of files", ret->paths_status, "%s", ret->problem);
	return ST_OK;
}

static enum status read_file(struct cached_files *c, uint64_t addr, struct cached_file *f)
{
	enum status st = mapping_read(&c->inodes, addr, &f->mapping);

	if (st == ST_OK && !f->mapping.host)
		st = dump_corrupt(c->dump, "address_space at %#lx has no inode", addr);
	return st ?: inode_read(&c->inodes, f->mapping.host, &f->inode);
}

struct cached_file *cached_file_at(struct cached_files *c, uint64_t mapping)
{
	bool is_new;
	struct cached_file *f = hash_u64_get(&c->files, mapping, &is_new);

	if (!is_new)
		return f;
	f->status = read_file(c, mapping, f);
	if (f->status != ST_OK)
		f->problem = dump_why(c->dump);
	return f;
}

static enum file_kind kind_of(const struct cached_file *f)
{
	const struct inode *inode = &f->inode;
	uint32_t format = inode->mode & INODE_FORMAT;

	if (format == INODE_BLOCK)
		return FILE_BLOCK;
	if (inode->is_swapfile)
		return FILE_SWAPFILE;
	if (!strcmp(inode->super->type, "hugetlbfs"))
		return FILE_HUGETLBFS;
	for (size_t i = 0;
	     f->never_named && f->path && inode->super->is_shmem && i < ARRAY_SIZE(pseudo_names);
	     i++)
		if (!strncmp(f->path, pseudo_names[i].prefix, strlen(pseudo_names[i].prefix)))
			return pseudo_names[i].kind;
	/* Without its dentry a tmpfs file and one without a name look the same. */
	if (inode->super->is_shmem && format == INODE_REGULAR)
		return f->path_status != ST_OK ? FILE_UNKNOWN
		       : f->never_named	       ? FILE_KERNEL_SHMEM
					       : FILE_TMPFS;
	return format == INODE_REGULAR ? FILE_REGULAR : FILE_OTHER;
}

void cached_file_path(struct cached_files *c, struct cached_file *f)
{
	struct inode_name name = { 0 };

	if (f->has_path_status)
		return;
	f->has_path_status = true;
	f->path_status = c->paths_status;
	if (c->paths_status == ST_OK)
		f->path_status = inode_path(&c->paths, &f->inode, &name);
	if (f->path_status == ST_OK) {
		f->path = name.path;
		f->never_named = name.is_pseudo;
	} else if (f->path_status != ST_ABSENT && !c->problem) {
		c->problem = dump_why(c->dump);
	}
	f->kind = kind_of(f);
	/* Since 6.9 one that is open has a dentry without a name: bdev_file_open_by_dev(). */
	if (f->kind == FILE_BLOCK)
		f->path = NULL;
}

const char *cached_file_name(struct cached_files *c, struct cached_file *f)
{
	const struct inode *inode = &f->inode;

	if (f->status != ST_OK)
		return NULL;
	cached_file_path(c, f);
	if (f->path || f->label)
		return f->path ? f->path : f->label;
	if (f->kind == FILE_BLOCK)
		f->label = dump_text(c->dump, "[block device %u:%u]", dev_major(inode->rdev),
				     dev_minor(inode->rdev));
	else if (inode->number == BTREE_INODE && !strcmp(inode->super->type, "btrfs"))
		f->label = dump_text(c->dump, "[metadata of btrfs %s]", inode->super->id);
	else
		f->label = dump_text(c->dump, "[inode %lu of %s %s]", inode->number,
				     inode->super->type, inode->super->id);
	return f->label;
}
