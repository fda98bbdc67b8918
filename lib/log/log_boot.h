/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of one boot in a text of the log: the newest LOG_MAX_RECORDS, and some before these. */
#pragma once

#include "log/log_file.h"

/* Records one behind the other, in memory of their own. */
struct log_part {
	struct arena *arena;
	struct kernel_record *records; /* LOG_MAX_RECORDS; NULL: none yet */
	size_t n;
};

/* A boot of the machine: its older and its newer records. */
struct log_boot {
	struct log_part older, newer;
	bool is_cut, is_broken, has_dropped, from_start, tells, tells_of_memory;
	bool has_times, has_no_times; /* a record has one; one of a report has none */
	unsigned int dated;	      /* lines that have a date and no stamp of the kernel */
	bool has_undated;	      /* a line has neither */
	uint64_t newest_ns, first_date_s, newest_date_s;
	char joined[LOG_FILE_JOINED]; /* the last record, while lines may follow; "": none */
	struct kernel_record last;    /* text is set when it is kept */
	bool last_has_ts;
	bool has_last, is_gap, is_escaped, is_respelled;
	struct log_file facts;
	bool has_panicked;	/* by one of its records */
	unsigned int begun;	/* first lines of reports */
	bool is_other;		/* the last record is of another kernel than those before it */
	struct log_file before; /* the facts without that record */
};

#define LOG_BOOT_MOVED \
	8 /* records: from the first line of a report, of an oops or of a panic to that of its CPU */

/* Drops all records. */
void log_boot_reset(struct log_boot *b);

/* The last record with all of its lines becomes one of them; changes: of the release and the taint. */
void log_boot_flush(struct log_boot *b, struct dump *d, unsigned int *changes);

/*
 * Takes the last record, which is of another kernel, with the lines of its report before it out of a boot: their number.
 * They begin the other boot, which goes on from there. before: facts of the first one; has_ts: the last of them has a
 * stamp.
 */
size_t log_boot_take_back(struct log_boot *b, struct dump *d,
			  struct kernel_record moved[LOG_BOOT_MOVED]);
void log_boot_begin(struct log_boot *b, struct dump *d, const struct kernel_record *moved, size_t n,
		    const struct log_file *before, bool has_ts, unsigned int *changes);

/* Whether the clock of a line is that of another boot: it goes back, or goes on long after a panic. */
bool log_boot_ends(const struct log_boot *b, const struct log_line *l, bool *goes_back);

/* The date of the last record. */
void log_boot_date(struct log_boot *b, const struct log_line *l);

/* A line more of the last record; without room it is cut. */
void log_boot_join(struct log_boot *b, const char *text);

/* What it is as a log, but for what is of no boot. */
void log_boot_put(const struct log_boot *b, struct dump *d, struct log_file *ret);
