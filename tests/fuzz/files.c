// SPDX-License-Identifier: GPL-2.0-or-later
/* Files: inodes, their paths through dentries and mounts, tables of descriptors, trees of VMAs. */
#include <string.h>

#include "fuzz.h"
#include "vm/file_maps.h"

static enum status add_wanted(void *arg, uint64_t inode)
{
	bool is_new;

	hash_u64_get(arg, inode, &is_new);
	return ST_OK;
}

static void use_users(struct arena *a, const struct file_users *u)
{
	struct text_lists lists;
	const struct text_list *list;

	text_lists_init(&lists, a);
	list = file_users_list(u, false, &lists);
	if ((list != NULL) != (u->n > 0) || (list && (!*list->text || list->n != u->kept)))
		__builtin_trap();
	if (list && list->starts[list->n] > strlen(list->text) + 2)
		__builtin_trap();
	for (unsigned int i = 1; i < u->kept; i++)
		if (u->all[i - 1]->tgid >= u->all[i]->tgid)
			__builtin_trap();
}

static void use_file(struct cached_files *files, struct cached_file *file,
		     const struct file_maps *maps, const struct open_files *open)
{
	struct file_all_users users;
	const char *name = cached_file_name(files, file);
	enum status st;

	if ((file->status == ST_OK) != (name != NULL))
		__builtin_trap();
	if (!name)
		return;
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			__builtin_trap();
	if (file->kind >= FILE_KINDS)
		__builtin_trap();
	st = file_maps_all(maps, ST_OK, file, open, &users);
	if (st == ST_STOPPED)
		return;
	use_users(open->dump->arena, &users.both);
	if (users.all_complete && st != ST_OK)
		__builtin_trap();
}

void fuzz_files(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	static struct cached_files files;
	static struct open_files open;
	struct hash_u64 wanted;
	struct file_maps maps;
	struct cached_file *file;

	hash_u64_init(&wanted, d->arena, 0);
	if (cached_files_open(d, &files) != ST_OK || open_files_open(d, &open) != ST_OK ||
	    file_maps_open(d, &maps) != ST_OK)
		return;
	inodes_in_swap(&files.inodes, add_wanted, &wanted);
	for (unsigned int i = 0; i < 16; i++) {
		file = cached_file_at(&files, 0xffff888000000000 + (seed & 0xfffff8) + i * 0x1238);
		if (file && file->status == ST_OK)
			add_wanted(&wanted, file->inode.address);
	}
	open_files_read(&open, &wanted);
	for (struct hash_u64_entry *e = files.files.first; e; e = e->next)
		use_file(&files, (struct cached_file *)e->value, &maps, &open);
}
