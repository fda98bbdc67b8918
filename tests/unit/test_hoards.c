// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has much of a machine that was not short of memory. */
#include "holds_most.h"

/* The kernel's own, of which these tests have no memory. */
static struct mem_available available;

enum status mem_available_read(struct dump *d, struct mem_available *ret)
{
	(void)d;
	*ret = available;
	return available.pages ? ST_OK : ST_ABSENT;
}

/* What the kernel can give back is kept by none. */
static void page_cache_is_no_hoard(void)
{
	struct strbuf b = STRBUF_OF(256);

	begin(VERDICT_NOT_SHORT);
	process("db", 5, 600, NULL);
	summary_add_hoarder(&sum, &b);
	CHECK_TEXT(b.buf, ", but 2.3M, 60.0% of RAM, is kept by db (5)");
	available.pages = 450;
	begin(VERDICT_NOT_SHORT);
	process("db", 5, 600, NULL);
	summary_add_hoarder(&sum, &b);
	CHECK(strstr(b.buf, "db (5)"));
	available.pages = 700;
	begin(VERDICT_NOT_SHORT);
	process("db", 5, 600, NULL);
	b = STRBUF_OF(256);
	summary_add_hoarder(&sum, &b);
	CHECK_TEXT(b.buf, "");
	CHECK_TEXT(told(SECTION_MOST), "");
	/* Its own memory it has whatever of caches is free. */
	begin(VERDICT_NOT_SHORT);
	root("ring [drv]", "drv", 430);
	summary_add_hoarder(&sum, &b);
	CHECK(strstr(b.buf, "module drv"));
	available.pages = 0;
}

static void hoard(void)
{
	struct strbuf b = STRBUF_OF(256);

	begin(VERDICT_NOT_SHORT);
	root("ring [drv]", "drv", 430);
	summary_add_hoarder(&sum, &b);
	CHECK_TEXT(b.buf, ", but 1.7M, 43.0% of RAM, is kept by module drv");
	CHECK(strstr(told(SECTION_MOST), "module drv: 1.7M"));
	begin(VERDICT_NOT_SHORT);
	root("ring [drv]", "drv", 430);
	CHECK_TEXT(told(SECTION_TRIGGER), "");
	begin(VERDICT_NOT_SHORT);
	root("none: kmalloc-1k naming ops [drv]", "drv", 430);
	b = STRBUF_OF(256);
	summary_add_hoarder(&sum, &b);
	CHECK_TEXT(b.buf, ", but 1.7M, 43.0% of RAM, is in objects that module drv likely lost");
	begin(VERDICT_NOT_SHORT);
	root("none", NULL, 430);
	b = STRBUF_OF(256);
	summary_add_hoarder(&sum, &b);
	CHECK_TEXT(b.buf, ", but 1.7M, 43.0% of RAM, has no owner that is known");
	begin(VERDICT_NOT_SHORT);
	process("db", 5, 430, NULL);
	CHECK_TEXT(told(SECTION_MOST), "");
	begin(VERDICT_NOT_SHORT);
	root("ring [drv]", "drv", 199);
	CHECK_TEXT(told(SECTION_MOST), "");
}

TESTS({ "one that has much where memory was not short", hoard },
      { "page cache is no hoard", page_cache_is_no_hoard })
