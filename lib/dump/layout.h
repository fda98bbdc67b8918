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

/* Offset behind the last present member: what must be read of such a structure. */
size_t layout_span(const struct field *fields, size_t n);

#endif
