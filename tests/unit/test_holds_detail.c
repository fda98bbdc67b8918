// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has most of what ran out: what is told beside its size. */
#include "holds_most.h"

static void what_another_one_does_not_read(void)
{
	begin(VERDICT_RAN_OUT);
	process("redis", 139, 600, NULL);
	sum.last[SECTION_GROUP]->unread = "auditor (177) does not read what it sends";
	CHECK_TEXT(told(SECTION_MOST),
		   "redis (139): 2.3M, 60.0% of RAM (auditor (177) does not read what it sends)");
}

/* Its row and the line of the holder have one size: 23,104 pages and 960 bytes. */
static void one_size_of_what_pointers_lead_to(void)
{
	begin(VERDICT_RAN_OUT);
	sum.ram_pages = 61312;
	cache("kmalloc-4k", 24000);
	root("vnp_adapter [vnpool]", "vnpool", 23104);
	sum.last[SECTION_CANDIDATE]->bytes = (struct maybe_u64){ 94634944, true };
	CHECK(strstr(told(SECTION_MOST), "module vnpool: 90.3M, 37.7% of RAM (by pointers from "));
}

static void segments_that_no_process_has_attached(void)
{
	begin(VERDICT_RAN_OUT);
	list("sysv_shm", "6 segments of SysV shared memory that no process has attached", 400,
	     NULL);
	list("tmpfs", "[tmpfs, not mounted]", 200, NULL);
	CHECK_TEXT(
		told(SECTION_MOST),
		"6 segments of SysV shared memory that no process has attached: 1.6M, 40.0% of RAM");
}

TESTS({ "what another one does not read", what_another_one_does_not_read },
      { "one size of what pointers lead to", one_size_of_what_pointers_lead_to },
      { "segments that no process has attached", segments_that_no_process_has_attached })
