/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that a logger writes as several lines, or in pieces: fields of journalctl -o export and -o verbose, objects
 * of -o json-pretty and dmesg -J, pieces of the runtimes of containers (CRI) and of netconsole. Each becomes one line.
 * Text only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "util/arena.h"

enum log_entry_kind {
	LOG_ENTRY_NONE,	 /* another line, which stays as it is */
	LOG_ENTRY_PART,	 /* of a record that goes on, or that is none of the kernel */
	LOG_ENTRY_WHOLE, /* the record is whole */
	LOG_ENTRY_LOST	 /* a piece of one is missing */
};

struct log_entry;

struct log_entry *log_entry_open(struct arena *a);

/*
 * len bytes, which may have zeros; ends: a newline was behind them. *ret: the words, as journalctl -o short-monotonic
 * has them, or what was written in pieces; written to until the next call.
 */
enum log_entry_kind log_entry_line(struct log_entry *e, const char *line, size_t len, bool ends,
				   char **ret);

/* The record that the end of the file ends. */
enum log_entry_kind log_entry_end(struct log_entry *e, char **ret);
