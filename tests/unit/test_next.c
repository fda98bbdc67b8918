// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands to type next: what ended the kernel comes first, what would answer with nothing not at all. */
#include "memowner/case.h"
#include "memowner/summary.h"
#include "oom/oom_report.h"
#include "graph/graph.h"
#include "net/local_ports.h"
#include "stub.h"
#include "test.h"

/* The command in a row, from 0; "-": there is none. */
static const char *command(struct summary *s, unsigned int n)
{
	const struct statement *row = s->first[SECTION_NEXT];

	for (; row && n; row = row->next)
		n--;
	return row ? row->command : "-";
}

static struct stub stub;

static struct summary ready(void)
{
	static struct cmdline in;

	STUB_OPEN(stub);
	return (struct summary){ .dump = &stub.dump,
				 .in = &in,
				 .has_classes = true,
				 .has_zones = true,
				 .has_tasks = true,
				 .has_caches = true,
				 .main_class = CLASS_DIRECT };
}

static void no_block_of_a_small_order(void)
{
	const struct oom_report r = { .has_order = true, .order = 3 };
	struct summary s = ready();

	s.verdict = VERDICT_NO_BLOCK;
	s.ran_out = &r;
	s.next_graph = "memowner holders";
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner fragmentation 3");
	CHECK_TEXT(command(&s, 1), "memowner holders");
}

/* A list of works grows as they are not done: why is asked before who keeps them. */
static void a_backlog(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_RAN_OUT;
	s.next_graph = "memowner holders";
	s.has_backlog = s.is_stuck = true;
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner stuck");
	CHECK_TEXT(command(&s, 1), "memowner holders");
}

/* What splits blocks comes before memory of processes, who has most of zones before the zones. */
static void what_is_short(void)
{
	const struct oom_report r = { .has_order = true, .order = 3 };
	struct summary s = ready();

	s.verdict = VERDICT_NO_BLOCK;
	s.ran_out = &r;
	s.main_class = CLASS_ANON;
	s.next_graph = "memowner holders";
	summary_next(&s);
	CHECK_TEXT(command(&s, 1), "memowner holders");
	s = ready();
	s.verdict = VERDICT_ZONE;
	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "held",
		    .command = "memowner processes -s held_bytes");
	SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_HOLDER]);
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner processes -s held_bytes");
	CHECK_TEXT(command(&s, 1), "memowner zones");
}

static void a_cpu_that_stalled(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_NOT_SHORT;
	s.main_class = CLASS_ANON;
	s.is_stalled = true;
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "faults -f state=R");
	CHECK_TEXT(command(&s, 1), "memowner story");
	s = ready();
	s.verdict = VERDICT_NOT_SHORT;
	s.busy_cpu = "2 threads have waited for a CPU for up to 12s";
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "faults -f state=R");
	s = ready();
	s.is_stalled = s.is_stuck = true;
	summary_next(&s);
	CHECK_TEXT(command(&s, 1), "memowner stuck");
}

static void many_removed_cgroups(void)
{
	uint64_t classes[PAGE_CLASSES] = { [CLASS_PERCPU] = 350 };
	struct summary s = ready();

	s.ram_pages = 1000;
	s.classes = classes;
	s.has_removed = true;
	s.next_graph = "memowner holders";
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner cgroups -f memcg_state=dying");
	CHECK_TEXT(command(&s, 1), "memowner holders");
}

/* Its memory.min is why it stayed; its page cache is what there is most of. */
static void a_cgroup_that_is_protected(void)
{
	uint64_t classes[PAGE_CLASSES] = { [CLASS_FILE] = 400 };
	struct summary s = ready();

	s.verdict = VERDICT_RAN_OUT;
	s.main_class = CLASS_FILE;
	s.classes = classes;
	s.ram_pages = 1000;
	s.has_cgroups = true;
	s.waiting = 3;
	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "cgroup", .name = "/search.slice",
		    .pages = { 450, true }, .protection = "memory.min of 2.0M protects all of it");
	SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_HOLDER]);
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner cgroups -o +min_limit,low_limit,protected_by");
	CHECK_TEXT(command(&s, 1), "memowner files -f memcg=/search.slice");
	/* With what is there the list of cgroups says nothing more, and who is in a page fault next to nothing. */
	CHECK_TEXT(command(&s, 2), "memowner processes -n 5");
}

/* Of a cgroup whose memory is kernel objects its processes have little. */
static void objects_of_a_cgroup(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_CGROUP;
	s.limit_path = s.full_path = "/edge.slice";
	s.limit_pages = 100;
	s.has_cgroups = true;
	SUMMARY_ADD(&s, .section = SECTION_CACHE, .name = "kmalloc-4k", .pages = { 80, true },
		    .kept_by = "20 of 20 objects are extended attributes");
	SUMMARY_ADD(&s, .section = SECTION_GROUP, .comm = "layerd", .cgroup = "/edge.slice/a");
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner caches -n 5");
	CHECK_TEXT(command(&s, 1), "memowner cgroups");
	CHECK_TEXT(command(&s, 2), "memowner processes -n 5 -f \"cgroup=/edge.slice/*\"");
}

/* What does not get on has call stacks, which say more than memory that was not short. */
static void who_waits_for_whom(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_NOT_SHORT;
	s.is_stuck = s.is_hung = true;
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner stuck");
	CHECK_TEXT(command(&s, 1), "memowner story");
	CHECK_TEXT(command(&s, 2), "memowner stuck -o +stack");
}

/* Of a root the view that an administrator knows it by. */
static void a_root_with_a_name(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_RAN_OUT;
	s.next_graph = "memowner holders";
	SUMMARY_ADD(&s, .section = SECTION_CANDIDATE, .by = "root",
		    .command = "memowner filesystems");
	SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_CANDIDATE]);
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner filesystems");
	CHECK_TEXT(command(&s, 1), "memowner holders");
}

static void many_processes_of_one_name(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_RAN_OUT;
	s.main_class = CLASS_ANON;
	s.ram_pages = 1000;
	summary_add(&s, &(struct statement){ .section = SECTION_GROUP,
					     .pages = { 500, true },
					     .processes = { 207, true } });
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner processes -g comm -n 5");
}

static void memory_that_a_victim_gave_back(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_RAN_OUT;
	s.ram_pages = 1000;
	s.free = (struct maybe_u64){ 800, true };
	s.has_classes = true;
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner log");
	CHECK_TEXT(command(&s, 1), "memowner classes");
}

static void stuck_with_memory_free(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_NOT_SHORT;
	s.main_class = CLASS_ANON;
	s.is_stuck = true;
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner stuck");
}

static void objects_without_owners(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_RAN_OUT;
	s.main_class = CLASS_SLAB;
	s.next_graph = "memowner holders";
	s.next_objects = "kmalloc-512";
	s.inferred_module = "mydrv";
	s.inferred_kind = NODE_OBJECT;
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner holders");
	CHECK_TEXT(command(&s, 1), "memowner objects -g cache,type -f holder=mydrv");
	CHECK_TEXT(command(&s, 2), "memowner objects -g holder,type -f cache=kmalloc-512");
}

/* What no root leads to is more than an innocent module keeps: of that one no list is asked for. */
static void pages_that_were_lost(void)
{
	static const char *const owners[] = { "mydrv", NULL };

	for (size_t i = 0; i < ARRAY_SIZE(owners); i++) {
		struct summary s = ready();

		s.verdict = VERDICT_RAN_OUT;
		s.next_graph = "memowner holders";
		s.inferred_module = "innocent";
		s.inferred_kind = s.lost_kind = NODE_DIRECT;
		s.inferred_module_pages = 100;
		s.lost_pages = 900;
		SUMMARY_ADD(&s, .section = SECTION_CANDIDATE, .name = "none", .owner = owners[i]);
		summary_next(&s);
		CHECK_TEXT(command(&s, 0), "memowner holders");
		CHECK_TEXT(command(&s, 1), owners[i] ? "memowner holders -n 0 -f module=mydrv"
						     : "memowner processes -n 5");
		s = ready();
		s.verdict = VERDICT_RAN_OUT;
		s.next_graph = "memowner holders";
		s.inferred_module = "innocent";
		s.inferred_kind = NODE_DIRECT;
		s.inferred_module_pages = 1000;
		s.lost_pages = 900;
		summary_next(&s);
		CHECK_TEXT(command(&s, 1), "memowner holders -n 0 -f module=innocent");
	}
}

/* Of what a process holds the owner is known. */
static void holders_of_most(void)
{
	static uint64_t classes[PAGE_CLASSES] = { [CLASS_DIRECT] = 900 };
	struct summary s = ready();

	s.verdict = VERDICT_RAN_OUT;
	s.classes = classes;
	s.next_graph = "memowner holders";
	s.inferred_module = "mydrv";
	s.inferred_kind = NODE_OBJECT;
	s.next_holder = "memowner sockets";
	s.next_holder_pages = 800;
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner sockets");
	CHECK_TEXT(command(&s, 1), "memowner holders");
	CHECK_TEXT(command(&s, 2), "memowner objects -g cache,type -f holder=mydrv");
}

static void cgroup_at_its_limit(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_CGROUP;
	s.has_cgroups = s.has_files = true;
	s.full_path = "/pods/pod1";
	SUMMARY_ADD(&s, .section = SECTION_FILE, .charged = "/pods/pod1/tail");
	SUMMARY_ADD(&s, .section = SECTION_GROUP, .cgroup = "/pods/pod1", .pages = { 5, true });
	SUMMARY_ADD(&s, .section = SECTION_GROUP, .cgroup = "/pods/pod2", .pages = { 9, true });
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner files -f \"memcg=/pods/pod1/*\"");
	CHECK_TEXT(command(&s, 1), "memowner processes -n 5 -f cgroup=/pods/pod1");
	CHECK_TEXT(command(&s, 2), "memowner cgroups");
	/* A process has most; of one cgroup a group of cgroups has one row. */
	s = ready();
	s.verdict = VERDICT_HIGH;
	s.has_cgroups = s.has_files = true;
	s.limit_path = "/pods/pod1";
	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "cgroup", .name = "/pods/pod1",
		    .processes = { 13, true });
	SUMMARY_ADD(&s, .section = SECTION_FILE, .charged = "/pods/pod1");
	SUMMARY_ADD(&s, .section = SECTION_GROUP, .cgroup = "/pods/pod1", .pages = { 5, true });
	SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_GROUP]);
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner processes -n 5 -f cgroup=/pods/pod1");
	CHECK_TEXT(command(&s, 1), "memowner files -f memcg=/pods/pod1");
	/* Some pages of the file are charged to another. */
	s.first[SECTION_FILE]->is_mixed = true;
	s.first[SECTION_NEXT] = s.last[SECTION_NEXT] = NULL;
	summary_next(&s);
	CHECK_TEXT(command(&s, 1), "memowner files -f most_memcg=/pods/pod1");
	CHECK_TEXT(command(&s, 2), "memowner cgroups");
}

static void commit_limit(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_COMMIT;
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner case -f \"setting=vm.overcommit*\"");
	CHECK_TEXT(command(&s, 1),
		   "memowner processes -s data_bytes -n 5 -o comm,pid,data_bytes,rss_bytes");
}

/* What is charged and is no page of a file has a command of its own. */
static void messages_of_a_cgroup(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_CGROUP;
	s.has_cgroups = s.has_files = true;
	s.full_path = "/pods/pod1";
	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "mqueue", .cgroup = "/pods/pod1");
	summary_next(&s);
	CHECK_TEXT(command(&s, 1), "memowner files");
}

/* A row of processes has no command, kernel stacks have. */
static void parts_of_most(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_RAN_OUT;
	s.ram_pages = 1000;
	SUMMARY_ADD(&s, .section = SECTION_GROUP, .pages = { 400, true });
	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "held", .pages = { 300, true },
		    .command = "faults -g tgid -s threads -n 5");
	SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_GROUP],
		    .more = { s.first[SECTION_GROUP], s.first[SECTION_HOLDER] });
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "faults -g tgid -s threads -n 5");
}

/* Page cache that memory.min keeps: the setting of its cgroup, before the files. */
static void what_is_protected(void)
{
	static const struct statement file = { .section = SECTION_FILE, .charged = "/archive" };

	for (int i = 0; i < 2; i++) {
		struct summary s = ready();

		s.verdict = VERDICT_RAN_OUT;
		s.has_cgroups = s.has_files = true;
		s.main_class = CLASS_FILE;
		SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "cgroup", .name = "/archive",
			    .protection = i ? NULL : "memory.min of 340.0M protects it");
		SUMMARY_ADD(&s, .section = SECTION_MOST, .of = &file);
		summary_next(&s);
		CHECK_TEXT(command(&s, (unsigned int)!i), "memowner files");
		if (!i)
			CHECK_TEXT(command(&s, 0),
				   "memowner cgroups -o +min_limit,low_limit,protected_by");
	}
}

/* The view of who has most, and of a lock that stops others, before what is always there. */
static void who_has_most(void)
{
	const struct oom_report r = { .has_order = true };
	struct statement held = { .section = SECTION_HOLDER,
				  .by = "held",
				  .command = "memowner processes -s held_bytes" };
	struct summary s = ready();

	s.verdict = VERDICT_RAN_OUT;
	s.main_class = CLASS_ANON;
	s.last_report = &r;
	summary_add(&s, &(struct statement){ .section = SECTION_MOST, .of = &held });
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner processes -s held_bytes");
	CHECK_TEXT(command(&s, 1), "memowner processes -n 5");
	CHECK_TEXT(command(&s, 2), "memowner story");
	/* Of one that cannot exit, of processes of a cgroup, of its settings. */
	s = ready();
	s.verdict = VERDICT_RAN_OUT;
	s.main_class = CLASS_ANON;
	s.last_report = &r;
	s.has_cgroups = true;
	held = (struct statement){ .section = SECTION_HOLDER, .by = "cgroup", .name = "/jobs" };
	summary_add(&s, &(struct statement){
				.section = SECTION_MOST, .of = &held, .fate_why = "a (1) waits" });
	summary_add(&s, &(struct statement){ .section = SECTION_GROUP, .cgroup = "/jobs" });
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner stuck");
	CHECK_TEXT(command(&s, 1), "memowner processes -n 5 -f cgroup=/jobs");
	CHECK_TEXT(command(&s, 2), "memowner cgroups");
	s = ready();
	s.verdict = VERDICT_CGROUP;
	s.full_path = "/jobs";
	s.has_cgroups = true;
	s.stuck_cause = "62 threads wait for flock of /x, which a (1) has";
	summary_add(&s, &(struct statement){ .section = SECTION_GROUP, .cgroup = "/jobs" });
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner processes -n 5 -f cgroup=/jobs");
	CHECK_TEXT(command(&s, 1), "memowner stuck");
	CHECK_TEXT(command(&s, 2), "memowner cgroups");
}

/* Processes that have most: their parent and program; many are summed up by these. */
static void processes_that_have_most(void)
{
	static const struct {
		uint64_t n;
		const char *comm, *command, *children_of;
	} rows[] = {
		{ 2, "db", "memowner processes -o +ppid,executable -f comm=db" },
		{ 10, "db", "memowner processes -g ppid,executable -f comm=db" },
		{ 2, "d*b", "memowner processes -n 5" },
		{ 10, "db", "memowner processes -g executable,cgroup -f comm=db",
		  "children of sh, which descend from cron (138)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct summary s = ready();

		s.verdict = VERDICT_RAN_OUT;
		s.main_class = CLASS_ANON;
		s.is_stuck = true;
		s.stuck_cause = "10 threads wait for a lock";
		SUMMARY_ADD(&s, .section = SECTION_GROUP, .by = "command", .comm = rows[i].comm,
			    .processes = { rows[i].n, true }, .cgroup = "/",
			    .children_of = rows[i].children_of);
		SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_GROUP]);
		summary_next(&s);
		CHECK_TEXT(command(&s, i == 2), rows[i].command);
		CHECK_TEXT(command(&s, i != 2), "memowner stuck");
	}
}

static const char *brief_of(struct dump *d NOT_USED, const char *text)
{
	return strstr(text, "zones") ? "free memory" : NULL;
}

static void what_a_command_shows(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_KEPT;
	s.brief_of = brief_of;
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner zones");
	CHECK_TEXT(s.first[SECTION_NEXT]->remark, "free memory");
	CHECK_TEXT(command(&s, 1), "memowner case -f setting=vm.min_free_kbytes");
	CHECK_TEXT(s.first[SECTION_NEXT]->next->remark, "the setting");
}

/* Of a cgroup the processes may all be in those below it. */
static void a_limit_of_processes(void)
{
	struct summary s = ready();
	struct summary_case c = { 0 };

	s.verdict = VERDICT_NOT_SHORT;
	s.of_case = &c;
	c.used.n = 1;
	c.used.all[0] = (struct used_limit){ .counts = LIMIT_COUNTS_THREADS,
					     .cgroup = "/app.slice" };
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner processes -g comm -n 5 -f \"cgroup=/app.slice*\"");
}

/* Who has the connections is asked before who has the CPUs. */
static void a_limit_of_ports(void)
{
	const struct port_use ports = { .remote = "10.0.0.5:443" };
	struct summary s = ready();
	struct summary_case c = { 0 };

	s.verdict = VERDICT_NOT_SHORT;
	s.waits_for_cpu = true;
	s.of_case = &c;
	c.used.n = 1;
	c.used.all[0] = (struct used_limit){ .counts = LIMIT_COUNTS_PORTS, .ports = &ports };
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner sockets -g used_by,socket_state -n 5 -f "
				   "remote_address=10.0.0.5:443");
	CHECK_TEXT(command(&s, 1), "faults -f state=R");
}

/* What the threads do, which files they are; on a machine that has memory its classes tell nothing. */
static void who_has_a_limit(void)
{
	struct summary s = ready();
	struct summary_case c = { 0 };

	s.verdict = VERDICT_NOT_SHORT;
	s.of_case = &c;
	c.used.n = 1;
	c.used.all[0] = (struct used_limit){ .counts = LIMIT_COUNTS_FILES };
	c.limit_users[0].n = 1;
	c.limit_users[0].all[0] = (struct limit_user){ "feedpull", 181, 1, 23587, NULL };
	summary_next(&s);
	CHECK_TEXT(command(&s, 1), "memowner files -g dir,used_by -n 5 -f used_by=181");
	CHECK_TEXT(command(&s, 2), "memowner story");
	CHECK_TEXT(command(&s, 3), "-");
	s = ready();
	s.verdict = VERDICT_NOT_SHORT;
	s.of_case = &c;
	c.used.all[0] = (struct used_limit){ .counts = LIMIT_COUNTS_THREADS };
	summary_next(&s);
	CHECK_TEXT(command(&s, 1), "memowner stuck -a -g function,waits_for -n 5 -f tgid=181");
	s = ready();
	s.verdict = VERDICT_NOT_SHORT;
	s.of_case = &c;
	c.limit_users[0].all[0].processes = 120;
	summary_next(&s);
	CHECK_TEXT(command(&s, 1), "memowner stuck -a -g function,waits_for -n 5 -f comm=feedpull");
	/* A name that no filter takes. */
	s = ready();
	s.verdict = VERDICT_NOT_SHORT;
	s.of_case = &c;
	c.limit_users[0].all[0].comm = "a b";
	summary_next(&s);
	CHECK_TEXT(command(&s, 1), "memowner story");
	CHECK_TEXT(command(&s, 2), "-");
}

/* Of a crowd of servers who their clients are; of a watchdog what those do who did not feed it. */
static void whom_they_serve(void)
{
	struct summary s = ready();

	s.verdict = VERDICT_RAN_OUT;
	s.main_class = CLASS_ANON;
	SUMMARY_ADD(&s, .section = SECTION_GROUP, .comm = "postgres", .processes = { 82, true },
		    .peer_of = "251");
	SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_GROUP]);
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner processes -g ppid,executable -f comm=postgres");
	CHECK_TEXT(command(&s, 1),
		   "memowner sockets -g peer_used_by,socket_state -n 5 -f used_by=251");
	s = ready();
	s.verdict = VERDICT_NOT_SHORT;
	SUMMARY_ADD(&s, .section = SECTION_PANIC,
		    .command = "memowner stuck -a -o +does -f tgid=303,298");
	summary_next(&s);
	CHECK_TEXT(command(&s, 0), "memowner stuck -a -o +does -f tgid=303,298");
	CHECK_TEXT(command(&s, 1), "memowner story");
	CHECK_TEXT(command(&s, 2), "-");
}

TESTS({ "who uses up a limit", who_has_a_limit },
      { "whom servers serve, whom a watchdog waits for", whom_they_serve },
      { "a limit of local ports", a_limit_of_ports },
      { "a limit of processes", a_limit_of_processes },
      { "a cgroup that is protected", a_cgroup_that_is_protected },
      { "objects of a cgroup", objects_of_a_cgroup }, { "who waits for whom", who_waits_for_whom },
      { "a root with a name", a_root_with_a_name }, { "who has most", who_has_most },
      { "a backlog", a_backlog }, { "a CPU that stalled", a_cpu_that_stalled },
      { "no block of a small order", no_block_of_a_small_order },
      { "many removed cgroups", many_removed_cgroups },
      { "many processes of one name", many_processes_of_one_name },
      { "memory that a victim gave back", memory_that_a_victim_gave_back },
      { "stuck, with memory free", stuck_with_memory_free },
      { "a cgroup at its limit", cgroup_at_its_limit }, { "the commit limit", commit_limit },
      { "messages of a cgroup", messages_of_a_cgroup },
      { "what a process has in several kinds", parts_of_most },
      { "what memory.min keeps", what_is_protected }, { "what is short", what_is_short },
      { "holders of most of it", holders_of_most },
      { "objects without owners", objects_without_owners },
      { "pages that were lost", pages_that_were_lost },
      { "processes that have most", processes_that_have_most },
      { "what a command shows", what_a_command_shows })
