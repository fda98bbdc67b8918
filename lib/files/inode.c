// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/inode.h"

#include "files/inode_list.h"
#include "files/inode_path.h"
#include "util/utf8.h"

#define MAX_NAME 64	     /* of a file system; its s_id has 32 */
#define MAX_SWAPPED 10000000 /* inodes of shmem_swaplist */
#define S_SWAPFILE 0x100     /* of i_flags: a macro, the same from 5.10 to 7.3 */

static const struct layout_row rows[] = {
	STRUCTURE(struct inodes, mapping, "struct address_space"),
	READS(struct mapping, host, REQUIRED, "all", "host"),
	READS(struct mapping, nrpages, REQUIRED, "all", "nrpages"),
	READS(struct mapping, mmap, OPTIONAL, "4.14", "i_mmap.rb_root.rb_node"),
	STRUCTURE(struct inodes, inode, "struct inode"),
	READS(struct inode, sb, REQUIRED, "all", "i_sb"),
	READS(struct inode, mapping, REQUIRED, "all", "i_mapping"),
	READS(struct inode, mode, REQUIRED, "all", "i_mode"),
	READS(struct inode, flags, REQUIRED, "all", "i_flags"),
	READS(struct inode, number, REQUIRED, "all", "i_ino"),
	READS(struct inode, nlink, REQUIRED, "all", "i_nlink"),
	READS(struct inode, rdev, REQUIRED, "all", "i_rdev"),
	READS(struct inode, bytes, REQUIRED, "all", "i_size"),
	/*
	 * 6.11: fs: switch timespec64 fields in inode to discrete integers; 6.7: fs: rename inode i_atime and
	 * i_mtime fields; 6.6: fs: convert to ctime accessor functions.
	 */
	READS_IF(struct inode, mtime_s, has_mtime, OPTIONAL, "all", "i_mtime_sec",
		 "__i_mtime.tv_sec", "i_mtime.tv_sec"),
	READS_IF(struct inode, ctime_s, has_ctime, OPTIONAL, "all", "i_ctime_sec",
		 "__i_ctime.tv_sec", "i_ctime.tv_sec"),
	READS(struct inode, alias, REQUIRED, "all", "i_dentry.first"),
	STRUCTURE(struct inodes, super, "struct super_block"),
	READS(struct super, type_at, REQUIRED, "all", "s_type"),
	READS(struct super, op, REQUIRED, "all", "s_op"),
	READS(struct super, dev, REQUIRED, "all", "s_dev"),
	PLACES(struct super, id_at, REQUIRED, "all", "s_id"),
	READS(struct super, root, REQUIRED, "all", "s_root"),
	STRUCTURE(struct inodes, type, "struct file_system_type"),
	READS(struct super, type_name, REQUIRED, "all", "name"),
	/* An inode of mm/shmem.c is a member of a larger structure. */
	STRUCTURE(struct inodes, shmem, "struct shmem_inode_info"),
	READS_IF(struct inode, swapped, has_swapped, OPTIONAL, "CONFIG_SHMEM", "swapped"),
	FINDS(struct inodes, swaplist, "struct shmem_inode_info", OPTIONAL, "CONFIG_SHMEM",
	      "swaplist"),
	FINDS(struct inodes, shmem_inode, "struct shmem_inode_info", OPTIONAL, "CONFIG_SHMEM",
	      "vfs_inode"),
};

enum status inodes_open(struct dump *d, struct inodes *ret)
{
	struct inodes x = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &x);

	if (st != ST_OK)
		return st;
	if (dump_ask(d, symbol, "shmem_ops", &x.shmem_ops) != ST_OK)
		x.shmem_ops = 0;
	if (!x.shmem_ops && STRUCT_HAS(&x.shmem, struct inode, swapped))
		dump_lacks(d, "files of tmpfs", ST_UNKNOWN, "unknown layout: no symbol shmem_ops");
	*ret = x;
	hash_u64_init(&ret->supers, d->arena, sizeof(struct super));
	return ST_OK;
}

enum status mapping_read(struct inodes *x, uint64_t addr, struct mapping *ret)
{
	return struct_read(&x->mapping, addr, ret);
}

/* A short text of the dump: control characters must not reach a terminal. */
static enum status short_text(struct dump *d, uint64_t addr, const char *what, const char **ret)
{
	char text[MAX_NAME];
	enum status st = dump_string(d, addr, text, sizeof(text), what);

	if (st != ST_OK)
		return st;
	printable(text);
	for (char *c = text; *c; c++)
		*c = *c == ' ' ? '?' : *c;
	*ret = dump_strdup(d, text);
	return ST_OK;
}

static enum status read_super(struct inodes *x, uint64_t addr, struct super *ret)
{
	struct dump *d = x->dump;
	enum status st = struct_read(&x->super, addr, ret) ?:
		struct_read(&x->type, ret->type_at, ret) ?:
		short_text(d, ret->type_name, "name of a file system", &ret->type) ?:
		short_text(d, ret->id_at, "super_block", &ret->id);

	if (st == ST_OK && !*ret->type)
		st = dump_corrupt(d, "super_block at %#lx: its file system has no name", addr);
	ret->is_shmem = st == ST_OK && x->shmem_ops && ret->op == x->shmem_ops;
	return st;
}

static enum status find_super(struct inodes *x, uint64_t addr, const struct super **ret)
{
	bool is_new;
	struct super *s = hash_u64_get(&x->supers, addr, &is_new);

	if (is_new)
		s->status = read_super(x, addr, s);
	if (s->status != ST_OK)
		return dump_fail(x->dump, s->status,
				 "super_block at %#lx is not in this dump, or corrupt", addr);
	*ret = s;
	return ST_OK;
}

enum status inode_read(struct inodes *x, uint64_t addr, struct inode *ret)
{
	struct inode inode = { .address = addr };
	enum status st = struct_read(&x->inode, addr, &inode)
				 ?: find_super(x, inode.sb, &inode.super);

	if (st != ST_OK)
		return st;
	inode.is_swapfile = inode.flags & S_SWAPFILE;
	inode.has_mtime &= inode.mtime_s != 0;
	inode.has_ctime &= inode.ctime_s != 0;
	if (inode.super->is_shmem && x->shmem_inode.present)
		struct_read(&x->shmem, addr - x->shmem_inode.offset, &inode);
	*ret = inode;
	return ST_OK;
}

enum status inodes_in_swap(struct inodes *x, enum status (*visit)(void *arg, uint64_t inode),
			   void *arg)
{
	struct dump *d = x->dump;
	uint64_t head, node, mark = 0;
	enum status st = dump_has_both(d, "shmem_swaplist", "struct shmem_inode_info");

	if (st != ST_OK)
		return st;
	if (!x->shmem_inode.present || !x->swaplist.present)
		return dump_unknown(d, "struct shmem_inode_info");
	st = dump_symbol(d, "shmem_swaplist", &head) ?: dump_u64(d, head, &node, "shmem_swaplist");
	for (unsigned int i = 0; st == ST_OK && node != head; i++) {
		if (node == mark || i == MAX_SWAPPED)
			return dump_corrupt(d, "shmem_swaplist loops at %#lx", node);
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (!(i & (i - 1))) /* a loop comes back to it */
			mark = node;
		st = visit(arg, node - x->swaplist.offset + x->shmem_inode.offset)
			     ?: dump_u64(d, node, &node, "shmem_swaplist");
	}
	return st;
}

struct walk {
	struct dump *dump;
	struct structure file;
	struct inodes files;
	struct inode_paths paths;
	struct first_problem problem;
	enum status (*visit)(void *arg, const struct fs_file *file);
	void *arg;
};

static const struct layout_row fs_files_rows[] = {
	STRUCTURE(struct walk, file, "struct inode"),
	READS(struct fs_file, object, REQUIRED, "all", "i_private"),
};

static enum status visit_inode(void *arg, uint64_t address)
{
	struct walk *w = arg;
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

enum status fs_files_walk(struct dump *d, const char *type,
			  enum status (*visit)(void *arg, const struct fs_file *file), void *arg)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	enum status st;

	*w = (struct walk){ .dump = d, .visit = visit, .arg = arg };
	st = STRUCTS_OPEN(d, fs_files_rows, w) ?: inodes_open(d, &w->files) ?:
		inode_paths_open(d, &w->paths);
	return st ?: inode_list_walk(d, type, visit_inode, w) ?: first_problem_end(d, &w->problem);
}

/*
 * 5.18: tmpfs: support for file creation time; 5.14: xfs: move the di_crtime field to struct xfs_inode.  An
 * inode of ext4 has i_crtime since the file system is in the kernel.
 */
static const struct layout_row birth_rows[BIRTH_SYSTEMS][2] = {
	[BIRTH_SHMEM] = { FIELD_ROW("struct shmem_inode_info", OPTIONAL, "all", "vfs_inode"),
			  FIELD_ROW("struct shmem_inode_info", OPTIONAL, "5.18",
				    "i_crtime.tv_sec") },
	[BIRTH_EXT4] = { FIELD_ROW("struct ext4_inode_info", OPTIONAL, "all", "vfs_inode"),
			 FIELD_ROW("struct ext4_inode_info", OPTIONAL, "2.6.23",
				   "i_crtime.tv_sec") },
	[BIRTH_XFS] = { FIELD_ROW("struct xfs_inode", OPTIONAL, "all", "i_vnode"),
			FIELD_ROW("struct xfs_inode", OPTIONAL, "5.14, 5.8", "i_crtime.tv_sec",
				  "i_d.di_crtime.tv_sec") },
};

void births_open(struct dump *d, struct births *ret)
{
	*ret = (struct births){ .dump = d };
}

static enum birth_system system_of(const struct inode *inode)
{
	if (inode->super->is_shmem)
		return BIRTH_SHMEM;
	return !strcmp(inode->super->type, "ext4")  ? BIRTH_EXT4
	       : !strcmp(inode->super->type, "xfs") ? BIRTH_XFS
						    : BIRTH_SYSTEMS;
}

enum status birth_read(struct births *b, const struct inode *inode, uint64_t *ret)
{
	const enum birth_system s = system_of(inode);
	uint64_t seconds;
	enum status st;

	if (s == BIRTH_SYSTEMS)
		return ST_ABSENT;
	if (!b->systems[s].was_opened) {
		b->systems[s].was_opened = true;
		layout_resolve(b->dump, &birth_rows[s][0], 1, &b->systems[s].inode);
		layout_resolve(b->dump, &birth_rows[s][1], 1, &b->systems[s].seconds);
	}
	if (!b->systems[s].inode.present || !b->systems[s].seconds.present)
		return ST_ABSENT;
	st = dump_u64(b->dump,
		      inode->address - b->systems[s].inode.offset + b->systems[s].seconds.offset,
		      &seconds, "time of an inode");
	if (st == ST_OK && !seconds)
		st = ST_ABSENT;
	return RESULT(st, ret, seconds);
}
