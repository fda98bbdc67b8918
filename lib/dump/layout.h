/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of the members that a decoder reads.
 *
 * A row names a member and, where kernels renamed it, the other names; the
 * first that exists wins, newest first.  Presence, width and offset come from
 * the debug information; nothing asks which release a kernel is.
 */
#pragma once

#include "dump/dump.h"

enum need {
	REQUIRED,
	OPTIONAL,
	REQUIRED_BITS, /* a bit field */
	OPTIONAL_BITS,
};

enum layout_form {
	FORM_NONE,
	FORM_STRUCTURE, /* no member: the type of the next rows that have none */
	FORM_FIELD,
	FORM_NUMBER,
	FORM_SIGNED,
	FORM_POINTER,
	FORM_BOOL,
	FORM_CHARS,
	FORM_BYTES,
	FORM_INTS,
	FORM_LONGS,
	FORM_LINK,
	FORM_PLACE
};

/* Where in a record a member of the kernel goes, and as what. */
struct layout_into {
	enum layout_form form;
	uint32_t at, bytes;
	uint32_t has; /* of a bool that says whether the kernel has it: offset + 1, or 0 */
	uint64_t max; /* a larger number is corrupt; 0: none is */
};

struct layout_row {
	const char *type;     /* with its keyword: "struct page_owner" */
	const char *names[3]; /* newest first */
	enum need need;
	const char *since;	 /* releases that have it, one for each name; -D shows it */
	struct layout_into into; /* for struct_read(), see dump/structure.h */
};

/* Such a row without into, with the names behind the rest. */
#define FIELD_ROW(TYPE, NEED, SINCE, ...)                                            \
	{                                                                            \
		.type = TYPE, .names = { __VA_ARGS__ }, .need = NEED, .since = SINCE \
	}

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

/*
 * Forks: the forms that a structure has had from release to release, newest first, each with the
 * names in the debug information that only it has.  Decoders keep the index of the fork that was
 * found; nothing asks for the release, as vendors take changes to other releases.
 */

#define FORK_MEMBERS 2

/* What is not NULL must exist; a fork without any is that of all other kernels, and comes last. */
struct fork {
	const char *form;  /* for -D */
	const char *since; /* release, and the subject of the commit that made it */
	struct {
		const char *type, *member;
	} members[FORK_MEMBERS];
	const char *enumerator;
	const char *symbol;
};

/* The first fork that this kernel has, also told with -D: "fork   OF: FORM [SINCE]"; or n. */
size_t fork_find(struct dump *d, const char *of, const struct fork *forks, size_t n);
