/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of -H: one HTML page that needs nothing else.  It is page.html with the text of several
 * commands in it, whose tables are tables, and what its script draws charts of.
 */
#pragma once

#include "cli/cmdline.h"

extern const struct view html_view;

/*
 * Runs a command line such as "allocprof -j" into a sink.  A status but ST_OK and ST_STOPPED
 * leaves its message in *problem, which lives as long as the command.
 */
typedef enum status (*html_runner)(void *arg, const char *line, struct sink *sink,
				   const char **problem);

/*
 * Writes the page to a new file.  Rows that have no room in the page are left out, the ones with
 * the least memory first, and counted.  *stopped: the user ended it, the page has what was
 * read until then.
 */
struct html_request {
	const char *path;
	bool redact; /* names are pseudonyms */
};

enum status html_write(struct dump *d, const struct html_request *q, html_runner run, void *arg,
		       bool *stopped);
