// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/super_list.h"

static const struct layout_row rows[] = {
	FINDS(struct super_list, node, "struct super_block", REQUIRED, "all", "s_list"),
	FINDS(struct super_list, root, "struct super_block", REQUIRED, "all", "s_root"),
	FINDS(struct super_list, dentry_inode, "struct dentry", REQUIRED, "all", "d_inode"),
};

enum status super_list_open(struct dump *d, struct super_list *ret)
{
	*ret = (struct super_list){ .dump = d };
	return STRUCTS_OPEN(d, rows, ret) ?: dump_symbol(d, "super_blocks", &ret->head);
}

struct list_nodes super_list_nodes(const struct super_list *x)
{
	return list_of(x->dump, x->head, "file systems");
}

bool super_list_next(const struct super_list *x, struct list_nodes *nodes, uint64_t *super)
{
	uint64_t node;
	const bool found = list_next(nodes, &node);

	if (found)
		*super = node - x->node.offset;
	return found;
}

bool super_root(const struct super_list *x, struct inodes *inodes, uint64_t super,
		struct inode *ret)
{
	uint64_t root, at;

	return dump_u64(x->dump, super + x->root.offset, &root, "super_block") == ST_OK && root &&
	       dump_u64(x->dump, root + x->dentry_inode.offset, &at, "dentry") == ST_OK &&
	       inode_read(inodes, at, ret) == ST_OK && ret->sb == super;
}

const char *super_name(struct dump *d, struct inode_paths *paths, const struct inode *root)
{
	const char *path;

	return paths && inode_mount_path(paths, root, &path) == ST_OK
		       ? dump_text(d, "%s (%s)", path, root->super->id)
		       : dump_text(d, "%s (%s)", root->super->id, root->super->type);
}

/* "zram0", or "zram0p1" of it. */
static bool is_on(const char *id, const char *disk)
{
	const size_t n = strlen(disk);

	return !strncmp(id, disk, n) && (!id[n] || id[n] == 'p');
}

enum status super_of_disk(struct dump *d, const char *disk, const char **ret)
{
	struct inodes *inodes = dump_alloc(d, sizeof(*inodes));
	struct inode_paths *paths = dump_alloc(d, sizeof(*paths));
	struct super_list x;
	struct list_nodes nodes;
	uint64_t super;
	enum status st = super_list_open(d, &x) ?: inodes_open(d, inodes) ?: inode_paths_open(d, paths);

	*ret = NULL;
	if (st != ST_OK)
		return st;
	nodes = super_list_nodes(&x);
	while (!*ret && super_list_next(&x, &nodes, &super)) {
		struct inode root;
		const char *path;

		if (!super_root(&x, inodes, super, &root)) {
			st = ST_UNREADABLE;
			continue;
		}
		if (is_on(root.super->id, disk) && inode_mount_path(paths, &root, &path) == ST_OK)
			*ret = dump_text(d, "%s (%s)", path, root.super->type);
	}
	return *ret ? ST_OK : st ?: list_end(&nodes);
}
