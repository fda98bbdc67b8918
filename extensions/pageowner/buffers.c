// SPDX-License-Identifier: GPL-2.0-or-later
/* pageowner -t dmabuf: buffers that devices share, by who exported them, has them open or maps them. */
#include "mm/dma_buf_users.h"
#include "util/units.h"
#include "view.h"

#define DEFAULT_ROWS 20

enum {
	COL_BYTES,
	COL_EXPORTER,
	COL_NAME,
	COL_REFERENCES,
	COL_ATTACHMENTS,
	COL_ATTACHED,
	COL_OPENED_BY,
	COL_MAPPED_BY,
	COL_USED_BY,
	COL_INODE,
	COL_ADDRESS,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH, "as the exporter says" },
	[COL_EXPORTER] = { COLUMN_exporter, IN_BOTH },
	[COL_NAME] = { COLUMN_name, IN_BOTH, "that a process gave it; empty: none" },
	[COL_REFERENCES] = { COLUMN_file_references, IN_BOTH },
	[COL_ATTACHMENTS] = { COLUMN_attachments, IN_JSON },
	[COL_ATTACHED] = { COLUMN_attached, IN_BOTH },
	[COL_OPENED_BY] = { COLUMN_opened_by, IN_JSON },
	[COL_MAPPED_BY] = { COLUMN_mapped_by, IN_JSON },
	[COL_USED_BY] = { COLUMN_used_by, IN_BOTH },
	[COL_INODE] = { COLUMN_inode, IN_JSON, "of the file system dmabuf" },
	[COL_ADDRESS] = { COLUMN_address, IN_JSON, "of the struct dma_buf" },
};

enum { BY_EXPORTER, BY_NAME, BY_SIZE, BUFFER_KEYS };

static const struct key buffer_keys[BUFFER_KEYS] = {
	[BY_EXPORTER] = { COLUMN_exporter, "exporter of the buffer", KEY_FILTERS, .is_text = true },
	[BY_NAME] = { COLUMN_name, "name of the buffer", KEY_FILTERS, .is_text = true },
	[BY_SIZE] = { COLUMN_bytes, "bytes of the buffer", KEY_FILTERS, .quantity = RANGE_SIZE },
};

const struct view owner_dmabuf_view = { "dmabuf",
					"-t dmabuf",
					COLUMNS_OF(columns),
					.keys = buffer_keys,
					.nkeys = BUFFER_KEYS,
					.filters_rows = true };

enum status owner_dmabuf_open(struct owner_view *v, enum availability *why)
{
	struct dump *d = v->dump;
	struct dma_bufs bufs;
	enum status st;

	owner_view_init(v);
	v->owner.dump = d;
	st = dma_bufs_open(d, &bufs);
	*why = st == ST_ABSENT ? NOT_BUILT : availability_of(st);
	return st;
}

/* The column that has the value of a key. */
static const unsigned int column_of[BUFFER_KEYS] = {
	[BY_EXPORTER] = COL_EXPORTER,
	[BY_NAME] = COL_NAME,
	[BY_SIZE] = COL_BYTES,
};

static struct cell users_cell(struct owner_view *v, const struct file_users *users, bool complete)
{
	char text[FILE_USERS_TEXT];

	if (!file_users_text(users, complete, text))
		return (struct cell){ .kind = CELL_NULL };
	return cell_text(intern(&v->texts, text));
}

static enum status add_users(struct owner_view *v, struct dma_buf_users *u,
			     const struct dma_buf *buf, struct cell *row)
{
	struct file_all_users users;
	enum status st;

	if (!dma_buf_users_of(u, buf, &users, &st))
		return st;
	row[COL_OPENED_BY] = users_cell(v, &users.opened, users.opened_complete);
	row[COL_MAPPED_BY] = users_cell(v, &users.mapped, users.all_complete);
	row[COL_USED_BY] = users_cell(v, &users.both, users.all_complete);
	return st;
}

static enum status add_row(struct owner_view *v, struct dma_buf_users *u, const struct dma_buf *buf)
{
	struct cell *row = table_add(&v->in->table);
	enum status st;

	if (!row)
		return ST_NOMEM;
	row[COL_BYTES] = cell_uint(buf->bytes);
	row[COL_EXPORTER] = cell_if(buf->exporter[0], cell_text(buf->exporter));
	row[COL_NAME] = cell_if(buf->has_name, cell_text(buf->name));
	row[COL_REFERENCES] = cell_if(buf->has_references, cell_uint(buf->references));
	row[COL_ATTACHMENTS] = cell_if(buf->has_devices, cell_uint(buf->ndevices));
	row[COL_ATTACHED] = cell_if(buf->has_devices, cell_text(buf->devices));
	row[COL_INODE] = cell_uint(buf->number);
	row[COL_ADDRESS] = cell_hex(buf->address);
	st = add_users(v, u, buf, row);
	if (!table_keeps_keys(&v->in->filters, column_of, row)) {
		v->in->table.n--;
		v->in->table.refused++;
	}
	return st;
}

static void put_end(struct owner_view *v, const struct dma_buf_users *u)
{
	struct report *r = &v->report;
	char n[UNITS_PLURAL], size[UNITS_BYTES];

	if (!v->in->opts.json) {
		units_size(size, (int64_t)u->bytes);
		sink_printf(v->out, "\n%s with %s by the sizes that their exporters gave\n",
			    units_plural(n, u->n, "buffer was found", "buffers were found"), size);
	}
	if (u->by_files)
		report_warn(r,
			    "this kernel has no list of DMA-BUF buffers: those that no process has "
			    "open are missing");
	if (u->problem)
		report_warn(r, "some buffers are missing: %s", u->problem);
	if (u->users_problem)
		report_warn(r, "users of buffers may be missing: %s", u->users_problem);
	report_end(r, NULL, dma_buf_users_complete(u) && !v->dump->interrupted);
}

enum status owner_dmabuf(struct owner_view *v)
{
	struct dma_buf_users *u = dump_alloc(v->dump, sizeof(*u));
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	size_t shown;
	enum status st;

	if (!u)
		return ST_NOMEM;
	st = dma_buf_users_read(v->dump, 0, u);
	for (const struct found_buf *f = u->first; f && st == ST_OK; f = f->next)
		st = add_row(v, u, &f->buf);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	table_filter(t, &v->in->filters);
	st = table_sort(t, o->sort ? o->sort : "bytes,name,inode", o->reverse);
	if (st != ST_OK)
		return st;
	shown = report_rows(&v->report, t, o, DEFAULT_ROWS);
	report_rest_bytes(&v->report, t, shown, COL_BYTES, "buffer", "buffers");
	report_rows_kept(&v->report, &v->in->filters, t, "buffer", "buffers");
	put_end(v, u);
	return v->dump->interrupted ? ST_STOPPED : ST_OK;
}
