// SPDX-License-Identifier: GPL-2.0-or-later
/* A table of text as one of HTML: the same cells; what names a row stands first. */

#include "cli/table.h"
#include "util/units.h"

#define MARKUP 52      /* bytes of tags around a cell, with its number */
#define LONGEST 2000   /* bytes of a text: paths have up to 4096 */
#define FRAME_TEXT 512 /* names of functions have up to 511 */

static bool is_name(const struct column *col)
{
	return col->format == FORMAT_PATH || col == &column_catalogue[COLUMN_memcg] ||
	       col == &column_catalogue[COLUMN_caller];
}

/* What names a row: a path or its like, but of a process its name; else the first text, or the first column. */
static size_t heading_of(const struct table *t)
{
	size_t text = t->nselected, path = t->nselected;
	bool has_process = false;

	for (size_t i = t->nselected; i--;) {
		const struct column *col = table_column(t, t->selected[i]);

		if (!col->title || !table_is_left(col) || col->format == FORMAT_PROSE)
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

static void put_text(struct sink *sink, const char *column, const char *text)
{
	const struct sink_page *p = sink->page;
	size_t n;

	if (p->word && column)
		text = p->word(p->arg, column, text);
	n = strlen(text);
	html_text(sink, text, n > LONGEST ? LONGEST : n);
	if (n > LONGEST)
		sink_text(sink, "..");
}

static size_t text_bytes(const char *text)
{
	size_t n = strlen(text);

	return html_bytes(text, n > LONGEST ? LONGEST : n);
}

/* The caller: the first function that does not allocate for others. */
static unsigned int first_frame(const struct stack *s)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (s->frames[i]->symbol && !s->frames[i]->allocates)
			return i;
	return 0;
}

static void put_stack(struct sink *sink, const struct stack *s)
{
	unsigned int first = first_frame(s);
	char buf[FRAME_TEXT];

	if (!s->n)
		return;
	sink_text(sink, "<details><summary>");
	put_text(sink, NULL, function_text(s->frames[first], buf, sizeof(buf)));
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

static void put_cell(struct sink *sink, const struct column *col, const struct cell *c, bool heads)
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
	sink_text(sink, heads ? "</th>" : "</td>");
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
static size_t row_bytes(const struct table *t, const struct cell *row)
{
	char buf[CELL_TEXT_BYTES];
	size_t sum = MARKUP;

	for (size_t i = 0; i < t->nselected; i++) {
		const struct cell *c = &row[t->selected[i]];

		sum += MARKUP + (c->kind == CELL_STACK
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

static void put_head(const struct table *t, struct sink *sink, size_t heading)
{
	sink_text(sink, "<div class=scroll tabindex=0 role=region><table><thead><tr>");
	for (size_t i = 0; i < t->nselected; i++) {
		const struct column *col = table_column(t, t->selected[place(heading, i)]);

		sink_printf(sink, "<th scope=col%s title=\"", is_number(col) ? " class=num" : "");
		html_text(sink, col->help, strlen(col->help));
		sink_printf(sink, "\">%s</th>", col->title ?: col->name);
	}
	sink_text(sink, "</tr></thead><tbody>\n");
}

/* A head has a row below it: there is none without, and no sums where there is nothing to sum up. */
void table_html(const struct table *t, struct sink *sink, size_t n)
{
	struct sink_page *p = sink->page;
	size_t heading = heading_of(t), rows = n < t->n ? n : t->n, r;

	if (p->is_below && !p->rows)
		return;
	if (p->is_below && p->room < p->below_room)
		p->room = p->below_room;
	for (r = 0; r < rows; r++) {
		size_t bytes = row_bytes(t, t->rows[r]);

		/* What follows is smaller: no gaps in a ranking. */
		if (bytes > p->room)
			break;
		p->room -= bytes;
		if (!r) {
			sink_markup(sink, true);
			put_head(t, sink, heading);
		}
		sink_text(sink, "<tr>");
		for (size_t i = 0; i < t->nselected; i++) {
			size_t column = t->selected[place(heading, i)];

			put_cell(sink, table_column(t, column), &t->rows[r][column], !i);
		}
		sink_text(sink, "</tr>\n");
	}
	p->left_out += rows - r;
	p->rows += p->is_below ? 0 : rows;
	if (!r)
		return;
	sink_text(sink, "</tbody></table></div>\n");
	/* Below these stands what the answer itself has no row of. */
	if (rows > r)
		sink_printf(sink,
			    "<p class=soft>%zu of %zu rows stand here: the page has no room for "
			    "the others</p>\n",
			    r, rows);
	p->told += rows - r;
	sink_markup(sink, false);
}
