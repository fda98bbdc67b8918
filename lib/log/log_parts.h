/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts in which pstore keeps the end of a log, as the files of /sys/fs/pstore have them one behind the other:
 * "Panic#1 Part1" stands above the newest lines, Part2 above those before them (fs/pstore/platform.c: pstore_dump()).
 * They are given in the order of time. So are the packets of netconsole.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct log_parts;
struct log_window;

/* As log_reader_line(): line has len bytes and a zero behind them; ends: a newline was behind it. */
struct log_parts_to {
	void (*line)(void *arg, char *line, size_t len, bool ends);
	void *arg;
};

struct log_parts *log_parts_open(struct arena *a, struct log_parts_to to);

/* A line behind such a header is kept until the last part of its dump is known. */
void log_parts_line(struct log_parts *p, char *line, size_t len, bool ends);

/* Gives what is kept. */
void log_parts_end(struct log_parts *p);

/*
 * The parts one behind the other, the newest first, without these lines: by their stamps, each part ends where the one
 * before it begins.
 */
#define LOG_ORDER_PARTS 64

struct log_order {
	struct {
		size_t line; /* its first one, from 0 on */
		uint64_t first_ns, last_ns;
	} parts[LOG_ORDER_PARTS];
	unsigned int n;
	bool is_other; /* more parts, or a line that does not begin with a stamp of the kernel or below one */
	size_t lines;
};

/* Takes the lines of a text one by one. */
void log_order_line(struct log_order *o, const char *line);

/* Whether the parts are those of one log, of at least two, the newest first. */
bool log_order_is_reversed(const struct log_order *o);

#define LOG_WINDOW 16 /* lines by which a packet of netconsole comes late */

/*
 * Lines in the form of /dev/kmsg, "4,1234,337614278,-;text", whose packets overtook one another, are given in the order of
 * their numbers. One that does not come within LOG_WINDOW lines is missing.
 */
struct log_window *log_window_open(struct arena *a, struct log_parts_to to);
void log_window_line(struct log_window *w, char *line, size_t len, bool ends);

/* Gives what is kept. */
void log_window_end(struct log_window *w);

/* The numbers of records as they are read. */
struct log_sequence {
	bool has_last;
	uint64_t last;
};

/* Whether records are missing before one; *lost: how many, 0: more than fit. They go on in steps of one; a boot begins with 0. */
bool log_sequence_lacks(struct log_sequence *s, uint64_t number, uint32_t *lost);
