/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What surrounds the rows: in JSON the meta line before and the summary line
 * behind them, in text the warnings and the coverage line.
 */
#pragma once

#include "dump/gap.h"
#include "dump/scan_stats.h"
#include "symbols/lines.h"
#include "cli/table.h"
#include "util/units.h"

#define REPORT_SCHEMA 2
#define REPORT_WARNINGS 16

/* A part of the answer that is not known. */
struct unknown_part {
	struct unknown_part *next;
	const char *name, *reason;
	enum availability why;
};

struct report {
	struct dump *dump;
	struct sink *sink;
	bool json;
	const char *command, *view;
	const char *warnings[REPORT_WARNINGS];
	unsigned int nwarnings;
	unsigned int more_warnings; /* that had no room */
	struct unknown_part *unknown, **last_unknown;
	bool has_gaps, lacks_sizes; /* of report_gaps() */
	/* Whether all rows that -d compares are there, with their sizes; NULL: as long as no part is unknown. */
	const bool *has_sizes;
	bool tells_unknown;	 /* the command has lines of its own for them: no warnings */
	enum availability state; /* "ok" or, with rows, "off_later" */
	bool has_ended;		 /* its end was written */
	bool of_tags;	   /* the coverage counts references to tags, not records of page_owner */
	bool tells_groups; /* what filters kept is told in groups, by rows_put_kept() */
	uint64_t rows_shown, rows_total;
	uint64_t rows_nowhere;	       /* of these: what was asked of is no page of this dump */
	struct dump_info info;	       /* what is of a saved scan has that one's */
	const struct opts *opts;       /* that the rows follow from; NULL: they are not told */
	const struct filters *filters; /* of which words that nothing has are told; NULL: none */
	const struct lines *lines;     /* whose warnings come at the end; NULL: without -l */
};

/* Of a dump of which nothing is known but its page size. */
void report_init_bare(struct report *r, struct dump *d, struct sink *sink, const char *command,
		      const char *view, bool json);
/* Reads what the meta line says of the dump. */
void report_init(struct report *r, struct dump *d, struct sink *sink, const char *command,
		 const char *view, bool json);
/* The first line of JSON. */
void report_meta(struct report *r);

/* One warning per kind, with its count in the text. */
__attribute__((format(printf, 2, 3))) void report_warn(struct report *r, const char *fmt, ...);

/* "pfn:99999999 (0x5f5e0ff) is not System RAM of this dump", in buf. */
#define REPORT_NO_RAM 128
const char *report_no_ram_text(char buf[REPORT_NO_RAM], const char *asked, uint64_t pfn);

/*
 * The same of n pages among those that were asked for: "pfn:0x9e-0xa1: 3 of 4 pages are not System RAM of this
 * dump, the first is pfn 0x9f".
 */
void report_no_ram(struct report *r, const char *asked, uint64_t n, uint64_t of, uint64_t first);

/* Warnings of what the answer lacks. */
void report_gaps(struct report *r, const struct gap *gaps, size_t n);
/* The same, each text behind that of what lacks it. */
void report_gaps_of(struct report *r, const char *what, const struct gap *gaps, size_t n);
/* The same of an array. */
#define REPORT_GAPS(r, gaps) report_gaps(r, gaps, sizeof(gaps) / sizeof((gaps)[0]))

/*
 * A part of the answer that could not be read, and why, as availability_of() has it for a status: a
 * warning "PART unknown: REASON", the key "unknown" of JSON.  The answer is not complete unless the
 * kernel has no such thing.
 */
__attribute__((format(printf, 4, 5))) enum status report_unknown(struct report *r, const char *part,
								 enum availability why,
								 const char *fmt, ...);

/* Whether that part was told already. */
bool report_has_unknown(const struct report *r, const char *part);

/*
 * The same of a decoder that ended with st and its dump's error; what
 * the kernel does not have is not told.  ST_STOPPED alone is returned.
 */
enum status report_part(struct report *r, const char *part, enum status st);

/* The same of what was asked for by name: that the kernel does not have it is told. */
enum status report_asked(struct report *r, const char *part, bool asked, enum status st);

/* All rows of a table, in text or as JSON; counts none. */
void report_table(struct report *r, const struct table *t);

/*
 * The rows of a table as -j and -n ask, dflt of them in text without -n (0: all).
 * Returns how many were shown; the rest is counted in the summary.
 */
size_t report_rows(struct report *r, const struct table *t, const struct opts *o, uint64_t dflt);

/* In text: that filters of columns kept all rows_total but these; report_rows() says so itself. */
void report_columns_kept(struct report *r, uint64_t left_out);

/*
 * Text: "... 3 more groups with 1.2M (-n 0 shows all)", n in the number of its noun; with is
 * NULL, or the size of what is left out, or why its rank is unknown ("objects unknown of 1").  Nothing in JSON, and nothing of n 0.
 */
void report_rest(struct report *r, uint64_t n, const char *one, const char *many,
		 const char *behind);

/*
 * The same of the rows of t behind the first shown ones, with the sum of a column of bytes: it is
 * named where it is not shown, or where -s has another figure.
 */
void report_rest_bytes(struct report *r, const struct table *t, const struct opts *o, size_t shown,
		       size_t column, const char *one, const char *many);

/* "filters kept 0 of 51 threads", in text and with filters of keys only; of: before the filters. */
void report_kept(struct report *r, const struct filters *f, uint64_t kept, uint64_t of,
		 const char *one, const char *many);

/* Behind that, of groups: filters asked their members, not groups, and no figure is that of all of them any more. */
void report_groups_kept(struct report *r, bool is_part, const char *one, const char *many);

/* The same of the rows of t, by its counts. */
void report_rows_kept(struct report *r, const struct filters *f, const struct table *t,
		      const char *one, const char *many);

/*
 * A table behind the rows: records of this name in JSON, in text behind an empty line if rows were
 * shown.
 */
void report_records(struct report *r, const struct table *t, const char *record);

/*
 * The end of a report with rows.  cov NULL: nothing was scanned page by page;
 * complete: the end was reached and nothing was unreadable.
 */
void report_end(struct report *r, const struct scan_stats *cov, bool complete);

/* Where no page could be read and there are no rows, that is no answer: "no data: of the 65,503 pages ...". */
void report_none_read(struct report *r, uint64_t pages, const char *ram_name);

/*
 * Nothing that rows would be of could be read, which the view says in a line: that is no answer either. Before
 * report_end(), whose JSON has it.
 */
void report_no_rows(struct report *r, enum availability why);

/*
 * Beside an output that has no line of ours: pages that could not be read, filters that nothing met.
 * cov may be NULL: nothing was scanned.
 */
void report_left_out(const struct report *r, const struct scan_stats *cov);

/*
 * Times were asked for, and the record of a panic may be in a part of the log that could not be read: true,
 * and why, and up to what they are. False: not so, or it was told already.
 */
#define PART_PANIC_TIME "the time of the panic"
#define REPORT_LACKS_PANIC (END_TEXT + 64)
bool report_lacks_panic(const struct report *r, char buf[REPORT_LACKS_PANIC]);

/*
 * What report_end() does before it writes: the last warnings.  For a command that writes the end
 * of its text itself.
 */
void report_finish(struct report *r);

/* The whole answer where there is no data: why, in words from dump->error. */
void report_no_data(struct report *r, enum availability why);

/* The notes of -D. */
void report_trace(struct dump *d, struct sink *sink);

/* The age of a time stamp at the panic, as a cell: null as age_at_panic(). */
struct cell report_age(const struct report *r, uint64_t ts_ns);
