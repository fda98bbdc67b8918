/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the views of pageowner have in common: the sources they draw from. */
#ifndef MEMOWNER_OWNERVIEW_H
#define MEMOWNER_OWNERVIEW_H

#include "invocation.h"
#include "names.h"
#include "pageclass.h"
#include "pageowner.h"
#include "report.h"
#include "memcg.h"
#include "pagestate.h"
#include "stacks.h"
#include "zones.h"

struct owner_view {
	struct dump *dump;
	struct page_owner owner;
	struct stacks stacks;
	struct names names;
	struct page_states states;
	struct memcgs memcgs;
	bool has_states; /* a column of struct page is shown, and it is known */
	bool has_memcgs;
	struct page_classes *classes; /* NULL: no column shows them, or there are none */
	struct zones zones;	      /* n is 0 if they could not be read */
	struct report report;
	struct invocation *in;
	struct sink *out;
};

/* Opens what a scan and its output need; *why as for page_owner_open(). */
enum status owner_view_open(struct owner_view *v, enum availability *why);

/* Adds what every scan has to say, then ends the report. */
void owner_view_end(struct owner_view *v, const struct coverage *cov);

/* Pages of System RAM ranked by the stack that allocated them. */
extern const struct view owner_top_view;
enum status owner_top(struct owner_view *v);

/* One row per allocation in pfn order. */
extern const struct view owner_list_view;
enum status owner_list(struct owner_view *v);

/* The row of one record in the columns of owner_list_view; freed may be NULL. */
void owner_list_row(struct owner_view *v, const struct owner_record *r, struct known_stack *k,
		    struct known_stack *freed, struct cell *row);
size_t owner_list_columns(void);
/* Whether a table has columns of struct page: none, memcg, or those that were asked for. */
enum owner_list_need { NEEDS_NO_PAGES, NEEDS_MEMCG, NEEDS_PAGES };
enum owner_list_need owner_list_needs(const struct table *t);
bool owner_list_shows_class(const struct table *t);

/* The pages that the arguments of the command line name. */
enum status owner_pages(struct owner_view *v);

#endif
