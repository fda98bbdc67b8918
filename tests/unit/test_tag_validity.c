// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a tag that was left standing when profiling was turned off is of what is there now. */
#include "alloctag/tag_names.h"
#include "test.h"

static const struct site module_site = {
	.function = "refill", .module = "net_a", .in_module = true, .loaded = true
};
static const struct site core_site = { .function = "refill", .module = "vmlinux", .loaded = true };
static const struct site slab_site = { .function = "alloc_slab_page", .file = "mm/slub.c" };
static const struct site kfence_site = { .function = "kfence_init", .file = "mm/kfence/core.c" };

static const struct frame alloc = { .symbol = "alloc_pages", .allocates = true };
static const struct frame refill = { .symbol = "refill", .module = "net_a" };
static const struct frame copy = { .symbol = "refill.isra.0", .module = "net_a" };
static const struct frame longer = { .symbol = "refill_all", .module = "net_a" };
static const struct frame other = { .symbol = "refill", .module = "net_b" };
static const struct frame core = { .symbol = "refill" };
static const struct frame nameless = { .addr = 0xffffffffc0000000ULL };

static enum tag_validity prove(const struct site *s, const struct frame *f, unsigned int cut)
{
	const struct frame *frames[] = { &alloc, f };
	const struct stack stack = { .n = 2, .frames = frames, .cut = cut };

	return tag_validity_stack(s, &stack);
}

static void by_stack(void)
{
	struct site unloaded = module_site, unnamed = module_site;

	unloaded.loaded = false;
	unnamed.function = NULL;
	CHECK(prove(&module_site, &refill, 0) == TAG_REF_VALID);
	CHECK(prove(&module_site, &copy, 0) == TAG_REF_VALID);
	CHECK(prove(&module_site, &refill, 16) == TAG_REF_VALID);
	CHECK(prove(&unloaded, &refill, 0) == TAG_REF_VALID);
	CHECK(prove(&core_site, &core, 0) == TAG_REF_VALID);
	/* The function may be inlined into another of its module. */
	CHECK(prove(&module_site, &longer, 0) == TAG_REF_UNKNOWN);
	CHECK(prove(&core_site, &alloc, 0) == TAG_REF_UNKNOWN);
	CHECK(prove(&core_site, &refill, 0) == TAG_REF_UNKNOWN);
	/* But not into what is not of it. */
	CHECK(prove(&module_site, &other, 0) == TAG_REF_STALE);
	CHECK(prove(&module_site, &core, 0) == TAG_REF_STALE);
	CHECK(prove(&module_site, &core, 16) == TAG_REF_UNKNOWN);
	CHECK(prove(&module_site, &nameless, 0) == TAG_REF_UNKNOWN);
	CHECK(prove(&unloaded, &core, 0) == TAG_REF_UNKNOWN);
	CHECK(prove(&unnamed, &refill, 0) == TAG_REF_UNKNOWN);
	CHECK(prove(NULL, &refill, 0) == TAG_REF_UNKNOWN);
	CHECK(tag_validity_stack(&module_site, NULL) == TAG_REF_UNKNOWN);
}

static enum tag_validity of_page(const struct site *s, enum page_type state, uint64_t head,
				 enum page_class class)
{
	const struct page_info info = { .state = state, .head = head };

	return tag_validity_page(s, NULL, 8, &info, class);
}

static void by_page(void)
{
	CHECK(of_page(&core_site, PAGE_TYPE_OTHER, 8, CLASS_DIRECT) == TAG_REF_UNKNOWN);
	CHECK(of_page(&core_site, PAGE_TYPE_OTHER, 8, CLASS_UNKNOWN) == TAG_REF_UNKNOWN);
	for (enum page_class c = CLASS_BUDDY; c < PAGE_CLASSES; c++)
		CHECK(of_page(&core_site, PAGE_TYPE_OTHER, 8, c) == TAG_REF_STALE);
	CHECK(of_page(&core_site, PAGE_TYPE_OTHER, 4, CLASS_DIRECT) == TAG_REF_STALE);
	CHECK(of_page(&core_site, PAGE_TYPE_HUGETLB, 4, CLASS_HUGETLB) == TAG_REF_UNKNOWN);
	CHECK(of_page(&slab_site, PAGE_TYPE_SLAB, 8, CLASS_SLAB) == TAG_REF_VALID);
	CHECK(of_page(&slab_site, PAGE_TYPE_OTHER, 8, CLASS_DIRECT) == TAG_REF_STALE);
	CHECK(of_page(&core_site, PAGE_TYPE_SLAB, 8, CLASS_SLAB) == TAG_REF_STALE);
	CHECK(of_page(&kfence_site, PAGE_TYPE_SLAB, 8, CLASS_SLAB) == TAG_REF_UNKNOWN);
	CHECK(of_page(&module_site, PAGE_TYPE_ZSMALLOC, 8, CLASS_ZSMALLOC) == TAG_REF_STALE);
	CHECK(of_page(&core_site, PAGE_TYPE_ZSMALLOC, 8, CLASS_ZSMALLOC) == TAG_REF_UNKNOWN);
	CHECK(of_page(NULL, PAGE_TYPE_SLAB, 8, CLASS_SLAB) == TAG_REF_UNKNOWN);
}

static void handles_that_say_nothing(void)
{
	const struct special_handles b = { .known = { true, true }, .handles = { 5, 7 } };

	CHECK(special_handle(&b, 0) && special_handle(&b, 7) && !special_handle(&b, 6));
}

TESTS({ "a stack with the site's function, or without its module", by_stack },
      { "pages by what they are", by_page },
      { "handles that say nothing", handles_that_say_nothing })
