// SPDX-License-Identifier: GPL-2.0-or-later
/* Two large caches without an owner: as many objects of both are told together. */
#include "holds_most.h"
#include "memowner/verdict_words.h"
#include "slab/slab_caches.h"

#define TEXT "none: no root that is known leads to 5,000 objects of kmalloc-8k; they have 8.0K each"

static struct slab_use uses[2];

/* kmalloc-8k, to which no root leads, and kmalloc-4k with so many objects. */
static const char *beside(uint64_t taken, uint64_t pages)
{
	begin(VERDICT_RAN_OUT);
	uses[0] = (struct slab_use){ .taken = 5000, .pages = 500 };
	uses[1] = (struct slab_use){ .taken = taken, .pages = pages };
	cache("kmalloc-8k", 500);
	sum.caches[0].use = &uses[0];
	sum.caches[0].row = sum.last[SECTION_CACHE];
	cache("kmalloc-4k", pages);
	sum.caches[1].use = &uses[1];
	sum.caches[1].row = sum.last[SECTION_CACHE];
	process("b", 2, 10, NULL);
	(void)told;
	return summary_twin_cache(&sum, TEXT);
}

static void as_many(void)
{
	CHECK_TEXT(
		beside(5090, 250),
		"; kmalloc-4k, whose owner is unknown too, has as many, 5,090 objects of 1000.0K: perhaps "
		"of the same");
	/* Others, little, or with an owner. */
	CHECK_TEXT(beside(5200, 250), "");
	CHECK_TEXT(beside(5090, 90), "");
	beside(5090, 250);
	sum.caches[1].row->keeper = "a (5)";
	CHECK_TEXT(summary_twin_cache(&sum, TEXT), "");
	/* The name of one is not the beginning of another. */
	sum.caches[1].row->keeper = NULL;
	CHECK_TEXT(summary_twin_cache(&sum, "none: no root leads to 5,000 objects of kmalloc-8kb"),
		   "");
}

TESTS({ "as many objects of another cache", as_many })
