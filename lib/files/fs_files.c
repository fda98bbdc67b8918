// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/fs_files.h"

#include "files/inode_path.h"
#include "kernel/list.h"

struct walk {
	struct dump *dump;
	struct structure file;
	struct field supers, instance, inodes, node;
	struct inodes files;
	struct inode_paths paths;
	struct first_problem problem;
	enum status (*visit)(void *arg, const struct fs_file *file);
	void *arg;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, supers, "struct file_system_type", REQUIRED, "all", "fs_supers"),
	FINDS(struct walk, instance, "struct super_block", REQUIRED, "all", "s_instances"),
	FINDS(struct walk, inodes, "struct super_block", REQUIRED, "all", "s_inodes"),
	FINDS(struct walk, node, "struct inode", REQUIRED, "all", "i_sb_list"),
	STRUCTURE(struct walk, file, "struct inode"),
	READS(struct fs_file, object, REQUIRED, "all", "i_private"),
};

static enum status visit_inode(struct walk *w, uint64_t node)
{
	const uint64_t address = node - w->node.offset;
	struct inode_name name = { 0 };
	struct fs_file f = { 0 };
	enum status st = struct_read(&w->file, address, &f)
				 ?: inode_read(&w->files, address, &f.inode);

	if (st != ST_OK || (f.inode.mode & INODE_FORMAT) != INODE_REGULAR)
		return first_problem_keep(w->dump, &w->problem, st);
	st = inode_path(&w->paths, &f.inode, &name);
	f.path = name.path;
	return first_problem_keep(w->dump, &w->problem, st) ?: w->visit(w->arg, &f);
}

static enum status walk_supers(struct walk *w, uint64_t type)
{
	struct dump *d = w->dump;
	struct list_nodes supers = hlist_of(d, type + w->supers.offset, "super blocks of a type");
	uint64_t super, node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&supers, &super)) {
		struct list_nodes inodes = list_of(d, super - w->instance.offset + w->inodes.offset,
						   "inodes of a super block");

		while (st == ST_OK && list_next(&inodes, &node))
			st = visit_inode(w, node);
		st = st ?: first_problem_keep(d, &w->problem, list_end(&inodes));
	}
	return st ?: list_end(&supers);
}

enum status fs_files_walk(struct dump *d, const char *type,
			  enum status (*visit)(void *arg, const struct fs_file *file), void *arg)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	uint64_t at = 0;
	enum status st;

	w->dump = d;
	w->visit = visit;
	w->arg = arg;
	st = STRUCTS_OPEN(d, rows, w) ?: dump_symbol(d, type, &at) ?:
		inodes_open(d, &w->files) ?: inode_paths_open(d, &w->paths);
	return st ?: walk_supers(w, at) ?: first_problem_end(d, &w->problem);
}
