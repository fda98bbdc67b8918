// SPDX-License-Identifier: GPL-2.0-or-later
#include "mm/file_maps.h"

#include <string.h>

#include "dump/layout.h"

#define MAX_DEPTH 128 /* a red-black tree of 2^64 nodes is no deeper */

static const struct layout_row rows[FILE_MAP_FIELDS] = {
	[MAP_NODE] = { "struct vm_area_struct", { "shared.rb" }, REQUIRED, "3.7" },
	[MAP_MM] = { "struct vm_area_struct", { "vm_mm" }, REQUIRED, "all" },
	[MAP_LEFT] = { "struct rb_node", { "rb_left" }, REQUIRED, "all" },
	[MAP_RIGHT] = { "struct rb_node", { "rb_right" }, REQUIRED, "all" },
};

enum status file_maps_open(struct dump *d, struct file_maps *ret)
{
	struct file_maps m = { .dump = d };
	enum status st = layout_resolve(d, rows, FILE_MAP_FIELDS, m.f);

	if (st == ST_OK)
		*ret = m;
	return st;
}

struct walk {
	const struct file_maps *m;
	const struct open_files *open;
	struct file_users users;
	struct hash_u64 mms;	   /* that were counted */
	struct hash_u64 nodes;	   /* that were visited */
	uint64_t stack[MAX_DEPTH]; /* nodes whose right side is still to be read */
	unsigned int depth;
};

static enum status add_vma(struct walk *w, uint64_t node)
{
	const struct field *f = w->m->f;
	struct dump *d = w->m->dump;
	const struct file_user *user;
	uint64_t mm;
	bool is_new;
	enum status st = dump_u64(d, node - f[MAP_NODE].offset + f[MAP_MM].offset, &mm,
				  "vm_area_struct");

	if (st != ST_OK)
		return st;
	if (!hash_u64_get(&w->mms, mm, &is_new))
		return dump_no_memory(d);
	user = is_new ? open_files_mm(w->open, mm) : NULL;
	if (user)
		file_users_add(&w->users, user);
	return ST_OK;
}

/* The node and all on its left side are to be visited next. */
static enum status push(struct walk *w, uint64_t node)
{
	struct dump *d = w->m->dump;
	enum status st = ST_OK;

	while (st == ST_OK && node) {
		if (w->depth == MAX_DEPTH)
			return dump_fail(d, ST_CORRUPT, "i_mmap loops at %#llx",
					 (unsigned long long)node);
		w->stack[w->depth++] = node;
		st = dump_u64(d, node + w->m->f[MAP_LEFT].offset, &node, "i_mmap");
	}
	return st;
}

enum status file_maps_users(const struct file_maps *m, const struct mapping *mapping,
			    const struct open_files *o, struct file_users *ret)
{
	struct dump *d = m->dump;
	struct walk w = { .m = m, .open = o };
	enum status st;
	bool is_new;

	hash_u64_init(&w.mms, d->arena, 0);
	hash_u64_init(&w.nodes, d->arena, 0);
	st = push(&w, mapping->mmap);
	while (st == ST_OK && w.depth) {
		uint64_t node = w.stack[--w.depth];

		if (!hash_u64_get(&w.nodes, node, &is_new))
			return dump_no_memory(d);
		if (!is_new)
			return dump_fail(d, ST_CORRUPT, "i_mmap loops at %#llx",
					 (unsigned long long)node);
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		st = add_vma(&w, node);
		if (st == ST_OK)
			st = dump_u64(d, node + m->f[MAP_RIGHT].offset, &node, "i_mmap");
		if (st == ST_OK)
			st = push(&w, node);
	}
	if (st == ST_OK)
		*ret = w.users;
	return st;
}

enum status file_maps_all(const struct file_maps *m, enum status status,
			  const struct cached_file *file, const struct open_files *o,
			  struct file_all_users *ret)
{
	struct file_all_users u = { .opened_complete = o->complete };
	const struct file_users *opened = open_files_find(o, file->inode.address);
	enum status st = status;

	if (opened)
		u.opened = u.both = *opened;
	if (st == ST_OK)
		st = file_maps_users(m, &file->mapping, o, &u.mapped);
	if (st == ST_NOMEM || st == ST_STOPPED)
		return st;
	u.all_complete = o->complete && st == ST_OK;
	/* Those that are not named are more than these at least. */
	for (unsigned int i = 0; i < u.mapped.n && i < FILE_USERS; i++)
		file_users_add(&u.both, &u.mapped.first[i]);
	if (u.mapped.n > u.both.n)
		u.both.n = u.mapped.n;
	*ret = u;
	return st;
}
