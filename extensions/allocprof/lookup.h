/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allocprof ADDR...: the page or slab object at an address, its call site and its owner. */
#pragma once

#include "alloctag/codetag.h"
#include "cli/rows.h"

extern const struct view tag_lookup_view;

/* ST_USAGE: an argument is no address of one page.  Nothing is read. */
enum status tag_lookup_check(struct dump *d, const char *text);

/* tags may be empty: then only slab and page_owner answer.  Ends the report. */
enum status tag_lookup_show(struct dump *d, struct sink *out, struct cmdline *in,
			    const struct codetags *tags, struct report *r);
