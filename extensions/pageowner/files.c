// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files by the memory that they have: page cache and shared memory by inode, the largest first.
 * Every page of classes file and shmem is in one row.
 */
#include <stdio.h>

#include "class_counters.h"
#include "classes/file_pages.h"
#include "cli/rows.h"
#include "files/cached_file.h"
#include "files/open_files.h"
#include "memory.h"
#include "vm/file_maps.h"
#include "util/units.h"
#include "zones/vmstat.h"

static const char *const class_choices[] = { "file", "shmem", "hugetlb", NULL };

static const enum page_class classes[FILE_CLASSES] = {
	[FILE_CACHE] = CLASS_FILE,
	[FILE_SHMEM] = CLASS_SHMEM,
	[FILE_HUGETLB] = CLASS_HUGETLB,
};

/* A file. */
struct file_row {
	struct file_use use;
	enum file_class class;
	uint64_t address;	  /* of the address_space; 0: its pages were truncated */
	struct cached_file *file; /* NULL: they were, or the inode is unknown */
	const struct inode *inode;
	/* false: the kernel counts pages of the file, and this dump has the struct page of none. */
	bool has_pages;
	bool has_mapped, has_counted, has_difference;
	int64_t difference;
	struct maybe_u64 swapped, total;	  /* pages */
	bool was_named, was_used;		  /* looked up: its path; its users: */
	const char *opened_by, *mapped_by, *both; /* NULL: unknown */
};

struct files_view {
	struct owner_view *v;
	struct scan_stats cov;
	struct file_pages pages;
	struct class_pages found;
	struct cached_files files;
	struct open_files open; /* of the files that are shown */
	struct file_maps maps;
	bool has_users;		    /* they were read */
	const char *users_problem;  /* NULL, or why users of files may be missing */
	const char *swap_problem;   /* NULL, or why files in swap may be missing */
	uint64_t unknown, nunknown; /* pages of no known inode, and address_spaces of these */
	uint64_t ndiffer;	    /* files that the kernel counts other pages of */
	uint64_t nnameless;	    /* of those looked up: the path could not be read */
};

#define ROW struct file_row
#define VIEW struct files_view

/* Path, kind and whether it is deleted are known behind this; false: they are not. */
static bool has_name(struct files_view *f, const struct file_row *r)
{
	struct file_row *row = (struct file_row *)r;

	if (!r->file || (!r->was_named && dump_stopped(f->v->dump)))
		return false;
	if (!r->was_named) {
		cached_file_name(&f->files, r->file);
		f->nnameless += r->file->path_status != ST_OK && r->file->path_status != ST_ABSENT;
	}
	row->was_named = true;
	return true;
}

static const char *path_of(struct files_view *f, const struct file_row *r)
{
	if (!r->address)
		return "[truncated]";
	return has_name(f, r) ? cached_file_name(&f->files, r->file) : NULL;
}

static struct cell device_cell(const void *record, void *view)
{
	const struct inode *inode = ((const struct file_row *)record)->inode;
	char text[32];
	uint32_t dev;

	if (!inode)
		return cell_text(NULL);
	dev = (inode->mode & INODE_FORMAT) == INODE_BLOCK ? inode->rdev : inode->super->dev;
	snprintf(text, sizeof(text), "%u:%u", dev_major(dev), dev_minor(dev));
	return cell_text(intern(&((struct files_view *)view)->v->texts, text));
}

static void note(struct files_view *f, const char *problem)
{
	if (!f->users_problem)
		f->users_problem = arena_strdup(f->v->dump->arena, problem);
}

static const char *users_text(struct files_view *f, const struct file_users *users, bool complete)
{
	char text[FILE_USERS_TEXT];

	return file_users_text(users, complete, text) ? intern(&f->v->texts, text) : NULL;
}

/* Of its three cells the first that is asked for looks them up. */
static const struct file_row *with_users(struct files_view *f, const struct file_row *r)
{
	struct file_row *row = (struct file_row *)r;
	struct file_all_users u;
	enum status st;

	if (!f->has_users || !r->file || r->was_used)
		return r;
	row->was_used = true;
	st = file_maps_all(&f->maps, ST_OK, r->file, &f->open, &u);
	f->has_users = st != ST_STOPPED;
	if (st == ST_STOPPED)
		return r;
	if (st != ST_OK)
		note(f, f->v->dump->error);
	row->opened_by = users_text(f, &u.opened, u.opened_complete);
	row->mapped_by = users_text(f, &u.mapped, u.all_complete);
	row->both = users_text(f, &u.both, u.all_complete);
	return r;
}

CELL_FROM(class_cell, ROW, cell_text(page_class_name(classes[r->class])))
CELL_WITH(kind_cell, ROW, VIEW, cell_text(has_name(v, r) ? file_kind_names[r->file->kind] : NULL))
CELL_WITH(deleted_cell, ROW, VIEW,
	  has_name(v, r) && r->file->kind != FILE_UNKNOWN
		  ? cell_bool(cached_file_is_deleted(r->file))
		  : cell_text(NULL))
CELL_WITH(path_cell, ROW, VIEW, cell_text(path_of(v, r)))
CELL_WITH(opened_cell, ROW, VIEW, cell_text(with_users(v, r)->opened_by))
CELL_WITH(mapped_cell, ROW, VIEW, cell_text(with_users(v, r)->mapped_by))
CELL_WITH(users_cell, ROW, VIEW, cell_text(with_users(v, r)->both))
CELL_FROM(fs_cell, ROW, cell_text(r->inode ? r->inode->super->type : NULL))
CELL_FROM(counted_cell, ROW,
	  cell_if(r->has_counted, cell_uint(r->has_counted ? r->file->mapping.nrpages : 0)))

/* Numbers of its inode. */
enum inode_number { INODE_NUMBER, INODE_BYTES, INODE_NLINK, INODE_ADDRESS };

static struct cell inode_cell(const void *record, void *unused, unsigned int which)
{
	const struct inode *i = ((const struct file_row *)record)->inode;

	(void)unused;
	if (!i)
		return cell_text(NULL);
	return which == INODE_NUMBER  ? cell_uint(i->number)
	       : which == INODE_BYTES ? cell_uint(i->bytes)
	       : which == INODE_NLINK ? cell_uint(i->nlink)
				      : cell_hex(i->address);
}

/* Pages with a flag, where the kernel has that. */
#define FLAGGED(FLAG) CELL_BY(FLAG##_cell)
CELL_WITH(dirty_cell, ROW, VIEW, cell_if(r->has_pages && v->pages.dirty, cell_uint(r->use.dirty)))
CELL_WITH(writeback_cell, ROW, VIEW,
	  cell_if(r->has_pages && v->pages.writeback, cell_uint(r->use.writeback)))
CELL_WITH(mlocked_cell, ROW, VIEW,
	  cell_if(r->has_pages && v->pages.mlocked, cell_uint(r->use.mlocked)))

static const struct view_column columns[] = {
	{ COLUMN_pages, IN_BOTH, "null: none is in this dump, of pages that the kernel counts",
	  UINT_IF(ROW, use.pages, has_pages) },
	{ COLUMN_bytes, IN_BOTH, PAGES_IF(ROW, use.pages, has_pages) },
	{ COLUMN_ram_percent, IN_TEXT, SHARE_IF(ROW, use.pages, has_pages) },
	{ COLUMN_swapped_pages, IN_BOTH, UINT_MAYBE(ROW, swapped) },
	{ COLUMN_total_bytes, IN_JSON, PAGES_MAYBE(ROW, total) },
	{ COLUMN_class, IN_JSON | KNOWN, .choices = class_choices, CELL_BY(class_cell) },
	{ COLUMN_fs_type, IN_BOTH, CELL_BY(fs_cell) },
	{ COLUMN_file_kind, IN_JSON, .choices = file_kind_names + 1, CELL_LATE(kind_cell) },
	{ COLUMN_deleted, IN_JSON, CELL_LATE(deleted_cell) },
	{ COLUMN_device, IN_JSON, "of a block device its own", CELL_BY(device_cell) },
	{ COLUMN_inode, IN_JSON, CELL_OF(inode_cell, INODE_NUMBER) },
	{ COLUMN_file_bytes, IN_JSON, CELL_OF(inode_cell, INODE_BYTES) },
	{ COLUMN_nlink, IN_JSON, CELL_OF(inode_cell, INODE_NLINK) },
	{ COLUMN_dirty_pages, IN_JSON, FLAGGED(dirty) },
	{ COLUMN_writeback_pages, IN_JSON, FLAGGED(writeback) },
	{ COLUMN_mlocked_pages, IN_JSON, FLAGGED(mlocked) },
	{ COLUMN_mapped_pages, IN_JSON, UINT_IF(ROW, use.mapped, has_mapped) },
	{ COLUMN_counted_pages, IN_JSON,
	  "nrpages of the address_space; null: unknown, or of hugetlb", CELL_BY(counted_cell) },
	{ COLUMN_difference_pages, IN_JSON, INT_IF(ROW, difference, has_difference) },
	{ COLUMN_inode_address, IN_JSON, CELL_OF(inode_cell, INODE_ADDRESS) },
	{ COLUMN_address, IN_JSON, "of the struct address_space", HEX_NONZERO(ROW, address) },
	{ COLUMN_opened_by, IN_JSON, CELL_LATE(opened_cell) },
	{ COLUMN_mapped_by, IN_JSON, CELL_LATE(mapped_cell) },
	{ COLUMN_used_by, IN_BOTH, CELL_LATE(users_cell) },
	{ COLUMN_file, IN_BOTH,
	  "path, for an inode without one its file system in brackets; null: the inode is unknown",
	  CELL_LATE(path_cell) },
};

/* Records behind the rows: each class beside the counter of /proc/meminfo. */
static const struct view_column total_columns[] = { CLASS_TOTAL_COLUMNS(KNOWN) };

static const struct key file_keys[] = {
	{ COLUMN_file, "path of the file", KEY_FILTERS, .is_text = true },
	{ COLUMN_fs_type, "type of its file system", KEY_FILTERS, .is_text = true },
	{ COLUMN_file_kind, "kind of the file", KEY_FILTERS, .is_text = true,
	  .choices = file_kind_names + 1 },
	{ COLUMN_class, "class of its pages", KEY_FILTERS, .is_text = true,
	  .choices = class_choices },
	{ COLUMN_deleted, "whether no directory has it", KEY_FILTERS, .is_text = true,
	  .choices = key_yes_no },
	{ COLUMN_bytes, "bytes of its pages in memory", KEY_OF_GROUP, .quantity = RANGE_SIZE },
};

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct files_view *f = arg;
	struct owner_view *v = f->v;
	struct page_info info;
	enum page_class class;

	if (!memory_class(v, page, &info, &class)) {
		f->found.unreadable++;
		return ST_OK;
	}
	class_add_page(v, &f->found, class, page->pfn, &info);
	return file_pages_add(&f->pages, page->pfn, &info, class);
}

/* A file may be in swap with all its pages. */
static enum status add_swapped(void *arg, uint64_t address)
{
	struct files_view *f = arg;
	struct inode inode;
	enum status st = inode_read(&f->files.inodes, address, &inode);

	if (st != ST_OK && !f->swap_problem)
		f->swap_problem = arena_strdup(f->v->dump->arena, f->v->dump->error);
	if (st != ST_OK || !inode.has_swapped || !inode.swapped)
		return ST_OK;
	return file_pages_want(&f->pages, inode.mapping, FILE_SHMEM);
}

static void set_inode(struct files_view *f, struct file_row *r)
{
	const struct inode *inode = r->inode = &r->file->inode;
	uint64_t nrpages = r->file->mapping.nrpages;
	bool is_shmem = inode->super->is_shmem;

	r->swapped = (struct maybe_u64){ inode->swapped, is_shmem && inode->has_swapped };
	r->has_pages = r->use.pages || !nrpages;
	r->total.n = r->use.pages + (is_shmem ? inode->swapped : 0);
	r->total.known = r->has_pages && (!is_shmem || inode->has_swapped);
	/* The kernel counts hugetlb pages in other units up to 6.6. */
	if (r->class == FILE_HUGETLB)
		return;
	r->has_counted = true;
	r->has_difference = r->has_pages && !f->v->dump->interrupted;
	r->difference = (int64_t)(file_pages_of(&f->pages, r->address) - nrpages);
	f->ndiffer += !r->has_pages || (r->has_difference && r->difference);
}

static void add_row(struct files_view *f, uint64_t key, const struct file_use *u)
{
	struct file_row *r = dump_alloc(f->v->dump, sizeof(*r));

	*r = (struct file_row){ .use = *u,
				.class = file_key_class(key),
				.address = file_key_mapping(key),
				.has_pages = true };
	if (!r->address)
		r->total = (struct maybe_u64){ u->pages, true };
	else
		r->file = cached_file_at(&f->files, r->address);
	if (r->file && r->file->status != ST_OK) {
		f->unknown += u->pages;
		f->nunknown++;
		r->file = NULL;
	}
	if (r->file)
		set_inode(f, r);
	r->has_mapped = r->has_pages && !u->large;
	rows_add(f->v->in, r, f);
}

/* Reads who has the files of the first rows open. */
static void read_users(struct files_view *f, size_t rows)
{
	const struct table *t = &f->v->in->table;
	struct hash_u64 wanted;
	bool is_new;

	hash_u64_init(&wanted, f->v->dump->arena, 0);
	for (size_t i = 0; i < rows; i++) {
		const struct file_row *r = t->rows[i][t->ncolumns].record;

		if (r->inode)
			hash_u64_get(&wanted, r->inode->address, &is_new);
	}
	if (f->users_problem) /* a layout that is not known */
		return;
	f->has_users = open_files_read(&f->open, &wanted) == ST_OK;
	if (f->open.problem)
		note(f, f->open.problem);
}

static enum status put_rows(struct files_view *f)
{
	struct cmdline *in = f->v->in;
	bool all = rows_need_late(in);
	enum status st;

	for (struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next)
		add_row(f, e->key, (const struct file_use *)e->value);
	if (all)
		read_users(f, in->table.n);
	st = rows_sort(in);
	if (st != ST_OK)
		return st;
	if (!all)
		read_users(f, opts_rows(&in->opts, in->shown->rows, in->table.n));
	rows_put(&f->v->report, in);
	return ST_OK;
}

static void put_gaps(struct files_view *f)
{
	struct report *r = &f->v->report;
	char n[UNITS_PLURAL], spaces[UNITS_PLURAL];
	const struct gap gaps[] = {
		{ "the path of %s is unknown: %s", f->nnameless, "file", "files",
		  f->files.problem },
		GAP_WHY("users of files may be missing: %s", f->users_problem),
		GAP_WHY("files that are in swap may be missing: %s", f->swap_problem),
		/* With pages missing it is no difference. */
		{ "the kernel counts another number of pages of %s: see -o "
		  "+counted_pages,difference_pages",
		  f->found.unreadable ? 0 : f->ndiffer, "file", "files", .is_note = true },
	};

	if (f->nunknown)
		report_warn(r, "the file of %s is unknown: %s not in this dump, or corrupt",
			    units_plural(n, f->unknown, "page", "pages"),
			    units_plural(spaces, f->nunknown, "address_space or inode",
					 "address_spaces or inodes"));
	f->v->has_gaps |= f->nunknown;
	REPORT_GAPS(r, gaps);
}

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct files_view *f = v->own = dump_alloc(v->dump, sizeof(*f));
	enum status st = memory_open(v, 1 << KEY_CLASS, why);

	f->v = v;
	if (st != ST_OK)
		return st;
	*why = UNKNOWN_LAYOUT;
	if (!v->classes)
		return dump_fail(v->dump, ST_UNKNOWN, "page classes are not available");
	st = cached_files_open(v->dump, &f->files);
	if (st != ST_OK)
		return st;
	st = open_files_open(v->dump, &f->open);
	if (st == ST_OK)
		st = file_maps_open(v->dump, &f->maps);
	if (st != ST_OK)
		f->users_problem = arena_strdup(v->dump->arena, v->dump->error);
	return ST_OK;
}

static const struct view total_view = { "files-total", "", COLUMNS_OF(total_columns) };

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct files_view *f = v->own;
	enum status st, swap, shown;

	f->cov.ram_pages = v->in->table.whole = v->owner.ram.pages;
	file_pages_open(v->dump, &v->states, &f->pages);
	owner_view_counters(v);
	st = memory_scan(v, &f->cov, add_page, f);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	swap = st == ST_OK ? inodes_in_swap(&f->files.inodes, add_swapped, f) : ST_OK;
	if (swap != ST_OK && swap != ST_ABSENT)
		f->swap_problem = arena_strdup(v->dump->arena, v->dump->error);
	shown = put_rows(f);
	if (shown != ST_OK)
		return shown;
	const struct class_total totals[] = {
		class_total(v, &f->found, CLASS_FILE, page_class_name(CLASS_FILE), true),
		class_total(v, &f->found, CLASS_SHMEM, page_class_name(CLASS_SHMEM), true),
	};

	rows_put_below(&v->report, v->in, &total_view, totals, 2, sizeof(totals[0]), v);
	rows_put_kept(&v->report, v->in);
	put_gaps(f);
	memory_end_classes(v, &f->cov, st, &f->found, NULL);
	return st;
}

const struct view owner_files_view = {
	"files",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(file_keys),
	.has_groups = true,
	.below = &total_view,
	.filters_rows = true,
	.open = open_view,
	.show = show,
	ROWS_ARE("file", "files", "total_bytes,pages", 10),
};
