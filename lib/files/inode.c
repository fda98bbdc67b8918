// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/inode.h"

#include <string.h>

#include "dump/layout.h"

#define MAX_NAME 64	     /* of a file system; its s_id has 32 */
#define MAX_SWAPPED 10000000 /* inodes of shmem_swaplist */
#define S_SWAPFILE 0x100     /* of i_flags: a macro, the same from 5.10 to 7.3 */

static const struct layout_row rows[INODE_FIELDS] = {
	[SPACE_HOST] = { "struct address_space", { "host" }, REQUIRED, "all" },
	[SPACE_NRPAGES] = { "struct address_space", { "nrpages" }, REQUIRED, "all" },
	[SPACE_MMAP] = { "struct address_space", { "i_mmap.rb_root.rb_node" }, OPTIONAL, "4.14" },
	[INODE_SB] = { "struct inode", { "i_sb" }, REQUIRED, "all" },
	[INODE_MAPPING] = { "struct inode", { "i_mapping" }, REQUIRED, "all" },
	[INODE_MODE] = { "struct inode", { "i_mode" }, REQUIRED, "all" },
	[INODE_FLAGS] = { "struct inode", { "i_flags" }, REQUIRED, "all" },
	[INODE_NUMBER] = { "struct inode", { "i_ino" }, REQUIRED, "all" },
	[INODE_NLINK] = { "struct inode", { "i_nlink" }, REQUIRED, "all" },
	[INODE_RDEV] = { "struct inode", { "i_rdev" }, REQUIRED, "all" },
	[INODE_SIZE] = { "struct inode", { "i_size" }, REQUIRED, "all" },
	[INODE_ALIASES] = { "struct inode", { "i_dentry.first" }, REQUIRED, "all" },
	[SUPER_TYPE] = { "struct super_block", { "s_type" }, REQUIRED, "all" },
	[SUPER_OP] = { "struct super_block", { "s_op" }, REQUIRED, "all" },
	[SUPER_DEV] = { "struct super_block", { "s_dev" }, REQUIRED, "all" },
	[SUPER_ID] = { "struct super_block", { "s_id" }, REQUIRED, "all" },
	[SUPER_ROOT] = { "struct super_block", { "s_root" }, REQUIRED, "all" },
	[FS_TYPE_NAME] = { "struct file_system_type", { "name" }, REQUIRED, "all" },
	[SHMEM_SWAPPED] = { "struct shmem_inode_info", { "swapped" }, OPTIONAL, "CONFIG_SHMEM" },
	[SHMEM_SWAPLIST] = { "struct shmem_inode_info", { "swaplist" }, OPTIONAL, "CONFIG_SHMEM" },
	[SHMEM_INODE] = { "struct shmem_inode_info", { "vfs_inode" }, OPTIONAL, "CONFIG_SHMEM" },
};

enum status inodes_open(struct dump *d, struct inodes *ret)
{
	struct inodes x = { .dump = d };
	enum status st = layout_resolve(d, rows, INODE_FIELDS, x.f);

	if (st != ST_OK)
		return st;
	st = layout_buffer(d, "struct address_space",
			   layout_span(&x.f[SPACE_HOST], INODE_SB - SPACE_HOST), &x.space);
	if (st == ST_OK)
		st = layout_buffer(d, "struct inode",
				   layout_span(&x.f[INODE_SB], SUPER_TYPE - INODE_SB), &x.copy);
	if (st != ST_OK)
		return st;
	if (d->ops->symbol(d->priv, "shmem_ops", &x.shmem_ops) != ST_OK)
		x.shmem_ops = 0;
	if (!x.shmem_ops && x.f[SHMEM_SWAPPED].present)
		dump_lacks(d, "files of tmpfs", ST_UNKNOWN, "unknown layout: no symbol shmem_ops");
	*ret = x;
	hash_u64_init(&ret->supers, d->arena, sizeof(struct super));
	return ST_OK;
}

enum status mapping_read(struct inodes *x, uint64_t addr, struct mapping *ret)
{
	const uint8_t *raw = x->space.raw;
	enum status st = layout_read(x->dump, addr, &x->space, "address_space");

	if (st != ST_OK)
		return st;
	ret->host = field_get(&x->f[SPACE_HOST], raw);
	ret->nrpages = field_get(&x->f[SPACE_NRPAGES], raw);
	ret->mmap = field_get(&x->f[SPACE_MMAP], raw);
	return ST_OK;
}

/* A short text of the dump: control characters must not reach a terminal. */
static enum status short_text(struct dump *d, uint64_t addr, const char *what, const char **ret)
{
	char text[MAX_NAME];
	enum status st = dump_string(d, addr, text, sizeof(text), what);

	if (st != ST_OK)
		return st;
	for (char *c = text; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			*c = '?';
	*ret = arena_strdup(d->arena, text);
	return *ret ? ST_OK : dump_no_memory(d);
}

static enum status read_super(struct inodes *x, uint64_t addr, struct super *ret)
{
	struct dump *d = x->dump;
	const struct field *f = x->f;
	uint64_t type, name, op = 0;
	enum status st = dump_u64(d, addr + f[SUPER_TYPE].offset, &type, "super_block");

	if (st == ST_OK)
		st = dump_u64(d, addr + f[SUPER_OP].offset, &op, "super_block");
	if (st == ST_OK)
		st = dump_u64(d, addr + f[SUPER_ROOT].offset, &ret->root, "super_block");
	if (st == ST_OK)
		st = dump_u32(d, addr + f[SUPER_DEV].offset, &ret->dev, "super_block");
	if (st == ST_OK)
		st = dump_u64(d, type + f[FS_TYPE_NAME].offset, &name, "file_system_type");
	if (st == ST_OK)
		st = short_text(d, name, "name of a file system", &ret->type);
	if (st == ST_OK)
		st = short_text(d, addr + f[SUPER_ID].offset, "super_block", &ret->id);
	if (st == ST_OK && !*ret->type)
		st = dump_fail(d, ST_CORRUPT, "super_block at %#llx: its file system has no name",
			       (unsigned long long)addr);
	ret->is_shmem = st == ST_OK && x->shmem_ops && op == x->shmem_ops;
	return st;
}

static enum status find_super(struct inodes *x, uint64_t addr, const struct super **ret)
{
	bool is_new;
	struct super *s = hash_u64_get(&x->supers, addr, &is_new);

	if (!s)
		return dump_no_memory(x->dump);
	if (is_new)
		s->status = read_super(x, addr, s);
	if (s->status != ST_OK)
		return dump_fail(x->dump, s->status,
				 "super_block at %#llx is not in this dump, or corrupt",
				 (unsigned long long)addr);
	*ret = s;
	return ST_OK;
}

/* An inode of mm/shmem.c is a member of a larger structure. */
static void read_swapped(struct inodes *x, struct inode *inode)
{
	const struct field *f = x->f;
	uint64_t info = inode->address - f[SHMEM_INODE].offset;

	if (!inode->super->is_shmem || !f[SHMEM_INODE].present || !f[SHMEM_SWAPPED].present)
		return;
	inode->has_swapped = dump_u64(x->dump, info + f[SHMEM_SWAPPED].offset, &inode->swapped,
				      "shmem_inode_info") == ST_OK;
}

enum status inode_read(struct inodes *x, uint64_t addr, struct inode *ret)
{
	const struct field *f = x->f;
	const uint8_t *raw = x->copy.raw;
	struct inode inode = { .address = addr };
	enum status st = layout_read(x->dump, addr, &x->copy, "inode");

	if (st != ST_OK)
		return st;
	inode.sb = field_get(&f[INODE_SB], raw);
	st = find_super(x, inode.sb, &inode.super);
	if (st != ST_OK)
		return st;
	inode.mapping = field_get(&f[INODE_MAPPING], raw);
	inode.mode = field_get(&f[INODE_MODE], raw);
	inode.is_swapfile = field_get(&f[INODE_FLAGS], raw) & S_SWAPFILE;
	inode.number = field_get(&f[INODE_NUMBER], raw);
	inode.nlink = field_get(&f[INODE_NLINK], raw);
	inode.rdev = field_get(&f[INODE_RDEV], raw);
	inode.bytes = field_get(&f[INODE_SIZE], raw);
	inode.alias = field_get(&f[INODE_ALIASES], raw);
	read_swapped(x, &inode);
	*ret = inode;
	return ST_OK;
}

enum status inodes_in_swap(struct inodes *x, enum status (*visit)(void *arg, uint64_t inode),
			   void *arg)
{
	struct dump *d = x->dump;
	const struct field *f = x->f;
	uint64_t head, node, mark = 0;
	enum status st;

	st = dump_has_both(d, "shmem_swaplist", "struct shmem_inode_info");
	if (st != ST_OK)
		return st;
	if (!f[SHMEM_INODE].present || !f[SHMEM_SWAPLIST].present)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct shmem_inode_info");
	st = dump_symbol(d, "shmem_swaplist", &head);
	if (st == ST_OK)
		st = dump_u64(d, head, &node, "shmem_swaplist");
	for (unsigned int i = 0; st == ST_OK && node != head; i++) {
		uint64_t info = node - f[SHMEM_SWAPLIST].offset;

		if (node == mark || i == MAX_SWAPPED)
			return dump_fail(d, ST_CORRUPT, "shmem_swaplist loops at %#llx",
					 (unsigned long long)node);
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (!(i & (i - 1))) /* a loop comes back to it */
			mark = node;
		st = visit(arg, info + f[SHMEM_INODE].offset);
		if (st == ST_OK)
			st = dump_u64(d, node, &node, "shmem_swaplist");
	}
	return st;
}
