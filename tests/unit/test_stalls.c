// SPDX-License-Identifier: GPL-2.0-or-later
/* Of CPUs that were stuck the summary tells those of which the log told last. */
#include <stdlib.h>

#include "log/standstill.h"
#include "log_text.h"
#include "memory/stuck_rows.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"

#define STUCK(second, cpu, task) \
	"[  " second ".000000] watchdog: BUG: soft lockup - CPU#" cpu " stuck for 22s! [" task "]\n"

static void the_newest(void)
{
	static const char text[] = STUCK("90", "1", "cron:155") STUCK("95", "1", "cron:155")
		STUCK("100", "0", "assetd:163") STUCK("140", "0", "assetd:163")
			STUCK("448", "0", "systemd:1");
	STUB(dump);
	struct log_file no_times = { .has_no_times = true };
	struct report report = { 0 };
	struct summary s = { .dump = &dump.dump, .report = &report };

	dump.dump.log_file = &no_times;
	CHECK(read_text(text) == ST_OK);
	summary_add_stalls(&s, &file.log);
	CHECK(s.first[SECTION_STUCK]);
	CHECK_TEXT(s.first[SECTION_STUCK]->remark,
		   "by the log CPU 0 was stuck for 22 s in systemd (1): a soft lockup; first CPU "
		   "1 was stuck for 22 s in cron (155): a soft lockup, told 2 times; and 1 more "
		   "(memowner log)");
	s = (struct summary){ .dump = &dump.dump, .report = &report };
	file.log.is_cut = true;
	summary_add_stalls(&s, &file.log);
	CHECK(strstr(s.first[SECTION_STUCK]->remark, "a soft lockup; CPU 1 was stuck"));
}

/* What another CPU wrote behind the name is none of it, and no number of it a pid. */
static void name_and_pid(void)
{
	struct cpu_stall s = { 0 };

	stall_line(&s, "BUG: soft lockup - CPU#1 stuck for 11s! [kworker/2:1:77]_[x] other:0");
	CHECK_TEXT(s.comm, "kworker/2:1");
	CHECK(s.pid.known && s.pid.value == 77);
	stall_line(&s, "BUG: soft lockup - CPU#1 stuck for 11s! [kworker/2:1:7");
	CHECK(!s.pid.known && !s.comm[0]);
}

/* The same beside threads that wait, of the dump that has this log. */
static void beside_threads(void)
{
	static const char text[] = STUCK("90", "1", "cron:155") STUCK("100", "0", "assetd:163")
		STUCK("448", "0", "systemd:1");
	static struct text out;
	STUB(dump);
	struct owner_view v = { .dump = &dump.dump, .out = &out.sink };

	text_open(&out);
	CHECK(read_text(text) == ST_OK);
	dump.dump.log_file = &file;
	stuck_put_stalls(&v);
	CHECK_TEXT(text_get(&out),
		   "by the log CPU 0 was stuck for 22 s in systemd (1): a soft lockup\n"
		   "by the log CPU 0 was stuck for 22 s in assetd (163): a soft lockup\n"
		   "by the log 1 more (memowner log)\n");
	/* With a part of the log missing there may be others. */
	text_open(&out);
	file.log.is_cut = true;
	stuck_put_stalls(&v);
	CHECK(strstr(text_get(&out), "\nby the log at least 1 more (memowner log)\n"));
}

/* There is room for 16: what came behind them is counted as lines, of which some may be on one of these. */
static void no_room(void)
{
	struct standstills all = { .n = 2, .more = 3 };
	const bool is_told[STANDSTILLS] = { true, true };
	struct strbuf b = STRBUF_OF(64);

	standstills_rest(&all, is_told, false, &b);
	CHECK_TEXT(b.buf, "there may be more (memowner log)");
	b = STRBUF_OF(64);
	all.more = 0;
	standstills_rest(&all, is_told, false, &b);
	CHECK_TEXT(b.buf, "");
	all.all[1].lines = 2;
	standstill_times(&all.all[1], &b);
	CHECK_TEXT(b.buf, ", told 2 times");
}

TESTS({ "the newest", the_newest }, { "name and pid", name_and_pid },
      { "beside threads", beside_threads }, { "no room", no_room })
