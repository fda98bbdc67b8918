/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The graph of pointers of a dump whose pages a view has opened. */
#pragma once

#include "holders/holders.h"
#include "view.h"

/* Opens what it is made of: v->classes and v->slabs, behind owner_view_open_states(). */
enum status owner_holders_open(struct owner_view *v);

/*
 * Makes it, once for all that ask, during a command or those of a page; without types until holders_find_types().
 * ST_STOPPED; else what was missing is the dump's error.
 */
enum status owner_holders_find(struct owner_view *v, struct holders **ret);

/* The same if no more words than most lead to memory; has_more, if it is not NULL: why there is ST_NOMEM. */
enum status owner_holders_find_few(struct owner_view *v, uint32_t most, bool *has_more,
				   struct holders **ret);

/* For one that asks: watched are addresses of memory that may be free, n of them, whose references are kept as well. */
enum status owner_holders_find_watched(struct owner_view *v, const uint64_t *watched, size_t n,
				       struct holders *ret);

/* Warns of what it lacks. */
void owner_holders_gaps(struct owner_view *v, const struct holders *h);

/* Tells what no answer by pointers has, however much is in the dump: it is complete all the same. */
void owner_holders_limits(struct owner_view *v);

/* Both, and how far "none" and a module can be trusted, as memowner holders has it. */
void owner_holders_trust(struct owner_view *v, const struct holders *h);

/* Of -f module: warns where areas of vmalloc() that the module made have more than the rows. (holder_areas.c) */
void owner_holders_areas(struct owner_view *v);
