/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of cells, in the columns of a view: which are shown, in which order, and
 * how they look in text and in JSON.
 */
#pragma once

#include "cli/filter.h"
#include "util/json.h"

enum cell_kind {
	CELL_NULL, /* unknown, or there is none */
	CELL_UINT,
	CELL_INT,
	CELL_HEX,
	CELL_SPAN,
	CELL_BOOL,
	CELL_TEXT,
	CELL_RANKED,
	CELL_NAMED,
	CELL_LIST,
	CELL_STACK,
	CELL_STEPS,
	CELL_FIELDS,
};

/* How much there is of each of some steps: in text a line of its own. */
struct steps {
	unsigned int n;
	const uint64_t *counts;
	const char *(*name)(unsigned int step);
};

/* A text with an order of its own: sorted as the number, with 0 behind those that have none. */
struct ranked_text {
	const char *text;
	uint64_t rank;
};

/* A text that filters may name in another form: "handle_mm_fault+0x0" by "handle_mm_fault". */
struct named_text {
	const char *text, *name;
};

/* Addresses from a first to a last one, of which filters may name any; the first is what is shown. */
struct address_span {
	uint64_t first, last;
};

struct fields;

struct cell {
	enum cell_kind kind;
	bool is_none; /* CELL_NULL: there is none, which is no unknown value */
	union {
		uint64_t u;
		int64_t i;
		const char *text; /* lives as long as the command */
		const struct ranked_text *ranked;
		const struct named_text *named;
		const struct address_span *span;
		const struct text_list *list;
		const struct stack *stack;
		const struct steps *steps;
		const struct fields *fields;
		const void *record; /* behind the cells of a row: what it shows */
	};
};

/* Values with names of their own, in text on a line of its own. */
struct fields {
	unsigned int n;
	const char *const *names;
	const struct cell *values; /* numbers and texts */
};

struct table {
	struct dump *dump;
	const struct view_column *columns;
	size_t ncolumns;
	unsigned int selected[VIEW_COLUMNS]; /* indexes, in order of output */
	size_t nselected;
	bool filtered[VIEW_COLUMNS]; /* table_filter() needs its cells */
	bool sorted[VIEW_COLUMNS];   /* table_sort() does */
	bool asked[VIEW_COLUMNS];    /* table_select() named it */
	bool may_differ
		[VIEW_COLUMNS]; /* rows are groups, whose members may each have another: "-" then, too */
	bool keys[VIEW_COLUMNS];    /* -g did: its values name the rows */
	bool chose[VIEW_COLUMNS];   /* -f or -X of a key did */
	bool put_off[VIEW_COLUMNS]; /* looked up for the rows that are shown, by rows_put_off() */
	struct cell **rows;
	size_t n;
	size_t left_out;	/* by table_filter() */
	size_t refused;		/* by filters of keys: the caller counts them */
	const char *one, *many; /* what a row is */
	const char *call;	/* view_call(); NULL: "" */
	uint64_t whole;		/* pages that shares are of */
	uint64_t span_ns;	/* from boot to the end, of SOURCE_TIMES; 0: unknown */
	void *view;		/* handed to the functions of cells */
	bool has_late;		/* all rows have their late cells */
};

/*
 * Selects the columns that are shown by default; json says in which output.
 * ST_USAGE: too many for a table.
 */
enum status table_init(struct table *t, struct dump *d, const struct view_column *columns, size_t n,
		       bool json);

/*
 * "-o a,b", "-o +a,-b" applied to the selection; ST_USAGE names what is wrong.
 */
enum status table_select(struct table *t, const char *spec);

/* A row of ncolumns cells and one for rows.c, all null, to be filled. */
struct cell *table_add(struct table *t);

/* Whether "key,key" can sort it; ST_USAGE names what is wrong. */
enum status table_check_sort(struct table *t, const char *spec);
/*
 * Sorts by such keys: the biggest number and the first text come first, unknown
 * last; reverse turns all of it but that.
 */
void table_sort(struct table *t, const char *spec, bool reverse);

/* Whether a filter of a key keeps the cell of a column that has its value. */
bool table_keeps_key(const struct filter *f, const struct view_column *c, const struct cell *cell);
/* A cell of another column, for values of a filter that none of its own has met: it may have one of them. */
void table_ask_elsewhere(const struct filter *f, const struct view_column *c,
			 const struct cell *cell);

/* Whether the filters of rows keep a row; they are of this table's columns. */
bool table_keeps(const struct table *t, const struct filters *f, const struct cell *row);
/* The same of a row that table_filter() is asked later, which counts what is left out as unknown. */
bool table_will_keep(const struct table *t, const struct filters *f, const struct cell *row);
/* Leaves out the rows that they do not keep, and counts them. */
void table_filter(struct table *t, const struct filters *f);

/* The last row first. */
void table_reverse(struct table *t);

/* Whether a column, by its index in columns, is among the selected ones, or rows are chosen by it. */
bool table_shows_at(const struct table *t, size_t column);
/* Whether a column that is not shown, or of rows that are not, is the same in all: an order by it makes the first row no answer. */
bool table_is_alike_behind(const struct table *t, size_t column, uint64_t shown);

/* The same, or they are sorted by it. */
bool table_needs_at(const struct table *t, size_t column);

/* Puts those that the rows are sorted by, and that are not shown, behind the others. */
void table_show_sorted(struct table *t);

/* Puts a column behind the selected ones, or takes it away. */
void table_show_at(struct table *t, size_t column);
void table_hide_at(struct table *t, size_t column);

/* The same of a column by its name in the catalogue. */
#define table_shows(t, id) table_shows_at(t, table_index(t, id))
#define table_needs(t, id) table_needs_at(t, table_index(t, id))
#define table_show(t, id) table_show_at(t, table_index(t, id))
#define table_hide(t, id) table_hide_at(t, table_index(t, id))

/* Index of the column that a user names, as column_find(), or ncolumns. */
size_t table_find(const struct table *t, const char *name, size_t len);
/* Index of a column of the catalogue, or ncolumns. */
size_t table_index(const struct table *t, enum column_id id);

static inline const struct column *table_column(const struct table *t, size_t column)
{
	return view_column(&t->columns[column]);
}

/*
 * Header and the first n rows; nothing without a row.  A file gets every cell as it is, one
 * line a row.  On a terminal (sink->columns) the widest texts are cut first, down to 12 columns
 * each; where that is not enough, a row is continued in the next line.  No figure is cut.
 */
void table_text(const struct table *t, struct sink *sink, size_t n);

/* The same as a table of HTML, for a sink with a page. */
void table_html(const struct table *t, struct sink *sink, size_t n);

/* Whether -o, -s, -g, -f or -X named a column: it stays, whatever it has. */
static inline bool table_was_asked(const struct table *t, size_t column)
{
	return t->asked[column] || t->sorted[column] || t->keys[column] || t->chose[column] ||
	       t->filtered[column];
}

/* The text of a cell as it is; buf is for what is no text. */
#define CELL_TEXT_BYTES 256 /* of what is no text */
const char *table_cell_text(const struct column *col, const struct cell *c, char *buf);
/* Text stands left, everything else right. */
bool table_is_left(const struct column *col);

/* Of a share that is rounded the column of the size that it is of, which orders it; ncolumns: it is none, or has none. */
size_t table_exact(const struct table *t, size_t column);

/* For rows that are not kept: widths come from the columns. */
void table_stream_header(const struct table *t, struct sink *sink);
void table_stream_row(const struct table *t, struct sink *sink, const struct cell *row);

/*
 * For a row that is told in sentences: "  TITLE value" of each column that "+a,b" names, without
 * those that have lines of their own.
 */
void table_named(const struct table *t, const char *spec, struct sink *sink,
		 const struct cell *row);

/* A row as one line of JSON; the second names its record. */
void table_json_row(const struct table *t, struct sink *sink, const struct cell *row);
void table_json_record(const struct table *t, struct sink *sink, const char *record,
		       const struct cell *row);

/* An array of frames. */
void json_stack(struct json *j, const char *key, const struct stack *s);

static inline struct cell cell_uint(uint64_t v)
{
	return (struct cell){ .kind = CELL_UINT, .u = v };
}

static inline struct cell cell_int(int64_t v)
{
	return (struct cell){ .kind = CELL_INT, .i = v };
}

static inline struct cell cell_hex(uint64_t v)
{
	return (struct cell){ .kind = CELL_HEX, .u = v };
}

static inline struct cell cell_bool(bool v)
{
	return (struct cell){ .kind = CELL_BOOL, .u = v };
}

static inline struct cell cell_text(const char *text)
{
	return (struct cell){ .kind = text ? CELL_TEXT : CELL_NULL, .text = text };
}

static inline struct cell cell_ranked(const struct ranked_text *ranked)
{
	return (struct cell){ .kind = ranked ? CELL_RANKED : CELL_NULL, .ranked = ranked };
}

/* The text of a cell; NULL: it has none. */
static inline const char *cell_words(const struct cell *c)
{
	return c->kind == CELL_TEXT	? c->text
	       : c->kind == CELL_RANKED ? c->ranked->text
	       : c->kind == CELL_NAMED	? c->named->text
	       : c->kind == CELL_LIST	? c->list->text
					: NULL;
}

static inline struct cell cell_named(const struct named_text *named)
{
	return (struct cell){ .kind = named ? CELL_NAMED : CELL_NULL, .named = named };
}

static inline struct cell cell_span(const struct address_span *span)
{
	return (struct cell){ .kind = CELL_SPAN, .span = span };
}

/* What is left of a cell where filters have asked it, for groups: equal values are equal cells. */
static inline struct cell cell_value(const struct cell *c)
{
	return c->kind == CELL_SPAN    ? cell_hex(c->span->first)
	       : c->kind == CELL_NAMED ? cell_text(c->named->text)
				       : *c;
}

static inline struct cell cell_list(const struct text_list *list)
{
	return (struct cell){ .kind = list ? CELL_LIST : CELL_NULL, .list = list };
}

static inline struct cell cell_stack(const struct stack *stack)
{
	return (struct cell){ .kind = stack ? CELL_STACK : CELL_NULL, .stack = stack };
}

static inline struct cell cell_steps(const struct steps *steps)
{
	return (struct cell){ .kind = steps ? CELL_STEPS : CELL_NULL, .steps = steps };
}

static inline struct cell cell_fields(const struct fields *fields)
{
	return (struct cell){ .kind = fields ? CELL_FIELDS : CELL_NULL, .fields = fields };
}

/* "-" where nothing is unknown. */
static inline struct cell cell_none(void)
{
	return (struct cell){ .kind = CELL_NULL, .is_none = true };
}

static inline bool cell_is_unknown(const struct cell *c)
{
	return c->kind == CELL_NULL && !c->is_none;
}

/* Whether a filter that it does not meet could be met by what is not known of it. */
static inline bool cell_is_doubtful(const struct cell *c)
{
	return cell_is_unknown(c) || (c->kind == CELL_LIST && text_list_is_cut(c->list));
}

/* v, or there is none */
static inline struct cell cell_or_none(bool has, struct cell v)
{
	return has ? v : cell_none();
}

/* v, or unknown where this kernel does not record it */
static inline struct cell cell_if(bool known, struct cell v)
{
	return known ? v : (struct cell){ .kind = CELL_NULL };
}

/* Whether outer frames of a stack may be missing. */
static inline struct cell cell_cut(const struct stack *stack)
{
	return cell_if(stack, cell_bool(stack && stack->cut));
}
