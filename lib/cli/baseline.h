/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "-d FILE": the rows of a view beside those of a baseline, which is JSON of the same view of another dump,
 * or a text of a machine that runs. The view is asked as with -j, and both answers are read by the same
 * reader: what a view counts, and what it could not read, it has told there. Rows of one name are summed
 * up, and are matched by that name alone: addresses and pids are others in each boot.
 *
 * A view says by a table what its rows are matched by and what of them is compared:
 *
 *	static const struct baseline baseline = {
 *		.by = { { COLUMN_cache } },
 *		.amounts = { { COLUMN_bytes } },
 *		.counts = { { COLUMN_inuse_objects } },
 *		.texts = { &baseline_slabinfo },
 *		.many = "objects in use",
 *	};
 *	static const struct view diff = { BASELINE_OF(baseline, "cache", "caches"), KEYS_OF(keys) };
 */
#pragma once

#include "cli/command.h"

#define BASELINE_KEYS 3
#define BASELINE_WAYS 3
#define BASELINE_TEXTS 3
#define BASELINE_RESTS 3 /* what owners do not share: several, walks that differ, nothing */

struct baseline_side;

/* A text that can stand in for the JSON. */
struct baseline_text {
	const char *name; /* "/proc/slabinfo" */
	/* Whether a line shows that the text is one; those before are left out. */
	bool (*begins)(const char *line);
	const char *alike[2]; /* how lines of another text begin that has lines like its own */
	/* How much of a line no other line of one such text begins with; 0: another may. */
	size_t (*once)(const char *line);
	/* ST_ABSENT: it is no line of such a text. */
	enum status (*line)(struct baseline_side *s, char *line);
	/* Behind the last line, beside the rows now. NULL: nothing is to be done. */
	void (*end)(struct baseline_side *s, struct baseline_side *now);
	const char *must; /* what a line of each has, at its end where it has one; NULL: nothing */
	bool or_names; /* a text that has all names of vmlinux that there are now need not have that line */
	bool is_part;	  /* it need not have a row of what there is */
	bool has_all;	  /* each row of a machine is there, whatever it uses */
	bool has_many;	  /* rows of one name */
	const char *note; /* what is particular; NULL: nothing */
	const char
		*rests; /* what it must have, so that a name is new; NULL: it tells that itself */
	const char *place;	  /* in the folder of a report of sos; NULL: it has none */
	const char *const *files; /* of the folder that this place is; NULL: it is a file */
};

enum baseline_unit {
	BASELINE_PLAIN, /* the number as it is */
	BASELINE_PAGES,
	BASELINE_BLOCKS, /* of the order that the row has */
	BASELINE_ROWS,	 /* each row is one, where it does not have the column: a group has */
};

struct baseline_measure {
	enum column_id column;
	enum baseline_unit unit;
	bool is_counter;     /* of the kernel: all there is, though rows of a side are missing */
	const char *note;    /* what is particular; NULL: nothing */
	const char *many;    /* what is counted by it, instead of struct baseline.many */
	enum column_id plus; /* what a row may have beside it, and both sides tell */
};

struct baseline {
	const char *record;		  /* of the JSON; NULL: "row" */
	const char *rest[BASELINE_RESTS]; /* names of its other records: what is in no row */
	/* What names a row, by the columns that both sides have: the first way that they do. */
	enum column_id by[BASELINE_WAYS][BASELINE_KEYS];
	enum column_id
		instead; /* of the first of them where it has a text: of what the row is a copy */
	enum column_id others;				/* a list of other names of the same */
	struct baseline_measure amounts[BASELINE_WAYS], /* what is compared, all of one unit */
		counts[BASELINE_WAYS];			/* the first that both have */
	const struct baseline_text *texts[BASELINE_TEXTS];
	/* What may grow beside the amount and is not in it: what is in use of it, what is held besides. */
	struct baseline_measure beside;
	bool asks_beside; /* the view has it where -o asks for it: it is, where the file has it */
	const char *many; /* what is counted, be it what is compared; NULL: nothing is */
	bool asks_all;	  /* the view has all of its rows with -a alone */
	bool strips_numbers; /* of names: "stack of 55(kswapd0)", "chunk 0xff1bf37b81b08f00" */
	bool strips_counts;  /* the same: "19 filters of 5 threads" */
	bool passes_groups;  /* the view is asked with -g as well: a column may need it */
	const char *
		may_lack; /* a name, or how one begins, that a text, or another kernel, has no row of */
	/* Names that the view has no row of where there is none of it, with the counter of a text; NULL: the end. */
	const char *(*none)(size_t i, const char **counter);
	const char *overlap; /* why there is no total; NULL: there is one */
};

#define BASELINE_COLUMNS 27
extern const struct view_column baseline_columns[BASELINE_COLUMNS];
extern const struct view baseline_total_view, baseline_json_total_view;

void baseline_prepare(struct cmdline *in);
/* The answer of a command whose view is one of those. */
enum status baseline_run(const struct command_spec *spec, const struct command_run *run,
			 char *name);

/* Its name and the command are those of JSON; NULL: the command that has it. */
#define BASELINE_VIEW(NAME, COMMAND, TOTAL, BASELINE, ONE, MANY)                          \
	.name = (NAME), .call = "-d FILE", .columns = baseline_columns,                   \
	.ncolumns = BASELINE_COLUMNS, .command = (COMMAND), .filters_rows = true,         \
	.prepare = baseline_prepare, .below = &(TOTAL), .run = baseline_run,              \
	.baseline = &(BASELINE), .matched_by = *(BASELINE).by, .nmatched = BASELINE_KEYS, \
	.row = (ONE), .many = (MANY), .rows = 10
#define BASELINE_SORT "diff_bytes,diff_percent,diff_rate_milli,diff_count,bytes,percent,count"
#define BASELINE_OF(BASELINE, ONE, MANY)                                             \
	BASELINE_VIEW("diff", "memowner", baseline_total_view, BASELINE, ONE, MANY), \
		.sorted_by = BASELINE_SORT
/* By the larger growth, of the amount or of what is beside it. */
#define BASELINE_BESIDE(BASELINE, ONE, MANY)                                         \
	BASELINE_VIEW("diff", "memowner", baseline_total_view, BASELINE, ONE, MANY), \
		.sorted_by = "growth_bytes," BASELINE_SORT
/* Of a command that has a view of texts, struct view.of_json of that one. */
#define BASELINE_OF_JSON(BASELINE, ONE, MANY)                                           \
	BASELINE_VIEW("baseline", NULL, baseline_json_total_view, BASELINE, ONE, MANY), \
		.sorted_by = BASELINE_SORT

/* A key of -g of such a view. */
#define BASELINE_KEY(COLUMN, HELP)                                    \
	{                                                             \
		.column = (COLUMN), .help = (HELP), .use = KEY_GROUPS \
	}

extern const struct baseline_text baseline_slabinfo, baseline_vmallocinfo, baseline_meminfo,
	baseline_buddyinfo, baseline_zoneinfo, baseline_pressure, baseline_proc_status, baseline_ps;

/* Of a view whose rows have one name alone: no key of the command is one of it. */
#define NO_KEYS .keys = (const struct key[]){ { 0 } }, .nkeys = 0
