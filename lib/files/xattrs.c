// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/xattrs.h"

#include "kernel/list.h"

#define MAX_XATTRS 20000000 /* of all inodes */
#define MAX_VALUE 65536	    /* XATTR_SIZE_MAX (include/uapi/linux/limits.h) */

struct attribute {
	uint64_t size; /* of the value */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct xattrs, attribute, "struct simple_xattr"),
	READS(struct attribute, size, REQUIRED, "3.7", "size"),
	FINDS(struct xattrs, list, "struct simple_xattr", OPTIONAL, "7.3, to 6.1", "node", "list"),
	FINDS(struct xattrs, node, "struct simple_xattr", OPTIONAL, "6.2", "rb_node"),
	FINDS(struct xattrs, head, "struct shmem_inode_info", OPTIONAL, "7.3, to 6.1",
	      "xattrs.next", "xattrs.head"),
	FINDS(struct xattrs, root, "struct shmem_inode_info", OPTIONAL, "6.2",
	      "xattrs.rb_root.rb_node"),
	FINDS(struct xattrs, inode, "struct shmem_inode_info", REQUIRED, "all", "vfs_inode"),
};

/* How an inode has its attributes. */
enum { XATTRS_TREE, XATTRS_LIST, XATTR_FORKS };

static const struct fork forks[XATTR_FORKS] = {
	[XATTRS_TREE] = { "a tree", "6.2: xattr: use rbtree for simple_xattrs",
			  .members = { { "struct simple_xattr", "rb_node" } } },
	[XATTRS_LIST] = { "a list", "3.7: xattr: extract simple_xattr code from tmpfs" },
};

enum status xattrs_open(struct dump *d, struct xattrs *ret)
{
	struct xattrs x = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &x)
				 ?: dump_ask(d, type_size, "struct simple_xattr", &x.header);

	if (st != ST_OK)
		return st;
	x.fork = fork_find(d, "shmem_inode_info.xattrs", forks, XATTR_FORKS);
	if (x.fork == XATTRS_TREE ? !x.root.present || !x.node.present
				  : !x.head.present || !x.list.present)
		return dump_unknown(d, "extended attributes of tmpfs");
	if (x.fork == XATTRS_TREE)
		st = rb_types_open(d, &x.tree);
	return RESULT(st, ret, x);
}

struct visitor {
	struct xattrs *x;
	void (*visit)(void *arg, uint64_t object, uint64_t bytes);
	void *arg;
	struct first_problem problem;
};

/* false: no more is to be visited. */
static bool take(struct visitor *v, uint64_t object)
{
	struct dump *d = v->x->dump;
	struct attribute a;
	enum status st;

	if (v->x->n++ >= MAX_XATTRS) {
		first_problem_keep(d, &v->problem,
				   dump_fail(d, ST_UNKNOWN,
					     "more than %u extended attributes are not counted",
					     MAX_XATTRS));
		return false;
	}
	st = struct_read(&v->x->attribute, object, &a);
	if (st == ST_OK && a.size > MAX_VALUE)
		st = dump_corrupt(d, "an extended attribute at %#lx has %lu bytes", object, a.size);
	first_problem_keep(d, &v->problem, st);
	if (st == ST_OK)
		v->visit(v->arg, object, v->x->header + a.size);
	return true;
}

static void walk_list(struct visitor *v, uint64_t info)
{
	const struct xattrs *x = v->x;
	struct list_nodes nodes = list_of(x->dump, info + x->head.offset,
					  "extended attributes of an inode");
	uint64_t node;

	while (list_next(&nodes, &node))
		if (!take(v, node - x->list.offset))
			return;
	first_problem_keep(x->dump, &v->problem, list_end(&nodes));
}

static void walk_tree(struct visitor *v, uint64_t info)
{
	const struct xattrs *x = v->x;
	struct rb_nodes nodes;
	uint64_t node;
	const enum status st = dump_u64(x->dump, info + x->root.offset, &node,
					"extended attributes of an inode");

	if (st != ST_OK) {
		first_problem_keep(x->dump, &v->problem, st);
		return;
	}
	if (!node)
		return;
	rb_begin(&nodes, x->dump, &x->tree, node, "extended attributes of an inode");
	while (rb_next(&nodes, &node))
		if (!take(v, node - x->node.offset))
			return;
	first_problem_keep(x->dump, &v->problem, rb_end(&nodes));
}

enum status xattrs_walk(struct xattrs *x, uint64_t inode,
			void (*visit)(void *arg, uint64_t object, uint64_t bytes), void *arg)
{
	struct visitor v = { .x = x, .visit = visit, .arg = arg };
	const uint64_t info = inode - x->inode.offset;

	if (x->fork == XATTRS_TREE)
		walk_tree(&v, info);
	else
		walk_list(&v, info);
	return dump_stopped(x->dump) ? ST_STOPPED : first_problem_end(x->dump, &v.problem);
}
