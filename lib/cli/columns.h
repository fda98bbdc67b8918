/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalogue of columns: what each name means in every view of every command.
 * Its rows stand in columns.def.  A view lists those that it has, and where it
 * shows them:
 *
 *	static const struct view_column columns[] = {
 *		{ COLUMN_pid, IN_BOTH | KNOWN, INT_OF(struct task, pid) },
 *		{ COLUMN_gfp, IN_JSON, "if all pages have the same", TEXT_OF(struct group, gfp) },
 *	};
 *
 * Headers of text, the keys of -s, -o and JSON, -o help, doc/json.md and the
 * schemas in doc/schema follow from the two ("make doc").
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum format {
	FORMAT_PLAIN,
	FORMAT_SIZE,	/* bytes */
	FORMAT_LIMIT,	/* the same; max: as much as a page counter can count, which is no limit */
	FORMAT_TIME,	/* nanoseconds of a duration */
	FORMAT_SECONDS, /* the same, but what it follows from are whole seconds */
	FORMAT_STAMP,	/* nanoseconds of a clock */
	FORMAT_PFN,	/* hexadecimal in text, as the kernel prints it */
	FORMAT_PERCENT, /* tenths of a percent */
	FORMAT_HUNDREDTHS, /* of a percent */
	FORMAT_MILLI,	   /* thousandths; text has one place */
	FORMAT_ORDERS,	   /* bit n set: order n */
	FORMAT_TEXT,	   /* stands left; on a narrow terminal its end is cut */
	FORMAT_PATH,	   /* the same, but its beginning is cut */
	FORMAT_PROSE,	   /* stands left; on a narrow terminal continued below, where it is last */
	FORMAT_WHOLE,	   /* stands left, is never cut */
	FORMAT_WAY,	   /* a line below the row; on a terminal broken in front of " -> " */
};

enum json_type {
	JSON_UINT,    /* an integer from 0 on */
	JSON_ORDINAL, /* from 1 on */
	JSON_INT,
	JSON_PID, /* an integer; of a corrupt record it may be negative */
	JSON_PERCENT,
	JSON_HEX, /* "0x..." */
	JSON_BOOL,
	JSON_TEXT,
	JSON_STACK,  /* an array of frames */
	JSON_STEPS,  /* an object of counts: doc/schema/ages.json */
	JSON_OBJECT, /* of names and values that the dump has */
	JSON_ORDERS, /* an array of integers */
	JSON_ANY,    /* integer, boolean or text, by the name in the row */
};

struct column {
	const char *name;
	const char *title; /* NULL: lines of its own (a stack, steps) */
	enum format format;
	enum json_type type;
	unsigned int width; /* of streamed rows; 0: that of the title */
	const char *help;
	const char *alias; /* second name */
	const char *key;   /* of JSON, as it is written; NULL: it is made of the name */
	size_t key_bytes;
	bool is_flags;
	const char *flags; /* the kernel's table of their names; NULL: it has none */
};

enum column_id {
	COLUMN_NONE, /* a view that leaves out an index of its columns is refused */
#define COLUMN(name, ...) COLUMN_##name,
#include "cli/columns.def"
#undef COLUMN
	COLUMN_IDS
};

extern const struct column column_catalogue[COLUMN_IDS];

/* Whether a value is typed as a text: a word, yes or no, a function of a stack. */
static inline bool column_is_text(const struct column *c)
{
	return c->type == JSON_TEXT || c->type == JSON_BOOL || c->type == JSON_STACK;
}

/* The values of the column basis, NULL behind them. */
extern const char *const basis_words[];

/* How a view shows a column. */
enum {
	IN_TEXT = 1, /* shown without -o */
	IN_JSON = 2,
	IN_BOTH = 3,
	NO_SORT_KEY = 4, /* it follows from the order */
	KNOWN = 8,	 /* never null in JSON */
	SIGNED = 16,	 /* JSON_UINT that may be negative here */
	IF_ROOM = 64,	 /* with IN_TEXT: not where a terminal has no room for it in one line */
	OR_NONE = 32,	 /* null says that there is none, never that it is unknown */
};

struct cell;
struct filter;

/* How a cell comes from the record that a row shows: cli/rows.h has a macro for each kind. */
struct cell_source {
	enum source_kind {
		SOURCE_NONE, /* the view fills the cell itself */
		SOURCE_UINT,
		SOURCE_INT,
		SOURCE_HEX,
		SOURCE_BOOL,
		SOURCE_PAGES, /* a number of pages, shown in bytes */
		SOURCE_SIGNED_PAGES,
		SOURCE_SHARE, /* the same, of the pages that table.whole has */
		SOURCE_TEXT,  /* a pointer to what lives as long as the command; NULL: unknown */
		SOURCE_NAME,  /* an index of names; NULL there: unknown */
		SOURCE_STACK, /* a pointer to a struct stack; NULL: unknown */
		SOURCE_LIST,  /* a pointer to a struct text_list; NULL: unknown */
		SOURCE_COPY, /* a text that is gone before the row is shown; NULL or empty: unknown */
		SOURCE_CHARS,	  /* an array within a record that lives as long */
		SOURCE_WORD,	  /* the same of every row */
		SOURCE_MEMBERS,	  /* of a group: how many it has */
		SOURCE_SUM,	  /* of what its members have in a column: the sum; */
		SOURCE_SUM_SHARE, /* the share of the sum, as SOURCE_SHARE; */
		SOURCE_MOST,	  /* the largest; */
		SOURCE_LEAST,	  /* the smallest; */
		SOURCE_VALUES,	  /* how many different ones; */
		SOURCE_COMMON,	  /* the one that all have; */
		SOURCE_TIMES,	  /* when they began, by their ages: row_times.h */
	} kind;
	uint16_t bytes; /* of the member */
	uint16_t offset;
	uint16_t via;	/* behind the offset of a pointer to what has the member; 0: the record */
	uint16_t known; /* behind the offset of a bool beside the member; 0: it is always known */
#define SOURCE_KNOWN_NONZERO UINT16_MAX
	bool costly; /* it is called if the column is shown, or rows are chosen or sorted by it */
	bool is_late; /* looked up for the rows that are shown, or for all that it sorts or chooses */
	/* Where no member has it: one of many cells by a function has an argument. */
	struct cell (*cell)(const void *record, void *view);
	struct cell (*cell_of)(const void *record, void *view, unsigned int arg);
	union {
		unsigned int arg;
		const char *word; /* of SOURCE_WORD */
		const char *const *names;
		enum column_id of; /* of groups: the column of members; COLUMN_NONE: cell() */
	};
};

struct view_column {
	enum column_id id;
	unsigned int shown;
	const char *note;	    /* what is particular in this view, behind the help; or NULL */
	unsigned int width;	    /* instead of the catalogue's; 0: that */
	const char *const *choices; /* the only texts there are, NULL behind them; NULL: any */
	/* Asked where the cell is unknown (null): false: the record can have none. NULL: each can. */
	bool (*can_have)(const void *record, void *view);
	/*
	 * Asked by filters instead of the cell, which shows one of many; *unknown: that one which is not
	 * known might meet it. NULL: the cell is asked.
	 */
	bool (*keeps)(const struct filter *f, const void *record, void *view, bool *unknown);
	/* Without that option, or that key of -g, none is looked up: no row is chosen or sorted by it. */
	char needs_option;
	enum column_id needs_key;
	const char *elsewhere; /* as of struct key */
	struct cell_source from;
};

#define VIEW_COLUMNS 64 /* of one view */

/* For struct view: an array of columns and its length; does not compile beyond VIEW_COLUMNS. */
#define COLUMNS_OF(array)                                \
	.columns = (array),                              \
	.ncolumns = sizeof(array) / sizeof((array)[0]) + \
		    0 * sizeof(char[sizeof(array) / sizeof((array)[0]) <= VIEW_COLUMNS ? 1 : -1])

/* The same two, for table_init(). */
#define COLUMNS(array) (array), sizeof(array) / sizeof((array)[0])

static inline const struct column *view_column(const struct view_column *c)
{
	return &column_catalogue[c->id];
}

/*
 * What its note says of rows that have none: "none: no signal waits" of "with -o; none: no signal waits"; NULL: nothing
 * that says more.
 */
const char *view_column_why(const struct view_column *c);

/*
 * The index of the column that a user names, or n: by its name, its header or its
 * alias, all without regard to case; a name is never taken for another column's header.
 */
size_t column_find(const struct view_column *columns, size_t n, const char *name, size_t len);

/* The names of a column, in case a word is like one of them. */
struct known_names;
void column_names_like(struct known_names *known, enum column_id id);

/*
 * How well text names a column: 0 as its name, 1 as its header, 2 as its alias or, in another
 * case, as its name, 3 without the unit; COLUMN_RANKS: not at all.
 */
#define COLUMN_RANKS 4
unsigned int column_rank(enum column_id id, const char *text, size_t len);
