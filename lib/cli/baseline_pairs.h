/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of two sides that have one name. */
#pragma once

#include "cli/baseline_side.h"

struct baseline_value {
	bool known, is_bound; /* is_bound: what was read, there may be more */
	int64_t n, rounded;   /* rounded: as of struct baseline_row */
};

/* What one side has of a name: its rows summed up. */
struct baseline_sum {
	uint64_t rows;
	bool is_none; /* there are none, which is known: the values are 0 */
	struct baseline_value amount, count, beside;
};

enum { BASIS_RECORDED, BASIS_DERIVED, BASIS_INFERRED }; /* of basis_words */

struct baseline_pair {
	const char *name;  /* NULL: the rows have none */
	const char *shown; /* the same in text, where what is inferred has a mark */
	struct baseline_sum now, before;
	unsigned int basis;
	struct maybe_u64 confidence; /* the lowest of its rows, tenths of a percent */
	bool is_lacking;	     /* struct baseline.may_lack of a side: it is in no total */
	bool is_rest; /* what it is called is unknown: it has memory of other names too */
	struct baseline_pair
		*merged; /* what it was merged with, and is counted in; NULL: it is of its own */
};

struct baseline_diff {
	const struct baseline *baseline;
	struct cmdline *in;
	const char *view; /* that is compared */
	const char *key;  /* "node,zone": names of by[] */
	struct baseline_side before, now;
	enum column_id by[GROUP_KEYS + 1];	       /* up to COLUMN_NONE */
	struct baseline_measure amount, count, beside; /* beside: without a column nothing is */
	struct hash_bytes pairs;		       /* of struct baseline_pair, by their name */
	bool before_whole, now_whole;
	bool has_confidence; /* a row has */
	const char *lacks;   /* why the text is not all of it; NULL: nothing tells that */
	struct baseline_pair total;
	uint64_t unchanged;
	bool shows_all;
};

/* What both sides are asked for. */
void baseline_open(struct baseline_diff *d, struct dump *dump, const char *path);

/* Whether a row of it has the column. */
bool baseline_has(const struct baseline_side *s, enum column_id column);

/* ": make it with -g module", of a file whose rows are by other groups; "": it is no matter of groups. */
const char *baseline_make_it(const struct baseline_diff *d);

/* "processes" and "processes_groups" have the same rows in other sums. */
bool baseline_same_view(const struct baseline_side *a, const struct baseline_side *b);

/* Both sides have their rows. ST_USAGE: the file lacks what they are matched by, or what is compared. */
enum status baseline_pair_up(struct baseline_diff *d);

bool baseline_other_kernel(const struct baseline_diff *d);

/* The sum of rows, each once, and its end. */
void baseline_add_total(struct baseline_diff *d, const struct baseline_pair *p);
void baseline_end_total(struct baseline_diff *d);

/* An integer; unknown where one of the two is, or may be more. */
struct cell baseline_growth(const struct baseline_value *now, const struct baseline_value *before);

/* The larger one of the amount and of what is beside it; unknown where that of the amount is. */
struct cell baseline_most_growth(const struct baseline_pair *p);

/* Whether no more differs than one side has rounded. */
static inline bool baseline_is_rounding(const struct baseline_pair *p)
{
	const int64_t by = p->before.amount.rounded;
	int64_t more;

	return by && p->now.rows && p->before.rows &&
	       !__builtin_sub_overflow(p->now.amount.n, p->before.amount.n, &more) && more <= by &&
	       more >= -by;
}

/* "grown", "shrunk", "same", "new" or "gone"; NULL: unknown. */
const char *baseline_change(const struct baseline_pair *p);
