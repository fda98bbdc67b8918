/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What nouns have in common whose views are in extensions/pageowner. */
#pragma once

#include "cli/baseline.h"
#include "pages/kernel_map.h"
#include "pageowner/view.h"

/*
 * What a view takes that ranks rows.  Examples of values, for doc/views.md and tests: of -f and -X, of -s,
 * of -o.
 */
#define RANKED_ROWS(filter, key, columns)                                                    \
	VALUE('f', filter), VALUE('X', filter), VALUE('s', key), FLAG('r'), VALUE('n', "1"), \
		VALUE('o', columns)
#define VALUE(option, example)                          \
	{                                               \
		.letter = (option), .values = (example) \
	}
#define FLAG(option)               \
	{                          \
		.letter = (option) \
	}

/* "-d FILE", of nouns that have such a view. */
#define DIFF                                                                        \
	{                                                                           \
		.letter = 'd', .values = "FILE", .views = "diff", .chooses = "diff" \
	}
/* What that view takes of a noun that ranks no rows. */
#define DIFF_ROWS(key)                                                       \
	{ 's', .values = (key), .views = "diff" }, { 'r', .views = "diff" }, \
		{ 'f', .values = "change=grown", .views = "diff" },          \
	{                                                                    \
		'X', .values = "change=grown", .views = "diff"               \
	}

/* What every noun takes; the last of its table. */
#define LAST_OPTIONS FLAG('j'), FLAG('D'), FLAG('h'), FLAG('\0')

/* Behind the tables help[], views[] and options[] of the file; what is more of struct command_spec. */
#define OWNER_NOUN(name, ...)                                                                \
	static const struct command_spec usage = { NOUN_TABLES, .map = kernel_map_if_linear, \
						   ##__VA_ARGS__ };                          \
	NOUN_MAIN(name, struct owner_view)
