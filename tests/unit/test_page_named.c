// SPDX-License-Identifier: GPL-2.0-or-later
/* Whom the first screen names as the cause, of whom a page shows what they do. */
#include "extensions/page/named.h"
#include "stub.h"
#include "test.h"

/* A thread's name may differ from that of its process, and so stands for it. */
static const struct task all[] = {
	{ .pid = 1, .tgid = 1, .comm = "init" },
	{ .pid = 298, .tgid = 298, .comm = "dbproxy" },
	{ .pid = 300, .tgid = 298, .comm = "db worker" },
	{ .pid = 303, .tgid = 303, .comm = "hactl", .start_ns = 9 },
	{ .pid = 117, .tgid = 117, .comm = "kworker/1:2", .start_ns = 3, .is_kthread = true },
	{ .pid = 307, .tgid = 307, .comm = "load gen" },
	{ .pid = 400, .tgid = 400, .comm = "other" },
	{ .pid = 401, .tgid = 401, .comm = "more" },
};

enum status tasks_open(struct dump *d, struct tasks *ret)
{
	*ret = (struct tasks){ .dump = d };
	return ST_OK;
}

enum status tasks_walk(struct tasks *t NOT_USED,
		       enum status (*visit)(void *arg, const struct task *task), void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		CHECK(visit(arg, &all[i]) == ST_OK);
	return ST_OK;
}

/* "verdict   hactl (303) waits": a label of ten columns. */
static void take(struct page_named *a, const char *line)
{
	char label[11];

	snprintf(label, sizeof(label), "%s", line);
	label[strcspn(label, " ")] = '\0';
	page_named_take(a, label, line + 10);
}

static void a_text_names(const char *line, const char *more, const char *tgids, const char *words)
{
	STUB(s);
	struct page_named *a = dump_alloc(&s.dump, sizeof(*a));

	a->dump = &s.dump;
	take(a, line);
	if (more)
		take(a, more);
	take(a, "RAM       System RAM 1.0G, of init (1)");
	take(a, "          beside init (1)");
	page_named_find(a);
	CHECK_TEXT(page_named_tgids(a) ?: "", tgids ?: "");
	CHECK_TEXT(page_named_words(a) ?: "", words ?: "");
}

static void a_parent_is_no_cause(void)
{
	a_text_names("holder    hactl (303), child of other (400); load gen (307)", NULL, "303,307",
		     "hactl (303), load gen (307)");
	a_text_names("holder    27 of them are children of init (1)", NULL, NULL, NULL);
	/* That it is a parent elsewhere does not matter. */
	a_text_names("holder    hactl (303), child of other (400); other (400) waits", NULL,
		     "303,400", "hactl (303), other (400)");
}

static void they_stand_in_the_order_of_the_text(void)
{
	a_text_names(
		"verdict   task swapper/0 (0); hactl (303) waits on a unix socket for dbproxy (298)",
		NULL, "303,298", "hactl (303), dbproxy (298)");
	a_text_names("verdict   dbproxy (298) has it; hactl (303) waits", NULL, "298,303",
		     "dbproxy (298), hactl (303)");
	/* Of several threads the process, once. */
	a_text_names("holder    db worker (300) and dbproxy (298): 1.0G", NULL, "298",
		     "dbproxy (298)");
	a_text_names("stuck     load gen (307) is stopped", NULL, "307", "load gen (307)");
}

static void what_is_no_cause_names_none(void)
{
	a_text_names("trigger   init (1) asked last", NULL, NULL, NULL);
	a_text_names("verdict   sysrq asked for the panic: init (1) wrote to /proc/sysrq-trigger",
		     NULL, NULL, NULL);
	a_text_names("trigger   init (1) asked last; its cgroup is the holder", NULL, "1",
		     "init (1)");
	a_text_names(
		"trigger   init (1) asked last; its cgroup is the holder; it killed hactl (303)",
		NULL, "1", "init (1)");
	/* Another pid, another word. */
	a_text_names("verdict   hactl (30) of initramhactl (303)", NULL, NULL, NULL);
}

static void a_label_holds_for_the_lines_behind_it(void)
{
	a_text_names("verdict   dbproxy (298) waits", "          and hactl (303) for it", "298,303",
		     "dbproxy (298), hactl (303)");
	a_text_names("verdict   dbproxy (298) waits", "panic     other (400) was on CPU 0", "298",
		     "dbproxy (298)");
}

/* When those of the kernel started is no part of what happened. */
static void when_a_process_started(void)
{
	STUB(s);
	struct task_names names;

	task_names_find(&s.dump, "hactl (303) waits for kworker/1:2 (117)", &names);
	CHECK(names.n == 2 && names.all[0].start_ns == 9 && !names.all[1].start_ns);
}

static void of_many_the_first_ones_are_shown(void)
{
	a_text_names(
		"verdict   more (401), other (400), load gen (307), hactl (303), dbproxy (298)",
		NULL, "401,400,307,303", "more (401), other (400), load gen (307), hactl (303)");
}

TESTS({ "a parent is no cause", a_parent_is_no_cause },
      { "in the order of the text, each process once", they_stand_in_the_order_of_the_text },
      { "only lines on the cause, only whole names", what_is_no_cause_names_none },
      { "a label holds for the lines behind it", a_label_holds_for_the_lines_behind_it },
      { "when a process started", when_a_process_started },
      { "of many the first ones", of_many_the_first_ones_are_shown })
