/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an answer lacks: a warning, and the answer is not complete.
 *
 *	{ "no struct page in this dump for %s", unreadable, "page", "pages" },
 *	GAP_WHY("caches without a slab are missing: %s", problem),
 */
#pragma once

#include "dump/dump.h"

struct gap {
	const char *text; /* a "%s" is the number with its noun, behind it or in its place why */
	uint64_t n;	  /* 0: it lacks nothing */
	const char *one, *many; /* NULL: text has no number */
	const char *why;
	bool is_note;	    /* the answer is complete all the same */
	bool is_idle;	    /* of threads that may as well have nothing to do */
	bool is_of_running; /* of threads that run on a CPU: these are asleep for no lock */
	bool keeps_sizes;   /* each row is there, with its size or null */
};

/* NULL: it lacks nothing. */
#define GAP_WHY(TEXT, WHY)                                       \
	{                                                        \
		.text = (TEXT), .n = (WHY) != NULL, .why = (WHY) \
	}

struct gaps {
	const struct gap *rows;
	size_t n;
};

/* Its text in the arena of the dump. */
const char *gap_text(struct dump *d, const struct gap *gap);

/* Those of a table that lack something, in the arena of the dump. */
struct gaps gaps_copy(struct dump *d, const struct gap *rows, size_t n);
/* The same of an array. */
#define GAPS_OF(d, rows) gaps_copy(d, rows, sizeof(rows) / sizeof((rows)[0]))

/* Those of several tables, one behind the other, in the arena of the dump. */
struct gaps gaps_join(struct dump *d, const struct gaps *all, size_t n);

/* Why there is no data, or only some: what the summary of a report says. */

enum availability {
	AVAILABLE,
	NOT_BUILT, /* into this kernel */
	OFF_AT_BOOT,
	OFF_LATER, /* there is data, from before it was turned off */
	NOT_IN_DUMP,
	UNKNOWN_LAYOUT,
	OVER_LIMIT, /* more than there is room for, or than a command looks at */
	CORRUPT,    /* a known layout with values that cannot be */
};

/* "ok", "not_built" and so on. */
const char *availability_name(enum availability a);

/* What the failure to open a source means, if nothing is known of it. */
enum availability availability_of(enum status st);

/* Whether there may be data that cannot be shown: not where the kernel has none, or has it all shown. */
bool availability_hides(enum availability a);
