/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of pfns: a bit each, for the parts of memory that have any. */
#pragma once

#include <stdbool.h>

#include "util/hash_u64.h"

struct pfnset {
	struct hash_u64 chunks;
	uint64_t end;	      /* no pfn from here on */
	uint64_t n;	      /* members */
	uint64_t last;	      /* chunk that was asked for last */
	const uint64_t *bits; /* of it; NULL: it has none */
};

void pfnset_init(struct pfnset *s, struct arena *arena, uint64_t end);

/* A pfn that cannot be is left out. */
void pfnset_add(struct pfnset *s, uint64_t pfn);

bool pfnset_has(struct pfnset *s, uint64_t pfn);

/* The first member from pfn on, or a pfn before it from which it can be asked again. */
uint64_t pfnset_next(struct pfnset *s, uint64_t pfn);
