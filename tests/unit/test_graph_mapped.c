// SPDX-License-Identifier: GPL-2.0-or-later
/* What a module mapped by vmap(): whose it is where a root leads there, and where none does. */
#include "graph_words.h"

#include "vm/vmalloc.h"

#define AREAS 0xffffc90001000000ULL

static uint32_t area; /* the first of two that module 1 mapped, of four pages each */

static void open_areas(uint16_t owner)
{
	open_graph();
	area = g.nodes;
	for (uint32_t i = 0; i < 2; i++) {
		struct mapped_area *by;

		graph_add(&g, NODE_VMAP, AREAS + i * 0x10000ULL, 4 * 4096, 1, 0);
		by = hash_u64_get(&g.mapped, area + i, NULL);
		*by = (struct mapped_area){ .caller = 0xffffffffa0001000, .owner = owner };
	}
	CHECK(graph_seal(&g));
	for (uint32_t i = 0; i < 8; i++)
		word(area + i / 4, i % 4 * 4096, pages + i, 0);
}

/* Nothing has the address, nor the pages: who mapped them is all that is known. */
static void test_lost(void)
{
	open_areas(1);
	CHECK(find() == ST_OK);
	CHECK(owned(pages, 8, 1) == 8 && kept.roots[pages] == area &&
	      kept.roots[pages + 7] == area + 1);
	CHECK(ends[pages].names[0] == 1 && ends[pages].parts[0] == WALK_WHOLE);
	CHECK(kept.owners[pages + 8] == OWNER_NOBODY);
	/* The kernel itself is no driver that lost it. */
	open_areas(0);
	CHECK(find() == ST_OK && owned(pages, 8, OWNER_NOBODY) == 8);
}

/* A variable that has the address, of whomever. */
static void test_kept(void)
{
	open_areas(1);
	word(KERNEL, 0, area, 0);
	word(MODULE, 0, objects, 0);
	word(objects, 8, area + 1, 4096);
	CHECK(find() == ST_OK);
	CHECK(owned(pages, 4, 0) == 4 && owned(pages + 4, 4, 1) == 4);
	CHECK(kept.roots[pages] == KERNEL && kept.roots[pages + 4] == MODULE);
}

/* An array of all pages, which the driver of a library has: what the library mapped is no root beside it. */
static void test_array(void)
{
	open_areas(1);
	word(KERNEL, 0, objects, 0);
	for (uint32_t i = 0; i < 8; i++)
		word(objects, 8 * i, pages + i, PLACE_PAGE);
	CHECK(find() == ST_OK && owned(pages, 8, 0) == 8);
	/* An address that is known as well takes nothing of it. */
	open_areas(1);
	word(KERNEL, 0, area, 0);
	for (uint32_t i = 0; i < 8; i++)
		word(MODULE, 8 * i, pages + i, PLACE_PAGE);
	CHECK(find() == ST_OK && owned(pages, 8, 1) == 8);
	CHECK(ends[pages].names[0] == 1 && ends[pages].parts[0] > WALK_WHOLE / 10 * 9);
	/* Of a part of them: a stale word takes one. */
	open_areas(1);
	word(KERNEL, 0, pages + 2, 0);
	CHECK(find() == ST_OK && owned(pages, 8, 1) == 7 && kept.owners[pages + 2] == 0);
	/* Pages that are mapped twice are of the one that is known. */
	open_areas(1);
	word(KERNEL, 0, area, 0);
	for (uint32_t i = 0; i < 4; i++)
		word(area + 1, 65536 + i * 4096, pages + i, 0);
	CHECK(find() == ST_OK && owned(pages, 4, OWNER_SHARED) == 4 && owned(pages + 4, 4, 1) == 4);
}

/* Words of a stack, and of what no root reaches, keep no area. */
static void test_leftovers(void)
{
	open_areas(1);
	word(stack, 64, area, 0);
	word(objects, 0, area + 1, 0);
	CHECK(find() == ST_OK && owned(pages, 8, 1) == 8);
}

static void test_areas(void)
{
	const struct vm_area mapped = { .flags = VM_MAP, .size = 0x5000 };
	const struct vm_area bare = { .flags = VM_MAP | VM_NO_GUARD, .size = 0x5000 };
	const struct vm_area given = {
		.flags = VM_MAP | VM_MAP_PUT_PAGES, .size = 0x5000, .pages = 8, .nr_pages = 4
	};
	const struct vm_area device = { .flags = VM_MAP | VM_IOREMAP, .size = 0x5000 };
	const struct vm_area empty = { .flags = VM_MAP, .size = 0x1000 };

	open_graph();
	CHECK(vm_area_mapped(&stub.dump, &mapped) == 0x4000);
	CHECK(vm_area_mapped(&stub.dump, &bare) == 0x5000);
	CHECK(!vm_area_mapped(&stub.dump, &given) && !vm_area_mapped(&stub.dump, &device));
	CHECK(!vm_area_mapped(&stub.dump, &empty));
}

TESTS({ "what a module mapped and lost is the module's", test_lost },
      { "what has the address has the pages", test_kept },
      { "what has the pages has them", test_array },
      { "words of a stack keep no mapping", test_leftovers },
      { "areas of vmap(), and others", test_areas })
