/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allocprof -c SITE: every live allocation of a call site, or of all sites of a function. */
#pragma once

#include "alloctag/site_index.h"
#include "cli/rows.h"

struct tag_view;

extern const struct view site_allocs_view;

/* The report has its meta line; ends it. */
enum status site_allocs_show(struct dump *d, struct sink *out, struct cmdline *in,
			     const struct codetags *tags, const struct sites *sites,
			     struct report *r);
