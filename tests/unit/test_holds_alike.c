// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has most, where cgroups have processes of the same names, or one has several. */
#include "holds_most.h"
#include "util/text_list.h"

/* A row of cgroups with the same names, or of the one that they are below. */
static void alike(const char *by, const char *name, uint64_t pages, const char *paths)
{
	static struct text_lists lists;

	text_lists_init(&lists, stub.dump.arena);
	for (const char *at = paths; *at; at += strcspn(at, ", "), at += strspn(at, ", "))
		text_lists_add(&lists, "%.*s", (int)strcspn(at, ","), at);
	list(by, name, pages, NULL);
	sum.last[SECTION_HOLDER]->alike = text_lists_end(&lists, 0, true);
}

static void alike_cgroups(void)
{
	/* Cgroups of the same names are one, and what the processes have beside that is not told twice. */
	begin(VERDICT_RAN_OUT);
	class("anon", 800);
	alike("cgroups", "/old and /new", 780, "/old, /new");
	sum.last[SECTION_HOLDER]->cgroup = "/";
	list("cgroup", "/old", 400, NULL);
	list("cgroup", "/new", 380, NULL);
	process("a", 1, 150, "/old");
	process("b", 2, 110, "/old");
	CHECK_TEXT(told(SECTION_MOST), "cgroups /old and /new: 3.0M, 78.0% of RAM");
	/* What is of processes below one is in it, however large the names are. */
	begin(VERDICT_RAN_OUT);
	class("anon", 700);
	alike("cgroup", "/user", 600, "/user/a, /user/b");
	list("held", "9 processes a", 200, NULL);
	sum.last[SECTION_HOLDER]->cgroup = "/user";
	sum.last[SECTION_HOLDER]->memory = 1U << CLASS_ANON;
	process("b", 2, 110, "/");
	CHECK_TEXT(told(SECTION_MOST), "cgroup /user: 2.3M, 60.0% of RAM");
	/* Of a cgroup with several processes, the others have the rest of the class alone. */
	begin(VERDICT_RAN_OUT);
	class("anon", 600);
	list("cgroup", "/jobs", 400, NULL);
	process("a", 1, 110, "/jobs");
	process("b", 2, 100, "/jobs");
	CHECK_TEXT(told(SECTION_MOST),
		   "cgroup /jobs: 1.6M, 40.0% of RAM (the largest a (1): 440.0K)");
}

TESTS({ "cgroups of the same names, and what is beside them", alike_cgroups })
