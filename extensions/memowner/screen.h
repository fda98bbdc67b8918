/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of the summary in words: a label and a paragraph, as wide as the terminal. */
#pragma once

#include "util/sink.h"

struct strbuf;
struct summary;

/* How much of the parts that have no end is shown. */
struct extent {
	unsigned int classes, culprits, sites, processes, caches, warnings, missing, reclaim;
	/* Where all that is not enough: the line on page faults, then one more statement each on what was stuck. */
	unsigned int given_up;
	bool is_brief; /* the head has no room: of a class no second line */
};

struct screen {
	const struct summary *s;
	struct sink *out;
	struct extent extent;
};

/* Whether a line has room; in a file or a pipe each statement is one line. */
bool screen_fits(const struct screen *sc, size_t columns);

/* Which machine, and its end: on a terminal a line each, the modules that taint it as far as they fit. (overview/head_lines.c) */
void screen_put_case(const struct screen *sc);
/* On a terminal the first clauses, in 4 lines of 80 columns; the others behind the users of memory. (the same) */
void screen_put_verdict(const struct screen *sc);
void screen_put_rest(const struct screen *sc);

/* Users of memory that have room on the screen. */
unsigned int summary_users_shown(const struct summary *s);

/* The users of memory that have most, as far as there is room for them: culprits.c. */
void screen_put_culprits(const struct screen *sc);
/* Below it: in which time the largest owner allocated its pages. */
void screen_put_growth(const struct screen *sc);

/* What the verdict says whole has no line of its own. */
bool screen_is_in_verdict(const struct screen *sc, const char *text);
/* What waits, behind what the verdict has of it; what was so long before the end is "earlier". (overview/stuck_lines.c) */
void screen_put_stuck(const struct screen *sc);
/* Who faulted most, and what is in a page fault. (overview/stuck_lines.c) */
void screen_put_faults(const struct screen *sc);
/* Whether there is more of these to give up; and what was, in words. (overview/stuck_lines.c) */
bool screen_can_give_up(const struct screen *sc);
void screen_add_given_up(const struct screen *sc, struct strbuf *b);

struct statement;
/* Of a row of what is missing, of dump/lack_words.h. */
const char *summary_missing_word(const struct statement *row);
/* What is unknown, not recorded or not there, then the warnings that it does not say. */
void screen_put_missing(const struct screen *sc);
void screen_put_warnings(const struct screen *sc);

/* A paragraph behind a label, broken between words. */
void screen_put(const struct screen *sc, const char *label, const char *text);
/* The same with that many columns in front of each line; a longer label stands in the first one. */
void screen_put_behind(const struct screen *sc, unsigned int indent, const char *label,
		       const char *text);
/* And before words that are not broken; NULL: none. */
void screen_put_whole(const struct screen *sc, unsigned int indent, const char *label,
		      const char *text, const char *behind);

/* For sink_init(): adds to an unsigned int. */
bool screen_count_lines(void *lines, const char *text, size_t n);

/* Processes by all that ends with them. */
void screen_put_processes(const struct screen *sc);
