// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects of a cache that open files lead to: files that cannot be read may lead to any of them. */
#include "kept/cache_owners.h"
#include "stub.h"
#include "test.h"

/* Whether the summary says that it does not know who has the objects of a cache of which it knows that many owners. */
static bool says_unknown(uint64_t known)
{
	static struct slab_cache cache = { .name = "kmalloc-256" };
	static char buf[256];
	STUB(stub);
	struct report report = { .dump = &stub.dump, .tells_unknown = true };
	struct summary sum = { .dump = &stub.dump, .report = &report };
	struct slab_use use = { .cache = &cache, .taken = 1000 };
	struct strbuf text = strbuf_in(buf, sizeof(buf));
	struct asked_cache a = { .s = &sum, .use = &use, .b = &text, .n = known };
	bool ret;

	report.last_unknown = &report.unknown;
	cache_ask_data(&a);
	ret = report.unknown && !strcmp(report.unknown->name, "who has objects of kmalloc-256");
	CHECK_TEXT(text.buf, "");
	stub_close(&stub);
	return ret;
}

static void files_without_a_layout(void)
{
	CHECK(says_unknown(0));
	CHECK(says_unknown(700));
	/* Most have an owner that is told: files are not asked for. */
	CHECK(!says_unknown(900));
}

TESTS({ "files that cannot be read", files_without_a_layout })
