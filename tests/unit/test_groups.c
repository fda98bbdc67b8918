// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes of one name as one row: whose children they are. */
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "oom/oom_report.h"
#include "stub.h"
#include "test.h"

static struct stub stub;
static struct report report;
static struct summary sum;
static struct process_groups groups;

static void begin(void)
{
	STUB_OPEN(stub);
	report = (struct report){ .dump = &stub.dump, .tells_unknown = true };
	report.last_unknown = &report.unknown;
	sum = (struct summary){ .dump = &stub.dump,
				.report = &report,
				.groups = &groups,
				.has_tasks = true,
				.ram_pages = 1000 };
	groups_open(&sum, &groups);
}

static void add(int tgid, int ppid)
{
	struct task t = { .pid = tgid,
			  .tgid = tgid,
			  .ppid = ppid,
			  .has_ppid = ppid != 0,
			  .has_mm = true,
			  .has_memory = true,
			  .mm = 0xffff888000000000 + (unsigned int)tgid,
			  .rss_anon = 10,
			  .rss = 10,
			  .comm = "store" };

	groups_add(&groups, &t, "/");
}

/* Waits that say why there are many; that they rest does not. */
static void sleeps(void)
{
	static const struct {
		const char *function, *text;
	} cases[] = {
		{ "do_nanosleep", NULL },
		{ "ep_poll", NULL },
		{ "do_wait", "20 of them wait for a child" },
		{ "nfs_wait_bit_killable", "20 of them sleep in nfs_wait_bit_killable" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct process_group *g;
		const char *text;

		begin();
		for (int n = 0; n < 20; n++)
			add(100 + n, 5);
		g = groups.groups.first->value;
		for (int n = 0; n < 20; n++)
			groups_add_sleep(&groups, g, cases[i].function);
		text = summary_group_sleep(&sum, g);
		CHECK_TEXT(text ?: "-", cases[i].text ?: "-");
	}
}

/* The text of the row; "": none. */
static const char *family(void)
{
	static char text[128];

	summary_groups(&sum);
	snprintf(text, sizeof(text), "%s", sum.first[SECTION_GROUP]->family ?: "");
	return text;
}

static void families(void)
{
	begin();
	add(5, 1);
	add(8, 5);
	CHECK_TEXT(family(), "the other is a child of store (5)");
	begin();
	add(8, 5);
	add(5, 1);
	add(9, 5);
	CHECK_TEXT(family(), "the others are children of store (5)");
	/* Of another parent, of one that is unknown, one alone, and a child of a child. */
	begin();
	add(5, 1);
	add(8, 1);
	CHECK_TEXT(family(), "");
	begin();
	add(5, 1);
	add(8, 0);
	CHECK_TEXT(family(), "");
	begin();
	add(5, 5);
	CHECK_TEXT(family(), "");
	begin();
	add(5, 1);
	add(8, 5);
	add(9, 8);
	CHECK_TEXT(family(), "");
	/* More than are kept. */
	begin();
	for (int i = 0; i <= (int)FEW_PROCESSES; i++)
		add(5 + i, i ? 5 : 1);
	CHECK_TEXT(family(), "");
}

/* A process of 100 pages and its children, which have as many, of which each wrote to some. */
static void shared_since_fork(void)
{
	static int32_t members[][2] = { { 5, 1 }, { 8, 5 }, { 9, 5 } };
	static struct oom_report report_of_end = { .function = "do_wp_page" };
	struct anon_process all[] = { { &all[1], .tgid = 5, .anon = 100, .shared = 99 },
				      { &all[2], .tgid = 8, .anon = 100, .shared = 40 },
				      { NULL, .tgid = 9, .anon = 102, .shared = 30 } };
	struct process_group g = { .comm = "store",
				   .processes = 3,
				   .parent = 5,
				   .members = members,
				   .anon = 233,
				   .sum = { .first = all, .counted = 302 } };

	begin();
	CHECK_TEXT(summary_group_forked(&sum, &g),
		   "532.0K are private, up to 288.0K in one, and 400.0K they share since fork, so "
		   "that their sizes sum up to 1.2M; what is private was copied when they wrote to "
		   "what they shared, as each has as much as store (5), which forked them");
	/* Who asked last did so for a copy. */
	sum.ran_out = &report_of_end;
	sum.asker_tgid = 8;
	CHECK(strstr(summary_group_forked(&sum, &g),
		     "them; the last request for memory was for such a copy (do_wp_page)"));
	sum.asker_tgid = 7;
	CHECK(!strstr(summary_group_forked(&sum, &g), "such a copy"));
	/* One has more than was there; one has another parent. */
	all[2].anon = 110;
	CHECK(!strstr(summary_group_forked(&sum, &g), "copied"));
	all[2].anon = 102;
	members[2][1] = 8;
	CHECK(!strstr(summary_group_forked(&sum, &g), "copied"));
	/* More is private than there is. */
	g.anon = 100;
	CHECK(!summary_group_forked(&sum, &g));
}

/* Pages that no process counts, of those that the kernel counts as mapped. */
static uint64_t orphans(uint64_t anon, int64_t mapped, const struct task *more)
{
	static uint64_t classes[PAGE_CLASSES];

	begin();
	add(5, 1);
	add(8, 5);
	if (more)
		groups_add(&groups, more, "/");
	classes[CLASS_ANON] = anon;
	sum.has_classes = true;
	sum.classes = classes;
	sum.anon_mapped = (struct maybe_u64){ (uint64_t)mapped, mapped >= 0 };
	summary_groups(&sum);
	return sum.orphan_anon;
}

static void of_ended_processes(void)
{
	const struct task thread = { .pid = 9, .tgid = 8, .has_mm = true, .mm = 4096 };
	const struct task unreadable = { .pid = 9, .tgid = 9, .mm_unreadable = true, .mm = 4096 };

	CHECK(orphans(500, 490, NULL) == 470 && sum.processes_anon == 20 && sum.mms == 2);
	CHECK(orphans(25, 25, NULL) == 0);
	/* The others are in the swap cache, or pinned. */
	CHECK(orphans(500, 30, NULL) == 0);
	/* Without the counter, or what one process has, nobody knows. */
	CHECK(orphans(500, -1, NULL) == 0);
	CHECK(orphans(500, 490, &unreadable) == 0);
	/* Its process has told. */
	CHECK(orphans(500, 490, &thread) == 470);
}

static const char *at_limit; /* cgroup; NULL: none */

/* Processes of one name in several cgroups, of which none has half: the row, "": none. */
static const char *instances(int n, int64_t largest)
{
	static char text[128];
	const struct statement *row = NULL;

	begin();
	for (int i = 0; i < n; i++) {
		struct task t = { .pid = 5 + i,
				  .tgid = 5 + i,
				  .has_mm = true,
				  .has_memory = true,
				  .mm = 0xffff888000000000 + (unsigned int)i,
				  .rss_anon = i ? 40 : largest,
				  .comm = "node" };
		char cgroup[32];

		snprintf(cgroup, sizeof(cgroup), "/machine/c%d", i);
		groups_add(&groups, &t, arena_strdup(stub.dump.arena, cgroup));
	}
	sum.limit_path = at_limit;
	sum.limit_pages = 500;
	summary_groups(&sum);
	row = sum.first[SECTION_HOLDER];
	snprintf(text, sizeof(text), "%s %lu in %s of %lu", row ? row->name : "",
		 row ? row->pages.n : 0, row ? row->cgroup : "", row ? row->most_pid.n : 0);
	return row ? text : "";
}

/* One process of each name, "a" and so on, in a cgroup. */
static void fill(const char *cgroup, const char *names, int64_t pages, int ppid)
{
	static int pid = 5;

	for (; *names; names++, pid++) {
		struct task t = { .pid = pid,
				  .tgid = pid,
				  .ppid = ppid,
				  .has_ppid = true,
				  .has_mm = true,
				  .has_memory = true,
				  .start_ns = 1000000000ULL * (unsigned int)pid,
				  .mm = 0xffff888000000000 + (unsigned int)pid,
				  .rss_anon = pages,
				  .comm = { *names } };

		groups_add(&groups, &t, cgroup);
		groups_add_thread(&groups, &t, cgroup);
	}
}

static void cgroup(const char *path, uint64_t pages)
{
	SUMMARY_ADD(&sum, .section = SECTION_HOLDER, .by = "cgroup", .name = path,
		    .pages = { pages, true }, .brief = "");
}

/* The row of cgroups that are alike, or of what they are below; "": none is. */
static const char *alike(void)
{
	static char text[512];
	const struct statement *row = NULL;

	summary_groups(&sum);
	for (row = sum.first[SECTION_HOLDER]; row && !row->alike;)
		row = row->next;
	if (!row)
		return "";
	snprintf(text, sizeof(text), "%s %s %lu: %s; %u", row->by, row->name, row->pages.n,
		 row->brief, row->alike->n);
	return text;
}

/* Two pods of the same names, of which the first is at its limit: who leads of processes with so many pages each. */
static const char *twins(uint64_t a, uint64_t a_beside, uint64_t b, uint64_t b_beside,
			 const char *names)
{
	static char text[512];
	struct statement rows[] = {
		{ .section = SECTION_GROUP, .comm = "a", .cgroup = "/pods/p1/x" },
		{ .section = SECTION_GROUP, .comm = "b", .cgroup = "/pods/p1/y" },
	};
	struct claims c = { .s = &sum, .of_limit = true, .whole = 300, .least = 30 };
	const unsigned int leads = b ? 2 : 1; /* b 0: it does not lead */
	struct claim claims[] = { { .row = &rows[0], .pages = a },
				  { .row = &rows[1], .pages = b } };
	const struct claim *lead[CLAIMS_TOLD] = { &claims[0], &claims[1] };
	unsigned int n = leads;
	const char *found;

	begin();
	sum.limit_path = "/pods/p1";
	fill("/pods/p1/x", "a", (int64_t)a, 1);
	fill("/pods/p1/y", "b", (int64_t)b, 1);
	fill("/pods/p1/z", "c", 3, 1);
	fill("/pods/p2/x", "a", (int64_t)a_beside, 1);
	fill("/pods/p2/y", "b", (int64_t)b_beside, 1);
	fill("/pods/p2/z", names, 3, 1);
	summary_groups(&sum);
	/* The sum of both is no row. */
	CHECK(!ANY_NEXT(row, sum.first[SECTION_HOLDER], row->alike));
	found = summary_twins_text(&c, lead, &n);
	snprintf(text, sizeof(text), "%s: %s", found ? lead[0]->row->comm : "", found ?: "");
	CHECK(n == (found ? 1 : leads));
	return text;
}

static void beside_a_cgroup_of_the_same_names(void)
{
	CHECK_TEXT(twins(160, 10, 130, 130, "c"),
		   "a: inferred, as p2 beside it, with processes of the same names, has 40.0K in "
		   "a, but 520.0K in b, which has 520.0K here");
	CHECK_TEXT(twins(130, 130, 160, 10, "c"),
		   "b: inferred, as p2 beside it, with processes of the same names, has 40.0K in "
		   "b, but 520.0K in a, which has 520.0K here");
	CHECK_TEXT(twins(160, 10, 0, 130, "c"),
		   "a: p2 beside it, with processes of the same names, has 40.0K in a");
	/* Both differ, none does, one is a little larger, other names. */
	CHECK_TEXT(twins(160, 10, 130, 10, "c"), ": ");
	CHECK_TEXT(twins(160, 160, 130, 130, "c"), ": ");
	CHECK_TEXT(twins(160, 10, 130, 100, "c"), ": ");
	CHECK_TEXT(twins(160, 100, 130, 130, "c"), ": ");
	CHECK_TEXT(twins(160, 10, 130, 130, "d"), ": ");
}

/* What has ended is in no cgroup.procs; a process whose first thread alone has ended is, once. */
static void zombies_of_a_cgroup(void)
{
	const struct {
		int pid, tgid;
		char state;
	} threads[] = { { 5, 5, 'S' }, { 6, 6, 'Z' },  { 7, 7, 'X' }, { 8, 8, 'Z' },
			{ 9, 8, 'S' }, { 10, 8, 'D' }, { 11, 5, 'R' } };

	begin();
	cgroup("/shop", 300);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		struct task t = { .pid = threads[i].pid,
				  .tgid = threads[i].tgid,
				  .state = threads[i].state,
				  .comm = "shopfront" };

		groups_add_thread(&groups, &t, "/shop");
	}
	for (int pid = 100; pid < 200; pid++)
		groups_add_thread(&groups, &(struct task){ .pid = pid, .tgid = pid, .state = 'Z' },
				  "/shop/jobs");
	cgroup("/shop/jobs", 20);
	summary_groups(&sum);
	CHECK_TEXT(sum.first[SECTION_HOLDER]->brief, "2 processes, 101 zombies");
	CHECK_TEXT(sum.last[SECTION_HOLDER]->brief, "no process, 100 zombies");
}

static void of_the_same_names_in_several_cgroups(void)
{
	char text[512];

	/* Sessions below one cgroup, of which one has just begun, and one has more. */
	begin();
	cgroup("/user", 420);
	for (int i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "/user/u%d", i);
		fill(arena_strdup(stub.dump.arena, text), i == 3 ? "abcdz" : "abcd", 24, 1);
	}
	fill("/user/u4", "ab", 10, 70);
	CHECK_TEXT(alike(),
		   "cgroup /user 420: 19 processes in 5 cgroups below it, the same 4 names in "
		   "4 of them: b 424.0K, a 424.0K, d 384.0K and 1 more; none of these cgroups "
		   "has more than 480.0K; 17 of the processes are children of init (1), which "
		   "started them or took them in; 5");
	/* Two generations in the root, whose charges are known. */
	begin();
	cgroup("/old", 230);
	cgroup("/new", 190);
	fill("/old", "abc", 70, 1);
	fill("/new", "abc", 60, 1);
	snprintf(text, sizeof(text), "%s", alike());
	CHECK_TEXT(text, "cgroups /old and /new 420: the same 3 names in both: c 520.0K, b 520.0K, "
			 "a 520.0K; /old 920.0K; /new 760.0K; 2");
	/* Without them, what their processes have. */
	begin();
	fill("/old", "abc", 70, 1);
	fill("/new", "abc", 60, 1);
	CHECK(strstr(alike(), "cgroups /old and /new 390: anon of processes, the same 3 names"));
	/* Other names, one of which most is, one cgroup that has most, little memory. */
	begin();
	fill("/old", "abc", 70, 1);
	fill("/new", "abd", 60, 1);
	CHECK_TEXT(alike(), "");
	begin();
	fill("/old", "a", 90, 1);
	fill("/new", "a", 90, 1);
	fill("/old", "b", 10, 1);
	fill("/new", "b", 10, 1);
	CHECK_TEXT(alike(), "");
	begin();
	fill("/old", "abc", 70, 1);
	fill("/new", "abc", 30, 1);
	CHECK_TEXT(alike(), "");
	begin();
	fill("/old", "abc", 15, 1);
	fill("/new", "abc", 15, 1);
	CHECK_TEXT(alike(), "");
	/* Of different parents. */
	begin();
	fill("/a/old", "abc", 70, 1);
	fill("/b/new", "abcd", 60, 1);
	CHECK_TEXT(alike(), "");
}

/* What sessions leave: how far apart they started, what the OOM killer makes of them. */
static void of_sessions_that_have_ended(void)
{
	const struct statement *row;

	begin();
	groups.has_scores = false;
	for (int i = 0; i < 4; i++) {
		struct task t = { .pid = 50 + i,
				  .tgid = 50 + i,
				  .ppid = 1,
				  .has_ppid = true,
				  .has_mm = true,
				  .has_memory = true,
				  .mm = 0xffff888000000000 + (unsigned int)i,
				  .rss_anon = 40,
				  .start_ns = 1000000000ULL * (100 + 20 * (uint64_t)i),
				  .comm = "langsrvd" };
		char cgroup[64];

		snprintf(cgroup, sizeof(cgroup), "/user.slice/user-5.slice/session-%d.scope", i);
		groups_add(&groups, &t, arena_strdup(stub.dump.arena, cgroup));
		groups_add_thread(&groups, &t, arena_strdup(stub.dump.arena, cgroup));
	}
	summary_groups(&sum);
	row = sum.first[SECTION_HOLDER];
	CHECK(row && row->processes.n == 4 && !strcmp(row->cgroup, "/user.slice/user-5.slice"));
	/* Init's name is not in this dump: whose children they are is not told. */
	CHECK_TEXT(row->hold, "the first started 1.0min before the last");
}

static void of_one_name_in_several_cgroups(void)
{
	CHECK_TEXT(instances(4, 60), "4 processes node 180 in /machine of 5");
	/* One has half of it; less than a tenth of RAM. */
	CHECK_TEXT(instances(4, 130), "");
	CHECK_TEXT(instances(2, 45), "");
	/* At the limit of one what is in others is no part of that; of those below it, it is. */
	at_limit = "/machine/c1";
	CHECK_TEXT(instances(4, 60), "");
	at_limit = "/machine";
	CHECK_TEXT(instances(4, 60), "4 processes node 180 in /machine of 5");
	at_limit = NULL;
}

/* Each process has a name with a number of its own, as where one serves each session; and so have kernel threads. */
static void numbered(void)
{
	struct task t = { .has_mm = true, .has_memory = true, .rss_anon = 10, .rss = 10 };
	const struct kthread_group *of;

	begin();
	groups.stack_pages = 4;
	((struct stem_names *)hash_bytes_get(&groups.numbered, "oracle_*", 9, NULL)->value)->n =
		MANY_PROCESSES;
	((struct stem_names *)hash_bytes_get(&groups.numbered, "node*", 6, NULL)->value)->n = 2;
	for (int i = 20; i < 40; i++) {
		t.pid = t.tgid = i;
		t.mm = 0xffff888000000000 + (unsigned int)i;
		snprintf(t.comm, sizeof(t.comm), i < 38 ? "oracle_%d_wms" : "node%d", i);
		groups_add(&groups, &t, "/db");
		t.is_kthread = true;
		snprintf(t.comm, sizeof(t.comm), "fbgw/%d", i);
		groups_add_thread(&groups, &t, NULL);
		t.is_kthread = false;
	}
	summary_groups(&sum);
	CHECK_TEXT(sum.first[SECTION_GROUP]->comm, "oracle_*");
	CHECK(sum.first[SECTION_GROUP]->processes.n == 18);
	CHECK_TEXT(sum.first[SECTION_GROUP]->next->comm, "node38");
	of = hash_bytes_find(&groups.kthreads, "fbgw/*", 7);
	CHECK(of && of->n == 20 && of->first == 20);
	/* One alone in its cgroup has its own name. */
	t.pid = t.tgid = 40;
	t.mm = 0xffff888000000100;
	t.rss_anon = t.rss = 300;
	snprintf(t.comm, sizeof(t.comm), "oracle_40_wms");
	groups_add(&groups, &t, "/other");
	sum.first[SECTION_GROUP] = sum.last[SECTION_GROUP] = NULL;
	summary_groups(&sum);
	CHECK_TEXT(sum.first[SECTION_GROUP]->comm, "oracle_40_wms");
	sum.first[SECTION_HOLDER] = sum.last[SECTION_HOLDER] = NULL;
	/* Stacks of 4 pages each are 80 of 1,000. */
	CHECK(!sum.first[SECTION_HOLDER]);
	sum.ram_pages = 500;
	summary_groups(&sum);
	CHECK(sum.first[SECTION_HOLDER] && sum.first[SECTION_HOLDER]->are_kthreads &&
	      sum.first[SECTION_HOLDER]->pages.n == 80);
	CHECK_TEXT(sum.first[SECTION_HOLDER]->name, "20 kernel threads fbgw/*");
}

TESTS({ "families", families }, { "what many sleep in", sleeps },
      { "what processes share since fork", shared_since_fork },
      { "memory of processes that have ended", of_ended_processes },
      { "processes of one name in several cgroups", of_one_name_in_several_cgroups },
      { "processes that sessions left", of_sessions_that_have_ended },
      { "cgroups of the same names", of_the_same_names_in_several_cgroups },
      { "a cgroup beside one of the same names", beside_a_cgroup_of_the_same_names },
      { "zombies of a cgroup", zombies_of_a_cgroup }, { "names with numbers", numbered })
