/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows that show records: how each cell comes from one stands beside its column.
 *
 *	static const struct view_column columns[] = {
 *		{ COLUMN_bytes, IN_BOTH, "as the exporter says", UINT_OF(struct dma_buf, bytes) },
 *		{ COLUMN_name, IN_BOTH, CHARS_IF(struct dma_buf, name, has_name) },
 *		{ COLUMN_used_by, IN_BOTH, CELL_BY(used_by_cell) },
 *	};
 *
 * A view names them in struct view, with what its rows are and how they are sorted.
 */
#pragma once

#include "cli/cmdline.h"
#include "cli/report.h"
#include "util/maybe.h"

#define SOURCE_OF(KIND, T, MEMBER, KNOWN, ...)       \
	.from = { .kind = SOURCE_##KIND,             \
		  .bytes = sizeof(((T *)0)->MEMBER), \
		  .offset = offsetof(T, MEMBER),     \
		  .known = KNOWN,                    \
		  __VA_ARGS__ }
/* A member of what a pointer of the record leads to, as UINT, TEXT, ...; unknown where it is NULL. */
#define VIA(KIND, T, POINTER, MEMBER, ...)                                \
	.from = { .kind = SOURCE_##KIND,                                  \
		  .bytes = sizeof(((T *)0)->POINTER->MEMBER),             \
		  .offset = offsetof(typeof(*((T *)0)->POINTER), MEMBER), \
		  .via = offsetof(T, POINTER) + 1,                        \
		  __VA_ARGS__ }
/* A member that is a bool says whether it is known. */
#define KNOWN_BY(T, HAS) (offsetof(T, HAS) + 1 + 0 * sizeof((bool *)0 == &((T *)0)->HAS))

/* 0 is unknown. */
#define UINT_NONZERO(T, MEMBER) SOURCE_OF(UINT, T, MEMBER, SOURCE_KNOWN_NONZERO)
#define HEX_NONZERO(T, MEMBER) SOURCE_OF(HEX, T, MEMBER, SOURCE_KNOWN_NONZERO)

#define UINT_OF(T, MEMBER) SOURCE_OF(UINT, T, MEMBER, 0)
#define UINT_IF(T, MEMBER, HAS) SOURCE_OF(UINT, T, MEMBER, KNOWN_BY(T, HAS))
#define INT_OF(T, MEMBER) SOURCE_OF(INT, T, MEMBER, 0)
#define INT_IF(T, MEMBER, HAS) SOURCE_OF(INT, T, MEMBER, KNOWN_BY(T, HAS))
#define HEX_OF(T, MEMBER) SOURCE_OF(HEX, T, MEMBER, 0)
#define HEX_IF(T, MEMBER, HAS) SOURCE_OF(HEX, T, MEMBER, KNOWN_BY(T, HAS))
#define BOOL_OF(T, MEMBER) SOURCE_OF(BOOL, T, MEMBER, 0)
#define BOOL_IF(T, MEMBER, HAS) SOURCE_OF(BOOL, T, MEMBER, KNOWN_BY(T, HAS))
#define PAGES_OF(T, MEMBER) SOURCE_OF(PAGES, T, MEMBER, 0)
#define PAGES_IF(T, MEMBER, HAS) SOURCE_OF(PAGES, T, MEMBER, KNOWN_BY(T, HAS))
#define SIGNED_PAGES_IF(T, MEMBER, HAS) SOURCE_OF(SIGNED_PAGES, T, MEMBER, KNOWN_BY(T, HAS))
/* Of pages: tenths of a percent of table.whole. */
#define SHARE_OF(T, MEMBER) SOURCE_OF(SHARE, T, MEMBER, 0)
#define SHARE_IF(T, MEMBER, HAS) SOURCE_OF(SHARE, T, MEMBER, KNOWN_BY(T, HAS))
#define TEXT_OF(T, MEMBER) SOURCE_OF(TEXT, T, MEMBER, 0)
#define TEXT_IF(T, MEMBER, HAS) SOURCE_OF(TEXT, T, MEMBER, KNOWN_BY(T, HAS))
/* The text of an array that a member is the index of; there are no others. */
#define NAME_OF(T, MEMBER, NAMES) .choices = NAMES, SOURCE_OF(NAME, T, MEMBER, 0, .names = NAMES)
#define NAME_IF(T, MEMBER, NAMES, HAS) \
	.choices = NAMES, SOURCE_OF(NAME, T, MEMBER, KNOWN_BY(T, HAS), .names = NAMES)
#define STACK_OF(T, MEMBER) SOURCE_OF(STACK, T, MEMBER, 0)
#define LIST_OF(T, MEMBER) SOURCE_OF(LIST, T, MEMBER, 0)
#define LIST_IF(T, MEMBER, HAS) SOURCE_OF(LIST, T, MEMBER, KNOWN_BY(T, HAS))
#define COPY_OF(T, MEMBER) SOURCE_OF(COPY, T, MEMBER, 0)
/* A struct maybe_u64 says it itself. */
#define UINT_MAYBE(T, MEMBER) UINT_IF(T, MEMBER.n, MEMBER.known)
#define HEX_MAYBE(T, MEMBER) HEX_IF(T, MEMBER.n, MEMBER.known)
#define PAGES_MAYBE(T, MEMBER) PAGES_IF(T, MEMBER.n, MEMBER.known)
#define SHARE_MAYBE(T, MEMBER) SHARE_IF(T, MEMBER.n, MEMBER.known)
/* An empty one is unknown, unless a member says that it is known. */
#define CHARS_OF(T, MEMBER) SOURCE_OF(CHARS, T, MEMBER, 0)
#define CHARS_IF(T, MEMBER, HAS) SOURCE_OF(CHARS, T, MEMBER, KNOWN_BY(T, HAS))
#define CELL_BY(FUNCTION) .from = { .cell = FUNCTION }
/*
 * Of a group, by what its members have in a column. Members that have none do not count; where one is unknown,
 * the sum and what is common are, and the largest and smallest are of the others.
 */
#define MEMBERS .from = { .kind = SOURCE_MEMBERS }
#define SUM_OF(COLUMN) .from = { .kind = SOURCE_SUM, .of = (COLUMN) }
#define SUM_SHARE_OF(COLUMN) .from = { .kind = SOURCE_SUM_SHARE, .of = (COLUMN) }
#define MOST_OF(COLUMN) .from = { .kind = SOURCE_MOST, .of = (COLUMN) }
#define LEAST_OF(COLUMN) .from = { .kind = SOURCE_LEAST, .of = (COLUMN) }
#define COMMON_OF(COLUMN) .from = { .kind = SOURCE_COMMON, .of = (COLUMN) }
/* When they began, of a column that has their ages, or of a function; table.span_ns: rows_set_span(). */
#define TIMES_OF(COLUMN) .from = { .kind = SOURCE_TIMES, .of = (COLUMN) }
#define TIMES_BY(FUNCTION) .from = { .kind = SOURCE_TIMES, .cell = FUNCTION }
#define VALUES_OF(COLUMN) .from = { .kind = SOURCE_VALUES, .of = (COLUMN) }
/* The same of what members have in no column: of a function as of CELL_BY(). */
#define SUM_BY(FUNCTION) .from = { .kind = SOURCE_SUM, .cell = FUNCTION }
#define MOST_BY(FUNCTION) .from = { .kind = SOURCE_MOST, .cell = FUNCTION }
#define LEAST_BY(FUNCTION) .from = { .kind = SOURCE_LEAST, .cell = FUNCTION }
/* Of what takes time: unknown where nothing asks for the column. */
#define CELL_IF_NEEDED(FUNCTION) .from = { .cell = FUNCTION, .costly = true }
/* The same of a function that is asked for more than one column: with an argument. */
#define CELL_OF(FUNCTION, ARG) .from = { .cell_of = FUNCTION, .arg = ARG }
/* Asked only for rows that are shown, or for all where it sorts or chooses them: the record stays. */
#define CELL_LATE(FUNCTION) .from = { .cell = FUNCTION, .is_late = true }
/*
 * The last column of each view: what its rows rest on, BASIS(recorded), BASIS(derived) or BASIS(inferred).
 * Recorded is what the kernel wrote down for its readers, or a sum of such records alone; derived what follows
 * from its state, or from both; inferred what pointers or contents suggest.
 */
#define BASIS(WORD)                                                                             \
	{                                                                                       \
		COLUMN_basis, IN_JSON | KNOWN, .choices = (const char *const[]){ #WORD, NULL }, \
					       .from = {                                        \
						       .kind = SOURCE_WORD,                     \
						       .word = #WORD                            \
					       }                                                \
	}
/* The same of rows that do not all rest on the same: the function has the word of each, NOTE says which. */
#define BASIS_BY(FUNCTION, NOTE)                                                               \
	{                                                                                      \
		COLUMN_basis, IN_JSON | KNOWN, NOTE, .choices = basis_words, CELL_BY(FUNCTION) \
	}
/* Of rows that rest on what is asked for, keys and columns: no row is chosen by it, nor sorted. */
#define BASIS_ASKED(FUNCTION, NOTE)                                                        \
	{                                                                                  \
		COLUMN_basis, IN_JSON | KNOWN | NO_SORT_KEY, NOTE, .choices = basis_words, \
								   CELL_BY(FUNCTION)       \
	}
/* A function for CELL_BY() that is one expression of the record r. */
#define CELL_FROM(FUNCTION, T, EXPRESSION)                              \
	static struct cell FUNCTION(const void *record, void *unused) { \
		const T *r = record;                                    \
                                                                        \
		(void)unused;                                           \
		return EXPRESSION;                                      \
	}

/* The same of the record r and what the view hands on, v. */
#define CELL_WITH(FUNCTION, T, V, EXPRESSION)                           \
	static struct cell FUNCTION(const void *record, void *handed) { \
		const T *r = record;                                    \
		V *v = handed;                                          \
                                                                        \
		(void)r;                                                \
		(void)v;                                                \
		return EXPRESSION;                                      \
	}

/* A function for view_column.can_have of the record r, and v as above. */
#define CAN_HAVE(FUNCTION, T, V, CONDITION)                    \
	static bool FUNCTION(const void *record, void *handed) \
	{                                                      \
		const T *r = record;                           \
		V *v = handed;                                 \
                                                               \
		(void)r;                                       \
		(void)v;                                       \
		return CONDITION;                              \
	}

/*
 * For struct view: what a row is, the order without -s, and how many text shows without -n; -f and -X take its
 * columns.
 */
#define ROWS_ARE(ONE, MANY, SORTED_BY, N) \
	ALL_ROWS_ARE(ONE, MANY, SORTED_BY, N), .filters_rows = true
/* The same of rows that no filter chooses. */
#define ALL_ROWS_ARE(ONE, MANY, SORTED_BY, N) \
	.row = ONE, .many = MANY, .sorted_by = SORTED_BY, .rows = N
/* The same of rows that sum up others: what these are. */
#define MEMBERS_ARE(ONE, MANY) .member = ONE, .members = MANY
/* The columns of these, of which columns of groups are the sums. */
#define SUMS_UP(array) \
	.member_columns = (array), .nmember_columns = sizeof(array) / sizeof((array)[0])

/* What a column has of a record. */
struct cell row_cell(const struct table *t, const struct view_column *c, const void *record,
		     void *view);

/* A row of a table from a record, which the cells may point into; view is handed to CELL_BY() functions. */
struct cell *row_add(struct table *t, const void *record, void *view);

/* A row that is not kept, row of VIEW_COLUMNS cells: those that t shows, or that choose it. */
void row_fill(const struct table *t, const void *record, void *view, struct cell *row);

/* The same in the table of the view, if rows_keep(); of a view of groups a member of one. */
void rows_add(struct cmdline *in, const void *record, void *view);

/* A row that is shown at once and counted: of JSON, or of a table whose header was shown. */
void row_stream(struct report *r, const struct table *t, const void *record, void *view);

/* table_named() of a row that is told in sentences. */
void row_put_named(const struct table *t, const char *spec, struct sink *sink, const void *record,
		   void *view);

/* Whether filters of keys keep the row of a record; one that they do not keep is counted. */
bool rows_keep(struct cmdline *in, const void *record, void *view);
/* The same of a group that has only what other filters kept. */
bool rows_keep_group(struct cmdline *in, const void *record, void *view);
/* The same, by columns of its own, of what becomes a row only with others, or in other words. */
bool rows_keep_member(struct cmdline *in, const struct view_column *columns, size_t n,
		      const void *record, void *view);
/* To its group, a member that it keeps: where a group has only what all of them were asked for. */
void rows_add_member(struct cmdline *in, const void *member, void *view);

/* Of -g: notes in the table what members of a group may have each another of. */
void rows_note_groups(struct cmdline *in);
/* Text: columns that -o named, of which none of the n first rows has a value. in: NULL where there is no -g. */
void rows_tell_empty(struct report *r, const struct cmdline *in, const struct table *t, size_t n);

/* The late cells of the first rows. (row_cells.c) */
void rows_look_up(struct table *t, size_t rows);
/* Whether a late cell sorts or chooses rows: then rows_sort() looks up those of all rows. */
bool rows_need_late(const struct cmdline *in);
/*
 * Of a view that is sorted by one column, before its rows are added: cells that neither sort, choose nor sum up rows are
 * looked up for those that are shown. The records stay.
 */
void rows_put_off(struct cmdline *in);
/* Filters, sorts and numbers the rows of the view, as its struct view and the options say. */
void rows_sort(struct cmdline *in);
/* Sorts and numbers rows of a table that is not the view's. */
void rows_order(struct table *t, const char *sort, bool up, bool reverse);
/* Shows them, with the line of those that are left out. */
void rows_put(struct report *r, struct cmdline *in);
/* Both. */
void rows_show(struct report *r, struct cmdline *in);

/*
 * The records that stand behind the rows, by view->below: n of them, of bytes each, in their order or as it is
 * sorted. They are named by what its name has behind a '-'.
 */
void rows_put_below(struct report *r, const struct cmdline *in, const struct view *below,
		    const void *records, size_t n, size_t bytes, void *view);

/*
 * The same of a table that is filled: as many rows as -n asks for if below has a number without -n; in
 * text behind a title.
 */
void rows_put_table(struct report *r, const struct cmdline *in, const struct view *below,
		    struct table *t, const char *title);

/* One of them at once, in JSON. */
void rows_put_record(struct report *r, const struct view *below, const void *record, void *view);

/* The same as cmdline_show_keys(), then these, up to COLUMN_NONE. */
void rows_show_groups(struct cmdline *in, const enum column_id *behind);

/* Hides columns, up to COLUMN_NONE: of text, unless -o names them. */
void rows_hide(struct cmdline *in, const enum column_id *columns);

/* In text, with -g: keys of its first n rows that are blank, or not shown. (rows_empty.c) */
void rows_tell_keys(struct report *r, const struct cmdline *in, const struct table *t, size_t n);

/* In text, with -s: how many behind them have the same number as the last of them. (rows_ties.c) */
void rows_tell_ties(struct report *r, const struct cmdline *in, size_t shown);

/* What -g sums up, by the values of its keys: records that begin with a struct row_group. */
struct row_group {
	struct cell values[GROUP_KEYS]; /* in the order of -g */
	uint64_t members;
	struct cell *sums; /* by rows_add(), of each column of the view; or NULL */
};

struct row_groups {
	struct hash_bytes groups, texts;
	struct hash_bytes seen; /* values of SOURCE_VALUES, by group and column */
	void *view;		/* handed to the functions of cells */
};

void row_groups_init(struct row_groups *g, struct dump *d, size_t group_bytes);
/* The group of a record, whose columns have the keys; a new one is zero but for them. */
void *row_groups_get(struct row_groups *g, const struct cmdline *in,
		     const struct view_column *columns, size_t n, const void *record, void *view,
		     bool *is_new);
/* Its row: the columns of keys have their values, others what they have of the record. */
struct cell *row_add_group(struct cmdline *in, const struct row_group *group, void *view);

/* Whether two cells of one column have the same: what is unknown, or none, is the same as another of these. */
bool cell_same(const struct cell *a, const struct cell *b);

/* What all members of a group have, with one more. */
void cell_keep_common(struct cell *common, const struct cell *c);

/* Whether filters of keys, but those of groups, would keep a record that becomes no row. (rows_same.c) */
bool rows_would_keep(const struct cmdline *in, const void *record, void *view);

/* The command line without filters of the key that a column is, for rows_would_keep(); NULL: it has none. */
struct cmdline *rows_without(const struct cmdline *in, enum column_id column);

/* Whether -g puts two records into one group, by the values that columns have of them. */
bool rows_same_group(const struct cmdline *in, const struct view_column *columns, size_t n,
		     const void *a, const void *b, void *view);

/* The groups of rows_add_member() that filters keep, as rows. (row_groups.c) */
void rows_add_groups(struct cmdline *in);
/* Whether filters kept a part of what groups consist of. */
bool rows_have_parts(const struct cmdline *in);
/* In text: how many rows the filters kept; of groups how many members, groups, or both. */
void rows_put_kept(struct report *r, const struct cmdline *in);
