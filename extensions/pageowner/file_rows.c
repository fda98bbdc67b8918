// SPDX-License-Identifier: GPL-2.0-or-later
/* The cells of pageowner -t files. */
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "util/units.h"

static const enum page_class classes[FILE_CLASSES] = {
	[FILE_CACHE] = CLASS_FILE,
	[FILE_SHMEM] = CLASS_SHMEM,
	[FILE_HUGETLB] = CLASS_HUGETLB,
};

static struct cell device_cell(struct files_view *f, const struct inode *inode)
{
	bool is_block = (inode->mode & INODE_FORMAT) == INODE_BLOCK;
	uint32_t dev = is_block ? inode->rdev : inode->super->dev;
	char text[32];

	snprintf(text, sizeof(text), "%u:%u", dev_major(dev), dev_minor(dev));
	return cell_text(intern(&f->v->texts, text));
}

/* As the kernel counts the pages; it counts hugetlb pages in other units up to 6.6. */
static void fill_counted(struct files_view *f, uint64_t mapping, const struct cached_file *file,
			 enum file_class class, struct cell *row)
{
	int64_t diff = (int64_t)(file_pages_of(&f->pages, mapping) - file->mapping.nrpages);
	bool known = row[COL_PAGES].kind != CELL_NULL;

	if (class == FILE_HUGETLB)
		return;
	row[COL_COUNTED] = cell_uint(file->mapping.nrpages);
	f->ndiffer += !known;
	if (f->v->dump->interrupted || !known)
		return;
	row[COL_DIFF] = cell_int(diff);
	f->ndiffer += diff != 0;
}

static void fill_inode(struct files_view *f, const struct file_use *u,
		       const struct cached_file *file, struct cell *row)
{
	const struct inode *inode = &file->inode;
	unsigned int shift = f->v->page_shift;

	if (inode->super->is_shmem)
		row[COL_SWAPPED] = cell_if(inode->has_swapped, cell_uint(inode->swapped));
	if (!inode->super->is_shmem)
		row[COL_TOTAL] = cell_uint(u->pages << shift);
	else if (inode->has_swapped)
		row[COL_TOTAL] = cell_uint((u->pages + inode->swapped) << shift);
	row[COL_FS] = cell_text(inode->super->type);
	row[COL_DEVICE] = device_cell(f, inode);
	row[COL_INODE] = cell_uint(inode->number);
	row[COL_FILE_BYTES] = cell_uint(inode->bytes);
	row[COL_NLINK] = cell_uint(inode->nlink);
	row[COL_INODE_ADDRESS] = cell_hex(inode->address);
}

/* The kernel counts pages of the file, and this dump has the struct page of none. */
static void forget_pages(struct cell *row)
{
	static const unsigned int columns[] = { COL_PAGES, COL_BYTES,	  COL_RAM,     COL_TOTAL,
						COL_DIRTY, COL_WRITEBACK, COL_MLOCKED, COL_MAPPED };

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		row[columns[i]] = (struct cell){ .kind = CELL_NULL };
}

void file_row_numbers(struct files_view *f, uint64_t key, const struct file_use *u,
		      struct cached_file *file, struct cell *row)
{
	const struct owner_view *v = f->v;
	const struct file_pages *p = &f->pages;
	enum file_class class = file_key_class(key);

	row[COL_PAGES] = cell_uint(u->pages);
	row[COL_BYTES] = cell_uint(u->pages << v->page_shift);
	row[COL_RAM] = cell_uint(units_tenths(u->pages, v->owner.ram.pages));
	row[COL_CLASS] = cell_text(page_class_name(classes[class]));
	row[COL_DIRTY] = cell_if(p->dirty, cell_uint(u->dirty));
	row[COL_WRITEBACK] = cell_if(p->writeback, cell_uint(u->writeback));
	row[COL_MLOCKED] = cell_if(p->mlocked, cell_uint(u->mlocked));
	row[COL_MAPPED] = cell_if(!u->large, cell_uint(u->mapped));
	if (!file) {
		row[COL_TOTAL] = row[COL_BYTES];
		row[COL_FILE] = cell_text("[truncated]");
		return;
	}
	row[COL_ADDRESS] = cell_hex(file_key_mapping(key));
	if (file->status != ST_OK)
		return;
	fill_inode(f, u, file, row);
	if (!u->pages && file->mapping.nrpages)
		forget_pages(row);
	fill_counted(f, file_key_mapping(key), file, class, row);
}

void file_row_names(struct files_view *f, struct cell *row)
{
	struct cached_file *file;

	if (row[COL_FILE].kind != CELL_NULL || row[COL_ADDRESS].kind == CELL_NULL)
		return;
	file = cached_file_at(&f->files, row[COL_ADDRESS].u);
	if (!file || file->status != ST_OK)
		return;
	row[COL_FILE] = cell_text(cached_file_name(&f->files, file));
	row[COL_KIND] = cell_text(file_kind_names[file->kind]);
	if (file->kind != FILE_UNKNOWN)
		row[COL_DELETED] = cell_bool(cached_file_is_deleted(file));
	f->nnameless += file->path_status != ST_OK && file->path_status != ST_ABSENT;
}

static struct cell users_cell(struct files_view *f, const struct file_users *users, bool complete)
{
	char text[FILE_USERS_TEXT];

	if (!file_users_text(users, complete, text))
		return (struct cell){ .kind = CELL_NULL };
	return cell_text(intern(&f->v->texts, text));
}

static void note(struct files_view *f, const char *problem)
{
	if (!f->users_problem)
		f->users_problem = arena_strdup(f->v->dump->arena, problem);
}

static enum status fill_users(struct files_view *f, const struct cached_file *file,
			      struct cell *row)
{
	struct file_all_users u;
	enum status st = file_maps_all(&f->maps, ST_OK, file, &f->open, &u);

	if (st == ST_NOMEM || st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		note(f, f->v->dump->error);
	row[COL_OPENED_BY] = users_cell(f, &u.opened, u.opened_complete);
	row[COL_MAPPED_BY] = users_cell(f, &u.mapped, u.all_complete);
	row[COL_USED_BY] = users_cell(f, &u.both, u.all_complete);
	return ST_OK;
}

static const struct cached_file *file_of(struct files_view *f, const struct cell *row)
{
	const struct cached_file *file;

	if (row[COL_ADDRESS].kind == CELL_NULL)
		return NULL;
	file = cached_file_at(&f->files, row[COL_ADDRESS].u);
	return file && file->status == ST_OK ? file : NULL;
}

enum status file_rows_users(struct files_view *f, size_t rows)
{
	struct table *t = &f->v->in->table;
	struct dump *d = f->v->dump;
	struct hash_u64 wanted;
	enum status st = ST_OK;
	bool is_new;

	hash_u64_init(&wanted, d->arena, 0);
	for (size_t i = 0; i < rows; i++) {
		const struct cached_file *file = file_of(f, t->rows[i]);

		if (file && !hash_u64_get(&wanted, file->inode.address, &is_new))
			return dump_no_memory(d);
	}
	if (f->users_problem) /* a layout that is not known */
		return ST_OK;
	st = open_files_read(&f->open, &wanted);
	if (f->open.problem)
		note(f, f->open.problem);
	for (size_t i = 0; i < rows && st == ST_OK; i++) {
		const struct cached_file *file = file_of(f, t->rows[i]);

		if (file)
			st = fill_users(f, file, t->rows[i]);
	}
	return st == ST_STOPPED ? ST_OK : st;
}
