// SPDX-License-Identifier: GPL-2.0-or-later
/* A table of text as one of HTML: the same cells; what names a row stands first. */

#include "cli/table.h"
#include "cli/table_alike.h"
#include "util/strbuf.h"
#include "util/units.h"

#define MARKUP 52      /* bytes of tags around a cell, with its number */
#define LONGEST 2000   /* bytes of a text: paths have up to 4096 */
#define FRAME_TEXT 512 /* names of functions have up to 511 */

static bool is_name(const struct column *col)
{
	return col->format == FORMAT_PATH || col == &column_catalogue[COLUMN_caller];
}

/* What names a row: a path or its like, but of a process its name; else the first text that is one, or the first column. */
static size_t heading_of(const struct table *t)
{
	size_t text = t->nselected, path = t->nselected;
	bool has_process = false;

	for (size_t i = t->nselected; i--;) {
		const struct column *col = table_column(t, t->selected[i]);

		/* A time line is no name. */
		if (!col->title || !table_is_left(col) || col->format == FORMAT_PROSE ||
		    col == &column_catalogue[COLUMN_member_times])
			continue;
		text = i;
		path = is_name(col) ? i : path;
		has_process |= col == &column_catalogue[COLUMN_comm];
	}
	if (path < t->nselected && !has_process)
		return path;
	return text < t->nselected ? text : 0;
}

/* Column i of the page: the one that names the row, then the others in their order. */
static size_t place(size_t heading, size_t i)
{
	return !i ? heading : i <= heading ? i - 1 : i;
}

static bool is_number(const struct column *col)
{
	return col->title && !table_is_left(col);
}

#define LISTED 8 /* users that a cell names: of more the rest is counted */

/* Where a list "55(postgres), 56(postgres), ..." of more than that ends, and how many follow; NULL: it has no more. */
static const char *end_of_listed(const char *text, size_t *more)
{
	const char *end = NULL;
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, "), ")) != NULL; p++)
		if (++n == LISTED)
			end = p + 1;
	*more = n + 1 - LISTED;
	return n > LISTED && strspn(text, "0123456789") && text[strspn(text, "0123456789")] == '('
		       ? end
		       : NULL;
}

static void put_text(struct sink *sink, const char *column, const char *text)
{
	const struct sink_page *p = sink->page;
	const char *end;
	size_t n, more;

	if (p->word && column)
		text = p->word(p->arg, column, text);
	end = end_of_listed(text, &more);
	n = end ? (size_t)(end - text) : strlen(text);
	html_text(sink, text, n > LONGEST ? LONGEST : n);
	if (end)
		sink_printf(sink, " and %s more", COUNT_TEXT(more));
	else if (n > LONGEST)
		sink_text(sink, "..");
}

static size_t text_bytes(const char *text)
{
	size_t n = strlen(text);

	return html_bytes(text, n > LONGEST ? LONGEST : n);
}

static const struct cell *cell_of(const struct table *t, const struct cell *row,
				  enum column_id column)
{
	for (size_t i = 0; i < t->nselected; i++)
		if (table_column(t, t->selected[i]) == &column_catalogue[column])
			return &row[t->selected[i]];
	return NULL;
}

/* The row before of a thread with the same stack, where its name and number are shown; t->n: none has. */
static size_t row_of_stack(const struct table *t, size_t r, size_t column)
{
	const struct stack *of = t->rows[r][column].stack;

	if (!of->n || !cell_of(t, t->rows[r], COLUMN_comm) || !cell_of(t, t->rows[r], COLUMN_pid))
		return t->n;
	for (size_t i = 0; i < r; i++)
		if (t->rows[i][column].kind == CELL_STACK &&
		    table_same_stack(t->rows[i][column].stack, of))
			return i;
	return t->n;
}

/* The caller: the first function that does not allocate for others. */
static unsigned int first_frame(const struct stack *s)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (s->frames[i]->symbol && !s->frames[i]->allocates)
			return i;
	return 0;
}

/* The first ones of threads that are in a module say most: what is behind a title is not read. */
static bool stands_open(struct sink *sink, const struct frame *title)
{
	if (!sink->page->open_stacks || !title->module)
		return false;
	sink->page->open_stacks--;
	return true;
}

static void put_stack(struct sink *sink, const struct stack *s)
{
	unsigned int first = first_frame(s);
	char buf[FRAME_TEXT];

	if (!s->n)
		return;
	sink_text(sink, stands_open(sink, s->frames[s->title ?: first]) ? "<details open><summary>"
									: "<details><summary>");
	put_text(sink, NULL, function_text(s->frames[s->title ?: first], buf, sizeof(buf)));
	sink_text(sink, "</summary><pre>");
	for (unsigned int i = first; i < s->n; i++) {
		put_text(sink, NULL, frame_text(s->frames[i], buf, sizeof(buf)));
		sink_text(sink, "\n");
	}
	if (s->cut)
		sink_printf(sink, "[truncated at %u]\n", s->cut);
	sink_text(sink, "</pre></details>");
}

static void put_steps(struct sink *sink, const struct steps *s)
{
	bool any = false;

	for (unsigned int i = 0; i < s->n; i++) {
		if (!s->counts[i])
			continue;
		sink_text(sink, any ? ", " : "");
		put_text(sink, NULL, COUNT_TEXT(s->counts[i]));
		sink_text(sink, " ");
		put_text(sink, NULL, s->name(i));
		any = true;
	}
}

static void put_fields(struct sink *sink, const struct fields *f)
{
	static const struct column plain = { .name = "" };
	char buf[CELL_TEXT_BYTES];

	for (unsigned int i = 0; i < f->n; i++) {
		sink_text(sink, i ? " " : "");
		put_text(sink, NULL, f->names[i]);
		sink_text(sink, "=");
		put_text(sink, f->names[i], table_cell_text(&plain, &f->values[i], buf));
	}
}

static void put_cell(struct sink *sink, const struct column *col, const struct cell *c, bool heads,
		     size_t rows)
{
	char buf[CELL_TEXT_BYTES];

	if (heads)
		sink_text(sink, "<th scope=row>");
	else if (is_number(col) && (c->kind == CELL_UINT || c->kind == CELL_INT))
		sink_printf(sink, "<td class=num data-v=\"%ld\">", c->i);
	else
		sink_text(sink, is_number(col) ? "<td class=num>" : "<td>");
	if (c->kind == CELL_STACK)
		put_stack(sink, c->stack);
	else if (c->kind == CELL_STEPS)
		put_steps(sink, c->steps);
	else if (c->kind == CELL_FIELDS)
		put_fields(sink, c->fields);
	else if (col->type == JSON_PID && c->kind != CELL_NULL && !c->u &&
		 strcmp(col->name, "ppid") != 0)
		sink_text(sink, "early boot"); /* what process 0 did before there was another */
	else
		put_text(sink, col->name, table_cell_text(col, c, buf));
	if (rows > 1)
		sink_printf(sink, " <span class=soft>and %s more</span>", COUNT_TEXT(rows - 1));
	sink_text(sink, heads ? "</th>" : "</td>");
}

/* "as scan (388)": a stack stands once; of one row for several "as scan and 4 more", as that is called. */
static bool put_as(const struct table *t, struct sink *sink, const struct alike *alike, size_t r,
		   size_t column)
{
	const size_t first = t->rows[r][column].kind == CELL_STACK ? row_of_stack(t, r, column)
								   : t->n;
	const size_t head = first < t->n && alike ? alike[first].head : first;
	const struct cell *as = head < t->n ? t->rows[head] : NULL;
	char buf[CELL_TEXT_BYTES];

	if (!as)
		return false;
	sink_text(sink, "<td>as ");
	put_text(sink, column_catalogue[COLUMN_comm].name,
		 table_cell_text(&column_catalogue[COLUMN_comm], cell_of(t, as, COLUMN_comm), buf));
	if (alike && alike[head].n > 1) {
		sink_printf(sink, " and %s more</td>", COUNT_TEXT(alike[head].n - 1));
		return true;
	}
	sink_text(sink, " (");
	put_text(sink, NULL,
		 table_cell_text(&column_catalogue[COLUMN_pid], cell_of(t, as, COLUMN_pid), buf));
	sink_text(sink, ")</td>");
	return true;
}

static size_t stack_bytes(const struct stack *s)
{
	char buf[FRAME_TEXT];
	size_t sum = 2 * MARKUP;

	for (unsigned int i = 0; i < s->n; i++)
		sum += 1 + text_bytes(frame_text(s->frames[i], buf, sizeof(buf)));
	return sum;
}

/* At least what it takes. */
static size_t row_bytes(const struct table *t, size_t r)
{
	const struct cell *row = t->rows[r];
	char buf[CELL_TEXT_BYTES];
	size_t sum = MARKUP;

	for (size_t i = 0; i < t->nselected; i++) {
		const struct cell *c = &row[t->selected[i]];

		sum += MARKUP + (c->kind == CELL_STACK && row_of_stack(t, r, t->selected[i]) < t->n
					 ? CELL_TEXT_BYTES
				 : c->kind == CELL_STACK
					 ? stack_bytes(c->stack)
					 : text_bytes(table_cell_text(
						   table_column(t, t->selected[i]), c, buf)));
		if (c->kind == CELL_STEPS)
			sum += c->steps->n * MARKUP;
		if (c->kind == CELL_FIELDS)
			sum += c->fields->n * (MARKUP + CELL_TEXT_BYTES);
	}
	return sum;
}

/* The columns that have something to say, in their order: first the one that names a row. */
struct shown {
	size_t n, columns[VIEW_COLUMNS];
};

static bool is_empty(const struct table *t, size_t rows, size_t column)
{
	for (size_t r = 0; r < rows; r++)
		if (t->rows[r][column].kind != CELL_NULL)
			return false;
	return true;
}

/* The process of a thread that is its first one, in all rows, has no number of its own. */
static bool is_pid_again(const struct table *t, size_t rows, size_t column)
{
	const struct cell *pid;

	if (table_column(t, column) != &column_catalogue[COLUMN_tgid])
		return false;
	for (size_t r = 0; r < rows; r++) {
		pid = cell_of(t, t->rows[r], COLUMN_pid);
		if (!pid || pid->i != t->rows[r][column].i)
			return false;
	}
	return true;
}

static void choose_columns(const struct table *t, size_t rows, struct shown *ret)
{
	const size_t heading = heading_of(t);

	ret->n = 0;
	for (size_t i = 0; i < t->nselected; i++) {
		const size_t column = t->selected[place(heading, i)];

		if (!i || (!is_empty(t, rows, column) && !is_pid_again(t, rows, column)))
			ret->columns[ret->n++] = column;
	}
}

static void put_head(const struct table *t, struct sink *sink, const struct shown *of)
{
	sink_text(sink, "<div class=scroll tabindex=0 role=region><table><thead><tr>");
	for (size_t i = 0; i < of->n; i++) {
		const struct column *col = table_column(t, of->columns[i]);

		sink_printf(sink, "<th scope=col%s title=\"", is_number(col) ? " class=num" : "");
		html_text(sink, col->help, strlen(col->help));
		sink_printf(sink, "\">%s</th>", col->title ?: col->name);
	}
	sink_text(sink, "</tr></thead><tbody>\n");
}

#define NUMBER 12 /* bytes of a row that stands in the row of others, at most */

/* Rows that have room; what follows one that has none is smaller: no gaps in a ranking. */
static size_t count_rows(const struct table *t, struct sink_page *p, const struct alike *of,
			 size_t rows)
{
	size_t r;

	for (r = 0; r < rows; r++) {
		const size_t bytes = of && of[r].head != r ? NUMBER : row_bytes(t, r);

		if (bytes > p->room)
			break;
		p->room -= bytes;
	}
	return r;
}

#define NAMED 3	     /* rows that a line names which tells what is in a table */
#define NAME "%.80s" /* of paths the rest is in the row */

/* The size by which the rows are sorted, else the one that stands first; of->n: there is none. */
static size_t size_column(const struct table *t, const struct shown *of)
{
	size_t first = of->n;

	for (size_t i = of->n; i-- > 1;)
		if (table_column(t, of->columns[i])->format == FORMAT_SIZE)
			first = i;
	for (size_t i = first; i < of->n; i++)
		if (table_column(t, of->columns[i])->format == FORMAT_SIZE &&
		    t->sorted[of->columns[i]])
			return i;
	return first;
}

/* "docstore 50.7M, pricing 28.7M, redis-server 25.5M, ...": each name once, with a size. */
static void name_rows(const struct table *t, struct sink_page *p, const struct shown *of,
		      size_t rows)
{
	char buf[CELL_TEXT_BYTES], last[CELL_TEXT_BYTES] = "";
	const size_t size = size_column(t, of);
	size_t named = 0;

	for (size_t r = 0; r < rows && named < NAMED; r++) {
		const struct column *col = table_column(t, of->columns[0]);
		const char *text = table_cell_text(col, &t->rows[r][of->columns[0]], buf);

		if (!strcmp(text, last))
			continue;
		strbuf_add(p->names, "%s" NAME, strbuf_between(p->names, ", "),
			   p->word ? p->word(p->arg, col->name, text) : text);
		snprintf(last, sizeof(last), "%s", text);
		named++;
		if (size < of->n)
			strbuf_add(p->names, " %s%s%s%s",
				   table_cell_text(table_column(t, of->columns[size]),
						   &t->rows[r][of->columns[size]], buf),
				   named == 1 ? " (" : "",
				   named == 1 ? table_column(t, of->columns[size])->title : "",
				   named == 1 ? ")" : "");
	}
	strbuf_add(p->names, rows > named ? ", ..." : "");
}

/* Of several that are alike one row has how many they are. */
static void put_row(const struct table *t, struct sink *sink, const struct shown *of,
		    const struct alike *alike, size_t rows, size_t r)
{
	sink_text(sink, "<tr>");
	for (size_t i = 0; i < of->n; i++) {
		const size_t column = of->columns[i];

		if ((alike && i && table_alike_cell(t, sink, alike, rows, r, column)) ||
		    put_as(t, sink, alike, r, column))
			continue;
		put_cell(sink, table_column(t, column), &t->rows[r][column], !i,
			 alike && !i ? alike[r].n : 1);
	}
	sink_text(sink, "</tr>\n");
}

/* A head has a row below it: there is none without, and no sums where there is nothing to sum up. */
void table_html(const struct table *t, struct sink *sink, size_t n)
{
	struct sink_page *p = sink->page;
	const size_t rows = n < t->n ? n : t->n;
	struct alike *alike = table_alike(t, rows);
	struct shown of;
	size_t fit;

	if (p->is_below && (!p->rows || p->is_part))
		return;
	if (p->is_below && p->room < p->below_room)
		p->room = p->below_room;
	fit = count_rows(t, p, alike, rows);
	p->left_out += rows - fit;
	p->rows += p->is_below ? 0 : rows;
	if (!fit)
		return;
	sink_markup(sink, true);
	choose_columns(t, fit, &of);
	put_head(t, sink, &of);
	if (p->names && !p->names->len)
		name_rows(t, p, &of, fit);
	for (size_t r = 0; r < fit; r++)
		if (!alike || alike[r].head == r)
			put_row(t, sink, &of, alike, fit, r);
	sink_text(sink, "</tbody></table></div>\n");
	/* Below these stands what the answer itself has no row of. */
	if (rows > fit)
		sink_printf(sink,
			    "<p class=soft>%zu of %zu rows stand here: the page has no room for "
			    "the others</p>\n",
			    fit, rows);
	p->told += rows - fit;
	sink_markup(sink, false);
}
