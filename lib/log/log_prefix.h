/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a mail, an editor or a tool has before each line of a log: "| ", "# ", "    > ", "web-1  | ", "  12: ". It is
 * seen in front of a stamp or of the first line of a report, and taken off from all lines that have it, among them
 * those without a stamp. Text only.
 */
#pragma once

#include <stddef.h>

#include "log/log_line.h"

#define LOG_PREFIX 64

/* The last one seen: digits in it are any digits. */
struct log_prefix {
	char mark[LOG_PREFIX]; /* "": none */
	char maybe
		[LOG_PREFIX]; /* words behind it, of the line before alone: a name may have a sign too; "": none */
};

/*
 * What is behind it in the line; the line: it does not have it. *late: bytes that are of it too in what was returned of
 * the line before, else 0.
 */
char *log_prefix_skip(struct log_prefix *p, char *line, size_t *late);

/* "box app[333]: " behind a date: what a program has there is its own, whatever it looks like. */
bool log_names_program(const struct log_line *l);

/* "message repeated 2 times: [ text]" of rsyslog: the line before has the text. */
bool log_is_repeated(const struct log_line *l);

/* What a tool has behind each line that has a stamp within: "',", " - kernel", "\",\"2026-11-23T04:42:26\"". Zeroed, none was seen. */
struct log_tail {
	char mark[LOG_PREFIX]; /* digits in it are any digits */
	size_t lines, others;  /* that end so far as the first ones, and otherwise */
};

void log_tail_line(struct log_tail *t, const char *line, size_t len);

/* The words that most of at least 8 lines end with, which are none of a kernel; NULL: there are none. */
const char *log_tail_mark(const struct log_tail *t);

/* Bytes of the line without it. */
size_t log_tail_skip(const char *mark, const char *line, size_t len);

#define LOG_STRAY_BEGIN 16 /* bytes with which lines of one log begin alike */

struct arena;

/* Of the last line of the kernel. */
struct log_stray {
	uint64_t before_ns; /* its stamp */
	bool has_before;
	char begin[LOG_STRAY_BEGIN + 1]; /* as it stands there */
};

/*
 * Takes each line by its form. One that has a part of a stamp alone gets that of the line before, if the words behind it are
 * whole; true: where they begin is unknown.
 */
bool log_stray_line(struct log_stray *s, struct arena *a, char **line, struct log_line *l);
