// SPDX-License-Identifier: GPL-2.0-or-later
/* The users of memory on the screen: of a cgroup that reached its limit those that are charged to it. */
#include "cgroup/cgroup.h"
#include "memowner/screen.h"
#include "memowner/summary.h"
#include "stub.h"
#include "test.h"

#define POD "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod3f0c.slice"

static struct stub stub;
static struct report report;
static char text[4096];

static bool take(void *priv, const char *bytes, size_t n)
{
	size_t *len = priv;

	if (*len + n >= sizeof(text))
		return false;
	memcpy(text + *len, bytes, n);
	*len += n;
	text[*len] = '\0';
	return true;
}

static unsigned int room = 8;

static const char *screen(const struct summary *s)
{
	static struct sink sink;
	struct screen sc = { .s = s, .out = &sink, .extent = { .culprits = room } };
	size_t len = 0;

	text[0] = '\0';
	sink_init(&sink, take, &len);
	screen_put_culprits(&sc);
	sink_flush(&sink);
	return text;
}

static struct summary ready(void)
{
	static struct cmdline in;

	STUB_OPEN(stub);
	return (struct summary){
		.dump = &stub.dump, .in = &in, .report = &report, .ram_pages = 10000
	};
}

static void add_cgroup(struct summary *s, const char *path, uint64_t pages)
{
	SUMMARY_ADD(s, .section = SECTION_HOLDER, .by = "cgroup", .name = path,
		    .pages = { pages, true });
}

static void add_process(struct summary *s, const char *comm, const char *cgroup, uint64_t pages)
{
	SUMMARY_ADD(s, .section = SECTION_GROUP, .by = "command", .comm = comm, .cgroup = cgroup,
		    .pages = { pages, true }, .pid = { 7, true }, .processes = { 1, true });
}

static void of_a_cgroup_at_its_limit(void)
{
	struct summary s = ready();

	s.limit_path = POD;
	s.limit_pages = 2000;
	add_cgroup(&s, "/kubepods.slice/kubepods-burstable.slice/orders-api.service", 4000);
	add_cgroup(&s, POD, 2000);
	/* Large, and says only where; what is charged says what it is. */
	add_cgroup(&s, POD "/tail.service", 1900);
	/* Its name begins so, and it is another one. */
	add_cgroup(&s, POD "2", 3000);
	SUMMARY_ADD(&s, .section = SECTION_FILE, .name = "/buffer/tail",
		    .charged = POD "/tail.service", .pages = { 900, true }, .used_by = NULL);
	add_process(&s, "orders-api", "/kubepods.slice/kubepods-burstable.slice/orders-api.service",
		    3900);
	add_process(&s, "catalog-web", POD "/catalog-web.service", 600);
	/* Below a tenth of the limit. */
	add_process(&s, "envoy", POD "/envoy.service", 100);
	CHECK_TEXT(
		screen(&s),
		"users         SIZE   RAM%  NAME (rows overlap; indented: in row above)\n"
		"  cgroup      7.8M  20.0%  .../kubepods-burstable-pod3f0c.slice\n"
		"   cgroup     7.4M  19.0%  .../tail.service, in kubepods-burstable-pod3f0c.slice\n"
		"    file      3.5M   9.0%  /buffer/tail, charged to tail.service, users unknown\n"
		"   process    2.3M   6.0%  catalog-web (7), anon\n"
		"  cgroup     15.6M  40.0%  .../orders-api.service\n"
		"   process   15.2M  39.0%  orders-api (7), anon\n"
		"  cgroup     11.7M  30.0%  .../kubepods-burstable-pod3f0c.slice2\n");
}

/* What reclaim leaves alone is told of the cgroup, and of the file that is charged to it; what a tmpfs has stands below it. */
static void what_contains_what(void)
{
	struct summary s = ready();
	static const uint32_t starts[] = { 0, 15, 34 };
	static const struct text_list users = { "312(archived), in flight to 9(b)", 2, 1, false,
						starts };

	s.limit_path = NULL;
	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "cgroup", .name = "/shop/archived",
		    .pages = { 3000, true }, .remark = "1 process",
		    .protection = "memory.min protects it");
	SUMMARY_ADD(&s, .section = SECTION_FILE, .name = "/archive.db", .pages = { 2500, true },
		    .charged = "/shop/archived", .used_by = &users);
	SUMMARY_ADD(&s, .section = SECTION_FILE, .name = "/SYSV005ea4c4 (deleted)",
		    .called = "SysV shared memory /SYSV005ea4c4", .pages = { 2400, true },
		    .used_by = &users);
	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "held", .name = "web (5)",
		    .pages = { 1900, true }, .within = "/dev/shm", .remark = "3 deleted files");
	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "tmpfs", .name = "/dev/shm",
		    .pages = { 2000, true });
	/* More than the row of its file system has is not all of that. */
	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "held", .name = "db (6)",
		    .pages = { 2001, true }, .within = "/dev/shm");
	CHECK_TEXT(
		screen(&s),
		"users         SIZE   RAM%  NAME (rows overlap; indented: in row above)\n"
		"  cgroup     11.7M  30.0%  /shop/archived: 1 process\n"
		"   file       9.8M  25.0%  /archive.db, memory.min protects it, used by archived "
		"(312), passed to b (9) and not received and 1 more\n"
		"  file        9.4M  24.0%  SysV shared memory /SYSV005ea4c4, used by archived "
		"(312), passed to b (9) and not received and 1 more\n"
		"  held        7.8M  20.0%  db (6)\n"
		"  tmpfs       7.8M  20.0%  /dev/shm\n"
		"   held       7.4M  19.0%  web (5): 3 deleted files\n");
}

/* What may be more says so in its row, as the line of who has most does. */
static void lower_bounds(void)
{
	struct summary s = ready();

	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "ftrace", .name = "ring buffers of trace",
		    .pages = { 4000, true }, .is_least = true);
	SUMMARY_ADD(&s, .section = SECTION_GROUP, .by = "command", .comm = "gw", .cgroup = "/",
		    .pages = { 3000, true }, .processes = { 60, true });
	add_process(&s, "b", "/", 2000);
	s.tasks_missing = true;
	CHECK_TEXT(screen(&s), "users         SIZE   RAM%  NAME (rows overlap)\n"
			       "  ftrace     15.6M  40.0%  at least: ring buffers of trace\n"
			       "  process    11.7M  30.0%  at least: 60 processes gw, anon\n"
			       "  process     7.8M  20.0%  b (7), anon\n");
}

/* Of what no root leads to the line of the holder has how it begins. */
static void lost_that_is_told(void)
{
	static const char *const words[][2] = {
		{ "none: no root that is known leads to 9 objects of kmalloc-8k; 8 have 8.0K each and "
		  "begin with 00, low confidence",
		  "none: no root that is known leads to 9 objects of kmalloc-8k, low confidence" },
		{ "ring [drv] -> a; b, low confidence", "ring [drv] -> a; b, low confidence" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words) * 2; i++) {
		struct summary s = ready();
		char expected[256];

		SUMMARY_ADD(&s, .section = SECTION_CANDIDATE, .by = "root",
			    .name = i / 2 ? "ring [drv]" : "none",
			    .remark = i / 2 ? "ring [drv] -> a; b"
					    : "none: no root that is known leads to 9 objects of "
					      "kmalloc-8k; 8 have 8.0K each and begin with 00",
			    .pages = { 4000, true });
		if (i % 2)
			SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_CANDIDATE]);
		snprintf(expected, sizeof(expected),
			 "users         SIZE   RAM%%  NAME (rows overlap; ~: inferred)\n"
			 "~ root       15.6M  40.0%%  %s\n",
			 words[i / 2][i % 2]);
		CHECK_TEXT(screen(&s), expected);
	}
}

/* What is in swap counts, and who has most is there however small the room is. */
static void of_swap(void)
{
	struct summary s = ready();

	add_cgroup(&s, "/search", 2600);
	add_cgroup(&s, "/archive", 1900);
	s.last[SECTION_HOLDER]->swapped = (struct maybe_u64){ 4000, true };
	add_process(&s, "searchd", "/search", 2500);
	add_process(&s, "archiver", "/archive", 1800);
	s.last[SECTION_GROUP]->swapped = (struct maybe_u64){ 3900, true };
	CHECK_TEXT(screen(&s),
		   "users         SIZE   RAM%  NAME (by SIZE + swap; indented: in row above)\n"
		   "  cgroup      7.4M  19.0%  /archive\n"
		   "   process    7.0M  18.0%  archiver (7) in archive, anon, in swap 15.2M\n"
		   "  cgroup     10.2M  26.0%  /search\n"
		   "   process    9.8M  25.0%  searchd (7) in search, anon\n");
	/* A little in swap alone is none of few rows. */
	add_process(&s, "idled", "/idle", 0);
	s.last[SECTION_GROUP]->swapped = (struct maybe_u64){ 400, true };
	CHECK(!strstr(screen(&s), "idled"));
	room = 2;
	SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_GROUP]);
	CHECK_TEXT(screen(&s), "users         SIZE   RAM%  NAME (by SIZE + swap)\n"
			       "  cgroup      7.4M  19.0%  /archive\n"
			       "  process     9.8M  25.0%  searchd (7) in search, anon\n");
	/* Of two the one that has more. */
	room = 1;
	SUMMARY_ADD(&s, .section = SECTION_MOST, .of = s.first[SECTION_HOLDER]);
	CHECK(strstr(screen(&s), " searchd (7)"));
	room = 8;
}

/* A cgroup whose path is too long for the line of processes. */
static const char *place(const struct summary *s, const char *cgroup)
{
	struct strbuf b = STRBUF_OF(256);

	summary_place(s, &(struct statement){ .cgroup = cgroup }, &b);
	return arena_strdup(stub.dump.arena, b.buf);
}

static void places(void)
{
	struct summary s = ready();

	CHECK_TEXT(place(&s, POD "/tail.service"), "");
	s.limit_path = POD;
	CHECK_TEXT(place(&s, POD "/tail.service"), " in kubepods-burstable-pod3f0c.slice");
	CHECK_TEXT(place(&s, POD "2/tail.service"), " in another cgroup");
	CHECK_TEXT(place(&s, "/"), " in the root cgroup");
	CHECK_TEXT(place(&s, "/short"), " in /short");
	CHECK_TEXT(place(&s, NULL), "");
}

static void of_a_machine(void)
{
	struct summary s = ready();

	add_cgroup(&s, "/system.slice/a-service-of-a-long-name/worker.service", 4000);
	add_cgroup(&s, "/system.slice/another-service-of-a-name/worker.service", 3000);
	add_process(&s, "orders-api", "/orders", 2000);
	s.last[SECTION_GROUP]->oldest = (struct maybe_u64){ 5000000000, true };
	CHECK_TEXT(
		screen(&s),
		"users         SIZE   RAM%  OLDEST  NAME (rows overlap)\n"
		"  cgroup     15.6M  40.0%       -  /system.slice/a-service-of-a-long-name/worker.service\n"
		"  cgroup     11.7M  30.0%       -  /system.slice/another-service-of-a-name/worker.service\n"
		"  process     7.8M  20.0%    5.0s  orders-api (7) in orders, anon\n");
	add_process(&s, "sync", NULL, 1500);
	s.last[SECTION_GROUP]->processes.n = 56;
	s.last[SECTION_GROUP]->locked = (struct maybe_u64){ 4096000, true };
	CHECK(strstr(screen(&s), "  56 processes sync, anon, mlocked 3.9M\n"));
	s.first[SECTION_GROUP]->growth = "burst";
	CHECK(strstr(screen(&s), "OLDEST  GROWTH     NAME") &&
	      strstr(text, "5.0s  burst      orders"));
}

static const char *pins(unsigned int n, const struct text_list *const *of)
{
	struct strbuf b = STRBUF_OF(256);
	struct summary_pins p = { 0 };

	for (unsigned int i = 0; i < n; i++)
		summary_add_pins(&p, of[i]);
	summary_pins_text(&p, &b);
	return arena_strdup(stub.dump.arena, b.buf);
}

/* Each map has its own: that of one says nothing of the others. */
static void pinned(void)
{
	static const uint32_t two[] = { 0, 6, 12 }, one[] = { 0, 6 };
	static const struct text_list both = { "/b/1, /b/2", 2, 0, false, two },
				      alone = { "/b/3", 1, 0, false, one },
				      none = { "", 0, 0, false, one };
	const struct summary s = ready();

	CHECK(s.dump);
	CHECK_TEXT(pins(1, (const struct text_list *const[]){ &none }), "");
	CHECK_TEXT(pins(1, (const struct text_list *const[]){ &alone }), ", pinned (/b/3)");
	CHECK_TEXT(pins(1, (const struct text_list *const[]){ &both }),
		   ", pinned (/b/1 and 1 more)");
	CHECK_TEXT(pins(2, (const struct text_list *const[]){ &both, &alone }),
		   ", all 2 pinned (/b/1 and 2 more)");
	CHECK_TEXT(pins(3, (const struct text_list *const[]){ &none, &alone, &none }),
		   ", 1 of 3 pinned (/b/3)");
	CHECK_TEXT(pins(3, (const struct text_list *const[]){ &none, &alone, NULL }),
		   ", at least 1 of 3 pinned (/b/3)");
}

static void below(void)
{
	CHECK(cgroup_is_below("/a/b", "/a") && cgroup_is_below("/a", "/a") &&
	      cgroup_is_below("/a", "/") && !cgroup_is_below("/ab", "/a") &&
	      !cgroup_is_below("/", "/a"));
}

TESTS({ "lower bounds", lower_bounds }, { "what contains what", what_contains_what },
      { "users of swap", of_swap }, { "lost, told by the holder", lost_that_is_told },
      { "users of a cgroup at its limit", of_a_cgroup_at_its_limit },
      { "maps that are pinned", pinned }, { "users of a machine", of_a_machine },
      { "where processes are", places }, { "cgroups below another", below })
