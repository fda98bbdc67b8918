// SPDX-License-Identifier: GPL-2.0-or-later
/* Who had files of the module open in which the kernel died. */
#include "extensions/story/story.h"
#include "files/open_files.h"
#include "memowner/case.h"
#include "modules/module.h"
#include "stub.h"
#include "test.h"

static struct module dvcbt = { .name = "dvcbt", .ranges = { { 1, 1 } }, .nranges = 1 }, dvcbt2 = {
	.name = "dvcbt2", .ranges = { { 2, 1 } }, .nranges = 1, .next = &dvcbt
};

enum status modules_open(struct dump *d NOT_USED, struct modules *ret)
{
	ret->first = &dvcbt2;
	return ST_OK;
}

static unsigned int users; /* processes that have a file of the module open */

enum status open_files_visit(struct open_files *o NOT_USED, struct dump *d NOT_USED,
			     enum status (*visit)(void *arg, uint64_t file, uint64_t operations,
						  const struct file_user *user),
			     void *arg)
{
	static const struct file_user other = { .tgid = 7 },
				      in_flight = { .tgid = 8, .in_flight = true };

	CHECK(visit(arg, 0x10, 2, &other) == ST_OK && visit(arg, 0x20, 3, &other) == ST_OK);
	CHECK(visit(arg, 0x30, 1, &in_flight) == ST_OK);
	for (unsigned int i = 0; i < 2 * users; i++) {
		struct file_user user = { .tgid = 398 + (int32_t)(i / 2) };

		CHECK(visit(arg, 0x40 + i, 1, &user) == ST_OK);
	}
	return ST_OK;
}

enum status tasks_open(struct dump *d, struct tasks *ret)
{
	*ret = (struct tasks){ .dump = d };
	return ST_OK;
}

enum status tasks_find(struct tasks *t NOT_USED, int32_t pid, struct task *ret)
{
	*ret = (struct task){ .pid = pid, .tgid = pid, .comm = "datavoltd", .start_ns = 1 };
	return ST_OK;
}

/* How many are told. */
static size_t told(unsigned int n, const char *text)
{
	struct summary_case of_case = { 0 };
	struct report report = { .info = { .panic_ns = 1000000001, .has_panic_time = true } };
	struct summary summary = { .of_case = &of_case, .report = &report };
	struct story st = { .s = &summary };
	STUB(s);

	summary.dump = &s.dump;
	st.last = &st.first;
	users = n;
	story_add_openers(&st, "dvcbt]");
	if (text)
		CHECK(st.first && strstr(st.first->text, text) == st.first->text);
	return st.n;
}

static void openers_are_told(void)
{
	CHECK(told(0, NULL) == 0);
	CHECK(told(1, "datavoltd (398), which had a file of module dvcbt open at the end, started, "
		      "1.0s before the ") == 1);
	CHECK(told(3, NULL) == 3);
	/* All that use a file system are none that asked for it. */
	CHECK(told(4, NULL) == 0);
}

TESTS({ "who had files of the module open", openers_are_told });
