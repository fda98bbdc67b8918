// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_pins.h"

#include "dump/structure.h"
#include "files/inode.h"
#include "files/inode_path.h"
#include "kernel/list.h"

struct pin {
	uint64_t object; /* i_private; 0: a directory */
};

struct walk {
	struct dump *dump;
	struct structure inode;
	struct field supers, instance, inodes, node;
	struct inodes files;
	struct inode_paths paths;
	struct first_problem problem;
	enum status (*visit)(void *arg, uint64_t object, const char *path);
	void *arg;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, supers, "struct file_system_type", REQUIRED, "all", "fs_supers"),
	FINDS(struct walk, instance, "struct super_block", REQUIRED, "all", "s_instances"),
	FINDS(struct walk, inodes, "struct super_block", REQUIRED, "all", "s_inodes"),
	FINDS(struct walk, node, "struct inode", REQUIRED, "all", "i_sb_list"),
	STRUCTURE(struct walk, inode, "struct inode"),
	READS(struct pin, object, REQUIRED, "all", "i_private"),
};

static enum status visit_inode(struct walk *w, uint64_t node)
{
	const uint64_t address = node - w->node.offset;
	struct inode_name name = { 0 };
	struct inode inode;
	struct pin pin;
	enum status st = struct_read(&w->inode, address, &pin);

	if (st != ST_OK || !pin.object)
		return first_problem_keep(w->dump, &w->problem, st);
	st = inode_read(&w->files, address, &inode) ?: inode_path(&w->paths, &inode, &name);
	st = first_problem_keep(w->dump, &w->problem, st);
	return st ?: w->visit(w->arg, pin.object, name.path);
}

static enum status walk_supers(struct walk *w, uint64_t type)
{
	struct dump *d = w->dump;
	struct list_nodes supers = hlist_of(d, type + w->supers.offset, "super blocks of bpffs");
	uint64_t super, node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&supers, &super)) {
		struct list_nodes inodes = list_of(d, super - w->instance.offset + w->inodes.offset,
						   "inodes of a bpffs");

		while (st == ST_OK && list_next(&inodes, &node))
			st = visit_inode(w, node);
		st = st ?: first_problem_keep(d, &w->problem, list_end(&inodes));
	}
	return st ?: list_end(&supers);
}

enum status bpf_pins_walk(struct dump *d,
			  enum status (*visit)(void *arg, uint64_t object, const char *path),
			  void *arg)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	uint64_t type = 0;
	enum status st;

	w->dump = d;
	w->visit = visit;
	w->arg = arg;
	st = STRUCTS_OPEN(d, rows, w) ?: dump_symbol(d, "bpf_fs_type", &type) ?:
		inodes_open(d, &w->files) ?: inode_paths_open(d, &w->paths);
	return st ?: walk_supers(w, type) ?: first_problem_end(d, &w->problem);
}
