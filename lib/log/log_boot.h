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
	uint64_t first_ns;	      /* of the first stamp */
	uint64_t before_ns;	      /* what newest_ns was before the last stamp */
	bool has_before;	      /* by a stamp */
	char joined[LOG_FILE_JOINED]; /* the last record, while lines may follow; "": none */
	struct kernel_record last;    /* text is set when it is kept */
	bool last_has_ts;
	bool has_last, is_gap, is_escaped, is_respelled;
	struct log_file facts;
	uint64_t first_added,
		newest_added; /* pages that were put to swap, by its first and its last report; 0: none, or unknown */
	uint64_t ram_pages;	/* by a report; 0: unknown */
	bool has_panicked;	/* by one of its records */
	unsigned int lockups;	/* lines */
	unsigned int begun;	/* first lines of reports, and ends of those that have none */
	unsigned int open;	/* first lines of the OOM killer whose end was not there yet */
	bool is_other;		/* the last record is of another kernel than those before it */
	struct log_file before; /* the facts without that record */
	bool has_released;
	uint64_t released_ns; /* of the last line of a task that has the release */
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

/* By its command line, where kexec told it of the memory of the kernel before: not on arm64, whose device tree has it. */
bool log_boot_is_of_crash_kernel(const struct log_boot *b);

/*
 * Whether it is the older part of the boot that another one is of, likely: of one build, its clock and its count of pages that
 * were put to swap are behind those of the other, and near.
 */
bool log_boot_is_before(const struct log_boot *b, const struct log_boot *newer);

/*
 * Whether it is that crash kernel, likely, of which the first lines are lost: it has less RAM than the boot before it has, which
 * panicked, and its clock is another one. A machine that boots again has as much as it had.
 */
bool log_boot_has_less(const struct log_boot *b, const struct log_boot *before);

/* The date of the last record. */
void log_boot_date(struct log_boot *b, const struct log_line *l);

/* Whether a line is of the last record: those of the counters of Mem-Info are one, of which each has a stamp of its own. */
bool log_boot_goes_on(const struct log_boot *b, const struct log_line *l);

/* A line more of the last record; without room it is cut. */
void log_boot_join(struct log_boot *b, const char *text);

/* What it is as a log, but for what is of no boot. */
void log_boot_put(const struct log_boot *b, struct dump *d, struct log_file *ret);

/* What the next line has too is none of the name with which a report begins. */
void log_boot_drop_late(struct log_boot *b, const char *late);

/* "Booting Linux on physical CPU 0x0": arm and arm64 print it in front of the first line of others. */
bool log_boot_is_before_first(const struct log_boot *b);

/*
 * A stamp that is far from those around it: of another boot, if the clock goes on from there, else it is damaged, and its
 * record has the time of the one before it. Which of them is known with the next stamp.
 */
struct log_jump {
	struct log_boot *before; /* without the record of that stamp; NULL: there was none yet */
	uint64_t ts_ns;		 /* the stamp */
	bool is_open;		 /* it is not known yet */
	bool goes_back;
};

/*
 * The stamp of a line ends a boot, whose records are kept as they are: until the next one it is taken as damaged, and the
 * line has the newest time.
 */
void log_jump_open(struct log_jump *j, struct dump *d, const struct log_boot *b, struct log_line *l,
		   bool goes_back);

/* Whether what was open is a boot, as the next line shows, NULL: the end of the log; one that goes on there closes it. */
bool log_jump_is_boot(struct log_jump *j, const struct log_boot *b, const struct log_line *l);

/* Takes its records out of the boot before: their number, 1 at least; 0: they cannot be told from others. */
size_t log_jump_take_back(struct log_jump *j, struct dump *d, struct log_boot *b,
			  struct kernel_record moved[LOG_BOOT_MOVED]);

/*
 * Whether the newest stamp is that of a line before this one with one of its digits changed, which made it a later one: its
 * records then have the time before them.
 */
bool log_jump_was_ahead(struct log_boot *b, const struct log_line *l);

/*
 * The console of a kernel that panics has the line that it was at once more: what was cut is no line of its own. line_ns:
 * the stamp of the last one.
 */
void log_boot_drop_cut(struct log_boot *b, const struct log_line *l, uint64_t line_ns);
