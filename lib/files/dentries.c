// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/dentries.h"

static const struct layout_row rows[] = {
	STRUCTURE(struct dentries, dentry, "struct dentry"),
	READS(struct dentry_object, parent, REQUIRED, "all", "d_parent"),
	READS(struct dentry_object, inode, REQUIRED, "all", "d_inode"),
	READS(struct dentry_object, super, REQUIRED, "all", "d_sb"),
	READS(struct dentry_object, name, REQUIRED, "all", "d_name.name"),
};

enum status dentries_open(struct dump *d, struct dentries *ret)
{
	*ret = (struct dentries){ .dump = d };
	return STRUCTS_OPEN(d, rows, ret) ?: dump_ask(d, type_size, "struct dentry", &ret->bytes);
}

enum status dentries_read(const struct dentries *x, uint64_t address, struct dentry_object *ret)
{
	struct dentry_object o;
	enum status st = struct_read(&x->dentry, address, &o);

	if (st != ST_OK)
		return st;
	if (!o.parent || !o.super)
		return dump_corrupt(x->dump, "no dentry is at %#lx", address);
	if (o.name - address < x->bytes)
		o.name = 0;
	*ret = o;
	return ST_OK;
}
