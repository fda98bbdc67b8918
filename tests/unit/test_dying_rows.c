// SPDX-License-Identifier: GPL-2.0-or-later
/* What the screen says of a process that is dying and still has its memory. */
#include "memowner/dying.h"
#include "memowner/screen.h"
#include "memowner/summary.h"
#include "stub.h"
#include "test.h"

static struct stub stub;
static struct report report;
static struct cmdline in;
static struct text out;

static struct summary ready(void)
{
	STUB_OPEN(stub);
	return (struct summary){
		.dump = &stub.dump, .in = &in, .report = &report, .ram_pages = 10000
	};
}

static const char *put(const struct summary *s, void (*section)(const struct screen *sc))
{
	struct screen sc = { .s = s,
			     .out = &out.sink,
			     .extent = { .culprits = 8, .processes = 3 } };

	text_open(&out);
	section(&sc);
	return text_get(&out);
}

/* Shared memory alone: it has no row of a process among the users; the file is what it has. */
static void killed_and_there(void)
{
	struct summary s = ready();
	static const uint32_t starts[] = { 0, 13 };
	static const struct text_list users = { "96(renderd)", 1, 0, false, starts };
	const char *fate = "killed by the OOM killer, has not exited",
		   *why = "renderd (96) waits for io";

	SUMMARY_ADD(&s, .section = SECTION_FILE, .name = "/dev/zero (deleted)",
		    .pages = { 4000, true }, .used_by = &users, .fate = fate, .fate_why = why);
	SUMMARY_ADD(&s, .section = SECTION_GROUP, .by = "command", .comm = "renderd",
		    .pages = { 3, true }, .pid = { 96, true }, .processes = { 1, true },
		    .fate = fate, .fate_why = why);
	SUMMARY_ADD(&s, .section = SECTION_PROCESS, .comm = "renderd", .pid = { 96, true },
		    .rss = 4000, .rss_shmem = 4000, .bytes = { 4000 << 12, true }, .has_mm = true,
		    .has_parts = true, .fate = fate, .fate_why = why);
	CHECK(strstr(put(&s, screen_put_culprits),
		     "used by renderd (96), killed by the OOM killer, has not "
		     "exited\n"));
	CHECK_TEXT(put(&s, screen_put_processes),
		   "processes renderd (96): shared memory 15.6M; killed by the OOM killer, has not "
		   "exited: renderd (96) waits for io\n");
	/* A row among the users tells why. */
	s.first[SECTION_GROUP]->pages.n = 4000;
	CHECK_TEXT(put(&s, screen_put_processes),
		   "processes renderd (96): shared memory 15.6M; killed by the OOM killer, has not "
		   "exited\n");
	/* So does the line of the holder. */
	s.first[SECTION_GROUP]->pages.n = 3;
	SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_FILE], .fate_why = why);
	CHECK(!strstr(put(&s, screen_put_processes), "waits for io"));
	CHECK(strstr(put(&s, screen_put_culprits), "/dev/zero (deleted)\n"));
}

/* Of one process; that of a group of several, and a file that others use as well, have none. */
static void whose_rows(void)
{
	struct summary s = ready();
	static const uint32_t one[] = { 0, 13 }, two[] = { 0, 11, 18 };
	static const struct text_list alone = { "96(renderd)", 1, 0, false, one },
				      both = { "96(renderd), 9(b)", 2, 0, false, two },
				      open = { "96(renderd)", 1, 0, true, one };
	const struct text_list *const users[] = { &alone, &both, &open, NULL };
	const struct statement *f;

	for (size_t i = 0; i < ARRAY_SIZE(users); i++)
		SUMMARY_ADD(&s, .section = SECTION_FILE, .name = "/f", .used_by = users[i]);
	SUMMARY_ADD(&s, .section = SECTION_GROUP, .by = "command", .comm = "renderd",
		    .pid = { 96, false }, .processes = { 2, true });
	SUMMARY_ADD(&s, .section = SECTION_PROCESS, .comm = "renderd", .pid = { 96, true });
	SUMMARY_ADD(&s, .section = SECTION_PROCESS, .comm = "b", .pid = { 9, true });
	summary_tell_fate(&s, 96, "dies", NULL);
	f = s.first[SECTION_FILE];
	CHECK(f->fate && !f->next->fate && !f->next->next->fate && !f->next->next->next->fate);
	CHECK(!s.first[SECTION_GROUP]->fate && s.first[SECTION_PROCESS]->fate &&
	      !s.last[SECTION_PROCESS]->fate);
	summary_tell_fate(&s, 96, "has not exited", "a:b waits");
	CHECK_TEXT(f->fate, "dies; has not exited");
	CHECK_TEXT(f->fate_why, "a:b waits");
}

/* Of processes of one name those that dump core; who reads that waits for another. */
static void many_that_dump_core(void)
{
	for (uint64_t n = 1; n < 4; n++) {
		struct summary s = ready();
		struct dying *x = dump_alloc(&stub.dump, sizeof(*x));
		struct dumping_name *name;
		struct statement *row;

		*x = (struct dying){ .s = &s };
		hash_bytes_init(&x->dumping_names, stub.dump.arena, sizeof(*name));
		hash_bytes_init(&x->started_names, stub.dump.arena, sizeof(uint64_t));
		name = hash_bytes_get(&x->dumping_names, "pay", 4, NULL)->value;
		*name = (struct dumping_name){ .n = n, .first.signal = 11, .has_others = n == 3 };
		SUMMARY_ADD(&s, .section = SECTION_GROUP, .comm = "pay", .pages = { 900, true },
			    .processes = { 3, true }, .sleeps = "3 of them sleep in pipe_write");
		row = s.first[SECTION_GROUP];
		dying_end(x);
		CHECK_TEXT(row->fate ?: "", n == 1   ? ""
					    : n == 2 ? "2 of them dump core (SIGSEGV)"
						     : "3 of them dump core");
		CHECK(!row->sleeps == (n > 1) && !summary_reader_words(&s, row));
		row->core_reader = "collect";
		CHECK(!summary_reader_words(&s, row));
		row->fate_why = "collect (7) is asleep";
		CHECK_TEXT(summary_reader_words(&s, row),
			   "collect (7) is asleep; collect reads the core dump of pay");
	}
}

/* What the log has of long before the end is told as that. */
static void what_is_over(void)
{
	struct summary s = ready();

	dump_info_end(&report.info, 300000000000, "run_queue", false);
	SUMMARY_ADD(&s, .section = SECTION_STUCK, .ts = { 200000000000, true },
		    .remark = "by the log CPU 1 was stuck for 22 s");
	SUMMARY_ADD(&s, .section = SECTION_STUCK, .ts = { 299000000000, true },
		    .remark = "by the log CPU 0 was stuck for 22 s");
	SUMMARY_ADD(&s, .section = SECTION_STUCK, .remark = "a (5) waits for b (6)");
	CHECK_TEXT(put(&s, screen_put_stuck), "earlier   by the log CPU 1 was stuck for 22 s\n"
					      "stuck     by the log CPU 0 was stuck for 22 s\n"
					      "          a (5) waits for b (6)\n");
}

/* Of several processes that are the holder none is told beside it. */
static void beside_several(void)
{
	struct summary s = ready();

	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "held", .comm = "route",
		    .processes = { 11, true }, .pages = { 7000, true });
	SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_HOLDER], .comm = "route",
		    .pages = { 7000, true });
	SUMMARY_ADD(&s, .section = SECTION_PROCESS, .pid = { 5, true }, .comm = "route",
		    .has_mm = true, .has_parts = true, .rss_anon = 700, .rss = 700);
	SUMMARY_ADD(&s, .section = SECTION_PROCESS, .pid = { 6, true }, .comm = "collect",
		    .has_mm = true, .has_parts = true, .rss_anon = 600, .rss = 600);
	CHECK(strstr(put(&s, screen_put_processes), "beside the holder: collect (6): anon "));
	CHECK(!strstr(text_get(&out), "route"));
}

/* Many of a name of which none has half are one line, the largest first; its members have none. */
static void many_of_a_name(void)
{
	struct summary s = ready();
	struct statement *g;

	SUMMARY_ADD(&s, .section = SECTION_GROUP, .by = "command", .comm = "cart", .cgroup = "/a",
		    .pages = { 900, true }, .swapped = { 256, true }, .processes = { 15, true },
		    .most_pid = { 7, true }, .most_pages = 60);
	g = s.last[SECTION_GROUP];
	SUMMARY_ADD(&s, .section = SECTION_PROCESS, .pid = { 5, true }, .comm = "shop",
		    .cgroup = "/b", .has_mm = true, .has_parts = true, .rss_anon = 700, .rss = 700);
	SUMMARY_ADD(&s, .section = SECTION_PROCESS, .pid = { 7, true }, .comm = "cart",
		    .cgroup = "/a", .has_mm = true, .has_parts = true, .rss_anon = 600, .rss = 600);
	CHECK_TEXT(put(&s, screen_put_processes),
		   "processes 15 processes cart in /a: anon 3.5M, swap 1.0M\n"
		   "          shop (5) in /b: anon 2.7M\n");
	/* One that has more, of what the sum does not count. */
	s.last[SECTION_PROCESS]->rss = s.last[SECTION_PROCESS]->rss_anon = 2000;
	CHECK(strstr(put(&s, screen_put_processes), "processes cart (7) in /a: anon 7.8M\n"));
	/* One of them has nearly all. */
	s.last[SECTION_PROCESS]->rss = s.last[SECTION_PROCESS]->rss_anon = 600;
	g->most_pages = 600;
	CHECK(!strstr(put(&s, screen_put_processes), "15 processes"));
	/* They are the holder. */
	g->most_pages = 60;
	SUMMARY_ADD(&s, .section = SECTION_MOST, .of = g, .comm = "cart", .pages = { 900, true });
	CHECK_TEXT(put(&s, screen_put_processes),
		   "processes beside the holder: shop (5) in /b: anon 2.7M\n");
}

/* Where RAM is unknown no share says that it is little. */
static void without_ram(void)
{
	struct summary s = ready();

	s.ram_pages = 0;
	SUMMARY_ADD(&s, .section = SECTION_PROCESS, .pid = { 317, true }, .comm = "rsyslogd",
		    .has_mm = true, .has_parts = true, .rss_anon = 900, .rss = 900);
	CHECK_TEXT(put(&s, screen_put_processes), "processes rsyslogd (317): anon 3.5M\n");
}

TESTS({ "without RAM", without_ram }, { "beside several", beside_several },
      { "many of a name", many_of_a_name }, { "what is over", what_is_over },
      { "whose rows say it", whose_rows },
      { "a process that was killed and is there", killed_and_there },
      { "many that dump core", many_that_dump_core })
