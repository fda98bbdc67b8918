// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files by the memory that they have: page cache and shared memory by inode, the largest first.
 * Every page of classes file and shmem is in one row.
 */
#include "files.h"

#include <string.h>

#include "memory.h"
#include "zones/vmstat.h"
#include "util/units.h"

#define DEFAULT_ROWS 10

static const char *const class_choices[] = { "file", "shmem", "hugetlb", NULL };

static const struct view_column columns[FILE_COLUMNS] = {
	[COL_PAGES] = { COLUMN_pages, IN_BOTH,
			"null: none is in this dump, of pages that the kernel counts" },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH },
	[COL_RAM] = { COLUMN_ram_percent, IN_TEXT },
	[COL_SWAPPED] = { COLUMN_swapped_pages, IN_BOTH },
	[COL_TOTAL] = { COLUMN_total_bytes, IN_JSON },
	[COL_CLASS] = { COLUMN_class, IN_JSON | KNOWN, .choices = class_choices },
	[COL_FS] = { COLUMN_fs_type, IN_BOTH },
	[COL_KIND] = { COLUMN_file_kind, IN_JSON, .choices = file_kind_names + 1 },
	[COL_DELETED] = { COLUMN_deleted, IN_JSON },
	[COL_DEVICE] = { COLUMN_device, IN_JSON, "of a block device its own" },
	[COL_INODE] = { COLUMN_inode, IN_JSON },
	[COL_FILE_BYTES] = { COLUMN_file_bytes, IN_JSON },
	[COL_NLINK] = { COLUMN_nlink, IN_JSON },
	[COL_DIRTY] = { COLUMN_dirty_pages, IN_JSON },
	[COL_WRITEBACK] = { COLUMN_writeback_pages, IN_JSON },
	[COL_MLOCKED] = { COLUMN_mlocked_pages, IN_JSON },
	[COL_MAPPED] = { COLUMN_mapped_pages, IN_JSON },
	[COL_COUNTED] = { COLUMN_counted_pages, IN_JSON,
			  "nrpages of the address_space; null: unknown, or of hugetlb" },
	[COL_DIFF] = { COLUMN_difference_pages, IN_JSON },
	[COL_INODE_ADDRESS] = { COLUMN_inode_address, IN_JSON },
	[COL_ADDRESS] = { COLUMN_address, IN_JSON, "of the struct address_space" },
	[COL_OPENED_BY] = { COLUMN_opened_by, IN_JSON },
	[COL_MAPPED_BY] = { COLUMN_mapped_by, IN_JSON },
	[COL_USED_BY] = { COLUMN_used_by, IN_BOTH },
	[COL_FILE] = { COLUMN_file, IN_BOTH,
		       "path, for an inode without one its file system in brackets; null: the inode "
		       "is unknown" },
};

/* Records behind the rows: each class beside the counter of /proc/meminfo. */
enum { TOTAL_NAME, TOTAL_PAGES, TOTAL_COUNTED, TOTAL_DIFF, TOTAL_COUNTER, TOTAL_CAUSE, TOTALS };

static const struct view_column total_columns[TOTALS] = {
	[TOTAL_NAME] = { COLUMN_name, IN_BOTH | KNOWN },
	[TOTAL_PAGES] = { COLUMN_pages, IN_BOTH | KNOWN },
	[TOTAL_COUNTED] = { COLUMN_counted_pages, IN_BOTH | SIGNED },
	[TOTAL_DIFF] = { COLUMN_difference_pages, IN_BOTH },
	[TOTAL_COUNTER] = { COLUMN_counter, IN_JSON },
	[TOTAL_CAUSE] = { COLUMN_cause, IN_BOTH },
};

enum { FILTER_FILE, FILTER_FS, FILTER_KIND, FILTER_CLASS, FILTER_DELETED, FILTER_SIZE, FILE_KEYS };

static const struct key file_keys[FILE_KEYS] = {
	[FILTER_FILE] = { COLUMN_file, "path of the file", KEY_FILTERS, .is_text = true },
	[FILTER_FS] = { COLUMN_fs_type, "type of its file system", KEY_FILTERS, .is_text = true },
	[FILTER_KIND] = { COLUMN_file_kind, "kind of the file", KEY_FILTERS, .is_text = true,
			  .choices = file_kind_names + 1 },
	[FILTER_CLASS] = { COLUMN_class, "class of its pages", KEY_FILTERS, .is_text = true,
			   .choices = class_choices },
	[FILTER_DELETED] = { COLUMN_deleted, "whether no directory has it", KEY_FILTERS,
			     .is_text = true, .choices = key_yes_no },
	[FILTER_SIZE] = { COLUMN_bytes, "bytes of its pages in memory", KEY_OF_GROUP,
			  .quantity = RANGE_SIZE },
};

static const struct view total_view = { "files-total", "-t files", COLUMNS_OF(total_columns) };

const struct view owner_files_view = { "files",
				       "-t files",
				       COLUMNS_OF(columns),
				       .has_groups = true,
				       .below = &total_view,
				       .keys = file_keys,
				       .nkeys = FILE_KEYS,
				       .filters_rows = true };

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

	if (st == ST_NOMEM)
		return st;
	if (st != ST_OK && !f->swap_problem)
		f->swap_problem = arena_strdup(f->v->dump->arena, f->v->dump->error);
	if (st != ST_OK || !inode.has_swapped || !inode.swapped)
		return ST_OK;
	return file_pages_want(&f->pages, inode.mapping, FILE_SHMEM);
}

static bool keeps_text(const struct filter *filter, const struct cell *c)
{
	return filter_keeps_text(filter, c->kind == CELL_TEXT ? c->text : NULL);
}

static bool keeps(struct files_view *f, struct cell *row)
{
	static const unsigned int texts[FILE_KEYS] = {
		[FILTER_FILE] = COL_FILE,
		[FILTER_FS] = COL_FS,
		[FILTER_KIND] = COL_KIND,
		[FILTER_CLASS] = COL_CLASS,
	};
	const struct filters *filters = &f->v->in->filters;

	for (unsigned int i = 0; i < filters->n; i++) {
		const struct filter *filter = &filters->filters[i];
		const struct cell *deleted = &row[COL_DELETED];
		bool kept;

		if (filter->key != FILTER_SIZE && filter->key != FILTER_FS &&
		    filter->key != FILTER_CLASS)
			file_row_names(f, row);
		if (filter->key == FILTER_SIZE)
			kept = row[COL_BYTES].kind == CELL_NULL
				       ? filter_keeps_unknown(filter)
				       : filter_keeps_number(filter, row[COL_BYTES].u);
		else if (filter->key == FILTER_DELETED)
			kept = filter_keeps_text(filter, deleted->kind == CELL_NULL ? NULL
							 : deleted->u		    ? "yes"
										    : "no");
		else
			kept = keeps_text(filter, &row[texts[filter->key]]);
		if (!kept)
			return false;
	}
	return true;
}

static enum status add_row(struct files_view *f, uint64_t key, const struct file_use *u)
{
	struct table *t = &f->v->in->table;
	struct cached_file *file = NULL;
	struct cell *row;

	if (file_key_mapping(key)) {
		file = cached_file_at(&f->files, file_key_mapping(key));
		if (!file)
			return dump_no_memory(f->v->dump);
		f->unknown += file->status != ST_OK ? u->pages : 0;
		f->nunknown += file->status != ST_OK;
	}
	row = table_add(t);
	if (!row)
		return ST_NOMEM;
	file_row_numbers(f, key, u, file, row);
	if (!keeps(f, row)) {
		t->n--;
		t->refused++;
	}
	return ST_OK;
}

/* Whether rows are sorted by what is looked up for the rows that are shown only. */
static bool sorts_details(const struct table *t, const char *spec)
{
	while (spec && *spec) {
		size_t len = strcspn(spec, ","), column = table_find(t, spec, len);

		if (column == COL_FILE || column == COL_KIND || column == COL_DELETED ||
		    column == COL_OPENED_BY || column == COL_MAPPED_BY || column == COL_USED_BY)
			return true;
		spec += len + (spec[len] == ',');
	}
	return false;
}

static enum status fill_details(struct files_view *f, size_t rows)
{
	const struct table *t = &f->v->in->table;

	for (size_t i = 0; i < rows; i++) {
		if (dump_stopped(f->v->dump))
			break;
		file_row_names(f, t->rows[i]);
	}
	return file_rows_users(f, rows);
}

static enum status fill_table(struct files_view *f, size_t *shown)
{
	const struct opts *o = &f->v->in->opts;
	struct table *t = &f->v->in->table;
	enum status st = ST_OK;
	const struct filters *filters = &f->v->in->filters;
	bool all = filters->nrows || sorts_details(t, o->sort);

	for (struct hash_u64_entry *e = f->pages.uses.first; e && st == ST_OK; e = e->next)
		st = add_row(f, e->key, (const struct file_use *)e->value);
	if (st == ST_OK && all)
		st = fill_details(f, t->n);
	table_filter(t, filters);
	*shown = opts_rows(o, DEFAULT_ROWS, t->n);
	if (st == ST_OK)
		st = table_sort(t, o->sort ? o->sort : "total_bytes,pages", o->reverse);
	return st == ST_OK && !all ? fill_details(f, *shown) : st;
}

static enum status add_total(struct files_view *f, struct table *t, enum page_class class)
{
	struct cell *row = table_add(t);
	struct class_count count;

	if (!row)
		return ST_NOMEM;
	class_count(f->v, &f->found, class, &count);
	row[TOTAL_NAME] = cell_text(page_class_name(class));
	row[TOTAL_PAGES] = cell_uint(f->found.pages[class]);
	row[TOTAL_COUNTER] = cell_text(count.counter);
	if (!count.known)
		return ST_OK;
	row[TOTAL_COUNTED] = cell_int(count.pages);
	row[TOTAL_DIFF] = cell_int((int64_t)f->found.pages[class] - count.pages);
	row[TOTAL_CAUSE] = cell_text(count.cause);
	return ST_OK;
}

static enum status put_totals(struct files_view *f)
{
	struct owner_view *v = f->v;
	struct table t;
	enum status st = table_init(&t, v->dump, total_columns, TOTALS, v->in->opts.json);

	if (st == ST_OK)
		st = add_total(f, &t, CLASS_FILE);
	if (st == ST_OK)
		st = add_total(f, &t, CLASS_SHMEM);
	if (st == ST_OK)
		report_records(&v->report, &t, "total");
	return st;
}

static void put_warnings(struct files_view *f)
{
	struct report *r = &f->v->report;
	char n[UNITS_PLURAL], spaces[UNITS_PLURAL];

	if (f->nunknown)
		report_warn(r, "the file of %s is unknown: %s not in this dump, or corrupt",
			    units_plural(n, f->unknown, "page", "pages"),
			    units_plural(spaces, f->nunknown, "address_space or inode",
					 "address_spaces or inodes"));
	if (f->nnameless)
		report_warn(r, "the path of %s is unknown: %s",
			    units_plural(n, f->nnameless, "file", "files"), f->files.problem);
	if (f->users_problem)
		report_warn(r, "users of files may be missing: %s", f->users_problem);
	if (f->swap_problem)
		report_warn(r, "files that are in swap may be missing: %s", f->swap_problem);
	/* With pages missing it is no difference. */
	if (f->ndiffer && !f->found.unreadable)
		report_warn(r,
			    "the kernel counts another number of pages of %s: see -o "
			    "+counted_pages,difference_pages",
			    units_plural(n, f->ndiffer, "file", "files"));
}

static enum status put(struct files_view *f, enum status scanned)
{
	struct owner_view *v = f->v;
	struct memory_gaps gaps = { f->found.unreadable, f->found.pages[CLASS_UNKNOWN] };
	uint64_t visited = f->found.unreadable;
	size_t shown;
	enum status st = fill_table(f, &shown);

	if (st != ST_OK)
		return st;
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, DEFAULT_ROWS);
	report_rest_bytes(&f->v->report, &f->v->in->table, shown, COL_BYTES, "file", "files");
	st = put_totals(f);
	if (st != ST_OK)
		return st;
	report_rows_kept(&v->report, &v->in->filters, &v->in->table, "file", "files");
	put_warnings(f);
	for (unsigned int i = 0; i < PAGE_CLASSES; i++)
		visited += f->found.pages[i];
	v->has_gaps = f->nunknown || f->users_problem || f->swap_problem || f->nnameless;
	memory_end(v, &f->cov, scanned, &gaps, visited, NULL);
	return scanned;
}

enum status owner_files_open(struct owner_view *v, enum availability *why)
{
	struct files_view *f = dump_alloc(v->dump, sizeof(*f));
	enum status st;

	if (!f)
		return ST_NOMEM;
	v->filed = f;
	f->v = v;
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

enum status owner_files(struct owner_view *v)
{
	struct files_view *f = v->filed;
	enum status st, swap;

	f->cov.ram_pages = v->owner.ram.pages;
	file_pages_open(v->dump, &v->states, &f->pages);
	owner_view_counters(v);
	st = memory_scan(v, &f->cov, add_page, f);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	swap = st == ST_OK ? inodes_in_swap(&f->files.inodes, add_swapped, f) : ST_OK;
	if (swap == ST_NOMEM)
		return swap;
	if (swap != ST_OK && swap != ST_ABSENT)
		f->swap_problem = arena_strdup(v->dump->arena, v->dump->error);
	return put(f, st);
}
