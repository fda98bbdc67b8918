// SPDX-License-Identifier: GPL-2.0-or-later
/* What an answer lacks: whether its sizes are all there is told by themselves. */
#include <string.h>

#include "cli/report.h"
#include "stub.h"
#include "test.h"

/* The summary of JSON behind one gap. */
static bool ends_with(const struct gap *gap, bool complete, const char *words)
{
	static struct text t;
	STUB(s);
	struct report r;

	text_open(&t);
	report_init(&r, &s.dump, &t.sink, "cmd", "view", true);
	report_gaps(&r, gap, 1);
	report_end(&r, NULL, complete);
	return strstr(text_get(&t), words);
}

static void sizes(void)
{
	struct gap gap = { .text = "rows are missing" };

	CHECK(ends_with(&gap, true, "\"complete\":true,\"sizes_complete\":true,"));
	gap.n = 1;
	CHECK(ends_with(&gap, true, "\"complete\":false,\"sizes_complete\":false,"));
	gap.keeps_sizes = true;
	CHECK(ends_with(&gap, true, "\"complete\":false,\"sizes_complete\":true,"));
	CHECK(ends_with(&gap, false, "\"complete\":false,\"sizes_complete\":false,"));
	gap.keeps_sizes = false;
	gap.is_note = true;
	CHECK(ends_with(&gap, true, "\"complete\":true,\"sizes_complete\":true,"));
}

TESTS({ "sizes of an answer with gaps", sizes })
