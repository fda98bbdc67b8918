/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text files of the user's: read by lines, also those that gzip compressed, or written new. */
#pragma once

#include <zlib.h>

#include "dump/dump.h"
#include "util/sink.h"

#define TEXTFILE_LINE 65536	     /* bytes of a line, with its end */
#define TEXTFILE_MARK "\xef\xbb\xbf" /* of UTF-8, which some editors put before the first line */

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

/*
 * The bytes of a regular file, of one that gzip compressed the bytes that it was made from.
 *
 * zlib's own files (gzopen) are of no use here: crash exports some functions of the zlib that is
 * in its gdb and not the others, so that one file would be handled by two versions of zlib. The
 * functions of inflate are of one version, because zlib has them in one object file.
 */

#define TEXT_SOURCE_BYTES 16384 /* of a file that are read at once */

enum text_problem {
	TEXT_OK,
	TEXT_ERRNO,   /* errno has the error of the file */
	TEXT_CUT,     /* the compressed data end early */
	TEXT_DAMAGED, /* they are not correct */
};

struct text_source {
	int fd;
	bool gzip;
	bool inside; /* of a member of the compressed file */
	enum text_problem problem;
	z_stream z;
	unsigned char in[TEXT_SOURCE_BYTES];
};

/* TEXT_ERRNO: no such file, or no regular one; then nothing is to be closed. */
enum text_problem text_source_open(struct text_source *s, const char *path);

/* Up to size bytes; 0: the end, or a problem, which s->problem tells. */
size_t text_source_read(struct text_source *s, void *buf, size_t size);

void text_source_close(struct text_source *s);

/* Whether a file is there, and begins with a byte. */
bool text_source_begins(const char *path, char byte);
