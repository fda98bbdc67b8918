/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allocprof -C: what tags say of all memory, beside what slab and page_owner say. */
#pragma once

#include "alloctag/codetag.h"
#include "cli/rows.h"

extern const struct view tag_check_view;

/* Ends the report. */
enum status tag_check_show(struct dump *d, struct sink *out, struct cmdline *in,
			   const struct codetags *tags, struct report *r);
