// SPDX-License-Identifier: GPL-2.0-or-later
/* Pages that are kept between commands: each its own bytes, of what crash was told last. */
#include "crash/page_cache.h"
#include "test.h"

#define PAGE 4096
#define PAGES 40000 /* more than are kept */

static void begin(void)
{
	page_cache_close();
	page_cache_check(0);
}

static bool put(uint64_t page, int type, unsigned char value)
{
	unsigned char *room = page_cache_room(page, type, PAGE);

	if (!room)
		return false;
	memset(room, value, PAGE);
	page_cache_keep(page, type, PAGE);
	return true;
}

static bool has(uint64_t page, int type, unsigned char value)
{
	const unsigned char *kept = page_cache_find(page, type, PAGE);

	return kept && kept[0] == value && kept[PAGE - 1] == value;
}

static void a_page_is_found_by_its_number_and_its_address_space(void)
{
	begin();
	CHECK(!page_cache_find(0, 2, PAGE));
	CHECK(put(0, 2, 1) && put(PAGE, 2, 2) && put(PAGE, 4, 3));
	CHECK(has(0, 2, 1) && has(PAGE, 2, 2) && has(PAGE, 4, 3));
	CHECK(!page_cache_find(0, 4, PAGE) && !page_cache_find(2 * PAGE, 2, PAGE));
}

/* A read that fails may have written a part of the page. */
static void a_page_that_is_not_written_is_not_kept(void)
{
	begin();
	CHECK(put(PAGE, 2, 1) && page_cache_room(PAGE, 2, PAGE));
	CHECK(!page_cache_find(PAGE, 2, PAGE));
}

static void pages_that_share_memory_are_not_taken_for_each_other(void)
{
	unsigned int wrong = 0, kept = 0;

	begin();
	for (uint64_t i = 0; i < PAGES; i++)
		wrong += !put(i * PAGE, 2, i % 251) || !has(i * PAGE, 2, i % 251);
	CHECK(wrong == 0);
	for (uint64_t i = 0; i < PAGES; i++) {
		if (!page_cache_find(i * PAGE, 2, PAGE))
			continue;
		kept++;
		wrong += !has(i * PAGE, 2, i % 251);
	}
	CHECK(wrong == 0);
	CHECK(kept > 4000 && kept <= 20 * 1024 * 1024 / PAGE);
}

static void what_crash_was_told_empties_it(void)
{
	begin();
	CHECK(put(PAGE, 2, 1));
	page_cache_check(0);
	CHECK(has(PAGE, 2, 1));
	page_cache_check(8);
	CHECK(!page_cache_find(PAGE, 2, PAGE));
	CHECK(put(PAGE, 2, 2));
	page_cache_check(8);
	CHECK(has(PAGE, 2, 2));
	page_cache_check(0);
	CHECK(!page_cache_find(PAGE, 2, PAGE));
	page_cache_close();
}

TESTS({ "a page is found by its number and its address space",
	a_page_is_found_by_its_number_and_its_address_space },
      { "a page that is not written is not kept", a_page_that_is_not_written_is_not_kept },
      { "pages that share memory are not taken for each other",
	pages_that_share_memory_are_not_taken_for_each_other },
      { "what crash was told empties it", what_crash_was_told_empties_it })
