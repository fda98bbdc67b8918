/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.flags in the words of %pGp (lib/vsprintf.c): names from the kernel's table
 * pageflag_names and, since 5.12, the fields above the flags (section, node, zone,
 * lastcpupid, kasantag), as the kernel's own table "pff" describes them.
 */
#pragma once

#include "kernel/flag_names.h"

#define PAGEFLAGS_FIELDS 16
#define PAGEFLAGS_TEXT (FLAG_TEXT + PAGEFLAGS_FIELDS * 64) /* "|" name "=" number */

struct pageflags {
	struct flag_names names;
	uint64_t mask; /* of the flags proper */
	struct {
		unsigned int shift;
		uint64_t mask;
		bool decimal;
		const char *name;
	} fields[PAGEFLAGS_FIELDS]; /* those that this kernel has, in its order */
	unsigned int nfields;
	bool lacks_fields; /* the kernel prints fields of which no type is known: "?" */
};

/* ST_ABSENT, ST_UNREADABLE: no table of names; ST_UNKNOWN: or none of fields. */
enum status pageflags_open(struct dump *d, struct pageflags *ret);

/* "uptodate|lru|zone=0" and returns its length; buf has PAGEFLAGS_TEXT bytes. */
size_t pageflags_text(const struct pageflags *f, uint64_t flags, char *buf);
