/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings of the kernel's read-only data, found by a part of them. A format that the
 * kernel prints with says what it prints better than any release could.
 */
#pragma once

#include "dump/dump.h"

#define RODATA_STRING 256 /* longer ones are not found */

struct rodata_part {
	const char *start; /* how the string starts: what stands before it may be no string */
	const char *part;  /* what it has in it */
};

/*
 * ret[i] is the string that has parts[i] in it: the first such, NULL if there is none. ST_ABSENT: the kernel does not say where the data is; ST_UNREADABLE: a
 * string is missing and so is a page where it may be.
 */
enum status rodata_find(struct dump *d, const struct rodata_part *parts, const char **ret,
			size_t n);
