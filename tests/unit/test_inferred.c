// SPDX-License-Identifier: GPL-2.0-or-later
/* Of what the graph of pointers is asked: of much memory whose owners nothing recorded. */
#include "classes/page_class.h"
#include "memowner/case.h"
#include "memowner/summary.h"
#include "slab/slab_caches.h"
#include "stub.h"
#include "test.h"

#include <stdlib.h>

static uint64_t classes[PAGE_CLASSES];

static struct summary of(uint64_t direct, const struct slab_use *largest)
{
	classes[CLASS_DIRECT] = direct;
	classes[CLASS_SLAB] = largest ? largest->pages : 0;
	return (struct summary){
		.classes = classes, .has_classes = true, .ram_pages = 1000, .largest_cache = largest
	};
}

static void direct_pages(void)
{
	struct summary s = of(400, NULL);

	CHECK(summary_lacks_owners(&s));
	s.has_owner = true;
	CHECK(!summary_lacks_owners(&s));
	s = of(10, NULL);
	CHECK(!summary_lacks_owners(&s));
	/* Pipes have nearly all of them. */
	s = of(400, NULL);
	s.counted_pages = 390;
	CHECK(!summary_lacks_owners(&s));
	s.counted_pages = 500;
	CHECK(!summary_lacks_owners(&s));
}

static void objects(void)
{
	struct slab_cache cache = { .name = "kmalloc-2k" };
	struct slab_use use = { .cache = &cache, .pages = 700 };
	struct summary s = of(10, &use);

	CHECK(summary_lacks_owners(&s));
	s.has_sites = true;
	CHECK(!summary_lacks_owners(&s));
	s = of(10, &use);
	/* SLUB recorded who allocated them. */
	cache.has_tracks = true;
	CHECK(!summary_lacks_owners(&s));
	/* A cache that the kernel shrinks, and one with little. */
	cache = (struct slab_cache){ .is_reclaimable = true };
	CHECK(!summary_lacks_owners(&s));
	cache.is_reclaimable = false;
	use.pages = 60;
	CHECK(!summary_lacks_owners(&s));
	use.pages = 700;
	cache.kind = "task_struct";
	CHECK(!summary_lacks_owners(&s));
	/* Large blocks of kmalloc, which are of no cache. */
	use = (struct slab_use){ .pages = 700 };
	CHECK(!summary_lacks_owners(&s));
}

/* Where roots have what the largest cache has, no module is a candidate. */
static void candidates(void)
{
	struct slab_cache cache = { .name = "kmalloc-8k" };
	struct slab_use use = { .cache = &cache, .pages = 500 };
	struct tainting_module module = { .name = "othermod", .letters = "OE" };
	struct summary_case of_case = { .has_modules = true, .modules = { &module, 1, NULL } };

	for (uint64_t kept = 390; kept <= 410; kept += 20) {
		struct summary s = of(10, &use);
		struct stub stub = { 0 };

		stub_open(&stub);
		s.dump = &stub.dump;
		s.of_case = &of_case;
		s.next_objects = cache.name;
		s.inferred_object_pages = kept;
		CHECK(summary_candidates(&s) == ST_OK);
		CHECK(!s.first[SECTION_CANDIDATE] == (kept == 410));
		stub_close(&stub);
	}
}

/* The module in whose function memory ran out is one, and others are none. */
static void asking(void)
{
	struct slab_cache cache = { .name = "names_cache" };
	struct slab_use use = { .cache = &cache, .pages = 500 };
	struct tainting_module second = { .name = "avf", .letters = "OE" },
			       first = { &second, "avfilt", "OE", 0 };
	struct summary_case of_case = { .has_modules = true, .modules = { &first, 2, NULL } };
	static const struct {
		const char *asked_in, *inferred, *only;
	} cases[] = {
		{ "avf_write [avf]", NULL, "avf" },   { "f [avfilt]", NULL, "avfilt" },
		{ "vfs_write [ext4]", NULL, NULL },   { "avfilt", NULL, NULL },
		{ "avf_write [avf]", "avf", "none" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct summary s = of(10, &use);
		struct oom_report *r = calloc(1, sizeof(*r));
		struct stub stub = { 0 };
		const struct statement *row;

		stub_open(&stub);
		snprintf(r->asked_in, sizeof(r->asked_in), "%s", cases[i].asked_in);
		s.dump = &stub.dump;
		s.of_case = &of_case;
		s.next_objects = cache.name;
		s.ran_out = r;
		s.inferred_module = cases[i].inferred;
		CHECK(summary_candidates(&s) == ST_OK);
		row = s.first[SECTION_CANDIDATE];
		if (cases[i].inferred)
			CHECK(!row);
		else if (cases[i].only)
			CHECK(row && !row->next && !strcmp(row->name, cases[i].only));
		else
			CHECK(row && row->next);
		stub_close(&stub);
		free(r);
	}
}

TESTS({ "direct pages", direct_pages }, { "candidates", candidates },
      { "candidates where memory ran out in a module", asking },
      { "objects of the largest cache", objects })
