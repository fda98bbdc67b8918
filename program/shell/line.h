/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of commands as crash has it: words between blanks, and where the output goes.
 * Quotes, "..." or '...', may stand anywhere in a word; a backslash is itself, as regular expressions
 * want it.  "> FILE", ">> FILE" and "| PROGRAM" take the rest of the line, but not in quotes, in
 * parentheses or in "->".
 */
#pragma once

#define LINE_WORDS 192

struct line {
	int argc;
	char *argv[LINE_WORDS + 1]; /* NULL behind the last */
	enum { LINE_PLAIN, LINE_FILE, LINE_APPEND, LINE_PROGRAM } to;
	char *target; /* of the others; in the text */
};

/* Changes text, in which the words stay.  What is wrong with it; NULL: nothing. */
const char *line_parse(char *text, struct line *ret);
