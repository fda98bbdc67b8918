/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The newest records that the kernel itself wrote to its log, kept for those who parse them. */
#pragma once

#include "dump/dump.h"

#define LOG_MAX_RECORDS 16384 /* the newest, which have the report of the end */

struct kernel_record {
	uint64_t ts_ns;	 /* local_clock() */
	uint64_t date_s; /* of a text that has it, see struct log_line; 0: none */
	const char *
		text; /* of the arena, several lines where the kernel wrote so; NULL: not in this dump */
	bool has_caller;
	uint32_t caller;     /* as in struct log_record */
	uint32_t lost;	     /* without text: records that are missing here; 0: unknown */
	uint32_t line_bytes; /* of a text, its line there without the line feed; 0: it is of none */
};

struct kernel_log {
	struct kernel_record *records; /* oldest first */
	size_t n;
	bool is_cut;	       /* a record is not in this dump */
	bool is_broken;	       /* a mail broke lines of a text at blanks, which then are missing */
	bool has_dropped;      /* older ones were overwritten, or are more than LOG_MAX_RECORDS */
	bool misses_processes; /* so, and some may be of the time since there are processes */
};

/* CPUs write with stamps of their own: a record may stand behind one that is newer by less than this. */
#define LOG_BESIDE_NS 1000000000ULL
/* In a text, as a mail with several parts of a log, by less than this; what is older is of another boot. */
#define LOG_TEXT_BESIDE_NS (10 * LOG_BESIDE_NS)

static inline uint64_t log_beside(const struct dump *d)
{
	return d->log_file ? LOG_TEXT_BESIDE_NS : LOG_BESIDE_NS;
}

/* The newest stamp at the end of a log, and the oldest; has_unstamped: 0 is that of a line without one. It has a record. */
uint64_t kernel_log_end(const struct dump *d, const struct kernel_log *log);
uint64_t kernel_log_start(const struct kernel_log *log, bool has_unstamped);

/* Sets misses_processes of a log that is whole otherwise. */
void kernel_log_find_init(struct kernel_log *log);

/*
 * What a user wrote to /dev/kmsg is left out: it may say anything. ST_UNREADABLE and ST_CORRUPT
 * leave what could be read in *ret, with is_cut. ST_ABSENT: the kernel has no log that is known.
 */
enum status kernel_log_read(struct dump *d, struct kernel_log *ret);
