/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of JSON that has many lines of a log: escaped in one string, as a tool keeps what a command wrote (ansible,
 * get-console-output of a cloud), or each in a string of its own (Loki); and one of
 * frames of syslog (log_octets.h). It comes in parts, as it may be of any length.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct log_pieces;

struct log_pieces *log_pieces_open(struct arena *a);

/* A line or a part of one, which is written to; ends: a newline was behind it. False: it has no such lines. */
bool log_pieces_begin(struct log_pieces *p, char *line, size_t len, bool ends);

/* The next line of the log; NULL: no other is whole. */
char *log_pieces_next(struct log_pieces *p);

/* What of a line the text ends in; NULL: nothing. */
char *log_pieces_end(struct log_pieces *p);
