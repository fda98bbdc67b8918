// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON that is read back, and texts of a kernel that stand in for it. */
#include "cli/baseline_pairs.h"
#include "stub.h"
#include "test.h"
#include "util/json.h"

static char seen[512];

static bool see(void *arg NOT_USED, const struct json_member *m)
{
	static const char kinds[] = "0#\"w[";
	size_t len = strlen(seen);

	snprintf(seen + len, sizeof(seen) - len, "%s%c%s ", m->name ? m->name : "", kinds[m->kind],
		 m->text);
	return true;
}

/* What the members of a text are, and whether it is whole. */
static bool reads(const char *text)
{
	char copy[512];

	snprintf(copy, sizeof(copy), "%s", text);
	seen[0] = '\0';
	return json_read(copy, see, NULL);
}

static void json_is_read(void)
{
	CHECK(reads("{\"a\":1,\"b\":-2.5e3,\"c\":null,\"d\":true,\"e\":\"x\"}"));
	CHECK_TEXT(seen, "a#1 b#-2.5e3 c0null dwtrue e\"x ");
	CHECK(reads(" { \"a\" : [1, {\"b\": \"]\\\"}\"}] , \"c\" : {} } "));
	CHECK_TEXT(seen, "a[[1, {\"b\": \"]\\\"}\"}] c[{} ");
	CHECK(reads("[1,\"\",false]"));
	CHECK_TEXT(seen, "#1 \" wfalse ");
	CHECK(reads("{}") && reads("[]") && reads("[ ]"));
	CHECK(reads("[\"\\u0022\\u005c\\u000a\\/\\t\\u00e4\\u20ac\"]"));
	CHECK_TEXT(seen, "\"\"\\\n/\t\xe4\xe2\x82\xac ");
}

static void json_that_is_none(void)
{
	static const char *const texts[] = {
		"",	      "x",	     "{",	    "{\"a\"",
		"{\"a\":",    "{\"a\":1",    "{\"a\":1,}",  "{\"a\":1}x",
		"{a:1}",      "{\"a\":nul}", "{\"a\":tru}", "{\"a\":x1}",
		"{\"a\":[1}", "{\"a\":\"",   "[\"\\u12\"]", "[\"\\\"]",
		"[1",	      "{1:2}",	     "[1 2]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (reads(texts[i]))
			CHECK_TEXT(texts[i], "none");
	char deep[256];

	memset(deep, '[', 100);
	memset(deep + 100, ']', 100);
	deep[200] = '\0';
	CHECK(!reads(deep));
}

static void whole_numbers(void)
{
	static const struct {
		const char *text;
		bool is_whole;
		int64_t n;
	} numbers[] = { { "0", true, 0 },
			{ "-9223372036854775808", true, INT64_MIN },
			{ "9223372036854775808", false, 0 },
			{ "1.5", false, 0 },
			{ "1e3", false, 0 } };
	char text[32];
	int64_t n;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct json_member m = { "a", JSON_IS_NUMBER, text };

		snprintf(text, sizeof(text), "%s", numbers[i].text);
		CHECK(json_whole(&m, &n) == numbers[i].is_whole);
		CHECK(!numbers[i].is_whole || n == numbers[i].n);
	}
}

/* What is written is read as it was, bytes that are no UTF-8 as well. */
static void written_and_read(void)
{
	static struct text t;
	char text[256];
	struct json j;

	for (int c = 1; c < 256; c++) {
		snprintf(text, sizeof(text), "a%cb", c);
		text_open(&t);
		json_open_line(&j, &t.sink, "row");
		json_text(&j, "k", text);
		json_close_line(&j);
		CHECK(reads(text_get(&t)));
		CHECK(!strncmp(seen, "record\"row k\"", 13) && !strncmp(seen + 13, text, 3));
	}
}

static const struct baseline of_text = {
	.by = { { COLUMN_name } },
	.texts = { &baseline_slabinfo, &baseline_vmallocinfo, &baseline_buddyinfo },
};
static const struct baseline of_zones = { .texts = { &baseline_zoneinfo, &baseline_buddyinfo } };
static const struct baseline of_shares = { .amounts = { { COLUMN_avg10_percent } },
					   .texts = { &baseline_pressure } };
static const struct baseline of_tasks = { .texts = { &baseline_proc_status, &baseline_ps } };

static struct stub stub;
static bool is_open;
static struct baseline_side side;

/* The lines of a text, by the reader that one of them begins; what it made of them. */
static const char *rows_of(const struct baseline *b, const char *text)
{
	static const enum column_id columns[] = {
		COLUMN_cache,	       COLUMN_caller,	   COLUMN_module,     COLUMN_comm,
		COLUMN_node,	       COLUMN_zone,	   COLUMN_bytes,      COLUMN_rss_bytes,
		COLUMN_process_bytes,  COLUMN_areas,	   COLUMN_free_pages, COLUMN_listed_pages,
		COLUMN_active_objects, COLUMN_alias_names, COLUMN_resource,   COLUMN_avg10_percent,
	};
	static char said[1024];
	char line[512];

	if (is_open)
		stub_close(&stub);
	stub_open(&stub);
	is_open = true;
	baseline_side_init(&side, &stub.dump, b, "FILE");
	side.page_size = 4096;
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		baseline_need(&side, columns[i]);
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		if (baseline_file_line(&side, line) != ST_OK)
			return stub.dump.error;
	}
	said[0] = '\0';
	for (const struct baseline_row *row = side.rows; row; row = row->next) {
		for (size_t i = 0; i < side.ncolumns; i++) {
			size_t at = strlen(said);

			if (row->cells[i].kind == CELL_TEXT)
				snprintf(said + at, sizeof(said) - at, "%s ", row->cells[i].text);
			else if (row->cells[i].kind == CELL_INT)
				snprintf(said + at, sizeof(said) - at, "%ld ", row->cells[i].i);
		}
		strcat(said, "| ");
	}
	return said;
}

#define TUNABLES " : tunables 0 0 0 : slabdata "

static void slabinfo(void)
{
	CHECK_TEXT(rows_of(&of_text, "==> /proc/slabinfo <==\nslabinfo - version: 2.1\n# name\n"
				     "filp 4612 4640 256 16 1" TUNABLES "290 290 0\n"
				     "a 1 1 1 1 2" TUNABLES "0 18446744073709551615 0\n"),
		   "filp 1187840 4612 | a 1 | ");
	CHECK_TEXT(rows_of(&of_text, "slabinfo - version: 2.1\nfilp 4612 4640\n"),
		   "line 2 of the file 'FILE' is no line of /proc/slabinfo");
}

static void vmallocinfo(void)
{
	CHECK_TEXT(rows_of(&of_text,
			   "0xff00-0xff10 20480 load_module+0x1/0x2 pages=4 vmalloc N0=4\n"
			   "0xff20-0xff30 8192 fill+0x1/0x2 [leaky] pages=1 vmalloc\n"
			   "0xff20-0xff30 8192 acpi_os_map_iomem+0x1/0x2 phys=0x17fe2000 ioremap\n"
			   "0xff20-0xff30 2097152 pcpu_get_vm_areas+0x0/0x1070 vmalloc\n"
			   "0xff20-0xff30 8192 0xffffffffc0603036 pages=1 vmalloc N0=1\n"
			   "0xff20-0xff30 8192 unpurged vm_area\n"),
		   "load_module vmlinux 16384 1 | fill [leaky] leaky 4096 1 | "
		   "acpi_os_map_iomem vmlinux 0 1 | pcpu_get_vm_areas vmlinux 1 | "
		   "0xffffffffc0603036 [gone] [gone] 4096 1 | 0 1 | ");
	CHECK_TEXT(rows_of(&of_text, "0xff00-0xff10 20480 f+0x1/0x2\nx\n"),
		   "line 2 of the file 'FILE' is no line of /proc/vmallocinfo");
}

static void zones(void)
{
	CHECK_TEXT(rows_of(&of_zones, "Node 0, zone      DMA      1      0      3\n"
				      "Node 12, zone   Normal      0      0      0 \n"),
		   "0 DMA 13 | 12 Normal 0 | ");
	CHECK_TEXT(rows_of(&of_zones,
			   "Node 0, zone      DMA\n  per-node stats\n      nr_x 1\n"
			   "  pages free     194\n        managed  3840\n"
			   "Node 0, zone   Movable\n  pages free     0\n        managed  0\n"),
		   "0 DMA 194 | ");
	CHECK_TEXT(rows_of(&of_zones, "Node 0, zone DMA 0 9223372036854775807\n"),
		   "line 1 of the file 'FILE' is no line of /proc/buddyinfo");
	/* /proc/pagetypeinfo counts pageblocks of a type in lines that look alike. */
	CHECK_TEXT(rows_of(&of_zones, "Page block order: 9\nPages per block:  512\n\n"
				      "Number of blocks type     Unmovable      Movable\n"
				      "Node 0, zone      DMA            1            7\n"),
		   "the file 'FILE' is no JSON of this view, nor /proc/zoneinfo, nor "
		   "/proc/buddyinfo: 'Page block order: 9'");
	CHECK_TEXT(rows_of(&of_zones, "Number of blocks type     Unmovable      Movable\n"
				      "Node 0, zone      DMA            1            7\n"),
		   "the file 'FILE' is no JSON of this view, nor /proc/zoneinfo, nor "
		   "/proc/buddyinfo: 'Number of blocks type     Unmovable     '");
}

static void pressure(void)
{
	CHECK_TEXT(rows_of(&of_shares,
			   "/proc/pressure/io:some avg10=12.05 avg60=0.00 avg300=0.00 total=9\n"
			   "/proc/pressure/cpu:full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"),
		   "io 1205 | cpu 0 | ");
	CHECK_TEXT(rows_of(&of_shares,
			   "/proc/pressure/io:some avg10=1.00 avg60=0.00 avg300=0.00 total=9\n"
			   "x\n"),
		   "line 2 of the file 'FILE' is no line of "
		   "/proc/pressure/* with their names (grep -r . /proc/pressure)");
}

/* As -j prints them: percent with a part. */
static void shares_of_json(void)
{
	CHECK_TEXT(
		rows_of(&of_shares,
			"{\"record\":\"meta\",\"schema\":2,\"command\":\"c\",\"view\":\"v\",\"page_size\":4096}\n"
			"{\"record\":\"row\",\"resource\":\"io\",\"avg10_percent\":12.05}\n"),
		"io 1205 | ");
}

static void tasks(void)
{
	CHECK_TEXT(rows_of(&of_tasks,
			   "/proc/2/status:Name:\tkthreadd\n/proc/2/status:State:\tS\n"
			   "/proc/1/status:Name:\tsystemd\n/proc/1/status:VmRSS:\t   8 kB\n"
			   "/proc/1/status:VmPTE:\t   4 kB\n/proc/1/status:VmSwap:\t  2 kB\n"
			   "Name:\ta b\nVmRSS:\t1 kB\n"),
		   "systemd 8192 14336 | a b 1024 | ");
	CHECK_TEXT(rows_of(&of_tasks, "  PID   RSS STARTED CMD\n"
				      "    1   100 Thu Nov 26 10:00:00 2026 /sbin/init splash\n"
				      "    2     0 Thu Nov 26 10:00:00 2026 [kthreadd]\n"
				      "    3    50 Thu Nov 26 10:00:00 2026 -bash\n"
				      "    4    70 Thu Nov 26 10:00:00 2026 python3 /opt/job.py\n"
				      "    -     - - -\n"),
		   "init 102400 | bash 51200 | python3 71680 job.py | ");
	CHECK_TEXT(rows_of(&of_tasks, "COMMAND PID RSS\nWeb Content 7 8\n"), "Web 8192 | ");
	CHECK_TEXT(rows_of(&of_tasks, "COMMAND RSS\n\n8\nx 18446744073709551615\nx nan\n"), "");
	CHECK(side.unread == 3 && side.first_unread == 3 && !side.has_must);
	/* busybox has units where the number has no room. */
	CHECK_TEXT(rows_of(&of_tasks, "  PID   RSS COMMAND\n    2     0 [kthreadd]\n"
				      "  170  310m web\n  171  1.5g db\n  172   1x z\n"),
		   "web 325058560 | db 1610612736 | ");
	CHECK(side.unread == 1 && side.first_unread == 5 && side.rounded == 2 && side.has_must);
}

static struct baseline of_caches = {
	.by = { { COLUMN_cache, COLUMN_site }, { COLUMN_cache } },
	.instead = COLUMN_root_cache,
	.others = COLUMN_alias_names,
	.amounts = { { COLUMN_bytes, .plus = COLUMN_ring_bytes },
		     { COLUMN_counted_pages, BASELINE_PAGES, .is_counter = true } },
	.counts = { { COLUMN_objects } },
	.strips_numbers = true,
	.may_lack = "large",
};

static void read_side(struct baseline_side *s, const char *meta, const char *text, const char *end)
{
	char lines[2048], *line, *rest;
	unsigned int rows = 0;

	for (const char *p = text; (p = strstr(p, "\"record\":\"row\"")); p++)
		rows++;
	snprintf(
		lines, sizeof(lines),
		"{\"record\":\"meta\",\"schema\":2,\"command\":\"c\",\"view\":\"v\",\"page_size\":4096%s}\n%s"
		"{\"record\":\"summary\",\"status\":\"ok\",\"complete\":true,\"rows_shown\":%u,"
		"\"rows_total\":%u%s}\n",
		meta, text, rows, rows, end);
	for (line = lines; *line; line = rest) {
		rest = strchr(line, '\n');
		*rest++ = '\0';
		CHECK(baseline_json_line(s, line) == ST_OK);
	}
}

#define SAME ",\"options\":[]"
#define BY(KEYS) ",\"options\":[\"-g " KEYS "\"]"
#define NOT_WHOLE ",\"complete\":false"
#define ROW(TEXT) "{\"record\":\"row\"," TEXT "}\n"

static struct baseline_diff diff;

/* "NAME CHANGE BYTES" of each row. */
static const char *compared(const char *meta, const char *before, const char *now, const char *end)
{
	static struct cmdline in;
	static char said[1024];

	if (is_open)
		stub_close(&stub);
	stub_open(&stub);
	is_open = true;
	diff = (struct baseline_diff){ .baseline = &of_caches, .in = &in };
	baseline_open(&diff, &stub.dump, "FILE");
	read_side(&diff.before, meta, before, end);
	read_side(&diff.now, ",\"options\":[],\"kernel\":\"7\"", now, "");
	if (baseline_pair_up(&diff) != ST_OK)
		return stub.dump.error;
	said[0] = '\0';
	for (struct hash_bytes_entry *e = diff.pairs.first; e; e = e->next) {
		const struct baseline_pair *p = e->value;
		const struct cell n = baseline_growth(&p->now.amount, &p->before.amount);
		char bytes[32] = "-";
		size_t len = strlen(said);

		if (p->merged)
			continue;
		if (n.kind == CELL_INT)
			snprintf(bytes, sizeof(bytes), "%ld", n.i);
		snprintf(said + len, sizeof(said) - len, "%s %s %s | ", p->name ? p->name : "-",
			 baseline_change(p) ? baseline_change(p) : "-", bytes);
	}
	return said;
}

#define R(NAME, BYTES) ROW("\"cache\":\"" NAME "\",\"bytes\":" #BYTES)

static void pairs(void)
{
	/* Summed by name, on both sides. */
	CHECK_TEXT(compared(SAME, R("a", 10) R("a", 5) R("b", 7) R("e", 4),
			    R("a", 40) R("b", 6) R("c", 1) R("e", 4)
				    ROW("\"cache\":null,\"bytes\":2"),
			    ""),
		   "a grown 25 | b shrunk -1 | c new 1 | e same 0 | - grown 2 | ");
	/* One unknown value makes the sum unknown, in whatever order, and so does one without room. */
	CHECK_TEXT(compared(SAME, R("a", null) R("a", 5) R("b", 9223372036854775807) R("b", 1),
			    R("a", 5) R("b", 5), ""),
		   "a - - | b - - | ");
	/* Bytes that are the same have not grown, however many objects have them. */
	CHECK_TEXT(compared(SAME, ROW("\"cache\":\"a\",\"bytes\":5,\"objects\":7"),
			    ROW("\"cache\":\"a\",\"bytes\":5,\"objects\":8"), ""),
		   "a same 0 | ");
}

static void beside_the_amount(void)
{
#define RING(NAME, BYTES, MORE) \
	ROW("\"cache\":\"" NAME "\",\"bytes\":" #BYTES ",\"ring_bytes\":" #MORE)
	/* A row that cannot have any has none. */
	CHECK_TEXT(compared(SAME, RING("a", 1, 10) RING("b", 2, null),
			    RING("a", 2, 30) RING("b", 3, null), ""),
		   "a grown 21 | b grown 1 | ");
	/* A program that did not tell it. */
	CHECK_TEXT(compared(SAME, R("a", 1), RING("a", 2, 30), ""), "a grown 1 | ");
	/* Of no row it could be read. */
	CHECK_TEXT(compared(SAME, RING("a", 1, null), RING("a", 2, null), ""), "a grown 1 | ");
	CHECK_TEXT(compared(SAME, RING("a", 1, null), RING("a", 2, 30), NOT_WHOLE), "a - - | ");
	/* What is unknown is no size: then it has none. */
	CHECK_TEXT(compared(SAME, RING("a", 1, null), RING("a", 2, 30),
			    NOT_WHOLE ",\"sizes_complete\":true"),
		   "a grown 31 | ");
	CHECK_TEXT(compared(SAME, RING("a", 1, 9223372036854775807), RING("a", 2, 30), ""),
		   "a - - | ");
}

static void names_of_pairs(void)
{
	/* A cache of a cgroup is one of its root; addresses and pids are no part of a name. */
	CHECK_TEXT(compared(SAME,
			    ROW("\"cache\":\"a(12)\",\"root_cache\":\"a\",\"bytes\":1")
				    R("stack of 55(kswapd0)", 1) R("chunk 0xff1b", 1),
			    R("a", 1) R("stack of 7(kswapd0)", 1) R("chunk 0x12ab", 2), ""),
		   "a same 0 | stack of kswapd0 same 0 | chunk grown 1 | ");
	/* Init text that is gone on one side has its module on the other. */
	CHECK_TEXT(compared(SAME, R("0xff01 [gone]", 1) R("0xff02 [a]", 1),
			    R("0xff01 [a]", 1) R("0xff02 [gone]", 3), ""),
		   "0xff01 [a] same 0 | 0xff02 [a] grown 2 | ");
	/* What was merged on one side alone. */
	CHECK_TEXT(compared(SAME, R("x", 1) R("y", 2),
			    ROW("\"cache\":\"z\",\"bytes\":9,\"alias_names\":\"x, y\""), ""),
		   "z grown 6 | ");
	CHECK_TEXT(compared(SAME, ROW("\"cache\":\"z\",\"bytes\":9,\"alias_names\":\"x, y\""),
			    R("x", 1) R("y", 2), ""),
		   "z shrunk -6 | ");
	CHECK_TEXT(compared(SAME, ROW("\"cache\":\"a\",\"site\":\"f.c:1\",\"bytes\":1"),
			    ROW("\"cache\":\"a\",\"site\":\"f.c:1\",\"bytes\":3"), ""),
		   "a f.c:1 grown 2 | ");
}

static void inferred(void)
{
#define HELD(BYTES, CONFIDENCE)                 \
	ROW("\"cache\":\"a\",\"bytes\":" #BYTES \
	    ",\"basis\":\"inferred\",\"confidence\":" #CONFIDENCE)
	const struct baseline_pair *p;

	compared(SAME, HELD(1, 99.9), HELD(2, 70.1) HELD(2, 100.0), "");
	p = diff.pairs.first->value;
	CHECK_TEXT(p->name, "a");
	CHECK_TEXT(p->shown, "~a");
	CHECK(diff.has_confidence && p->confidence.known && p->confidence.n == 701);
	compared(SAME, R("a", 1), R("a", 1), "");
	p = diff.pairs.first->value;
	CHECK_TEXT(p->shown, "a");
	CHECK(!diff.has_confidence && !p->confidence.known);
}

static void sides_that_are_not_whole(void)
{
	static const char before[] = R("a", 1), now[] = R("b", 1);

	CHECK_TEXT(compared(SAME, before, now, ""), "b new 1 | a gone -1 | ");
	CHECK_TEXT(compared(SAME, before, now, NOT_WHOLE), "b - - | a - - | ");
	CHECK_TEXT(compared(SAME, before, now, ",\"rows_total\":2"), "b - - | a - - | ");
	/* A size that is unknown is one of a row. */
	CHECK_TEXT(compared(SAME, R("a", 1) R("c", null), R("b", 1) R("c", 2),
			    NOT_WHOLE ",\"sizes_complete\":true"),
		   "b new 1 | c - - | a gone -1 | ");
	CHECK_TEXT(compared(",\"options\":[\"-f a\"]", before, now, ""),
		   "the file 'FILE' was made with -f a: its rows are not those of this view");
	CHECK_TEXT(compared("", before, now, ""), "the file 'FILE' does not tell its options");
	CHECK_TEXT(compared(SAME, ROW("\"name\":1"), now, ""),
		   "the rows of the file 'FILE' have no cache");
	CHECK_TEXT(compared(SAME, ROW("\"cache\":\"a\""), now, ""),
		   "the rows of the file 'FILE' have no bytes");
	CHECK_TEXT(compared(SAME, ROW("\"cache\":\"a\",\"counted_pages\":2"),
			    ROW("\"cache\":\"a\",\"bytes\":1,\"counted_pages\":3"), ""),
		   "a grown 4096 | ");
}

/* Where others are merged a row has the name of what happens to be one. */
static void groups_of_another_key(void)
{
	static const char before[] = R("a", 1) ROW("\"cache\":null,\"bytes\":5"),
			  sites[] = ROW("\"cache\":\"a\",\"site\":\"f\",\"bytes\":1");

	CHECK_TEXT(
		compared(BY("kind"), before, R("a", 1) R("b", 5), ""),
		"the rows of the file 'FILE' are by kind (-g), not by cache: make it without -g");
	CHECK_TEXT(compared(BY("node,Cache"), R("a", 1), R("a", 2), ""), "a grown 1 | ");
	/* What both are by is enough. */
	CHECK_TEXT(compared(BY("cache"), sites, sites, ""), "a same 0 | ");
}

/* What is there was that much at least. */
static void lower_bounds(void)
{
#define LESS R("a", 1) R("b", 1)
	static const char less[] = LESS, more[] = R("a", 2) R("b", 1);

	CHECK_TEXT(compared(SAME, less, more, ""), "a grown 1 | b same 0 | ");
	CHECK_TEXT(compared(SAME, less, more, NOT_WHOLE), "a - - | b - - | ");
	CHECK_TEXT(compared(SAME, more, less, NOT_WHOLE), "a shrunk - | b - - | ");
	/* Nothing is known of memory whose use, or name, is not. */
	CHECK_TEXT(compared(SAME, R("unknown", 9) ROW("\"cache\":null,\"bytes\":9"),
			    R("unknown", 1) ROW("\"cache\":null,\"bytes\":1"), NOT_WHOLE),
		   "unknown - - | - - - | ");
	CHECK_TEXT(compared(SAME, R("b", 1) R("unknown", 9),
			    R("b", 1) ROW("\"cache\":null,\"bytes\":1"), ""),
		   "b same 0 | - grown 1 | unknown shrunk -9 | ");
	/* Another kernel may have what it has no row of. */
	CHECK_TEXT(compared(SAME, less, LESS R("large", 5), ""),
		   "a same 0 | b same 0 | large new 5 | ");
	CHECK_TEXT(compared(SAME ",\"kernel\":\"6\"", less, LESS R("large", 5), ""),
		   "a same 0 | b same 0 | large - - | ");
	/* And those that begin with it. */
	CHECK_TEXT(compared(SAME ",\"kernel\":\"6\"", less, LESS R("large eth", 5), ""),
		   "a same 0 | b same 0 | large eth - - | ");
	/* A counter of the kernel has all, whatever else could not be read. */
	CHECK_TEXT(compared(SAME, ROW("\"cache\":\"a\",\"counted_pages\":2"),
			    ROW("\"cache\":\"a\",\"counted_pages\":3"), NOT_WHOLE),
		   "a grown 4096 | ");
}

/* What no row has is compared as rows are, by its name alone: of holders what several modules keep. */
static void what_no_row_has(void)
{
#define REST(NAME, BYTES) "{\"record\":\"total\",\"name\":\"" NAME "\",\"bytes\":" #BYTES "}\n"
	static const char less[] = R("a", 1) REST("several", 2) REST("else", 3);

	of_caches.rest[0] = "several";
	of_caches.rest[1] = "none";
	CHECK_TEXT(compared(SAME, less, R("a", 1) REST("several", 9) REST("none", 7), ""),
		   "a same 0 | several grown 7 | none - - | ");
	/* Not there is not nothing; a row of that name is another. */
	CHECK_TEXT(compared(SAME, R("a", 1), less, ""), "a same 0 | several - - | none - - | ");
	CHECK_TEXT(compared(SAME, less, R("a", 4) REST("several", null), ""),
		   "a grown 3 | several - - | none - - | ");
	of_caches.rest[0] = NULL;
}

TESTS({ "JSON is read", json_is_read }, { "JSON that is none", json_that_is_none },
      { "whole numbers", whole_numbers }, { "what is written is read", written_and_read },
      { "/proc/slabinfo", slabinfo }, { "/proc/vmallocinfo", vmallocinfo },
      { "/proc/buddyinfo and zoneinfo", zones }, { "/proc/PID/status and ps", tasks },
      { "/proc/pressure", pressure }, { "shares in JSON", shares_of_json },
      { "rows of one name", pairs }, { "what a row has beside it", beside_the_amount },
      { "names of rows", names_of_pairs }, { "what is inferred", inferred },
      { "sides that are not whole", sides_that_are_not_whole },
      { "groups of another key", groups_of_another_key }, { "lower bounds", lower_bounds },
      { "what no row has", what_no_row_has })
