/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a regular file, of one that gzip compressed the bytes that it was made from.
 *
 * zlib's own files (gzopen) are of no use here: crash exports some functions of the zlib that is
 * in its gdb and not the others, so that one file would be handled by two versions of zlib. The
 * functions of inflate are of one version, because zlib has them in one object file.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

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
