/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a slab page, or one of KFENCE, has at an address: its cache, its object, who had that. */
#pragma once

#include "object_of.h"

struct object_lookup {
	struct owner_view *v;
	struct slabs slabs;
	struct first_problem no_slabs;
	bool has_warned; /* that slabs are not available */
	struct kfence kfence;
	struct first_problem no_kfence;
	struct object_of of;
};

extern const struct view object_lookup_view; /* records behind the row of an address */

struct object_lookup *object_lookup_open(struct owner_view *v);

/*
 * The slab whose first page is head.  Where it cannot be known a warning says why; what, as in "the
 * cache", is what is unknown because of it.
 */
enum status object_lookup_slab(struct object_lookup *l, uint64_t head, const char *what,
			       struct slab *ret);

/* In text " kmalloc-4k", the cache of the slab, or " of an unknown cache". */
void object_lookup_put_cache(struct object_lookup *l, uint64_t head);

/*
 * The object that has a byte of a page (of KFENCE: that of the page): lines of text, or a record of
 * JSON; nothing of other pages.  has_byte: the address names a byte.
 */
void object_lookup_put(struct object_lookup *l, uint64_t pfn, bool has_byte, uint64_t byte);
