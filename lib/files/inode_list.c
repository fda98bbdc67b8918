// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/inode_list.h"

static const struct layout_row rows[] = {
	FINDS(struct inode_list, head, "struct super_block", REQUIRED, "all", "s_inodes"),
	FINDS(struct inode_list, node, "struct inode", REQUIRED, "all", "i_sb_list"),
	FINDS(struct inode_list, supers, "struct file_system_type", OPTIONAL, "all", "fs_supers"),
	FINDS(struct inode_list, instance, "struct super_block", OPTIONAL, "all", "s_instances"),
};

enum status inode_list_open(struct dump *d, struct inode_list *ret)
{
	*ret = (struct inode_list){ .dump = d };
	return STRUCTS_OPEN(d, rows, ret);
}

struct list_nodes inode_list_nodes(const struct inode_list *x, uint64_t super)
{
	return list_of(x->dump, super + x->head.offset, "inodes of a file system");
}

bool inode_list_next(const struct inode_list *x, struct list_nodes *nodes, uint64_t *inode)
{
	uint64_t node;
	const bool found = list_next(nodes, &node);

	if (found)
		*inode = node - x->node.offset;
	return found;
}

enum status inode_list_walk(struct dump *d, const char *type,
			    enum status (*visit)(void *arg, uint64_t inode), void *arg)
{
	struct first_problem problem = { 0 };
	struct list_nodes supers;
	struct inode_list x;
	uint64_t at, super, inode;
	enum status st = inode_list_open(d, &x) ?: dump_symbol(d, type, &at);

	if (st == ST_OK && (!x.supers.present || !x.instance.present))
		st = dump_unknown(d, "file systems of a type");
	if (st != ST_OK)
		return st;
	supers = hlist_of(d, at + x.supers.offset, "file systems of a type");
	while (st == ST_OK && list_next(&supers, &super)) {
		struct list_nodes nodes = inode_list_nodes(&x, super - x.instance.offset);

		while (st == ST_OK && inode_list_next(&x, &nodes, &inode))
			st = visit(arg, inode);
		st = st ?: first_problem_keep(d, &problem, list_end(&nodes));
	}
	return st ?: list_end(&supers) ?: first_problem_end(d, &problem);
}
