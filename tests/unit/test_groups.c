// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes of one name as one row: whose children they are. */
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "stub.h"
#include "test.h"

static struct stub stub;
static struct report report;
static struct summary sum;
static struct process_groups groups;

static void begin(void)
{
	STUB_OPEN(stub);
	report = (struct report){ .dump = &stub.dump, .tells_unknown = true };
	report.last_unknown = &report.unknown;
	sum = (struct summary){ .dump = &stub.dump,
				.report = &report,
				.groups = &groups,
				.has_tasks = true,
				.ram_pages = 1000 };
	groups_open(&sum, &groups);
}

static void add(int tgid, int ppid)
{
	struct task t = { .pid = tgid,
			  .tgid = tgid,
			  .ppid = ppid,
			  .has_ppid = ppid != 0,
			  .has_mm = true,
			  .has_memory = true,
			  .mm = 0xffff888000000000 + (unsigned int)tgid,
			  .rss_anon = 10,
			  .rss = 10,
			  .comm = "store" };

	groups_add(&groups, &t, "/");
}

/* The text of the row; "": none. */
static const char *family(void)
{
	static char text[128];

	summary_groups(&sum);
	snprintf(text, sizeof(text), "%s", sum.first[SECTION_GROUP]->family ?: "");
	return text;
}

static void families(void)
{
	begin();
	add(5, 1);
	add(8, 5);
	CHECK_TEXT(family(), "the other is a child of store (5)");
	begin();
	add(8, 5);
	add(5, 1);
	add(9, 5);
	CHECK_TEXT(family(), "the others are children of store (5)");
	/* Of another parent, of one that is unknown, one alone, and a child of a child. */
	begin();
	add(5, 1);
	add(8, 1);
	CHECK_TEXT(family(), "");
	begin();
	add(5, 1);
	add(8, 0);
	CHECK_TEXT(family(), "");
	begin();
	add(5, 5);
	CHECK_TEXT(family(), "");
	begin();
	add(5, 1);
	add(8, 5);
	add(9, 8);
	CHECK_TEXT(family(), "");
	/* More than are kept. */
	begin();
	for (int i = 0; i <= (int)FEW_PROCESSES; i++)
		add(5 + i, i ? 5 : 1);
	CHECK_TEXT(family(), "");
}

TESTS({ "families", families })
