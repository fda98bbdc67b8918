/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text files of the user's: read by lines, also those that gzip compressed, or written new. */
#pragma once

#include "dump/dump.h"
#include "util/sink.h"

#define TEXTFILE_LINE 65536 /* bytes of a line, with its end */

/*
 * Calls visit for each line, without its end; the line may be written to.  Ends at
 * the first status that is not ST_OK.  ST_USAGE: it cannot be read, has a
 * longer line, or its compressed data are damaged or end early.
 */
enum status textfile_read(struct dump *d, const char *path,
			  enum status (*visit)(void *arg, char *line), void *arg);

/* The same; is_cut: no newline is behind the line that is visited, which may have been longer. */
enum status textfile_read_cut(struct dump *d, const char *path,
			      enum status (*visit)(void *arg, char *line), void *arg, bool *is_cut);

/*
 * The same of a file that may have anything: a line of len bytes may have zeros, one that is too long comes in
 * pieces. ends: a newline is behind it, or behind its last piece.
 */
enum status textfile_read_any(struct dump *d, const char *path,
			      enum status (*visit)(void *arg, char *line, size_t len, bool ends),
			      void *arg);

/* The start of a line for a message: bytes that are not printable are '?'. */
void textfile_start(const char *line, char *buf, size_t size);

/*
 * A file that is not there yet, with what put writes.  ST_USAGE: it exists, or
 * cannot be written; then nothing of it stays.
 */
enum status textfile_write(struct dump *d, const char *path,
			   enum status (*put)(void *arg, struct sink *sink), void *arg);
