// SPDX-License-Identifier: GPL-2.0-or-later
/* What a file is of System V shared memory: its segment, and who made it; what is told of them behind the rows. */
#include "files.h"

#include "cli/filter_forms.h"
#include "cli/filter_seen.h"

static void read_segments(struct files_view *f)
{
	struct dump *d = f->v->dump;
	enum status st = sysv_shms_read(d, &f->shms);

	f->has_shms = true;
	if (st != ST_OK && st != ST_ABSENT)
		f->shms.problem = dump_why(d);
	if (task_index_open(d, &f->tasks) != ST_OK)
		hash_u64_init(&f->tasks.tasks, d->arena, sizeof(struct task_name));
}

/* False: it is none, or that is unknown, as the cell says then. */
static bool is_segment(struct files_view *f, const struct file_row *r, const struct sysv_shm **shm,
		       struct cell *cell)
{
	if (!f->has_shms)
		read_segments(f);
	*shm = r->inode ? hash_u64_find(&f->shms.by_inode, r->inode->address) : NULL;
	*cell = r->inode && !f->shms.problem ? cell_none() : cell_text(NULL);
	return *shm;
}

#define SEGMENT_CELL(FUNCTION, CELL)                                        \
	struct cell FUNCTION(const void *record, void *view) {              \
		const struct sysv_shm *shm;                                 \
		struct cell cell;                                           \
                                                                            \
		return is_segment(view, record, &shm, &cell) ? CELL : cell; \
	}

SEGMENT_CELL(files_shm_id_cell, cell_int(shm->id))
SEGMENT_CELL(files_attaches_cell, cell_uint(shm->attaches))

struct cell files_created_cell(const void *record, void *view)
{
	struct files_view *f = view;
	const struct task_name *t;
	const struct sysv_shm *shm;
	const char *comm;
	struct cell cell;

	if (!is_segment(f, record, &shm, &cell))
		return cell;
	if (!shm->creator.known)
		return cell_text(NULL);
	t = shm->creator_life == SYSV_LIVE ? task_index_get(&f->tasks, (int32_t)shm->creator.n)
					   : NULL;
	comm = shm->creator_life == SYSV_ENDED ? "ended" : t ? t->comm : "?";
	return cell_text(dump_text(f->v->dump, "%lu(%s)", shm->creator.n, comm));
}

/* Files of a kind that the filters keep. */
struct kept {
	uint64_t files, pages; /* pages: in memory and in swap */
};

static struct kept kept_of(struct files_view *f, enum file_kind kind)
{
	struct kept ret = { 0 };

	for (const struct file_row *r = f->first; r; r = r->next)
		if (r->file && rows_would_keep(f->v->in, r, f) && r->file->kind == kind) {
			ret.files++;
			ret.pages += r->use.pages + r->swapped.n;
		}
	return ret;
}

/* No directory has a segment, and it was not deleted: it needs no process. */
void files_tell_segments(struct files_view *f)
{
	const struct cmdline *in = f->v->in;
	struct kept segments;

	if (!cmdline_filters_column(in, COLUMN_deleted) &&
	    !cmdline_groups_column(in, COLUMN_deleted) && !cmdline_groups_by(in, FILE_BY_PROCESS))
		return;
	segments = kept_of(f, FILE_SYSV_SHM);
	if (!segments.files)
		return;
	report_warn(
		&f->v->report,
		"%s of these, with %s in memory and swap, %s of System V shared memory, whose names were never in a "
		"directory: %s until ipcrm(1) removes %s, whoever ends (-f file_kind=sysv_shm)",
		COUNT_TEXT(segments.files), SIZE_TEXT(segments.pages << f->v->page_shift),
		segments.files == 1 ? "is a segment" : "are segments",
		segments.files == 1 ? "it stays" : "they stay",
		segments.files == 1 ? "it" : "them");
}

/* The sizes beside it have a unit. */
void files_put_units(const struct files_view *f)
{
	const struct table *t = &f->v->in->table;
	const size_t swapped = table_index(t, COLUMN_swapped_pages);
	bool is_shown = false;

	if (f->v->in->opts.json || !table_shows(t, COLUMN_swapped_pages))
		return;
	for (uint64_t i = 0; i < f->v->report.rows_shown; i++)
		is_shown |= t->rows[i][swapped].kind == CELL_UINT && t->rows[i][swapped].u;
	if (is_shown)
		sink_printf(f->v->out, "SWAPPED: pages of %s\n",
			    SIZE_TEXT(dump_page_size(f->v->dump)));
}

/* Of a row, or of a member of a group. */
static const char *text_of(const struct files_view *f, enum column_id id, const struct file_row *r)
{
	const struct cmdline *in = f->v->in;
	const struct view_column *columns = in->shown->member_columns ?: in->table.columns;
	const size_t n = in->shown->member_columns ? in->shown->nmember_columns
						   : in->table.ncolumns;

	for (size_t i = 0; i < n; i++)
		if (columns[i].id == id) {
			const struct cell c = row_cell(&in->table, &columns[i], r, (void *)f);

			return c.kind == CELL_TEXT ? c.text : NULL;
		}
	return NULL;
}

/* A file of several cgroups is of none: of which one has most of it is another column. */
void files_tell_shared(struct files_view *f)
{
	const struct filters *filters = &f->v->in->filters;
	const struct cmdline *others = rows_without(f->v->in, COLUMN_memcg);

	for (unsigned int i = 0; f->v->has_memcgs && others && i < filters->n; i++) {
		const struct filter *by = &filters->filters[i];
		struct kept shared = { 0 };
		struct strbuf typed = STRBUF_OF(512);

		if (by->key != FILE_BY_MEMCG || by->exclude)
			continue;
		for (const struct file_row *r = f->first; r; r = r->next) {
			const char *most = text_of(f, COLUMN_most_memcg, r);
			const char *whole = text_of(f, COLUMN_memcg, r);

			if (rows_would_keep(others, r, f) && most && whole &&
			    !strcmp(whole, "[several]") && filter_names(by, most)) {
				shared.files++;
				shared.pages += r->use.pages;
			}
		}
		filter_add_typed(&typed, "most_memcg", by->seen->values);
		if (shared.files)
			report_warn(&f->v->report,
				    "%s with %s, of which others are charged for a part, %s of "
				    "memcg [several]: -f %s has them",
				    COUNT_OF(shared.files, "file"),
				    SIZE_TEXT(shared.pages << f->v->page_shift),
				    shared.files == 1 ? "is" : "are", typed.buf);
	}
}
