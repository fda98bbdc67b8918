// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a tag that was left standing when profiling was turned off is of what is there now. */
#include "alloctag/tag_validity.h"
#include "test.h"

static const struct site module_site = {
	.function = "refill", .module = "net_a", .in_module = true, .loaded = true
};
static const struct site core_site = { .function = "refill", .module = "vmlinux", .loaded = true };
static const struct site slab_site = { .function = "alloc_slab_page", .file = "mm/slub.c" };
static const struct site kfence_site = { .function = "kfence_init", .file = "mm/kfence/core.c" };

static const struct frame alloc = { .symbol = "alloc_pages" };
static const struct frame refill = { .symbol = "refill", .module = "net_a" };
static const struct frame copy = { .symbol = "refill.isra.0", .module = "net_a" };
static const struct frame longer = { .symbol = "refill_all", .module = "net_a" };
static const struct frame other = { .symbol = "refill", .module = "net_b" };
static const struct frame core = { .symbol = "refill" };
static const struct frame nameless = { .addr = 0xffffffffc0000000ULL };

static enum tag_proof prove(const struct site *s, const struct frame *f, unsigned int cut)
{
	const struct frame *frames[] = { &alloc, f };
	const struct stack stack = { .n = 2, .frames = frames, .cut = cut };

	return tag_proof_stack(s, &stack);
}

static void by_stack(void)
{
	struct site unloaded = module_site, unnamed = module_site;

	unloaded.loaded = false;
	unnamed.function = NULL;
	CHECK(prove(&module_site, &refill, 0) == TAG_OWN);
	CHECK(prove(&module_site, &copy, 0) == TAG_OWN);
	CHECK(prove(&module_site, &refill, 16) == TAG_OWN);
	CHECK(prove(&unloaded, &refill, 0) == TAG_OWN);
	CHECK(prove(&core_site, &core, 0) == TAG_OWN);
	/* The function may be inlined into another of its module. */
	CHECK(prove(&module_site, &longer, 0) == TAG_UNSURE);
	CHECK(prove(&core_site, &alloc, 0) == TAG_UNSURE);
	CHECK(prove(&core_site, &refill, 0) == TAG_UNSURE);
	/* But not into what is not of it. */
	CHECK(prove(&module_site, &other, 0) == TAG_STALE);
	CHECK(prove(&module_site, &core, 0) == TAG_STALE);
	CHECK(prove(&module_site, &core, 16) == TAG_UNSURE);
	CHECK(prove(&module_site, &nameless, 0) == TAG_UNSURE);
	CHECK(prove(&unloaded, &core, 0) == TAG_UNSURE);
	CHECK(prove(&unnamed, &refill, 0) == TAG_UNSURE);
	CHECK(prove(NULL, &refill, 0) == TAG_UNSURE);
	CHECK(tag_proof_stack(&module_site, NULL) == TAG_UNSURE);
}

static enum tag_proof of_page(const struct site *s, enum page_state state, uint64_t head,
			      enum page_class class)
{
	const struct page_info info = { .state = state, .head = head };

	return tag_proof_page(s, NULL, 8, &info, class);
}

static void by_page(void)
{
	CHECK(of_page(&core_site, STATE_OTHER, 8, CLASS_DIRECT) == TAG_UNSURE);
	CHECK(of_page(&core_site, STATE_OTHER, 8, CLASS_UNKNOWN) == TAG_UNSURE);
	for (enum page_class c = CLASS_BUDDY; c < PAGE_CLASSES; c++)
		CHECK(of_page(&core_site, STATE_OTHER, 8, c) == TAG_STALE);
	CHECK(of_page(&core_site, STATE_OTHER, 4, CLASS_DIRECT) == TAG_STALE);
	CHECK(of_page(&core_site, STATE_HUGETLB, 4, CLASS_HUGETLB) == TAG_UNSURE);
	CHECK(of_page(&slab_site, STATE_SLAB, 8, CLASS_SLAB) == TAG_OWN);
	CHECK(of_page(&slab_site, STATE_OTHER, 8, CLASS_DIRECT) == TAG_STALE);
	CHECK(of_page(&core_site, STATE_SLAB, 8, CLASS_SLAB) == TAG_STALE);
	CHECK(of_page(&kfence_site, STATE_SLAB, 8, CLASS_SLAB) == TAG_UNSURE);
	CHECK(of_page(&module_site, STATE_ZSMALLOC, 8, CLASS_ZSMALLOC) == TAG_STALE);
	CHECK(of_page(&core_site, STATE_ZSMALLOC, 8, CLASS_ZSMALLOC) == TAG_UNSURE);
	CHECK(of_page(NULL, STATE_SLAB, 8, CLASS_SLAB) == TAG_UNSURE);
}

static void handles_that_say_nothing(void)
{
	const struct blind_handles b = { .known = { true, true }, .handles = { 5, 7 } };

	CHECK(blind_handle(&b, 0) && blind_handle(&b, 7) && !blind_handle(&b, 6));
}

TESTS({ "a stack with the site's function, or without its module", by_stack },
      { "pages by what they are", by_page },
      { "handles that say nothing", handles_that_say_nothing })
