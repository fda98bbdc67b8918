/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of addresses of objects: a bit for each, as many of a slab cache are near each other. */
#pragma once

#include "util/hash_u64.h"

struct address_set {
	struct hash_u64 parts; /* of memory that have any */
	uint64_t n;	       /* members */
	uint64_t last;	       /* part that was asked for last */
	uint64_t *bits;	       /* of it; NULL: none was */
};

void address_set_init(struct address_set *s, struct arena *arena);

/* Whether it was not in it. Any address, in any order; in that of addresses it is fastest. */
bool address_set_add(struct address_set *s, uint64_t address);

bool address_set_has(const struct address_set *s, uint64_t address);
