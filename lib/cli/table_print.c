// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "cli/table.h"
#include "symbols/frame.h"
#include "util/units.h"

/* How the cells of a table look in text and in JSON. */

#define CELL_TEXT_BYTES 256
#define ORDER_BITS 64

static void orders_text(char *buf, uint64_t orders)
{
	size_t at = 0;

	*buf = '\0';
	for (unsigned int i = 0; i < ORDER_BITS && at + 4 < CELL_TEXT_BYTES; i++)
		if (orders >> i & 1)
			at += sprintf(buf + at, "%s%u", at ? "," : "", i);
}

/* Whether the byte at is in a character of UTF-8 but not its first. */
static bool is_continuation(const char *text, size_t len, size_t at)
{
	return at < len && ((unsigned char)text[at] & 0xc0) == 0x80;
}

/* Cuts text that is longer than width, with two dots where something is missing. */
static void shorten(char *buf, const char *text, unsigned int width, bool keep_end)
{
	size_t len = strlen(text), start, end;

	if (!width || width >= CELL_TEXT_BYTES)
		width = CELL_TEXT_BYTES - 1;
	/* Not inside a character of UTF-8: the kept part is shorter then. */
	start = len > width ? len - (width - 2) : 0;
	for (end = width - 2; end && is_continuation(text, len, end);)
		end--;
	while (start < len && is_continuation(text, len, start))
		start++;
	if (len <= width)
		strcpy(buf, text);
	else if (keep_end)
		sprintf(buf, "..%s", text + start);
	else
		sprintf(buf, "%.*s..", (int)end, text);
	/* A dump may hold any byte; a terminal takes only some. */
	for (char *p = buf; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
}

static void number_text(char *buf, enum format format, const struct cell *c)
{
	switch (format) {
	case FORMAT_SIZE:
		units_size(buf, c->i);
		return;
	case FORMAT_TIME:
		units_time(buf, c->u);
		return;
	case FORMAT_STAMP:
		sprintf(buf, "%llu.%06llu", (unsigned long long)c->u / 1000000000,
			(unsigned long long)c->u % 1000000000 / 1000);
		return;
	case FORMAT_PFN:
		sprintf(buf, "0x%llx", (unsigned long long)c->u);
		return;
	case FORMAT_PERCENT:
		sprintf(buf, "%llu.%llu", (unsigned long long)c->u / 10,
			(unsigned long long)c->u % 10);
		return;
	case FORMAT_MILLI:
		sprintf(buf, "%llu.%llu", (unsigned long long)c->u / 1000,
			(unsigned long long)c->u % 1000 / 100);
		return;
	case FORMAT_ORDERS:
		orders_text(buf, c->u);
		return;
	default:
		sprintf(buf, c->kind == CELL_INT ? "%lld" : "%llu", (long long)c->i);
	}
}

/* The width of a column in this view; 0: none. */
static unsigned int width_of(const struct table *t, size_t column)
{
	return t->columns[column].width ? t->columns[column].width : table_column(t, column)->width;
}

/* limit: columns that text has at most; 0: as many as there are. */
static const char *cell_to_text(const struct column *col, const struct cell *c, unsigned int limit,
				char *buf)
{
	switch (c->kind) {
	case CELL_UINT:
	case CELL_INT:
		number_text(buf, col->format, c);
		break;
	case CELL_HEX:
		sprintf(buf, "0x%llx", (unsigned long long)c->u);
		break;
	case CELL_BOOL:
		strcpy(buf, c->u ? "yes" : "no");
		break;
	case CELL_RANKED:
		shorten(buf, c->ranked->text, limit, col->format == FORMAT_PATH);
		break;
	case CELL_TEXT:
		shorten(buf, c->text, limit, col->format == FORMAT_PATH);
		break;
	default:
		strcpy(buf, "-");
	}
	return buf;
}

/* Text stands left, everything else right. */
static bool is_left(const struct column *col)
{
	return col->format == FORMAT_TEXT || col->format == FORMAT_PATH;
}

/* The last column of a line is not padded. */
static void put_padded(struct sink *sink, const char *text, unsigned int width, bool left,
		       bool last)
{
	if (!left)
		sink_printf(sink, "%*s", (int)width, text);
	else if (last)
		sink_text(sink, text);
	else
		sink_printf(sink, "%-*s", (int)width, text);
	sink_text(sink, last ? "\n" : "  ");
}

static size_t last_in_line(const struct table *t)
{
	size_t last = 0;

	for (size_t i = 0; i < t->nselected; i++)
		if (table_column(t, t->selected[i])->title)
			last = i;
	return last;
}

static void put_header(const struct table *t, struct sink *sink, const unsigned int *widths)
{
	size_t last = last_in_line(t);

	for (size_t i = 0; i < t->nselected; i++) {
		const struct column *col = table_column(t, t->selected[i]);

		if (col->title)
			put_padded(sink, col->title, widths[i], is_left(col), i == last);
	}
}

static void put_stack(struct sink *sink, const struct stack *stack)
{
	for (unsigned int i = 0; i < stack->n; i++)
		frame_put(stack->frames[i], sink);
	if (stack->cut)
		sink_printf(sink, "    [truncated at %u]\n", stack->cut);
}

/* "    pages by age: 12 <1s, 37,322 1s-10s" */
static void put_steps(struct sink *sink, const struct column *col, const struct steps *steps)
{
	const char *comma = "";
	char n[UNITS_BYTES];

	sink_printf(sink, "    %s:", col->help);
	for (unsigned int i = 0; i < steps->n; i++) {
		if (!steps->counts[i])
			continue;
		units_count(n, steps->counts[i]);
		sink_printf(sink, "%s %s %s", comma, n, steps->name(i));
		comma = ",";
	}
	sink_text(sink, "\n");
}

/* "    pid=55 comm=init" */
static void put_fields(struct sink *sink, const struct fields *fields)
{
	static const struct column plain = { .name = "" };
	char buf[CELL_TEXT_BYTES];

	sink_text(sink, "   ");
	for (unsigned int i = 0; i < fields->n; i++)
		sink_printf(sink, " %s=%s", fields->names[i],
			    cell_to_text(&plain, &fields->values[i], 0, buf));
	sink_text(sink, "\n");
}

static void put_lines(struct sink *sink, const struct column *col, const struct cell *c)
{
	if (c->kind == CELL_STACK)
		put_stack(sink, c->stack);
	else if (c->kind == CELL_STEPS)
		put_steps(sink, col, c->steps);
	else if (c->kind == CELL_FIELDS)
		put_fields(sink, c->fields);
}

static void put_row(const struct table *t, struct sink *sink, const unsigned int *widths,
		    const struct cell *row)
{
	size_t last = last_in_line(t);
	char buf[CELL_TEXT_BYTES];

	for (size_t i = 0; i < t->nselected; i++) {
		const struct column *col = table_column(t, t->selected[i]);

		if (col->title)
			put_padded(sink, cell_to_text(col, &row[t->selected[i]], widths[i], buf),
				   widths[i], is_left(col), i == last);
	}
	for (size_t i = 0; i < t->nselected; i++)
		if (!table_column(t, t->selected[i])->title)
			put_lines(sink, table_column(t, t->selected[i]), &row[t->selected[i]]);
}

#define MIN_TEXT 24 /* columns that a text keeps */

/* Lines that are too wide lose some of their widest text. */
static void fit(const struct table *t, unsigned int *widths)
{
	for (;;) {
		unsigned int total = 0, parts = 0;
		size_t widest = t->nselected;

		for (size_t i = 0; i < t->nselected; i++) {
			const struct column *col = table_column(t, t->selected[i]);

			if (!col->title)
				continue;
			total += widths[i];
			parts++;
			if (is_left(col) && widths[i] > MIN_TEXT &&
			    widths[i] > strlen(col->title) &&
			    (widest == t->nselected || widths[i] > widths[widest]))
				widest = i;
		}
		if (widest == t->nselected || total + 2 * (parts - 1) <= TABLE_WIDTH)
			return;
		widths[widest]--;
	}
}

void table_text(const struct table *t, struct sink *sink, size_t n)
{
	unsigned int widths[VIEW_COLUMNS] = { 0 };
	char buf[CELL_TEXT_BYTES];

	for (size_t i = 0; i < t->nselected; i++) {
		const struct column *col = table_column(t, t->selected[i]);

		if (!col->title)
			continue;
		widths[i] = strlen(col->title);
		for (size_t r = 0; r < n && r < t->n; r++) {
			size_t len = strlen(cell_to_text(col, &t->rows[r][t->selected[i]],
							 width_of(t, t->selected[i]), buf));

			if (len > widths[i])
				widths[i] = len;
		}
	}
	if (!n || !t->n)
		return;
	fit(t, widths);
	put_header(t, sink, widths);
	for (size_t r = 0; r < n && r < t->n; r++)
		put_row(t, sink, widths, t->rows[r]);
}

static void stream_widths(const struct table *t, unsigned int *widths)
{
	for (size_t i = 0; i < t->nselected; i++) {
		const struct column *col = table_column(t, t->selected[i]);

		widths[i] = col->title ? strlen(col->title) : 0;
		if (width_of(t, t->selected[i]) > widths[i])
			widths[i] = width_of(t, t->selected[i]);
	}
}

void table_stream_header(const struct table *t, struct sink *sink)
{
	unsigned int widths[VIEW_COLUMNS];

	stream_widths(t, widths);
	put_header(t, sink, widths);
}

void table_stream_row(const struct table *t, struct sink *sink, const struct cell *row)
{
	unsigned int widths[VIEW_COLUMNS];

	stream_widths(t, widths);
	put_row(t, sink, widths, row);
}

void table_named(const struct table *t, const char *spec, struct sink *sink, const struct cell *row)
{
	char buf[CELL_TEXT_BYTES];

	while (*spec) {
		bool minus = *spec == '-';
		size_t len, column;

		spec += *spec == '+' || minus;
		len = strcspn(spec, ",");
		column = table_find(t, spec, len);
		spec += len;
		spec += *spec == ',';
		if (minus || column == t->ncolumns || !table_column(t, column)->title)
			continue;
		sink_printf(sink, "  %s %s\n", table_column(t, column)->title,
			    cell_to_text(table_column(t, column), &row[column], 0, buf));
	}
}

static void json_orders(struct json *j, const char *key, uint64_t orders)
{
	json_open_array(j, key);
	for (unsigned int i = 0; i < ORDER_BITS; i++)
		if (orders >> i & 1)
			json_uint(j, NULL, i);
	json_close_array(j);
}

static void json_place(struct json *j, const struct src_loc *p)
{
	json_text(j, "file", p->file);
	if (p->line)
		json_uint(j, "line", p->line);
	else
		json_null(j, "line");
}

static void json_source(struct json *j, const struct src_lines *s)
{
	static const struct src_loc unknown;

	json_place(j, s ? &s->at : &unknown);
	if (!s || !s->knows_inlined) {
		json_null(j, "inlined");
		return;
	}
	json_open_array(j, "inlined");
	for (unsigned int i = 0; i < s->ninlined; i++) {
		json_open_object(j, NULL);
		json_text(j, "symbol", s->inlined[i].symbol);
		json_place(j, &s->inlined[i]);
		json_close_object(j);
	}
	json_close_array(j);
}

void json_stack(struct json *j, const char *key, const struct stack *s)
{
	json_open_array(j, key);
	for (unsigned int i = 0; i < s->n; i++) {
		const struct frame *f = s->frames[i];

		json_open_object(j, NULL);
		/* A saved scan has names only. */
		if (f->addr)
			json_hex(j, "addr", f->addr);
		else
			json_null(j, "addr");
		json_text(j, "symbol", f->symbol);
		if (f->symbol)
			json_uint(j, "offset", f->offset);
		else
			json_null(j, "offset");
		json_text(j, "module", f->module);
		json_source(j, f->source);
		json_text(j, "label", frame_label_name(f->label));
		json_close_object(j);
	}
	json_close_array(j);
}

static void json_steps(struct json *j, const char *key, const struct steps *steps)
{
	json_open_object(j, key);
	for (unsigned int i = 0; i < steps->n; i++)
		json_uint(j, steps->name(i), steps->counts[i]);
	json_close_object(j);
}

static void json_cell(struct json *j, const struct column *col, const struct cell *c);

static void json_fields(struct json *j, const char *key, const struct fields *fields)
{
	json_open_object(j, key);
	for (unsigned int i = 0; i < fields->n; i++) {
		const struct column named = { .name = fields->names[i] };

		json_cell(j, &named, &fields->values[i]);
	}
	json_close_object(j);
}

static void json_cell(struct json *j, const struct column *col, const struct cell *c)
{
	char buf[CELL_TEXT_BYTES];

	switch (c->kind) {
	case CELL_UINT:
		if (col->format == FORMAT_ORDERS)
			json_orders(j, col->name, c->u);
		else if (col->format == FORMAT_PERCENT)
			json_number(j, col->name, cell_to_text(col, c, 0, buf));
		else
			json_uint(j, col->name, c->u);
		return;
	case CELL_INT:
		json_int(j, col->name, c->i);
		return;
	case CELL_HEX:
		json_hex(j, col->name, c->u);
		return;
	case CELL_BOOL:
		json_bool(j, col->name, c->u);
		return;
	case CELL_RANKED:
		json_text(j, col->name, c->ranked->text);
		return;
	case CELL_TEXT:
		json_text(j, col->name, c->text);
		return;
	case CELL_STACK:
		json_stack(j, col->name, c->stack);
		return;
	case CELL_STEPS:
		json_steps(j, col->name, c->steps);
		return;
	case CELL_FIELDS:
		json_fields(j, col->name, c->fields);
		return;
	default:
		json_null(j, col->name);
	}
}

void table_json_row(const struct table *t, struct sink *sink, const struct cell *row)
{
	table_json_record(t, sink, "row", row);
}

void table_json_record(const struct table *t, struct sink *sink, const char *record,
		       const struct cell *row)
{
	struct json j;

	json_open_line(&j, sink, record);
	for (size_t i = 0; i < t->nselected; i++)
		json_cell(&j, table_column(t, t->selected[i]), &row[t->selected[i]]);
	json_close_line(&j);
}
