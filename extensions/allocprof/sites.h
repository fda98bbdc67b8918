/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocation sites as rows, in each way that they are asked for. */
#pragma once

#include "zones/system_ram.h"
#include "keys.h"
#include "sums.h"

struct site_view {
	struct dump *dump;
	struct sink *out;
	struct cmdline *in;
	struct codetags tags;
	struct report report;
	enum availability why; /* what opening the tags said, */
	const char *problem;   /* and its message; NULL: there are tags */
	uint64_t kept;	       /* sites that the filters keep */
	/* For lists: the whole that shares are of. */
	struct site_sums sums;
	struct ram ram; /* no pages: unknown */
};

extern const struct view site_list_view;  /* also with -g */
extern const struct view site_tree_view;  /* folders and files */
extern const struct view site_raw_view;	  /* /proc/allocinfo */
extern const struct view site_state_view; /* -i */
extern const struct view site_diff_view;  /* -d FILE */
extern const struct view site_cpus_view;  /* -P SITE */

/* Each shows its rows and ends the report. */
enum status site_list(struct site_view *v);
enum status site_tree(struct site_view *v);
enum status site_raw(struct site_view *v);
enum status site_diff(struct site_view *v);
enum status site_cpus(struct site_view *v);

/* The state of profiling, whether there are tags or not. */
enum status site_state(struct site_view *v);

/* Whether the filters keep a site, and counts it. */
bool site_view_keeps(struct site_view *v, const struct site *s);

/* In text: what all sites have, filters or not, and how much of that is counted twice. */
void site_view_sums(struct site_view *v);

/* Warnings about the sites, and the last lines. */
void site_view_end(struct site_view *v);

/* "file:line", "?:line" where the name is not in this dump; NULL: no memory. */
const char *site_location(struct dump *d, const struct site *s);
