// SPDX-License-Identifier: GPL-2.0-or-later
/* Causes of a difference between pages found and the kernel's counter of their class. */
#include <string.h>

#include "zones/vmstat.h"
#include "pageowner/class_counters.h"
#include "pageowner/view.h"
#include "stub.h"
#include "test.h"

static bool enumerates(void *priv NOT_USED, const char *type, const char *name NOT_USED)
{
	return !strcmp(type, "enum node_stat_item");
}

static const struct stub_number items[] = { { "NR_ANON_MAPPED", 0 },
					    { "NR_KERNEL_STACK_KB", 1 },
					    { "NR_SLAB_RECLAIMABLE_B", 2 },
					    { "NR_SLAB_UNRECLAIMABLE_B", 3 },
					    { 0 } };

static struct {
	struct stub stub;
	struct page_classes classes;
	struct counters counters;
	struct owner_view view;
	struct class_pages found;
} t;

static void open_all(uint64_t anon, uint64_t stack_kib)
{
	memset(&t, 0, sizeof(t));
	t.stub.enumerators = items;
	stub_open(&t.stub);
	t.stub.ops.enumerates = enumerates;
	t.counters.dump = &t.stub.dump;
	t.counters.zone.items = "enum zone_stat_item";
	t.counters.node.items = "enum node_stat_item";
	t.counters.node.n = 4;
	t.counters.node.sum[0] = anon;
	t.counters.node.sum[1] = stack_kib;
	t.view.dump = &t.stub.dump;
	t.view.page_shift = 12;
	t.view.classes = &t.classes;
	t.view.counters = &t.counters;
}

static const char *cause(enum page_class class)
{
	struct class_count c;

	class_count(&t.view, &t.found, class, &c);
	CHECK(c.known);
	return c.cause;
}

static void anonymous(void)
{
	open_all(43, 0);
	t.found.pages[CLASS_ANON] = 92;
	t.found.anon.last_reference = 49;
	CHECK_TEXT(cause(CLASS_ANON), "49 unmapped, one reference");
	t.found.anon.swap_cache = 1;
	CHECK_TEXT(cause(CLASS_ANON),
		   "1 unmapped in the swap cache, 49 unmapped, one reference, -1 unknown");
	t.found.anon =
		(struct unmapped_pages){ .swap_cache = 40, .last_reference = 7, .referenced = 2 };
	CHECK_TEXT(cause(CLASS_ANON),
		   "40 unmapped in the swap cache, 7 unmapped, one reference, 2 unmapped, in use");
	t.found.anon = (struct unmapped_pages){ .swap_cache = 40, .swap_alone = 9 };
	CHECK_TEXT(cause(CLASS_ANON),
		   "40 unmapped in the swap cache, 9 in the swap cache of tmpfs, or read ahead");
	/* What is known stays known beside what is not; the last compound page is in no sum yet. */
	t.found.anon = (struct unmapped_pages){ .swap_cache = 40, .partly = 3 };
	CHECK_TEXT(cause(CLASS_ANON),
		   "40 unmapped in the swap cache, 3 of huge pages mapped in part, 6 unknown");
	t.found.compound = (struct anon_compound){ .mapped = 500, .unmapped = 5 };
	CHECK_TEXT(cause(CLASS_ANON),
		   "40 unmapped in the swap cache, 8 of huge pages mapped in part, 1 unknown");
	t.found.compound = (struct anon_compound){ .unmapped = 6, .refcount = 1 };
	CHECK_TEXT(cause(CLASS_ANON), "40 unmapped in the swap cache, 6 unmapped, one reference, "
				      "3 of huge pages mapped in part");
	t.found.compound.unmapped = 0;
	/* Fewer pages than the kernel counted, and none that is not mapped. */
	t.found.pages[CLASS_ANON] = 42;
	t.found.anon = (struct unmapped_pages){ 0 };
	CHECK_TEXT(cause(CLASS_ANON), "unknown");
	t.found.pages[CLASS_ANON] = 43;
	CHECK(!cause(CLASS_ANON));
	stub_close(&t.stub);
}

static void stacks(void)
{
	open_all(0, 172 * 4);
	t.found.pages[CLASS_KSTACK] = 184;
	t.classes.cached_stacks = 8;
	CHECK_TEXT(cause(CLASS_KSTACK), "8 cached by CPUs for new threads, 4 unknown");
	t.classes.exited_stacks = 4;
	CHECK_TEXT(
		cause(CLASS_KSTACK),
		"8 cached by CPUs for new threads, 4 of stacks of no listed thread, which exits or is being made");
	/* One that exits now is counted until its release. */
	t.found.pages[CLASS_KSTACK] = 180;
	CHECK_TEXT(cause(CLASS_KSTACK), "8 cached by CPUs for new threads");
	t.found.pages[CLASS_KSTACK] = 184;
	/* A list of another class. */
	t.classes.problem = "the list of tasks is cut";
	t.classes.cut[CLASS_VMALLOC] = true;
	CHECK_TEXT(
		cause(CLASS_KSTACK),
		"8 cached by CPUs for new threads, 4 of stacks of no listed thread, which exits or is being made");
	t.classes.cut[CLASS_KSTACK] = true;
	CHECK_TEXT(cause(CLASS_KSTACK), "some lists of its pages are not in this dump");
	stub_close(&t.stub);
}

static void slabs(void)
{
	open_all(0, 0);
	t.counters.node.sum[2] = 10;
	t.counters.node.sum[3] = 90;
	t.view.owner.ram.pages = 1000;
	t.found.pages[CLASS_SLAB] = 92;
	CHECK_TEXT(cause(CLASS_SLAB), "large kmalloc pages carry no slab flag: direct");
	/* No size of large kmalloc. */
	t.found.pages[CLASS_SLAB] = 93;
	CHECK_TEXT(cause(CLASS_SLAB), "unknown");
	t.found.pages[CLASS_SLAB] = 108;
	CHECK_TEXT(cause(CLASS_SLAB), "unknown");
	/* All pages are known: fewer are direct. */
	t.found.pages[CLASS_SLAB] = 92;
	t.found.pages[CLASS_DIRECT] = 7;
	t.found.pages[CLASS_BUDDY] = 901;
	CHECK_TEXT(cause(CLASS_SLAB), "unknown");
	t.found.pages[CLASS_DIRECT] = 8;
	CHECK_TEXT(cause(CLASS_SLAB), "large kmalloc pages carry no slab flag: direct");
	/* It has a page type: another class. */
	t.view.states.marks.mask[PAGE_TYPE_LARGE_KMALLOC] = 1;
	CHECK_TEXT(cause(CLASS_SLAB), "unknown");
	stub_close(&t.stub);
}

#define SPACES 0x1000ULL
#define COUNTS 0x2000ULL
#define SPACE(i) (0x3000ULL + (i)*16)

static const struct stub_member space_members[] = {
	{ "struct address_space", "nrpages", FIELD(8, 8) },
	{ 0 },
};
static const struct stub_symbol space_symbols[] = {
	{ "swapper_spaces", SPACES, KINDED(KIND_ARRAY, 0, 0) },
	{ "nr_swapper_spaces", COUNTS, KINDED(KIND_ARRAY, 0, 8) },
	{ 0 },
};
static const struct stub_number space_sizes[] = { { "struct address_space", 16 }, { 0 } };
static const struct stub_number file_items[] = { { "NR_FILE_PAGES", 0 }, { "NR_SHMEM", 1 }, { 0 } };

/* Before 5.12 no counter has the pages of the swap cache: two areas, of which one has two spaces. */
static void file_pages_without_nr_swapcached(void)
{
	static const uint64_t spaces[] = { 0, SPACE(0) };
	static const uint32_t counts[] = { 0, 2 };
	static uint64_t at[] = { 0, 3, 0, 5 };
	struct stub_memory memory[] = { { SPACES, spaces, sizeof(spaces) },
					{ COUNTS, counts, sizeof(counts) },
					{ SPACE(0), at, sizeof(at) },
					{ 0 } };
	struct class_count c;

	open_all(40, 3);
	t.stub.enumerators = file_items;
	t.stub.memory = memory;
	t.stub.symbols = space_symbols;
	t.stub.members = space_members;
	t.stub.sizes = space_sizes;
	t.found.pages[CLASS_FILE] = 29;
	class_count(&t.view, &t.found, CLASS_FILE, &c);
	CHECK(c.known && c.pages == 29 && !c.cause);
	/* More pages than an address space can have; an address space that is not in the dump. */
	at[3] = 16385;
	class_count(&t.view, &t.found, CLASS_FILE, &c);
	CHECK(!c.known);
	memory[2].len = 16;
	class_count(&t.view, &t.found, CLASS_FILE, &c);
	CHECK(!c.known);
	/* A kernel without swap. */
	t.stub.symbols = NULL;
	class_count(&t.view, &t.found, CLASS_FILE, &c);
	CHECK(c.known && c.pages == 37);
	stub_close(&t.stub);
}

static void truncated(void)
{
	open_all(40, 3);
	t.stub.enumerators = file_items;
	t.found.pages[CLASS_SHMEM] = 259;
	CHECK_TEXT(cause(CLASS_SHMEM), "unknown");
	t.found.truncated[CLASS_SHMEM] = 256;
	CHECK_TEXT(cause(CLASS_SHMEM), "256 truncated, not yet freed");
	t.found.truncated[CLASS_SHMEM] = 250;
	CHECK_TEXT(cause(CLASS_SHMEM), "250 truncated, not yet freed, 6 unknown");
	t.found.pages[CLASS_FILE] = 38;
	t.found.truncated[CLASS_FILE] = 1;
	CHECK_TEXT(cause(CLASS_FILE), "1 truncated, not yet freed");
	stub_close(&t.stub);
}

/* zbud's pages are of class zsmalloc, and of no counter. */
static void zbud(void)
{
	static const struct stub_number zspages[] = { { "NR_ZSPAGES", 0 }, { 0 } };

	open_all(3362, 0);
	t.stub.enumerators = zspages;
	t.found.pages[CLASS_ZSMALLOC] = 3365;
	CHECK_TEXT(cause(CLASS_ZSMALLOC), "unknown");
	t.classes.zbud.n = 3;
	CHECK_TEXT(cause(CLASS_ZSMALLOC), "3 of zbud");
	t.classes.zbud.n = 2;
	CHECK_TEXT(cause(CLASS_ZSMALLOC), "2 of zbud, 1 unknown");
	stub_close(&t.stub);
}

/* A page of no known class may be the difference. */
static void missing_pages(void)
{
	open_all(43, 0);
	t.found.pages[CLASS_ANON] = 92;
	t.found.anon.last_reference = 49;
	t.found.unreadable = 1;
	CHECK(!cause(CLASS_ANON));
	t.found.unreadable = 0;
	t.found.pages[CLASS_UNKNOWN] = 1;
	CHECK(!cause(CLASS_ANON));
	t.found.pages[CLASS_UNKNOWN] = 0;
	CHECK_TEXT(cause(CLASS_ANON), "49 unmapped, one reference");
	stub_close(&t.stub);
}

TESTS({ "anonymous pages that no page table maps", anonymous },
      { "stacks that no thread has", stacks }, { "slab pages and large kmalloc", slabs },
      { "pages of files where the swap cache has no counter", file_pages_without_nr_swapcached },
      { "pages that were truncated from files", truncated }, { "pages of zbud", zbud },
      { "no cause while pages are missing", missing_pages })
