// SPDX-License-Identifier: GPL-2.0-or-later
/* Which sections of the page are open, by what the first screen says. */
#include "extensions/page/choice.h"
#include "stub.h"
#include "test.h"

#define GROUP "Who waits for whom"

static const struct page_section all[] = {
	{ .name = "named", .is_open = true, .group = GROUP },
	{ .name = "stuck", .is_open = true, .group = GROUP },
	{ .name = "runnable", .is_open = true, .group = GROUP },
	{ .name = "largest_files" },
	{ .name = "zones" },
};

/* "named stuck": those that are open, of a screen with this verdict and another statement. */
static void opens(const char *verdict, const char *label, size_t n, const char *open)
{
	struct page_section of[ARRAY_SIZE(all)];
	struct strbuf b = STRBUF_OF(256);
	const struct task_names names = { .n = n, .all = { { .tgid = 12 } } };
	struct page_choice c = { 0 };

	memcpy(of, all, sizeof(of));
	page_choice_take(&c, "verdict", verdict);
	page_choice_take(&c, label, "a (5) waits");
	page_choice_apply(&c, of, ARRAY_SIZE(of), &names);
	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		if (of[i].is_open)
			strbuf_add(&b, "%s%s", strbuf_between(&b, " "), of[i].name);
	}
	CHECK_TEXT(b.buf, open);
}

static void sections_are_open(void)
{
	opens("memory ran out: 1M of 2M was free", "holder", 2, "named runnable zones");
	opens("memory ran out: 1M of 2M was free", "stuck", 2, "named stuck runnable zones");
	opens("the kernel died of bug, task kw (12); memory was not short: 1M", "panic", 1, "");
	opens("the kernel died of bug, task kw (12); memory was not short", "panic", 2, "named");
	opens("the kernel died of bug, task kw (13); memory was not short", "panic", 1, "named");
	opens("2 threads are in a deadlock; memory was not short: 1M", "stuck", 2, "named stuck");
	opens("little of what is free may be had", "holder", 1, "named runnable");
}

static void who_has_most_of_enough(void)
{
	const struct task_names none = { 0 }, one = { .n = 1 };
	struct page_section of[ARRAY_SIZE(all)];
	struct page_choice c = { 0 };

	memcpy(of, all, sizeof(of));
	page_choice_take(&c, "verdict", "nothing wrong was found: memory was not short");
	CHECK(page_choice_apply(&c, of, ARRAY_SIZE(of), &one) == 5);
	CHECK(page_choice_apply(&c, of, ARRAY_SIZE(of), &none) == 4);
	CHECK_TEXT(of[3].name, "zones");
	memcpy(of, all, sizeof(of));
	page_choice_take(&c, "verdict", "memory ran out");
	CHECK(page_choice_apply(&c, of, ARRAY_SIZE(of), &none) == 5);
}

static void an_option_leaves_out(void)
{
	CHECK(!page_exclusion("memowner stuck -X place=idle"));
	CHECK_TEXT(page_exclusion("memowner stuck -X tgid=%l -n 4"), " -X tgid=%l -n 4");
}

TESTS({ "sections are open by the first screen", sections_are_open },
      { "who has most of what was not short has no section", who_has_most_of_enough },
      { "the option that leaves out others", an_option_leaves_out });
