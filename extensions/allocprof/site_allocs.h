/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allocprof -c SITE: every live allocation of one call site. */
#ifndef MEMOWNER_ALLOCPROF_SITE_ALLOCS_H
#define MEMOWNER_ALLOCPROF_SITE_ALLOCS_H

#include "alloctag/codetag.h"
#include "cli/cmdline.h"
#include "cli/report.h"

struct tag_view;

enum context_column {
	X_KIND,
	X_ADDRESS,
	X_PFN,
	X_ORDER,
	X_BYTES,
	X_REQUESTED,
	X_CACHE,
	X_CLASS,
	X_PID,
	X_TGID,
	X_COMM,
	X_DERIVED,
	X_TS,
	X_AGE,
	X_HANDLE,
	X_SURE,
	X_STACK,
	X_COLUMNS
};

extern const struct column context_columns[X_COLUMNS];
extern const struct view context_view;

/* DUMP_USAGE: text names no site, or more than one.  The report's meta line was not written yet. */
enum status context_find(struct dump *d, const struct codetags *tags, const char *text,
			 struct site *ret);

/* The report has its meta line; ends it. */
enum status context_show(struct dump *d, struct sink *out, struct invocation *in,
			 const struct codetags *tags, const struct site *site, struct report *r);

#endif
