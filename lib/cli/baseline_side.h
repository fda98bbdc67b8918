/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of one side of a comparison: of JSON, or of a text. */
#pragma once

#include "cli/baseline.h"
#include "util/json_read.h"

#define BASELINE_NEEDS 24	  /* columns that a comparison looks at */
#define BASELINE_ROWS_MAX 4000000 /* with 500 bytes each; files of a large machine are a million */
#define BASELINE_NAME 4096	  /* of a row */

struct baseline_row {
	struct baseline_row *next;
	const char *rest;    /* of struct baseline.rest: its name; NULL: it is a row */
	int64_t rounded;     /* bytes that its size may have more or less: "190.3m" */
	struct cell cells[]; /* of each column that is needed: a number, a text or unknown */
};

/* A text that a side tells of itself. */
struct baseline_word {
	struct baseline_word *next;
	const char *text, *part; /* part NULL: a warning */
	enum availability why;
};

struct baseline_side {
	struct dump *dump;
	const struct baseline *baseline;
	const char *path; /* NULL: this dump */
	enum column_id columns[BASELINE_NEEDS];
	bool has[BASELINE_NEEDS];   /* a row has it */
	bool knows[BASELINE_NEEDS]; /* and of one it is known */
	size_t ncolumns;
	struct baseline_row *rows, **last, *row; /* row: the one that is filled */
	uint64_t nrows;
	const struct baseline_text *text; /* NULL: it is JSON */
	const char *once; /* what of its first such line no other has; NULL: none was read */
	unsigned long line;
	const char *first; /* line of it that is not empty; NULL: none yet */
	void *own;	   /* of the text */
	bool is_cut, has_must;
	uint64_t rounded, unread; /* lines: whose size is, that are of no known form */
	unsigned long first_unread;
	const char *lacks; /* that the text should have; NULL: nothing is known to be missing */
	/* What JSON says of itself. */
	const char *command, *view, *kernel, *status;
	char record[32]; /* of the line */
	uint64_t page_size, rows_shown, rows_total;
	bool has_rest[BASELINE_RESTS];
	uint64_t row_lines;  /* of "row", as rows_shown should have them */
	bool has_rows_shown; /* a summary tells them */
	bool has_mem_total, has_options, has_summary, complete, sizes_complete;
	uint64_t schema;
	uint64_t mem_total_bytes;
	const char *options; /* each with a comma and a blank behind it, without those of -g */
	const char *groups;  /* keys of -g; NULL: there was none */
	struct baseline_word *words, **last_word;
};

void baseline_side_init(struct baseline_side *s, struct dump *d, const struct baseline *b,
			const char *path);

/* A column that the comparison looks at. */
void baseline_need(struct baseline_side *s, enum column_id column);
/* Its index, or ncolumns. */
size_t baseline_index(const struct baseline_side *s, enum column_id column);

/* A row, and what it has; texts are copied. ST_USAGE: there are too many. */
enum status baseline_row(struct baseline_side *s);
void baseline_put(struct baseline_side *s, enum column_id column, struct cell cell);
void baseline_put_text(struct baseline_side *s, enum column_id column, const char *text);

/* A line of JSON, which is written to. ST_USAGE: it is none of this view. */
enum status baseline_json_line(struct baseline_side *s, char *line);

/* A line of a file of either kind, of a struct baseline_side. */
enum status baseline_file_line(void *side, char *line);
/* The file of the side, of either kind. ST_USAGE: it is none. */
enum status baseline_file_read(struct baseline_side *s);

/* Whether a file was made with the filters that are asked of both sides: it lacks no row that they keep. */
bool baseline_same_filters(const struct baseline_side *before, const struct baseline_side *now,
			   const struct opts *o);
