// SPDX-License-Identifier: GPL-2.0-or-later

#include "cli/table.h"
#include "util/units.h"
#include "util/utf8.h"

/* How the cells of a table look in text and in JSON. */

#define GAP 2	    /* columns between two columns */
#define CONTINUED 4 /* columns before a line that continues a row */
#define MIN_TEXT 12 /* columns that a text keeps on a narrow terminal */
#define ORDER_BITS 64
#define MAX_LIST \
	72 /* columns that rows of a file stand behind: a longer list pushes what follows */

/* A figure never is; a drawing would be another one. */
static bool may_be_cut(const struct column *col)
{
	return table_is_left(col) && col->format != FORMAT_WHOLE;
}

/* A dump may hold any byte; in a table only some keep the line. */
static void put_clean(struct sink *sink, const char *text, size_t n)
{
	for (size_t at = 0; at < n;) {
		size_t plain = at;

		while (plain < n && (unsigned char)text[plain] >= 0x20 && text[plain] != 0x7f)
			plain++;
		sink_write(sink, text + at, plain - at);
		if (plain < n)
			sink_text(sink, "?");
		at = plain + 1;
	}
}

/* Where the longest end of a text begins that fits a number of columns. */
static size_t end_that_fits(const char *text, size_t n, size_t columns)
{
	size_t all = utf8_columns(text, n), at = 0;
	unsigned int wide;

	while (at < n && all > columns) {
		at += utf8_next(text + at, n - at, &wide);
		all -= wide;
	}
	return at;
}

static void put_blanks(struct sink *sink, size_t n)
{
	sink_printf(sink, "%*s", (int)n, "");
}

/*
 * A text in its column.  With a limit, text that is longer is cut between characters, with two
 * dots where something is missing.  The last column of a line is not padded.
 */
static void put_cell(struct sink *sink, const struct column *col, const char *text,
		     unsigned int width, bool limited, bool last)
{
	size_t n = strlen(text), columns = utf8_columns(text, n), at = 0;
	bool cut = limited && columns > width && width > 2, keep_end = col->format == FORMAT_PATH;

	if (cut && keep_end)
		at = end_that_fits(text, n, width - 2);
	else if (cut)
		n = utf8_fit(text, n, width - 2);
	if (cut)
		columns = utf8_columns(text + at, n - at) + 2;
	if (!table_is_left(col) && columns < width)
		put_blanks(sink, width - columns);
	if (cut && keep_end)
		sink_text(sink, "..");
	put_clean(sink, text + at, n - at);
	if (cut && !keep_end)
		sink_text(sink, "..");
	if (table_is_left(col) && !last && columns < width)
		put_blanks(sink, width - columns);
	sink_text(sink, last ? "\n" : "  ");
}

/* Bytes of a text up to the last of the words that fit in front of a mark; 0: there is none. */
static size_t before_last(const char *text, size_t len, const char *mark)
{
	const size_t n = strlen(mark);

	for (size_t at = len; at > n; at--)
		if (!strncmp(text + at - 1, mark, n))
			return at - 1;
	return 0;
}

/* Words below each other, from a column of the line on; if possible broken in front of a mark. */
static void put_prose(struct sink *sink, const char *text, unsigned int width, unsigned int at,
		      const char *mark)
{
	size_t n = strlen(text);

	for (;;) {
		size_t len = utf8_fit(text, n, width), end = len;

		while (len < n && end && text[end] != ' ')
			end--;
		if (len < n && mark)
			end = before_last(text, len, mark) ?: end;
		if (len < n && end)
			len = end;
		put_clean(sink, text, len);
		sink_text(sink, "\n");
		text += len;
		n -= len;
		if (!n)
			return;
		while (*text == ' ') {
			text++;
			n--;
		}
		put_blanks(sink, at);
	}
}

#define LIST_BYTES 1024 /* of a list on a terminal */

/* How the selected columns stand in the lines of a row: one line, but on a narrow terminal. */
struct layout {
	unsigned int widths[VIEW_COLUMNS];
	bool starts[VIEW_COLUMNS]; /* a line that continues the row */
	bool ends[VIEW_COLUMNS];
	bool limited; /* text that is longer than its width is cut */
};

static bool is_in_line(const struct table *t, size_t i)
{
	const struct column *col = table_column(t, t->selected[i]);

	return col->title && col->format != FORMAT_WAY;
}

/*
 * As many texts of a list as have room on a terminal, and how many more there are: "1(init) and 41 more",
 * "1(init) +41".
 */
static const char *list_that_fits(const struct text_list *l, unsigned int width, char *buf)
{
	unsigned int n = l->n;
	struct strbuf s;

	do {
		s = strbuf_in(buf, LIST_BYTES);
		text_list_short(l, n, &s);
		if (!s.cut && utf8_columns(buf, s.len) <= width)
			return buf;
	} while (n && --n);
	s = strbuf_in(buf, LIST_BYTES);
	if (l->n > 1)
		strbuf_add(&s, "%.*s +%lu%s", text_list_bytes(l, 0), l->text, l->more + l->n - 1,
			   l->is_open ? "?" : "");
	return l->n > 1 && utf8_columns(buf, s.len) <= width ? buf : l->text;
}

static void put_texts(const struct table *t, struct sink *sink, const struct layout *l,
		      const struct cell *row)
{
	unsigned int at = 0;
	char buf[CELL_TEXT_BYTES], list[LIST_BYTES];

	for (size_t i = 0; i < t->nselected; i++) {
		const struct column *col = table_column(t, t->selected[i]);
		const struct cell *cell = row ? &row[t->selected[i]] : NULL;
		const char *text;

		if (!is_in_line(t, i))
			continue;
		if (l->starts[i]) {
			put_blanks(sink, CONTINUED);
			at = CONTINUED;
		}
		text = row ? table_cell_text(col, cell, buf) : col->title;
		if (l->limited && row && cell->kind == CELL_LIST)
			text = list_that_fits(cell->list, l->widths[i], list);
		if (l->limited && l->ends[i] && col->format == FORMAT_PROSE)
			put_prose(sink, text, l->widths[i], at, NULL);
		else
			put_cell(sink, col, text, l->widths[i], l->limited && may_be_cut(col),
				 l->ends[i]);
		at += l->widths[i] + GAP;
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

	sink_printf(sink, "    %s:", col->help);
	for (unsigned int i = 0; i < steps->n; i++) {
		if (!steps->counts[i])
			continue;
		sink_printf(sink, "%s %s %s", comma, COUNT_TEXT(steps->counts[i]), steps->name(i));
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
			    table_cell_text(&plain, &fields->values[i], buf));
	sink_text(sink, "\n");
}

#define STEP " -> "

static void put_way(struct sink *sink, const char *text)
{
	const unsigned int room = sink->columns > 2 * CONTINUED ? sink->columns - 2 * CONTINUED
								: MIN_TEXT;

	put_blanks(sink, CONTINUED);
	put_prose(sink, text, sink->columns ? room : UINT32_MAX, 2 * CONTINUED, STEP);
}

/* What was asked for by name is told where it is unknown, or there is none. */
static void put_lines(struct sink *sink, const struct column *col, const struct cell *c, bool asked)
{
	if (c->kind == CELL_NULL && asked)
		sink_printf(sink, "    %s: -\n", col->name);
	else if (c->kind == CELL_STACK)
		put_stack(sink, c->stack);
	else if (c->kind == CELL_STEPS)
		put_steps(sink, col, c->steps);
	else if (c->kind == CELL_FIELDS)
		put_fields(sink, c->fields);
	else if (c->kind == CELL_TEXT)
		put_way(sink, c->text);
}

static void put_row(const struct table *t, struct sink *sink, const struct layout *l,
		    const struct cell *row)
{
	put_texts(t, sink, l, row);
	for (size_t i = 0; i < t->nselected; i++)
		if (!is_in_line(t, i))
			put_lines(sink, table_column(t, t->selected[i]), &row[t->selected[i]],
				  t->asked[t->selected[i]]);
}

/* The columns that a column cannot do without. */
static unsigned int least(const struct table *t, size_t i, unsigned int width)
{
	const struct column *col = table_column(t, t->selected[i]);
	unsigned int min = strlen(col->title) > MIN_TEXT ? strlen(col->title) : MIN_TEXT;

	return may_be_cut(col) && width > min ? min : width;
}

/* Columns first to end, but not end, fit a line: the widest text gives way first. */
static void shrink(const struct table *t, struct layout *l, size_t first, size_t end,
		   unsigned int columns)
{
	for (;;) {
		unsigned int total = 0;
		size_t widest = end;

		for (size_t i = first; i < end; i++) {
			if (!is_in_line(t, i))
				continue;
			total += l->widths[i] + (total ? GAP : 0);
			if (l->widths[i] > least(t, i, l->widths[i]) &&
			    (widest == end || l->widths[i] > l->widths[widest]))
				widest = i;
		}
		if (widest == end || total <= columns)
			return;
		l->widths[widest]--;
	}
}

/*
 * Divides a row into lines: where texts at their least width leave too much for one, the rest
 * stands in lines of their own, further in.  columns 0: one line for all.
 */
static void lay_out(const struct table *t, unsigned int columns, struct layout *l)
{
	size_t first = 0, last = 0;
	unsigned int used = 0;

	l->limited = columns;
	for (size_t i = 0; i < t->nselected; i++) {
		unsigned int width = is_in_line(t, i) ? least(t, i, l->widths[i]) : 0;

		if (!is_in_line(t, i))
			continue;
		if (columns && used && used + GAP + width > columns) {
			l->ends[last] = true;
			l->starts[i] = true;
			shrink(t, l, first, i, columns - (first ? CONTINUED : 0));
			first = i;
			used = CONTINUED + width;
		} else {
			used += width + (used ? GAP : 0);
		}
		last = i;
	}
	l->ends[last] = true;
	if (columns)
		shrink(t, l, first, t->nselected, columns - (first ? CONTINUED : 0));
}

void table_text(const struct table *t, struct sink *sink, size_t n)
{
	struct layout l = { .limited = false };
	char buf[CELL_TEXT_BYTES];

	if (!n || !t->n)
		return;
	if (sink->page) {
		table_html(t, sink, n);
		return;
	}
	for (size_t i = 0; i < t->nselected; i++) {
		const struct column *col = table_column(t, t->selected[i]);

		if (!is_in_line(t, i))
			continue;
		l.widths[i] = strlen(col->title);
		for (size_t r = 0; r < n && r < t->n; r++) {
			const char *text = table_cell_text(col, &t->rows[r][t->selected[i]], buf);
			size_t columns = utf8_columns(text, strlen(text));

			if (!sink->columns && columns > MAX_LIST &&
			    t->rows[r][t->selected[i]].kind == CELL_LIST)
				columns = MAX_LIST;
			if (columns > l.widths[i])
				l.widths[i] = columns;
		}
	}
	lay_out(t, sink->columns, &l);
	put_texts(t, sink, &l, NULL);
	for (size_t r = 0; r < n && r < t->n; r++)
		put_row(t, sink, &l, t->rows[r]);
}

/* What a wide terminal has left goes to the widest text. */
static void grow(const struct table *t, unsigned int columns, struct layout *l)
{
	unsigned int total = 0;
	size_t widest = t->nselected;

	for (size_t i = 0; i < t->nselected; i++) {
		if (!is_in_line(t, i))
			continue;
		total += l->widths[i] + (total ? GAP : 0);
		if (may_be_cut(table_column(t, t->selected[i])) &&
		    (widest == t->nselected || l->widths[i] > l->widths[widest]))
			widest = i;
	}
	if (widest < t->nselected && total < columns)
		l->widths[widest] += columns - total;
}

/* Of rows that are not known yet, the widths of their columns. */
static void lay_out_stream(const struct table *t, const struct sink *sink, struct layout *l)
{
	for (size_t i = 0; i < t->nselected; i++) {
		const struct view_column *c = &t->columns[t->selected[i]];
		unsigned int width = c->width ?: view_column(c)->width;

		l->widths[i] = is_in_line(t, i) ? strlen(view_column(c)->title) : 0;
		if (width > l->widths[i])
			l->widths[i] = width;
	}
	if (sink->columns)
		grow(t, sink->columns, l);
	lay_out(t, sink->columns, l);
}

void table_stream_header(const struct table *t, struct sink *sink)
{
	struct layout l = { .limited = false };

	lay_out_stream(t, sink, &l);
	put_texts(t, sink, &l, NULL);
}

void table_stream_row(const struct table *t, struct sink *sink, const struct cell *row)
{
	struct layout l = { .limited = false };

	lay_out_stream(t, sink, &l);
	put_row(t, sink, &l, row);
}

void table_named(const struct table *t, const char *spec, struct sink *sink, const struct cell *row)
{
	char buf[CELL_TEXT_BYTES];

	while (*spec) {
		bool minus = *spec == '-';
		size_t len, column;
		const char *text;

		spec += *spec == '+' || minus;
		len = strcspn(spec, ",");
		column = table_find(t, spec, len);
		spec += len;
		spec += *spec == ',';
		if (minus || column == t->ncolumns || !table_column(t, column)->title)
			continue;
		text = table_cell_text(table_column(t, column), &row[column], buf);
		sink_printf(sink, "  %s ", table_column(t, column)->title);
		put_clean(sink, text, strlen(text));
		sink_text(sink, "\n");
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

/* Each row has a basis, one of few words: written with its key, as one. False: it is another. */
__attribute__((noinline)) static bool json_basis(struct json *j, const char *word)
{
#define READY(WORD)                                                                  \
	{                                                                            \
		WORD, "\"basis\":\"" WORD "\"", sizeof("\"basis\":\"" WORD "\"") - 1 \
	}
	static const struct {
		const char *word, *text;
		size_t bytes;
	} ready[] = { READY("derived"), READY("recorded"), READY("inferred") };

	for (size_t i = 0; i < ARRAY_SIZE(ready); i++)
		if (*word == *ready[i].word && !strcmp(word, ready[i].word)) {
			json_ready(j, ready[i].text, ready[i].bytes);
			return true;
		}
	return false;
}

static void json_cell(struct json *j, const struct column *col, const struct cell *c)
{
	char buf[CELL_TEXT_BYTES];

	switch (c->kind) {
	case CELL_UINT:
	case CELL_INT:
		if (col->format == FORMAT_ORDERS)
			json_orders(j, col->name, c->u);
		else if (col->format == FORMAT_PERCENT || col->format == FORMAT_HUNDREDTHS)
			json_number(j, col->name, table_cell_text(col, c, buf));
		else if (c->kind == CELL_INT)
			json_int(j, col->name, c->i);
		else
			json_uint(j, col->name, c->u);
		return;
	case CELL_HEX:
		json_hex(j, col->name, c->u);
		return;
	case CELL_BOOL:
		json_bool(j, col->name, c->u);
		return;
	case CELL_TEXT:
		if (col != &column_catalogue[COLUMN_basis] || !json_basis(j, c->text))
			json_text(j, col->name, c->text);
		return;
	case CELL_RANKED:
	case CELL_NAMED:
	case CELL_LIST:
		json_text(j, col->name, cell_words(c));
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
	for (size_t i = 0; i < t->nselected; i++) {
		const struct column *col = table_column(t, t->selected[i]);

		json_ready_key(&j, col->key, col->key_bytes);
		json_cell(&j, col, &row[t->selected[i]]);
	}
	json_close_line(&j);
}
