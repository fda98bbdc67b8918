/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of syslog with a count of octets, "125 <4>1 2026-11-23T04:42:26.123Z box kernel - - - words" (RFC 6587, 3.4.1):
 * bytes behind the blank, and no newline need be between two frames. A line comes in parts, as one of many frames may
 * be of any length. Text only: nothing here reads the dump.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct log_octets;

struct log_octets *log_octets_open(struct arena *a);

/* A line or a part of one, which is written to; ends: a newline was behind it. False: no frame begins it. */
bool log_octets_begin(struct log_octets *o, char *line, size_t len, bool ends);

/* The next frame without its count, until the next call; NULL: no other is whole. */
char *log_octets_next(struct log_octets *o);

/* What of a frame the text ends in; NULL: nothing. */
char *log_octets_end(struct log_octets *o);
