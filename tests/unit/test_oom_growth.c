// SPDX-License-Identifier: GPL-2.0-or-later
/* Who grew between the first and the last table of tasks of a log. */
#include "oom/oom_growth.h"

#include <stdlib.h>

#include "log_text.h"
#include "test.h"

#define TABLE                                                                             \
	"Tasks state (memory values in pages):\n[  pid  ]   uid  tgid total_vm      rss " \
	"pgtables_bytes swapents oom_score_adj name\n"
#define HEAD(comm) \
	comm " invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"
#define NONE \
	"oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/"
#define OF_CPUSET \
	"oom-kill:constraint=CONSTRAINT_CPUSET,nodemask=(null),cpuset=/a,mems_allowed=0,global_oom,task_memcg=/"
#define OF_BOX \
	"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,task_memcg=/box"
#define OF_BAG \
	"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/bag,task_memcg=/bag"

static char text[16384];
static size_t len;

static void begin(void)
{
	len = 0;
	text[0] = '\0';
}

/* Each line of a text, with a stamp. */
static void add(unsigned int second, const char *lines)
{
	while (*lines) {
		const size_t n = strcspn(lines, "\n");

		len += (size_t)snprintf(text + len, sizeof(text) - len, "[%5u.000100] %.*s\n",
					second, (int)n, lines);
		lines += n + 1;
	}
}

static void row(unsigned int second, int tgid, unsigned long rss, unsigned long swap,
		const char *comm)
{
	char line[256];

	snprintf(line, sizeof(line),
		 "[%7d]     0 %5d   900000 %8lu    53248 %8lu             0 %s\n", tgid, tgid, rss,
		 swap, comm);
	add(second, line);
}

/* The end of a report, which killed one that has a row. */
static void ends(unsigned int second, int pid, const char *constraint)
{
	char line[512];

	snprintf(line, sizeof(line),
		 "%s,task=spike,pid=%d,uid=0\nOut of memory: Killed process %d (spike) "
		 "total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB\n",
		 constraint, pid, pid);
	add(second, line);
}

/* With so many reports less behind the first, as where a log has more than are kept. */
static const char *grown_without(unsigned int n)
{
	static char ret[1024];
	struct oom_growth g;
	struct strbuf b = STRBUF_OF(1024);

	if (read_text(text) != ST_OK)
		return "unread";
	reports.n -= n;
	memmove(reports.reports + 1, reports.reports + 1 + n,
		(reports.n - 1) * sizeof(*reports.reports));
	stub.dump.page_shift = 12;
	if (oom_growth_read(&stub.dump, &file.log, &reports, &g) != ST_OK)
		return "failed";
	oom_growth_text(&stub.dump, &g, true, &b);
	snprintf(ret, sizeof(ret), "%s", b.buf);
	return ret;
}

static const char *grown(void)
{
	return grown_without(0);
}

static void report(unsigned int second, unsigned long reportd, const char *constraint)
{
	add(second, HEAD("spike") TABLE);
	row(second, 40, 300, 0, "sshd");
	row(second, 50, reportd, second, "reportd");
	row(second, 90 + (int)second, 5000, 0, "spike");
	ends(second, 90 + (int)second, constraint);
}

#define REPORTD \
	"reportd (50): rss 40.0M at 120.000100 s, 380.0M at 300.000100 s, in swap 480.0K and then 1.2M"

/* A process that is another one each time had nothing the first time. */
static void one_process(void)
{
	begin();
	report(120, 10240, NONE);
	report(200, 50000, NONE);
	report(300, 97280, NONE);
	CHECK_TEXT(grown(), REPORTD);
	CHECK(strstr(record(0), "invoked oom-killer"));
	begin();
	report(120, 10240, NONE);
	CHECK_TEXT(grown(), "");
	begin();
	report(120, 10240, NONE);
	report(300, 9000, NONE);
	CHECK_TEXT(grown(), "");
}

/* The table of the first report ends where the next one begins, whether that is kept or not. */
static void reports_left_out(void)
{
	begin();
	report(120, 10240, NONE);
	report(200, 50000, NONE);
	report(210, 60000, NONE);
	report(300, 97280, NONE);
	CHECK_TEXT(grown_without(2), REPORTD);
}

/* Tables of other processes than all, and of one that lacks rows, are not compared. */
static void other_tables(void)
{
	begin();
	report(100, 100, OF_BOX);
	report(110, 100, OF_CPUSET);
	report(120, 10240, NONE);
	report(300, 97280, NONE);
	report(310, 100000, OF_CPUSET);
	CHECK_TEXT(grown(), REPORTD);
	begin();
	report(100, 100, OF_BAG);
	report(120, 10240, OF_BOX);
	report(300, 97280, OF_BOX);
	CHECK_TEXT(grown(), REPORTD "; by tables of cgroup /box");
	/* The end of the last one is missing. */
	begin();
	report(120, 10240, NONE);
	report(300, 97280, NONE);
	add(400, HEAD("spike") TABLE);
	row(400, 50, 200000, 0, "reportd");
	CHECK_TEXT(grown(), REPORTD);
}

static void many(unsigned int second, unsigned long rss, unsigned long first)
{
	add(second, HEAD("spike") TABLE);
	row(second, 50, first, 0, "indexer");
	row(second, 51, rss, 0, "indexer");
	row(second, 52, rss, 0, "indexer");
	row(second, 53, second > 120 ? 8 : 256, 0, "shrinks");
	if (second > 120)
		row(second, 54, rss, 0, "indexer");
	if (second > 120)
		row(second, 60, 2560, 0, "newd");
	ends(second, 52, NONE);
}

static void many_of_a_name(void)
{
	begin();
	many(120, 256, 256);
	many(300, 2560, 2560);
	CHECK_TEXT(grown(), "3 and then 4 processes indexer: rss 3.0M at 120.000100 s, 40.0M at "
			    "300.000100 s; newd (60): not there at 120.000100 s, rss 10.0M at "
			    "300.000100 s");
	/* One of them has it. */
	begin();
	many(120, 256, 256);
	many(300, 257, 51200);
	CHECK_TEXT(grown(), "indexer (50): rss 1.0M at 120.000100 s, 200.0M at 300.000100 s");
	/* Another one got the number. */
	begin();
	many(120, 256, 256);
	add(300, HEAD("spike") TABLE);
	row(300, 50, 2560, 0, "other");
	ends(300, 50, NONE);
	CHECK_TEXT(grown(), "other (50): not there at 120.000100 s, rss 10.0M at 300.000100 s");
}

/* Of a table that lost rows nothing says that a process was not there. */
static void rows_that_are_lost(void)
{
	/* Who was killed, who asked, who stands before others: the table behind it is the first one. */
	for (int lost = 0; lost < 3; lost++) {
		begin();
		add(100,
		    lost == 1
			    ? HEAD("reportd") "CPU: 0 PID: 50 Comm: reportd Not tainted 6.1 #1\n" TABLE
			    : HEAD("spike") TABLE);
		row(100, 40, 300, 0, "sshd");
		if (lost == 0)
			row(100, 50, 100, 0, "reportd");
		row(100, 60, 100, 0, "behind");
		ends(100, lost ? 40 : 41, NONE);
		for (unsigned int second = 120; second <= 300; second += 180) {
			add(second, HEAD("spike") TABLE);
			row(second, 40, 300, 0, "sshd");
			row(second, 50, second == 120 ? 10240 : 97280, second, "reportd");
			if (lost == 2)
				row(second, 60, 100, 0, "behind");
			ends(second, 40, NONE);
		}
		CHECK_TEXT(grown(), REPORTD);
	}
}

TESTS({ "reports that are not kept", reports_left_out }, { "one process", one_process },
      { "tables of others", other_tables }, { "many of a name", many_of_a_name },
      { "rows that are lost", rows_that_are_lost })
