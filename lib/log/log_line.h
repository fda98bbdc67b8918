/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line of a text that has the kernel's log, and what tools put before the kernel's words: the stamp and
 * the caller of the kernel itself ("[   12.345678][  T123] "), its level ("<4>"), dmesg -x, -T, -H, the form
 * of /dev/kmsg, syslog ("Nov 23 04:42:26 host kernel: ", and the dates of rsyslog) and journalctl -o short,
 * short-iso, short-full, short-unix, short-monotonic. Text only: nothing here reads the dump.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOG_HOST 64

enum log_line_kind {
	LOG_LINE_BARE,	 /* nothing stands before the words: whose they are is unknown */
	LOG_LINE_MORE,	 /* it begins with blanks: the record of the line before may go on */
	LOG_LINE_KERNEL, /* words of the kernel */
	LOG_LINE_OTHER	 /* of another program */
};

struct log_line {
	enum log_line_kind kind;
	const char *text; /* in the line */
	bool has_ts, has_caller;
	uint64_t ts_ns;
	/* Seconds since 1970 on the clock that the tool shows, of a year without has_year; 0: no date stands there. */
	uint64_t date_s;
	bool has_year;
	bool has_sequence; /* of /dev/kmsg */
	uint64_t sequence;
	uint32_t caller;     /* as in struct log_record */
	bool is_syslog;	     /* the host of syslog or journalctl is before the words */
	bool is_program;     /* the tag of another program is: "host name[123]: " */
	bool is_escaped;     /* of /dev/kmsg: "\\x0a" */
	bool is_monotonic;   /* and a stamp of the kernel's clock before it */
	char host[LOG_HOST]; /* "": not told */
};

/* host: of journalctl -o short-monotonic, as an earlier line had it; "" before there was one. */
void log_line_parse(const char *line, const char *host, struct log_line *ret);

/* Where in a line, not at its start, the stamp of another one begins; NULL: nowhere. */
const char *log_line_inside(const char *line);
