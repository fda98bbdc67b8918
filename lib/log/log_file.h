/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's log of a file of text, where there is no dump: its records, as kernel_log_read() has those of
 * a dump, and what its first lines say of the machine. The lines are given one by one; of a file of any
 * length the newest records are kept, of several boots the last that tells of memory that ran out, else of a panic,
 * else the last.
 *
 * Words that may not be whole are left out: those before the end of a file without a newline, before
 * zeros, and before the stamp of another line.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/log_line.h"
#include "log/user_kills.h"

#define LOG_FILE_TEXT 2048    /* bytes of a record; the kernel's own limit is 1024 */
#define LOG_FILE_JOINED 16384 /* of one that is several lines */

struct log_file {
	struct kernel_log log;
	/*
	 * No record, or not that of a report, has a stamp of the kernel's clock: ts_ns is since the first date, with the
	 * number of the record in it, or that number alone.
	 */
	bool has_no_times;
	bool has_dates; /* records have a date and time of day */
	bool has_seconds; /* each line has that and nothing else: ts_ns differs from what was by less than two seconds */
	bool has_years; /* each date has a year */
	bool is_bare;	/* nothing stands before the words: whose they are is unknown */
	bool lacks_panic; /* panic() ran, as what it prints behind its first line tells, which is missing */
	bool is_respelled; /* words of a panic or a report have another form than the kernel's */
	bool left_bare;	   /* a report was left out, which has no stamps where other lines have */
	unsigned int left_reports; /* first lines of reports among these */
	bool from_start;	   /* its first record is the kernel's first */
	unsigned int boots;	   /* that the file has */
	bool has_clock_boots; /* some of them by the clock alone: they may be parts of one, in another order */
	bool clock_goes_back; /* for that; else it goes on long after a panic, or is_quoted */
	bool is_quoted; /* a mail quotes one of them and not another, or both of different depth */
	bool clock_jumps;	  /* one stamp at least is far from those around it */
	unsigned int later_boots; /* of these, behind the one whose log this is */
	bool has_crash_kernel; /* the next of them is the boot of the crash kernel of this one, which panicked */
	bool is_by_ram; /* that is known by its RAM alone, likely */
	bool has_memory; /* the one whose log this is has a line of a report on memory, and not a panic alone */
	bool is_by_swap; /* it stands before an older part of the same boot, likely, by what was put to swap */
	unsigned int asked_part; /* its number, if that was asked for; 0: it was not */
	unsigned int other_reports, other_panics,
		other_lockups; /* lockups: lines; that begin in the others */
	const char *hosts;     /* "a and b": its lines are of several machines; NULL: of one */
	/* Of texts NULL is unknown. */
	const char *host, *release, *build, *command_line, *taint;
	bool release_ends;   /* the line of it ends there, and may have been cut within it */
	unsigned int number; /* of the build, "#19", in the line of a task; 0: unknown */
	bool has_cpus;
	unsigned int cpus;
	unsigned int page_shift; /* 0: unknown */
	uint64_t boot_ram_kib;	 /* System RAM when the kernel booted; 0: unknown */
	struct user_kills kills; /* of all its boots */
	size_t broken_at; /* bytes at which lines were broken, whose ends are the next lines; 0: as below */
	size_t cut_at; /* bytes at which lines were cut, whose ends are missing; 0: they were not, or it is unknown */
};

/* What each of boots is: by a clock alone it is not known to be one. */
static inline const char *log_file_part(const struct log_file *f)
{
	return f->has_clock_boots ? "part" : "boot";
}

/* Why these are parts. */
static inline const char *log_file_jump(const struct log_file *f)
{
	return f->clock_goes_back ? "as its clock goes back"
	       : f->is_quoted	  ? "as a mail quotes them each in its own way"
				  : "as its clock goes on long after a panic";
}

/* Why the log is of this one; not of one that was asked for. */
static inline const char *log_file_why(const struct log_file *f)
{
	return f->has_crash_kernel && f->is_by_ram
		       ? "the one that panicked before another of less RAM, likely the kernel of kdump"
	       : f->has_crash_kernel ? "the one that panicked before the kernel of kdump booted"
	       : !f->has_memory	     ? "the last with a panic"
	       : f->is_by_swap
		       ? "the newest with a report, likely: its counts of swap go on from those of another"
	       : f->has_clock_boots ? "the last in the file with the first or last line of a report"
				    : "the newest with a report";
}

/* What they are of. */
static inline const char *log_file_kind(const struct log_file *f)
{
	return !f->clock_goes_back && f->is_quoted ? "of several texts, whose machines may differ"
						   : "of several boots or in another order";
}

/* What is with a part of a log that is not read. */
static inline const char *log_file_lacks(const struct log_file *f)
{
	return f->is_respelled ? "in another form than the kernel's: it is not read" : "missing";
}

struct log_reader;

/*
 * dump: whose arena has all that is kept. takes_bare: words without a stamp are the kernel's even where others have
 * one, as in a mail that has both.
 */
struct log_reader *log_reader_open(struct dump *d, bool takes_bare);

/* Of several boots or parts that one, from 1 on, is to be kept; before the first line. */
void log_reader_part(struct log_reader *r, unsigned int part);

/* len bytes, which may have zeros, and are written to; ends: a newline was behind them. */
void log_reader_line(struct log_reader *r, char *line, size_t len, bool ends);

/*
 * "2026-11-23 04:42:26", without a year where one date has none: of a record of that time, as it stands before its
 * words; NULL: no text of a log, or none stands there.
 */
const char *log_file_date(struct dump *d, uint64_t ts_ns);
const char *log_file_date_text(struct dump *d, uint64_t date_s);

/* ST_ABSENT: no line is one of a kernel's log; ST_CORRUPT: lines are newest first, or in no order. */
enum status log_reader_end(struct log_reader *r, struct log_file *ret);
