// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner dmabuf: buffers that devices share, by who exported them, has them open or maps them. */
#include "vm/dma_buf_users.h"
#include "pageowner/view.h"

/* A buffer and its users. */
struct buffer_row {
	struct dma_buf buf;
	const struct text_list *opened_by, *mapped_by, *used_by; /* NULL: unknown */
};

#define ROW struct buffer_row

static const struct view_column columns[] = {
	{ COLUMN_bytes, IN_BOTH, "as the exporter says", UINT_OF(ROW, buf.bytes) },
	{ COLUMN_exporter, IN_BOTH, CHARS_OF(ROW, buf.exporter) },
	{ COLUMN_name, IN_BOTH, "that a process gave it; empty: none",
	  CHARS_IF(ROW, buf.name, buf.has_name) },
	{ COLUMN_file_references, IN_BOTH, UINT_IF(ROW, buf.references, buf.has_references) },
	{ COLUMN_attachments, IN_JSON, UINT_IF(ROW, buf.ndevices, buf.has_devices) },
	{ COLUMN_attached, IN_BOTH, LIST_IF(ROW, buf.devices, buf.has_devices) },
	{ COLUMN_opened_by, IN_JSON, LIST_OF(ROW, opened_by) },
	{ COLUMN_mapped_by, IN_JSON, LIST_OF(ROW, mapped_by) },
	{ COLUMN_used_by, IN_BOTH, LIST_OF(ROW, used_by) },
	{ COLUMN_inode, IN_JSON, "of its file; up to 5.2 all buffers have one",
	  UINT_OF(ROW, buf.number) },
	{ COLUMN_address, IN_JSON, "of the struct dma_buf", HEX_OF(ROW, buf.address) },
	BASIS(derived),
};

static const struct key buffer_keys[] = {
	{ COLUMN_exporter, "exporter of the buffer", KEY_FILTERS },
	{ COLUMN_name, "name of the buffer", KEY_FILTERS },
	{ COLUMN_bytes, "bytes of the buffer", KEY_FILTERS },
};

static enum status count_buf(void *arg, const struct dma_buf *buf NOT_USED)
{
	++*(size_t *)arg;
	return ST_OK;
}

/* Of a list without a buffer that could be read nothing is known. */
static enum status try_list(struct dma_bufs *bufs)
{
	size_t n = 0;
	enum status st = bufs->list ? dma_bufs_walk(bufs, count_buf, &n) : ST_OK;

	return n ? ST_OK : st;
}

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct dump *d = v->dump;
	struct dma_bufs bufs;
	enum status st;

	owner_view_init(v);
	v->owner.dump = d;
	st = dma_bufs_open(d, &bufs);
	*why = st == ST_ABSENT ? NOT_BUILT : availability_of(st);
	if (st != ST_OK)
		return st;
	st = try_list(&bufs);
	*why = availability_of(st);
	return st;
}

static enum status add_row(struct owner_view *v, struct dma_buf_users *u, const struct dma_buf *buf)
{
	struct buffer_row *row = dump_alloc(v->dump, sizeof(*row));
	struct file_all_users users;
	enum status st = ST_OK;

	row->buf = *buf;
	if (dma_buf_users_of(u, buf, &users, &st)) {
		row->opened_by = file_users_list(&users.opened, users.opened_complete, &v->lists);
		row->mapped_by = file_users_list(&users.mapped, users.all_complete, &v->lists);
		row->used_by = file_users_list(&users.both, users.all_complete, &v->lists);
	}
	if (st == ST_OK)
		rows_add(v->in, row, v);
	return st;
}

static void put_end(struct owner_view *v, const struct dma_buf_users *u)
{
	struct report *r = &v->report;
	const struct gap gaps[] = {
		{ "this kernel has no list of DMA-BUF buffers: those that no process has open are "
		  "missing",
		  u->by_files },
		GAP_WHY("some buffers are missing: %s", u->problem),
		{ "users of buffers may be missing: %s", u->users_problem != NULL,
		  .why = u->users_problem, .keeps_sizes = true },
		{ "of %s the first are named, the others counted", v->lists.cut, "list of users",
		  "lists of users", .keeps_sizes = true },
	};

	if (!v->in->opts.json)
		sink_printf(v->out, "%s%s with %s by the sizes that their exporters gave\n",
			    r->rows_shown ? "\n" : "",
			    PLURAL_TEXT(u->n, "buffer was found", "buffers were found"),
			    SIZE_TEXT(u->bytes));
	REPORT_GAPS(r, gaps);
	report_end(r, NULL, !u->is_partial);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct dma_buf_users *u = dump_alloc(v->dump, sizeof(*u));
	enum status st = dma_buf_users_read(v->dump, 0, u);

	for (const struct found_buf *f = u->first; f && st == ST_OK; f = f->next)
		st = add_row(v, u, &f->buf);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	rows_show(&v->report, v->in);
	rows_put_kept(&v->report, v->in);
	put_end(v, u);
	return v->dump->interrupted ? ST_STOPPED : ST_OK;
}

const struct view owner_dmabuf_view = {
	"dmabuf",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(buffer_keys),
	ROWS_ARE("buffer", "buffers", "bytes,name,inode", 20),
	.open = open_view,
	.show = show,
};
