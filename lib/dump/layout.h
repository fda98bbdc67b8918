/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of the members that a decoder reads.
 *
 * A row names a member and, where kernels renamed it, the other names; the
 * first that exists wins, newest first.  Presence, width and offset come from
 * the debug information; nothing asks which release a kernel is.
 */
#ifndef MEMOWNER_DUMP_LAYOUT_H
#define MEMOWNER_DUMP_LAYOUT_H

#include "dump/dump.h"

enum need {
	REQUIRED,
	OPTIONAL,
	REQUIRED_BITS, /* a bit field */
	OPTIONAL_BITS,
};

struct layout_row {
	const char *type;     /* with its keyword: "struct page_owner" */
	const char *names[3]; /* newest first */
	enum need need;
	const char *since; /* releases that have it, one for each name; -D shows it */
};

/*
 * Fills ret[n].  ST_UNKNOWN, with the message naming the type and member, if
 * a required one is missing.  Every row is noted for -D.
 */
enum status layout_resolve(struct dump *d, const struct layout_row *rows, size_t n,
			   struct field *ret);

/* For -D: all that debug information says of a type, "enum x" too. */
void layout_trace_type(struct dump *d, const char *type);

/*
 * Offset behind the last present member: what must be read of such a structure. Members of which
 * only the offset and the size matter, such as an array of MAX_NUMNODES pointers, are left out.
 */
size_t layout_span(const struct field *fields, size_t n);

/* More than any structure has: struct pglist_data with 1024 nodes has 175 KB. */
#define LAYOUT_MAX ((size_t)1 << 20)

/* A copy of what is read of a structure, as long as its type says. */
struct layout_buffer {
	uint8_t *raw; /* of the command's memory, zeroed */
	size_t bytes;
};

/*
 * Room for bytes of a type, layout_span() or its size, for as long as the command runs: made when
 * a decoder is opened, not at each read. ST_UNKNOWN if that is nothing or beyond LAYOUT_MAX.
 */
enum status layout_buffer(struct dump *d, const char *type, size_t bytes,
			  struct layout_buffer *ret);

/* All of its bytes, with a message that names what was being read. */
enum status layout_read(struct dump *d, uint64_t addr, const struct layout_buffer *b,
			const char *what);

#endif
