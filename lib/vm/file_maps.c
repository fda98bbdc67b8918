// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/file_maps.h"

static const struct layout_row rows[FILE_MAP_FIELDS] = {
	[MAP_NODE] = { "struct vm_area_struct", { "shared.rb" }, REQUIRED, "3.7" },
	[MAP_MM] = { "struct vm_area_struct", { "vm_mm" }, REQUIRED, "all" },
	[MAP_FLAGS] = { "struct vm_area_struct", { "vm_flags" }, OPTIONAL, "all" },
	[MAP_FILE] = { "struct vm_area_struct", { "vm_file" }, OPTIONAL, "all" },
};

enum status file_maps_open(struct dump *d, struct file_maps *ret)
{
	struct file_maps m = { .dump = d };
	enum status st = layout_resolve(d, rows, FILE_MAP_FIELDS, m.f) ?: rb_types_open(d, &m.rb);

	/* Who has a file open is told where who maps it cannot be. */
	*ret = st == ST_OK ? m : (struct file_maps){ .dump = d };
	return st;
}

/* A member that only some mappings are asked for. */
static enum status read_member(const struct file_maps *m, uint64_t vma, enum file_map_field f,
			       uint64_t *ret)
{
	if (!m->f[f].present)
		return dump_unknown(m->dump, "vm_area_struct without %s", rows[f].names[0]);
	return dump_u64(m->dump, vma + m->f[f].offset, ret, "vm_area_struct");
}

static enum status is_wanted(const struct file_maps *m, uint64_t vma, bool *ret)
{
	uint64_t flags = m->flags, file = m->file;
	enum status st = flags ? read_member(m, vma, MAP_FLAGS, &flags) : ST_OK;

	if (st == ST_OK && file)
		st = read_member(m, vma, MAP_FILE, &file);
	return RESULT(st, ret, (flags & m->flags) == m->flags && file == m->file);
}

/* mms: those that were counted. */
static enum status add_vma(const struct file_maps *m, const struct open_files *o, uint64_t node,
			   struct hash_u64 *mms, struct file_users *users)
{
	const struct field *f = m->f;
	struct dump *d = m->dump;
	const struct file_user *user;
	const uint64_t vma = node - f[MAP_NODE].offset;
	uint64_t mm;
	bool is_new, wanted = false;
	enum status st = dump_u64(d, vma + f[MAP_MM].offset, &mm, "vm_area_struct")
				 ?: is_wanted(m, vma, &wanted);

	if (st != ST_OK || !wanted)
		return st;
	hash_u64_get(mms, mm, &is_new);
	user = is_new ? open_files_mm(o, mm) : NULL;
	if (user)
		file_users_add(d->arena, users, user);
	return ST_OK;
}

enum status file_maps_users(const struct file_maps *m, const struct mapping *mapping,
			    const struct open_files *o, struct file_users *ret)
{
	struct file_users users = { 0 };
	struct hash_u64 mms;
	struct rb_nodes n;
	enum status st = ST_OK;
	uint64_t node;

	hash_u64_init(&mms, m->dump->arena, 0);
	rb_begin(&n, m->dump, &m->rb, mapping->mmap, "i_mmap");
	while (st == ST_OK && rb_next(&n, &node))
		st = add_vma(m, o, node, &mms, &users);
	return RESULT(st ?: rb_end(&n), ret, users);
}

enum status file_maps_with(const struct file_maps *m, enum status status,
			   const struct mapping *mapping, const struct file_users *opened,
			   const struct open_files *o, struct file_all_users *ret)
{
	struct file_all_users u = { .opened_complete = o->complete };
	enum status st = status;

	if (opened)
		u.opened = *opened;
	st = st ?: file_maps_users(m, mapping, o, &u.mapped);
	if (st == ST_STOPPED)
		return st;
	u.all_complete = o->complete && st == ST_OK;
	file_users_add_all(m->dump->arena, &u.both, &u.opened);
	file_users_add_all(m->dump->arena, &u.both, &u.mapped);
	*ret = u;
	return st;
}

enum status file_maps_all(const struct file_maps *m, enum status status,
			  const struct cached_file *file, const struct open_files *o,
			  struct file_all_users *ret)
{
	return file_maps_with(m, status, &file->mapping, open_files_find(o, file->inode.address), o,
			      ret);
}
