/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocation sites as rows. */
#ifndef MEMOWNER_SITEVIEW_H
#define MEMOWNER_SITEVIEW_H

#include "codetag.h"
#include "invocation.h"
#include "report.h"

extern const struct view site_view;

/* Shows the sites in the order that was asked for and ends the report. */
enum status site_view_show(struct dump *d, struct sink *out, struct invocation *in,
			   const struct codetags *tags, struct report *r);

#endif
