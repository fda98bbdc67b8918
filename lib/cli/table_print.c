// SPDX-License-Identifier: GPL-2.0-or-later

#include "cli/table.h"
#include "cli/table_empty.h"
#include "util/hash_bytes.h"
#include "util/units.h"
#include "util/utf8.h"

/* How the cells of a table look in text. */

#define GAP 2		  /* columns between two columns */
#define CONTINUED 4	  /* columns before a line that continues a row */
#define MIN_TEXT 12	  /* columns that a text keeps on a narrow terminal */
#define MAX_COMPARED 1000 /* rows whose texts are */
#define TOLD_BYTES 1024	  /* of the columns that a table is left without */
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

/* What is left of a text, from *at to *end, beside the two dots where something is missing; false: all of it. */
static bool is_cut(const char *text, unsigned int width, bool keep_end, size_t *at, size_t *end)
{
	const size_t n = strlen(text);

	*at = 0;
	*end = n;
	if (utf8_columns(text, n) <= width || width <= 2)
		return false;
	if (keep_end)
		*at = end_that_fits(text, n, width - 2);
	else
		*end = utf8_fit(text, n, width - 2);
	return true;
}

/*
 * A text in its column.  With a limit, text that is longer is cut between characters, with two
 * dots where something is missing.  The last column of a line is not padded.
 */
static void put_cell(struct sink *sink, const struct column *col, const char *text,
		     unsigned int width, bool limited, bool keep_end, bool last)
{
	size_t n = strlen(text), at = 0, columns;
	const bool cut = limited && is_cut(text, width, keep_end, &at, &n);

	columns = utf8_columns(text + at, n - at) + (cut ? 2 : 0);
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
	unsigned int least[VIEW_COLUMNS]; /* columns that it cannot do without */
	bool keeps_end[VIEW_COLUMNS];	  /* the beginning of a text is what is cut */
	bool limited;			  /* text that is longer than its width is cut */
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
				 l->keeps_end[i], l->ends[i]);
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

/* Whether texts of a column that differ do so when they are cut to a width. */
static bool are_told_apart(const struct table *t, size_t i, size_t n, unsigned int width,
			   bool keep_end)
{
	const struct column *col = table_column(t, t->selected[i]);
	char buf[CELL_TEXT_BYTES];
	struct hash_u64 seen;

	hash_u64_init(&seen, t->dump->arena, sizeof(uint64_t));
	for (size_t r = 0; r < n && r < MAX_COMPARED; r++) {
		const char *text = table_cell_text(col, &t->rows[r][t->selected[i]], buf);
		size_t at, end;
		const bool cut = is_cut(text, width, keep_end, &at, &end);
		const uint64_t whole = hash_bytes_of(text, strlen(text));
		bool is_new;
		uint64_t *known = hash_u64_get(&seen, hash_bytes_of(text + at, end - at) + cut,
					       &is_new);

		if (is_new)
			*known = whole;
		else if (*known != whole)
			return false;
	}
	return true;
}

/* The least width up to most of that; 0: none. */
static unsigned int telling_width(const struct table *t, size_t i, size_t n, unsigned int least,
				  unsigned int most, bool keep_end)
{
	if (!are_told_apart(t, i, n, most, keep_end))
		return 0;
	while (least < most) {
		const unsigned int middle = least + (most - least) / 2;

		if (are_told_apart(t, i, n, middle, keep_end))
			most = middle;
		else
			least = middle + 1;
	}
	return least;
}

/*
 * The columns that a column of the first n rows cannot do without: a text has MIN_TEXT, and as many that two which
 * differ are not cut to the same; where the end that is cut has what differs, the other one is.
 */
static void find_least(const struct table *t, struct layout *l, size_t i, size_t n,
		       unsigned int columns)
{
	const struct column *col = table_column(t, t->selected[i]);
	const size_t title = strlen(col->title);
	const unsigned int min = title > MIN_TEXT ? title : MIN_TEXT, width = l->widths[i];
	const unsigned int most = columns > CONTINUED + min ? columns - CONTINUED : min;
	unsigned int telling = 0;

	l->keeps_end[i] = col->format == FORMAT_PATH;
	l->least[i] = may_be_cut(col) && width > min ? min : width;
	if (!columns || l->least[i] == width || col->format == FORMAT_PROSE ||
	    ANY_OF(r, n, t->rows[r][t->selected[i]].kind == CELL_LIST))
		return;
	for (unsigned int other = 0; other < 2 && !telling; other++) {
		const bool keep_end = l->keeps_end[i] ^ other;

		telling = telling_width(t, i, n, min, width < most ? width : most, keep_end);
		if (telling) {
			l->least[i] = telling;
			l->keeps_end[i] = keep_end;
		}
	}
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
			if (l->widths[i] > l->least[i] &&
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
		const unsigned int width = l->least[i];

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

static void find_widths(const struct table *t, const struct sink *sink, size_t n, struct layout *l)
{
	char buf[CELL_TEXT_BYTES];

	for (size_t i = 0; i < t->nselected; i++) {
		const struct column *col = table_column(t, t->selected[i]);

		if (!is_in_line(t, i))
			continue;
		l->widths[i] = strlen(col->title);
		for (size_t r = 0; r < n; r++) {
			const char *text = table_cell_text(col, &t->rows[r][t->selected[i]], buf);
			size_t columns = utf8_columns(text, strlen(text));

			if (!sink->columns && columns > MAX_LIST &&
			    t->rows[r][t->selected[i]].kind == CELL_LIST)
				columns = MAX_LIST;
			if (columns > l->widths[i])
				l->widths[i] = columns;
		}
	}
}

/* "0 in every row: LOCKED; without room in a line: CGROUP (-o +cgroup)" */
static void tell_left_out(const struct table *t, size_t column, bool is_first, struct strbuf *told)
{
	const struct column *c = table_column(t, column);

	strbuf_add(told, "%s%s (-o +%s)",
		   !is_first   ? ", "
		   : told->len ? "; without room in a line: "
			       : "without room in a line: ",
		   c->title, c->name);
}

/* The last column that stands there only if it has room in the line; false: there is none, or all have. */
static bool leave_out_one(struct table *t, unsigned int columns, const struct layout *l,
			  bool is_first, struct strbuf *told)
{
	size_t last = t->nselected;
	unsigned int total = 0;

	for (size_t i = 0; i < t->nselected; i++) {
		if (!is_in_line(t, i))
			continue;
		total += l->least[i] + (total ? GAP : 0);
		if (t->columns[t->selected[i]].shown & IF_ROOM &&
		    !table_was_asked(t, t->selected[i]))
			last = i;
	}
	if (!columns || total <= columns || last == t->nselected)
		return false;
	tell_left_out(t, t->selected[last], is_first, told);
	table_hide_at(t, t->selected[last]);
	return true;
}

static void put_whole(struct table *t, struct sink *sink, size_t n, struct strbuf *told)
{
	struct layout l;
	bool is_first = true, is_one;

	do {
		l = (struct layout){ .limited = false };
		find_widths(t, sink, n, &l);
		for (size_t i = 0; i < t->nselected; i++)
			if (is_in_line(t, i))
				find_least(t, &l, i, n, sink->columns);
		is_one = leave_out_one(t, sink->columns, &l, is_first, told);
		is_first = false;
	} while (is_one);
	lay_out(t, sink->columns, &l);
	put_texts(t, sink, &l, NULL);
	for (size_t r = 0; r < n; r++)
		put_row(t, sink, &l, t->rows[r]);
}

void table_text(const struct table *t, struct sink *sink, size_t n)
{
	struct table shown = *t;
	struct strbuf told = STRBUF_OF(TOLD_BYTES);

	n = n < t->n ? n : t->n;
	if (!n)
		return;
	table_leave_out_empty(&shown, &told);
	if (sink->page)
		table_html(&shown, sink, n);
	else
		put_whole(&shown, sink, n, &told);
	if (told.len)
		put_prose(sink, told.buf, sink->columns ?: UINT32_MAX, 0, NULL);
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
	for (size_t i = 0; i < t->nselected; i++)
		if (is_in_line(t, i))
			find_least(t, l, i, 0, sink->columns);
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
