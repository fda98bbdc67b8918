/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of /proc/allocinfo, saved by somebody: 1.0 (6.10) and 2.0 (6.18). */
#pragma once

#include "alloctag/codetag.h"

enum allocinfo_line {
	ALLOCINFO_BAD,	 /* it is not of such a file */
	ALLOCINFO_NONE,	 /* the header of the columns, or empty */
	ALLOCINFO_BEGIN, /* the header with the version, of which each file has one */
	ALLOCINFO_OTHER, /* the header of a version that is not known */
	ALLOCINFO_SITE,
};

/*
 * Takes one line apart.  Of a site ret is filled but for what such a file does not have;
 * its texts are parts of line, which is written to.
 */
enum allocinfo_line allocinfo_parse(char *line, struct site *ret);
