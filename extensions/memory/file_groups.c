// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner files -g: files with the same values of the keys, in a row. */
#include "files.h"

#include "util/units.h"

struct group {
	struct row_group keys;
	uint64_t files, pages, swapped;
	uint64_t no_pages, no_swapped; /* files of which it is unknown */
	bool has_shmem;
	bool has_times; /* a file has one; of these: */
	uint64_t first_s, last_s;
};

#define ROW struct group
#define VIEW const struct files_view

static struct cell ago_cell(const struct files_view *f, const struct group *g, uint64_t when_s)
{
	bool known = g->has_times && f->end_s.known && when_s <= f->end_s.n;

	return cell_if(known, cell_uint(known ? (f->end_s.n - when_s) * 1000000000ULL : 0));
}

static struct cell pages_cell(const void *record, void *view, unsigned int in_bytes)
{
	const ROW *g = record;

	return cell_if(!g->no_pages,
		       cell_uint(g->pages << (in_bytes ? ((VIEW *)view)->v->page_shift : 0)));
}

CELL_WITH(ram_cell, ROW, VIEW,
	  cell_if(!r->no_pages, cell_uint(units_tenths(r->pages, v->v->owner.ram.pages))))
CELL_FROM(swapped_cell, ROW, cell_if(r->has_shmem && !r->no_swapped, cell_uint(r->swapped)))
CELL_WITH(total_cell, ROW, VIEW,
	  cell_if(!r->no_pages && !r->no_swapped,
		  cell_uint((r->pages + r->swapped) << v->v->page_shift)))
CELL_WITH(first_cell, ROW, VIEW, ago_cell(v, r, r->first_s))
CELL_WITH(last_cell, ROW, VIEW, ago_cell(v, r, r->last_s))

CAN_HAVE(may_be_shmem, ROW, VIEW, r->has_shmem || r->no_swapped)

static const struct view_column columns[] = {
	{ COLUMN_files, IN_BOTH | KNOWN, UINT_OF(ROW, files) },
	{ COLUMN_pages, IN_BOTH, "null: of one of them it is unknown", CELL_OF(pages_cell, false) },
	{ COLUMN_bytes, IN_BOTH, CELL_OF(pages_cell, true) },
	{ COLUMN_ram_percent, IN_TEXT, CELL_BY(ram_cell) },
	{ COLUMN_swapped_pages, IN_BOTH, .can_have = may_be_shmem, CELL_BY(swapped_cell) },
	{ COLUMN_total_bytes, IN_JSON, CELL_BY(total_cell) },
	{ COLUMN_first_written_ns, IN_BOTH, CELL_BY(first_cell) },
	{ COLUMN_written_ns, IN_BOTH, "of the one that was written last", CELL_BY(last_cell) },
	{ COLUMN_class, 0, .choices = file_class_choices },
	{ COLUMN_fs_type, 0 },
	{ COLUMN_file_kind, 0, .choices = file_kind_names + 1 },
	{ COLUMN_deleted, 0 },
	{ COLUMN_memcg, 0 },
	{ COLUMN_process, 0 },
	{ COLUMN_used_by, 0 },
	{ COLUMN_mount, 0 },
	{ COLUMN_dir, 0 },
	{ COLUMN_file, 0 },
	BASIS(derived),
};

static void prepare(struct cmdline *in)
{
	rows_show_groups(in, (const enum column_id[]){ COLUMN_NONE });
}

static void add_file(struct group *g, const struct file_row *r)
{
	const struct inode *i = r->inode;

	g->files++;
	g->pages += r->use.pages;
	g->no_pages += !r->has_pages;
	g->has_shmem |= i && i->super->is_shmem;
	if (r->swapped.known)
		g->swapped += r->swapped.n;
	g->no_swapped += !r->total.known && r->has_pages;
	if (!i || !i->has_mtime)
		return;
	if (!g->has_times || i->mtime_s < g->first_s)
		g->first_s = i->mtime_s;
	if (!g->has_times || i->mtime_s > g->last_s)
		g->last_s = i->mtime_s;
	g->has_times = true;
}

static enum status put_groups(struct files_view *f)
{
	struct cmdline *in = f->v->in;
	struct row_groups groups;
	enum status st;
	bool is_new;

	/* Only a process or users as a key need the tables of all processes. */
	if (files_use_key(in, FILE_BY_PROCESS) || files_use_key(in, FILE_BY_USERS))
		files_read_users(f);
	row_groups_init(&groups, f->v->dump, sizeof(struct group));
	for (const struct file_row *r = f->first; r; r = r->next) {
		struct group *g;

		if (dump_stopped(f->v->dump))
			break;
		if (!rows_keep_member(in, file_columns, FILE_COLUMNS, r, f))
			continue;
		g = row_groups_get(&groups, in, file_columns, FILE_COLUMNS, r, f, &is_new);
		add_file(g, r);
	}
	for (struct hash_bytes_entry *e = groups.groups.first; e; e = e->next) {
		const struct row_group *group = e->value;

		if (rows_keep_group(in, group, group->members, f))
			row_add_group(in, group, f);
	}
	st = rows_sort(in);
	if (st == ST_OK)
		rows_put(&f->v->report, in);
	return st;
}

static enum status show_groups(void *arg)
{
	return files_put(arg, put_groups);
}

/* Records behind the rows of both: each class beside the counter of /proc/meminfo. */
static const struct view_column total_columns[] = { CLASS_TOTAL_COLUMNS };

static const struct view total_view = { "files-total", "", COLUMNS_OF(total_columns) };
static const struct view groups_total_view = { "files_groups-total", "",
					       COLUMNS_OF(total_columns) };

static const struct view groups_view = {
	"files_groups",
	"-g dir",
	COLUMNS_OF(columns),
	KEYS_OF(file_keys),
	.command = "memowner",
	.has_groups = true,
	.prepare = prepare,
	.below = &groups_total_view,
	.filters_rows = true,
	.open = files_open,
	.show = show_groups,
	ROWS_ARE("group", "groups", "total_bytes,pages", 10),
	MEMBERS_ARE("file", "files"),
};

const struct view owner_files_view = {
	"files",
	"",
	file_columns,
	FILE_COLUMNS,
	KEYS_OF(file_keys),
	.grouped = &groups_view,
	.has_groups = true,
	.below = &total_view,
	.filters_rows = true,
	.open = files_open,
	.show = files_show,
	ROWS_ARE("file", "files", "total_bytes,pages", 10),
};
