// SPDX-License-Identifier: GPL-2.0-or-later
/* Which processes the OOM killer looks at where a memory cgroup ran out of memory, and of how much. */
#include "memory/processes.h"
#include "stub.h"
#include "test.h"
#include "util/bits.h"

static struct oom_report report;
static struct processes p;

/* A process of 100 pages in a cgroup. */
static struct process in(const char *path, int adj)
{
	return (struct process){ .has_task = true,
				 .task = { .tgid = 50 },
				 .has_mm = true,
				 .info = { .has_flags = true, .has_pgtables = true },
				 .has_exact = true,
				 .exact = { .anon = 100 },
				 .has_oom = true,
				 .oom = { .adj = adj },
				 .paths = { .memcg = path } };
}

static void out_of_memory(enum oom_scope scope, const char *constraint, const char *path)
{
	static struct owner_view view;

	memset(&report, 0, sizeof(report));
	memset(&p, 0, sizeof(p));
	report.scope = scope;
	strcpy(report.constraint, constraint);
	strcpy(report.oom_memcg, path);
	view.page_shift = 12;
	p.v = &view;
	p.report = &report;
	p.reads = READS_SUM;
	p.has_total = true;
	p.total.pages = 10000;
}

static void check(const char *path, enum oom_standing standing, bool has_badness)
{
	struct process q = in(path, 100);
	int64_t n = -1;

	CHECK(process_standing(&p, &q) == standing);
	CHECK(process_badness(&p, &q, &n) == has_badness);
	CHECK(n == (has_badness ? 1100 : -1));
}

static void only_below_the_cgroup(void)
{
	out_of_memory(OOM_SCOPE_MEMCG, "CONSTRAINT_MEMCG", "/web");
	check("/web", OOM_ELIGIBLE, true);
	check("/web/inner", OOM_ELIGIBLE, true);
	check("/webmail", OOM_OUTSIDE, false);
	check("/", OOM_OUTSIDE, false);
	check("/db", OOM_OUTSIDE, false);
	check(NULL, OOM_STANDING_UNKNOWN, false);
	/* 4.19 names the cgroup and no constraint. */
	out_of_memory(OOM_SCOPE_MEMCG, "", "/web");
	check("/web", OOM_ELIGIBLE, true);
	check("/db", OOM_OUTSIDE, false);
}

static void a_report_that_is_over(void)
{
	static const enum oom_outcome over[] = { OOM_KILLED, OOM_EXITING, OOM_NO_VICTIM };

	for (size_t i = 0; i < 3; i++) {
		out_of_memory(OOM_SCOPE_MEMCG, "CONSTRAINT_MEMCG", "/web");
		report.outcome = over[i];
		check("/web", OOM_ELIGIBLE, true);
		check("/db", OOM_ELIGIBLE, true);
		check(NULL, OOM_ELIGIBLE, true);
	}
	report.outcome = OOM_PANICKED;
	check("/db", OOM_OUTSIDE, false);
}

static void all_of_the_system(void)
{
	out_of_memory(OOM_SCOPE_GLOBAL, "CONSTRAINT_NONE", "");
	check("/db", OOM_ELIGIBLE, true);
	check(NULL, OOM_ELIGIBLE, true);
	p.report = NULL;
	check("/db", OOM_ELIGIBLE, true);
	out_of_memory(OOM_SCOPE_MEMCG, "CONSTRAINT_MEMCG", "/");
	check("/db", OOM_ELIGIBLE, true);
}

/* The kernel's table lists whom a request looks at that some nodes were bound to. */
static void of_some_nodes(void)
{
	static const char *const bound[] = { "CONSTRAINT_CPUSET", "CONSTRAINT_MEMORY_POLICY", "" };
	static const struct oom_task row;
	struct process q = in("/db", 100);
	STUB(s);
	bool is_new;

	for (size_t i = 0; i < 3; i++) {
		out_of_memory(OOM_SCOPE_GLOBAL, bound[i], "");
		check("/db", OOM_STANDING_UNKNOWN, false);
		hash_u64_init(&p.table.rows, s.dump.arena, sizeof(row));
		p.has_table = true;
		check("/db", OOM_OUTSIDE, false);
		/* Of another name with its pid, and of one that is younger, it does not tell. */
		hash_u64_get(&p.table.rows, 50, &is_new);
		check("/db", OOM_STANDING_UNKNOWN, false);
		q.logged = &row;
		CHECK(process_standing(&p, &q) == OOM_ELIGIBLE);
		q.task.tgid = 51;
		q.logged = NULL;
		q.task.start_ns = 1;
		CHECK(process_standing(&p, &q) == OOM_STANDING_UNKNOWN);
		q.task.start_ns = 0;
		CHECK(process_standing(&p, &q) == OOM_OUTSIDE);
		p.table.is_cut = true;
		CHECK(process_standing(&p, &q) == OOM_STANDING_UNKNOWN);
		p.has_one_node = true;
		check("/db", OOM_ELIGIBLE, true);
		report.outcome = OOM_KILLED;
		p.has_one_node = false;
		check("/db", OOM_ELIGIBLE, true);
	}
}

static void an_unknown_cgroup(void)
{
	out_of_memory(OOM_SCOPE_MEMCG, "CONSTRAINT_MEMCG", "");
	check("/web", OOM_STANDING_UNKNOWN, false);
}

/* The newest report may be of a cgroup, or of another one. */
static void a_log_with_a_part_missing(void)
{
	struct process q = in("/web", 0);
	int64_t n;

	out_of_memory(OOM_SCOPE_MEMCG, "CONSTRAINT_MEMCG", "/web");
	p.log_problem = "a part of the log is not in this dump";
	check("/web", OOM_STANDING_UNKNOWN, false);
	check("/db", OOM_STANDING_UNKNOWN, false);
	p.report = NULL;
	check("/web", OOM_STANDING_UNKNOWN, false);
	CHECK(!process_badness(&p, &q, &n));
	q.oom.adj = OOM_ADJ_MIN;
	CHECK(process_standing(&p, &q) == OOM_UNKILLABLE);
}

/* What it is stays true wherever it is; its score is that of another report. */
static void a_victim_of_before(void)
{
	struct process q = in("/db", 0), unkillable = in("/db", OOM_ADJ_MIN);
	int64_t n;

	out_of_memory(OOM_SCOPE_MEMCG, "CONSTRAINT_MEMCG", "/web");
	q.oom.oom_mm = 0x1000;
	CHECK(process_standing(&p, &q) == OOM_VICTIM && !process_badness(&p, &q, &n));
	q.paths.memcg = "/web";
	CHECK(process_standing(&p, &q) == OOM_VICTIM && process_badness(&p, &q, &n) && n == 100);
	CHECK(process_standing(&p, &unkillable) == OOM_UNKILLABLE);
}

/* Up to 5.8 no score is below 1; where that is unknown, so is one that would be. */
static void least_score(void)
{
	struct process q = in("/web", -500);
	int64_t n;

	out_of_memory(OOM_SCOPE_GLOBAL, "CONSTRAINT_NONE", "");
	CHECK(!process_badness(&p, &q, &n));
	p.scores.least = OOM_LEAST_ONE;
	CHECK(process_badness(&p, &q, &n) && n == 1);
	p.scores.least = OOM_LEAST_NONE;
	CHECK(process_badness(&p, &q, &n) && n == 100 - 5000);
	check("/web", OOM_ELIGIBLE, true);
}

static const char *type_text;

static enum status text_of(void *priv NOT_USED, const char *type, char *buf, size_t size)
{
	if (!type_text || strcmp(type, "struct oom_control"))
		return ST_ABSENT;
	snprintf(buf, size, "%s", type_text);
	return ST_OK;
}

static enum oom_least least_of(const char *text)
{
	static const struct stub_member members[] = {
		{ "struct signal_struct", "oom_score_adj", FIELD(0, 2) },
		{ "struct signal_struct", "oom_mm", FIELD(8, 8) },
		{ "struct signal_struct", "flags", FIELD(16, 4) },
		{ "struct task_struct", "vfork_done", FIELD(0, 8) },
		{ "struct task_struct", "real_parent", FIELD(8, 8) },
		{ "struct task_struct", "mm", FIELD(16, 8) },
		{ 0 }
	};
	STUB(s, .members = members);
	struct oom_scores scores = { 0 };

	type_text = text;
	s.ops.type_text = text_of;
	CHECK(oom_scores_open(&s.dump, &scores) == ST_OK);
	return scores.least;
}

/* The sign of the score that the OOM killer keeps tells. */
static void signs(void)
{
	CHECK(least_of("type = struct oom_control {\n    unsigned long totalpages;\n"
		       "    struct task_struct *chosen;\n    unsigned long chosen_points;\n}") ==
	      OOM_LEAST_ONE);
	CHECK(least_of("type = struct oom_control {\n    unsigned long totalpages;\n"
		       "    struct task_struct *chosen;\n    long chosen_points;\n}") ==
	      OOM_LEAST_NONE);
	CHECK(least_of("type = struct oom_control {\n    <incomplete type>\n}") ==
	      OOM_LEAST_UNKNOWN);
	CHECK(least_of(NULL) == OOM_LEAST_UNKNOWN);
}

static void nodes(void)
{
	static const uint64_t none[2], one[2] = { 2 }, most[2] = { 0x8000000000000007, 0x13 },
				       last[2] = { 0, 1ULL << 63 };
	char text[16];

	CHECK(!bits_print(none, 2, text, sizeof(text)));
	CHECK(bits_print(one, 2, text, sizeof(text)));
	CHECK_TEXT(text, "1");
	/* A run goes on in the next word. */
	CHECK(bits_print(most, 2, text, sizeof(text)));
	CHECK_TEXT(text, "0-2,63-65,68");
	CHECK(bits_print(last, 2, text, sizeof(text)));
	CHECK_TEXT(text, "127");
	/* No part of a list. */
	CHECK(!bits_print(most, 2, text, 12));
	CHECK(bits_print(most, 2, text, 13));
}

TESTS({ "processes below the cgroup alone", only_below_the_cgroup },
      { "without a cgroup all of them", all_of_the_system },
      { "of some nodes those of the kernel's table", of_some_nodes },
      { "after a report that is over, too", a_report_that_is_over },
      { "a cgroup that the report does not name", an_unknown_cgroup },
      { "a log with a part missing", a_log_with_a_part_missing },
      { "a victim of an earlier report", a_victim_of_before }, { "the least score", least_score },
      { "the sign of scores", signs }, { "nodes of a task", nodes });
