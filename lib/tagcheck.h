/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allocprof -C: what tags say of all memory, beside what slab and page_owner say. */
#ifndef MEMOWNER_TAGCHECK_H
#define MEMOWNER_TAGCHECK_H

#include "codetag.h"
#include "invocation.h"
#include "report.h"

extern const struct view tag_check_view;

/* Ends the report. */
enum status tag_check_show(struct dump *d, struct sink *out, struct invocation *in,
			   const struct codetags *tags, struct report *r);

#endif
