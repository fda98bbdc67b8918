// SPDX-License-Identifier: GPL-2.0-or-later
/* The command that says what the threads of the process do that has most. */
#include <string.h>

#include "memowner/case.h"
#include "memowner/summary.h"
#include "stub.h"
#include "test.h"

static struct stub stub;
static struct cmdline in;

/* Where another one asked last. */
static void what_it_does(void)
{
	for (int32_t asker = 152; asker < 154; asker++) {
		struct statement of = { .section = SECTION_GROUP,
					.comm = "rsyslogd",
					.pid = { 153, true },
					.processes = { 1, true } };
		struct summary s = { .in = &in, .has_tasks = true, .has_classes = true };
		const struct statement *next;

		STUB_OPEN(stub);
		s.dump = &stub.dump;
		s.verdict = VERDICT_RAN_OUT;
		s.main_class = CLASS_ANON;
		s.asker_tgid = asker;
		s.asker_pages.known = true;
		SUMMARY_ADD(&s, .section = SECTION_MOST, .of = &of);
		summary_next(&s);
		next = s.first[SECTION_NEXT];
		CHECK_TEXT(next->command,
			   "memowner processes -o +ppid,executable -f comm=rsyslogd");
		next = next->next;
		CHECK(!strcmp(next ? next->command : "",
			      "memowner stuck -a -o +does -f tgid=153") == (asker == 152));
	}
}

TESTS({ "what it does", what_it_does })
