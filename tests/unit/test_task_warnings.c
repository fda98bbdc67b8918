// SPDX-License-Identifier: GPL-2.0-or-later
/* What the log complained of a task that is named: of its pid and its name, as a pid is given again. */
#include "log/warning.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"

static void of_a_task(void)
{
	static const struct kernel_record at = { .ts_ns = 1000000000 },
					  late = { .ts_ns = 3000000000 };
	static struct log_warnings all = {
		.n = 2,
		.all = { { .first = &at, .last = &at, .text = "other", .pid = { true, 7 } },
			 { .first = &at,
			   .last = &at,
			   .text = "Voluntary context switch",
			   .pid = { true, 102 },
			   .comm = "mbus/poll" } }
	};
	static struct stub stub;
	static struct report report;
	struct summary s = { .dump = &stub.dump, .report = &report, .warnings = &all };

	STUB_OPEN(stub);
	report = (struct report){ .dump = &stub.dump };
	dump_info_end(&report.info, 4000000000, "run_queue", false);
	CHECK_TEXT(
		summary_warning_of(&s, 102, "mbus/poll"),
		"3.0s before the end the log has Voluntary context switch, task mbus/poll (102)");
	/* Another task the last time. */
	all.all[1].times = all.last[1].times = 2;
	all.last[1] = all.all[1];
	all.last[1].last = &late;
	all.last[1].pid.value = 103;
	all.last[1].is_last = true;
	CHECK_TEXT(
		summary_warning_of(&s, 103, "mbus/poll"),
		"1.0s before the end the log has Voluntary context switch, task mbus/poll (103), the last of 2 times");
	CHECK(!summary_warning_of(&s, 102, "other") && !summary_warning_of(&s, 101, "mbus/poll"));
	s.warnings = NULL;
	CHECK(!summary_warning_of(&s, 102, "mbus/poll"));
}

TESTS({ "of a task", of_a_task })
