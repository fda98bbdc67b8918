// SPDX-License-Identifier: GPL-2.0-or-later
#include "log_rows.h"

#include "log/disk_error.h"
#include "log/hardware_error.h"
#include "log/log_flood.h"
#include "log/log_sign.h"
#include "noun.h"
#include "symbols/allocators.h"

void log_put_section(struct owner_view *v, const struct view *view, const void *rows, size_t n,
		     size_t size, const char *heading)
{
	struct table t;

	if (!n)
		return;
	table_init(&t, v->dump, view->columns, view->ncolumns, v->in->opts.json);
	for (size_t i = 0; i < n; i++)
		row_add(&t, (const char *)rows + i * size, v);
	rows_put_table(&v->report, v->in, view, &t, heading);
}

#define LINE struct kernel_record

CELL_WITH(line_date_cell, struct kernel_record, const struct owner_view,
	  cell_text(log_file_date_text(v->dump, r->date_s)))
CELL_WITH(line_ts_cell, struct kernel_record, const struct owner_view,
	  cell_if(log_has_times(v), cell_uint(r->ts_ns)))

static const struct view_column line_columns[] = {
	{ COLUMN_ts_ns, IN_BOTH, CELL_BY(line_ts_cell) },
	{ COLUMN_log_date, IN_BOTH, CELL_BY(line_date_cell) },
	{ COLUMN_message, IN_BOTH, "as the kernel wrote it; null: not in this dump",
	  TEXT_OF(LINE, text) },
	BASIS(recorded),
};

const struct view log_line_view = { "log-line", "", COLUMNS_OF(line_columns) };

#define WARNED struct log_warning

CELL_WITH(warned_first_cell, WARNED, const struct owner_view,
	  cell_if(log_has_times(v), cell_uint(r->first->ts_ns)))
CELL_WITH(warned_date_cell, WARNED, const struct owner_view,
	  cell_text(log_file_date_text(v->dump, r->first->date_s)))

static struct cell complaint_cell(const void *record, void *view)
{
	const struct owner_view *v = view;
	struct strbuf b = STRBUF_OF(1024);

	log_warning_text(record, allocators_has, &b);
	return cell_text(dump_strdup(v->dump, b.buf));
}

static const struct view_column warning_columns[] = {
	{ COLUMN_ts_ns, IN_BOTH, "of the first time", CELL_BY(warned_first_cell) },
	{ COLUMN_log_date, IN_JSON, "of the first time", CELL_BY(warned_date_cell) },
	{ COLUMN_count, IN_BOTH | KNOWN, "of times", UINT_OF(WARNED, times) },
	{ COLUMN_pid, IN_JSON, "of the first time", UINT_IF(WARNED, pid.value, pid.known) },
	{ COLUMN_comm, IN_JSON, "of the first time", CHARS_OF(WARNED, comm) },
	{ COLUMN_complaint, IN_BOTH | KNOWN, CELL_BY(complaint_cell) },
	BASIS(recorded),
};

struct sign_row {
	const struct kernel_record *at;
	const char *sign, *message;
	uint64_t n;
};

#define SIGN struct sign_row

CELL_WITH(sign_ts_cell, SIGN, const struct owner_view,
	  cell_if(log_has_times(v), cell_uint(r->at->ts_ns)))
CELL_WITH(sign_date_cell, SIGN, const struct owner_view,
	  cell_text(log_file_date_text(v->dump, r->at->date_s)))

static const struct view_column sign_columns[] = {
	{ COLUMN_ts_ns, IN_BOTH, "of that line", CELL_BY(sign_ts_cell) },
	{ COLUMN_log_date, IN_JSON, "of that line", CELL_BY(sign_date_cell) },
	{ COLUMN_count, IN_BOTH | KNOWN, "of such lines", UINT_OF(SIGN, n) },
	{ COLUMN_sign, IN_BOTH | KNOWN, TEXT_OF(SIGN, sign) },
	{ COLUMN_message, IN_BOTH | KNOWN,
	  "the first of a disk or a file system, the last of all others", TEXT_OF(SIGN, message) },
	BASIS(recorded),
};

static const struct view sign_view = { "log-sign", "", COLUMNS_OF(sign_columns),
				       .below = &log_line_view };
const struct view log_warning_view = { "log-warning", "", COLUMNS_OF(warning_columns),
				       .below = &sign_view };

void log_put_warnings(struct owner_view *v, const struct log_warnings *all)
{
	LOG_SECTION(v, log_warning_view, all->all, all->n, "\nWhat the kernel complained of:\n");
}

void log_put_signs(struct owner_view *v, const struct kernel_log *log)
{
	struct disk_errors disks;
	struct hardware_errors hardware;
	struct log_signs signs;
	struct log_flood flood;
	struct sign_row rows[SIGN_KINDS + 3];
	size_t n = 0;

	disk_errors_read(log, &disks);
	hardware_errors_read(log, &hardware);
	log_signs_read(log, &signs);
	log_flood_find(log, &flood);
	if (disks.n)
		rows[n++] = (struct sign_row){ disks.first, disk_errors_words(&disks), disks.text,
					       disks.n };
	if (hardware.n)
		rows[n++] = (struct sign_row){ hardware.last, hardware_errors_words(&hardware),
					       hardware.text, hardware.n };
	if (flood.n)
		rows[n++] = (struct sign_row){ flood.last, LOG_FLOOD_WORDS, flood.last->text,
					       flood.n };
	for (int kind = 0; kind < SIGN_KINDS; kind++) {
		const struct log_sign *sign = &signs.of[kind];

		if (sign->n)
			rows[n++] = (struct sign_row){ sign->last, log_sign_words(kind), sign->text,
						       sign->n };
	}
	LOG_SECTION(v, sign_view, rows, n, "\nOther lines that tell what went wrong:\n");
}
