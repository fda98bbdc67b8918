// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/lock_object.h"

enum { I_RWSEM, I_MMAP_RWSEM, INVALIDATE_LOCK, S_UMOUNT, S_VFS_RENAME_MUTEX, S_SYNC_LOCK };

static const struct lock_member {
	const char *name;
	bool is_of_super;
} members[LOCK_MEMBERS] = {
	[I_RWSEM] = { "i_rwsem", false },
	[I_MMAP_RWSEM] = { "i_mmap_rwsem", false },
	[INVALIDATE_LOCK] = { "invalidate_lock", false },
	[S_UMOUNT] = { "s_umount", true },
	[S_VFS_RENAME_MUTEX] = { "s_vfs_rename_mutex", true },
	[S_SYNC_LOCK] = { "s_sync_lock", true },
};

static const struct layout_row rows[] = {

	FINDS(struct lock_objects, host, "struct inode", REQUIRED, "all", "i_data.host"),
	FINDS(struct lock_objects, member[I_RWSEM], "struct inode", OPTIONAL, "4.7", "i_rwsem"),
	FINDS(struct lock_objects, member[I_MMAP_RWSEM], "struct inode", OPTIONAL, "3.19",
	      "i_data.i_mmap_rwsem"),
	FINDS(struct lock_objects, member[INVALIDATE_LOCK], "struct inode", OPTIONAL, "5.15",
	      "i_data.invalidate_lock"),
	FINDS(struct lock_objects, member[S_UMOUNT], "struct super_block", OPTIONAL, "all",
	      "s_umount"),
	FINDS(struct lock_objects, member[S_VFS_RENAME_MUTEX], "struct super_block", OPTIONAL,
	      "all", "s_vfs_rename_mutex"),
	FINDS(struct lock_objects, member[S_SYNC_LOCK], "struct super_block", OPTIONAL, "4.5",
	      "s_sync_lock"),
};

static enum status read_supers(struct lock_objects *x)
{
	struct list_nodes nodes;
	uint64_t super;
	enum status st = super_list_open(x->dump, &x->list);

	if (st != ST_OK)
		return st;
	nodes = super_list_nodes(&x->list);
	while (super_list_next(&x->list, &nodes, &super))
		hash_u64_add(&x->supers, super);
	return ST_OK;
}

enum status lock_objects_open(struct dump *d, struct lock_objects *ret)
{
	enum status st;

	*ret = (struct lock_objects){ .dump = d };
	hash_u64_init(&ret->supers, d->arena, 0);
	st = STRUCTS_OPEN(d, rows, ret) ?: read_supers(ret);
	if (st != ST_OK)
		return st;
	ret->has_inodes = inodes_open(d, &ret->inodes) == ST_OK;
	ret->has_paths = inode_paths_open(d, &ret->paths) == ST_OK;
	return ST_OK;
}

static const char *super_text(struct lock_objects *x, uint64_t super)
{
	struct inode root;

	return x->has_inodes && hash_u64_has(&x->supers, super) &&
			       super_root(&x->list, &x->inodes, super, &root)
		       ? super_name(x->dump, x->has_paths ? &x->paths : NULL, &root)
		       : NULL;
}

static const char *inode_text(struct lock_objects *x, uint64_t address)
{
	struct inode_name name;
	struct inode inode;
	uint8_t raw[8];

	if (!x->has_inodes || address & 7 ||
	    dump_try(x->dump, address + x->host.offset, raw, sizeof(raw)) != ST_OK ||
	    le64(raw) != address || inode_read(&x->inodes, address, &inode) != ST_OK ||
	    !hash_u64_has(&x->supers, inode.sb))
		return NULL;
	if (x->has_paths && inode_path(&x->paths, &inode, &name) == ST_OK)
		return name.path;
	return dump_text(x->dump, "inode %lu on %s", inode.number, inode.super->id);
}

const char *lock_object_name(struct lock_objects *x, uint64_t lock)
{
	for (size_t i = 0; i < LOCK_MEMBERS; i++) {
		uint64_t object = lock - x->member[i].offset;
		const char *name = NULL;

		if (x->member[i].present)
			name = members[i].is_of_super ? super_text(x, object)
						      : inode_text(x, object);
		if (name)
			return dump_text(x->dump, "%s of %s", members[i].name, name);
	}
	return NULL;
}
