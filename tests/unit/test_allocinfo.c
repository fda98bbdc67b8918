// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of /proc/allocinfo that somebody saved; sites as a user names them; signed sizes. */
#include "alloctag/site_index.h"
#include "alloctag/state.h"
#include "allocprof/allocinfo.h"
#include "allocprof/sites.h"
#include "util/number_range.h"
#include "stub.h"
#include "test.h"

static enum allocinfo_line parse(const char *text, struct site *s)
{
	static char line[4096];

	snprintf(line, sizeof(line), "%s", text);
	return allocinfo_parse(line, s);
}

static void a_line_of_each_version_is_taken_apart(void)
{
	struct site s;

	CHECK(parse("        4096        1 mm/first.c:10 func:alloc_first ", &s) == ALLOCINFO_SITE);
	CHECK(s.bytes == 4096 && s.calls == 1 && s.line == 10 && !s.flags && !s.in_module);
	CHECK_TEXT(s.file, "mm/first.c");
	CHECK_TEXT(s.function, "alloc_first");
	CHECK_TEXT(s.module, "vmlinux");
	CHECK(parse("        -200 18446744073709551615 /x y/m.c:4294967295 [mod] func:a b accurate:no ",
		    &s) == ALLOCINFO_SITE);
	CHECK(s.bytes == -200 && s.calls == UINT64_MAX && s.line == UINT32_MAX);
	CHECK(s.flags == SITE_INACCURATE && s.in_module);
	CHECK_TEXT(s.file, "/x y/m.c");
	CHECK_TEXT(s.function, "a b");
	CHECK_TEXT(s.module, "mod");
	CHECK(parse("-9223372036854775808 0 a:1 func:f\r\n", &s) == ALLOCINFO_SITE);
	CHECK(s.bytes == INT64_MIN);
}

static void headers_are_no_sites(void)
{
	struct site s = { .line = 77 };

	CHECK(parse("allocinfo - version: 1.0", &s) == ALLOCINFO_BEGIN);
	CHECK(parse("allocinfo - version: 2.0\n", &s) == ALLOCINFO_BEGIN);
	CHECK(parse("allocinfo - version: 2.1", &s) == ALLOCINFO_OTHER);
	CHECK(parse("#     <size>  <calls> <tag info>", &s) == ALLOCINFO_NONE);
	CHECK(parse("", &s) == ALLOCINFO_NONE);
	CHECK(parse("  \t ", &s) == ALLOCINFO_NONE);
	CHECK(s.line == 77);
}

static void what_is_none_is_refused(void)
{
	static const char *const lines[] = {
		"hello",
		"4096",
		"4096 1",
		"4096 1 mm/first.c:10",
		"4096 1 mm/first.c func:f",
		"4096 1 :10 func:f",
		"4096 1 mm/first.c: func:f",
		"4096 1 mm/first.c:x func:f",
		"4096 1 mm/first.c:4294967296 func:f",
		"4096 1 mm/first.c:10 func:",
		"4096 1 mm/first.c:10 func: accurate:no",
		"4096 1 mm/first.c:10 [] func:f",
		"4096 1 [mod] func:f",
		"4096 -1 mm/first.c:10 func:f",
		"9223372036854775808 1 mm/first.c:10 func:f",
		"4096 18446744073709551616 mm/first.c:10 func:f",
		"4096x 1 mm/first.c:10 func:f",
		"- 1 mm/first.c:10 func:f",
		"4096 1 func:f",
	};
	struct site s = { .line = 77 };

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (parse(lines[i], &s) != ALLOCINFO_BAD)
			printf("# %s\n", lines[i]);
		CHECK(parse(lines[i], &s) == ALLOCINFO_BAD);
	}
	CHECK(s.line == 77);
}

/* The tag of the first site that text names and how many there are; 0: it is refused. */
static uint64_t find(struct stub *stub, const char *text, size_t *n)
{
	struct site sites[] = {
		{ .tag = 0xffffffff81000010, .file = "mm/slub.c", .line = 10, .function = "beef" },
		{ .tag = 0xffffffff81000038, .file = "mm/a.c", .line = 20, .function = "twice" },
		{ .tag = 0xffffffff81000060, .file = "mm/a.c", .line = 30, .function = "twice" },
		{ .tag = 0xbeef },
	};
	const struct codetags tags = { .sites = sites, .n = 4 };
	struct sites s = { .n = 0 };

	CHECK((sites_find(&stub->dump, &tags, text, &s) == ST_OK) == (s.n != 0));
	for (size_t i = 1; i < s.n; i++)
		CHECK(!strcmp(s.sites[i].function, s.sites[0].function));
	*n = s.n;
	return s.n ? s.sites[0].tag : 0;
}

static void a_site_is_named_by_line_function_or_tag(void)
{
	const uint64_t beef = 0xffffffff81000010;
	STUB(s);
	size_t n;

	CHECK(find(&s, "mm/slub.c:10", &n) == beef && find(&s, "slub.c:10", &n) == beef && n == 1);
	CHECK(!find(&s, "lub.c:10", &n) && !find(&s, "slub.c:11", &n));
	CHECK(!find(&s, ":10", &n) && !find(&s, "/mm/slub.c:10", &n) && !find(&s, "", &n));
	CHECK(find(&s, "beef", &n) == beef && !find(&s, "bee", &n));
	CHECK(find(&s, "ffffffff81000010", &n) == beef &&
	      find(&s, "0xffffffff81000010", &n) == beef);
	CHECK(find(&s, "0xbeef", &n) == 0xbeef && n == 1);
	CHECK(find(&s, "twice", &n) == 0xffffffff81000038 && n == 2);
	CHECK(find(&s, "a.c:30", &n) == 0xffffffff81000060 && n == 1);
}

/* A tag outside the lists is of an unloaded module if all lists are there, else of an unknown one. */
static void a_tag_in_no_list_is_unloaded_if_the_lists_are_read(void)
{
	const uint64_t other = 0xffffffffc0000010;
	struct site listed = { .tag = 0xffffffff81000010, .file = "mm/slub.c", .line = 10 };
	struct codetags tags = { .sites = &listed, .n = 1 };
	const struct codetags none = { 0 };
	struct site_index x;
	STUB(s);

	CHECK(site_index_open(&s.dump, &tags, &x) == ST_OK && site_unnamed(&x, other).unloaded);
	tags.problem = "a list is not in this dump";
	CHECK(!site_unnamed(&x, other).unloaded && !site_unnamed(&x, other).loaded);
	CHECK(site_index_open(&s.dump, &none, &x) == ST_OK && !site_unnamed(&x, other).unloaded);
}

/* What cannot be read may have been counted: "off at boot" is no answer then. */
static void nothing_was_counted_if_all_counters_are_known(void)
{
	struct site sites[] = { { .readable = true }, { .readable = true } };
	struct codetags tags = { .sites = sites, .n = 2 };
	struct codetag_state state = { .knows_option = true, .option = "1" };

	CHECK(codetags_counted(&tags) == ANSWER_NO);
	tags.unreadable = 1;
	CHECK(codetags_counted(&tags) == ANSWER_UNKNOWN);
	CHECK(strstr(codetag_off_text(ANSWER_UNKNOWN), "is unknown"));
	tags.unreadable = 0;
	tags.problem = "a list is not in this dump";
	CHECK(codetags_counted(&tags) == ANSWER_UNKNOWN);
	sites[1].calls = 1;
	CHECK(codetags_counted(&tags) == ANSWER_YES);
	/* The option says on: whether the kernel supported it decides. */
	CHECK(strstr(codetag_reason(&state), "is unknown"));
	state.supported = ANSWER_YES;
	CHECK(strstr(codetag_reason(&state), "was off at boot"));
	state = (struct codetag_state){ .supported = ANSWER_NO };
	CHECK(strstr(codetag_reason(&state), "why is unknown"));
}

/* A site without a name may be alloc_slab_page(): what is counted twice is unknown. */
static void sums_of_slab_pages_need_all_names_of_vmlinux(void)
{
	struct site sites[] = {
		{ .readable = true, .function = "alloc_slab_page", .bytes = 4096, .calls = 1 },
		{ .readable = true, .function = "pcpu_alloc_pages", .bytes = 8192, .calls = 2 },
		{ .readable = true, .function = "other", .bytes = 100, .calls = 3 },
	};
	struct codetags tags = { .sites = sites, .n = 3 };
	struct site_sums s;

	site_sums_read(&tags, &s);
	CHECK(s.whole && s.named && s.bytes == 12388 && s.calls == 6);
	CHECK(s.slab_pages == 4096 && s.percpu_pages == 8192 && site_sums_once(&s) == 100);
	sites[2].function = NULL;
	sites[2].in_module = true;
	site_sums_read(&tags, &s);
	CHECK(s.whole && s.named);
	sites[0].function = NULL;
	site_sums_read(&tags, &s);
	CHECK(s.whole && !s.named && s.bytes == 12388);
	sites[0].function = "alloc_slab_page";
	tags.unreadable = 1;
	sites[2].readable = false;
	site_sums_read(&tags, &s);
	CHECK(!s.whole && !s.named);
}

static bool range(const char *text, int64_t low, int64_t high)
{
	uint64_t a, b;

	return number_range_parse(RANGE_BALANCE, text, strlen(text), &a, &b) &&
	       a == range_balance(low) && b == range_balance(high);
}

static void sizes_may_be_below_zero(void)
{
	uint64_t a, b;

	CHECK(range("..-1", INT64_MIN, -1));
	/* 1.5M is what is printed for up to 1.55M; -4K is not printed so. */
	CHECK(range("-4K..1.5M", -4096, 1625292));
	CHECK(range("64K..", 65536, INT64_MAX));
	CHECK(range("0", 0, 0));
	CHECK(!number_range_parse(RANGE_BALANCE, "1..-1", 5, &a, &b));
	CHECK(!number_range_parse(RANGE_BALANCE, "--1", 3, &a, &b));
	CHECK(!number_range_parse(RANGE_BALANCE, "9223372036854775808", 19, &a, &b));
}

static bool is_range(enum range_kind q, const char *text, uint64_t low, uint64_t high)
{
	uint64_t a, b;

	return number_range_parse(q, text, strlen(text), &a, &b) && a == low && b == high;
}

static bool is_refused(enum range_kind q, const char *text)
{
	uint64_t a, b;

	return !number_range_parse(q, text, strlen(text), &a, &b);
}

/* What others write for the same. */
static void units_of_others_are_taken(void)
{
	uint64_t low, high, printed_low, printed_high;

	CHECK(is_range(RANGE_SIZE, "10MB..20MiB", 10 << 20, 20 << 20));
	CHECK(is_range(RANGE_SIZE, "64kB", 65536, 65536));
	CHECK(is_range(RANGE_LIMIT, "..2GiB", 0, 2ULL << 30));
	CHECK(is_refused(RANGE_SIZE, "10MiBs"));
	CHECK(is_refused(RANGE_SIZE, "10iB"));
	CHECK(is_refused(RANGE_SIZE, "iB"));
	CHECK(is_refused(RANGE_TIME, "10MiB"));
	/* As it is printed, and with more of the unit. */
	CHECK(number_range_parse(RANGE_SIZE, "190.3M", 6, &printed_low, &printed_high));
	CHECK(number_range_parse(RANGE_SIZE, "190.3MiB", 8, &low, &high));
	CHECK(low == printed_low && high == printed_high && low < high);
	CHECK(is_range(RANGE_TIME, "5m..", 300000000000, UINT64_MAX));
	CHECK(is_range(RANGE_TIME, "1h30min", 5400000000000, 5400000000000));
	CHECK(is_range(RANGE_TIME, "1m30s..2h", 90000000000, 7200000000000));
	CHECK(is_refused(RANGE_TIME, "1h30"));
	CHECK(is_refused(RANGE_TIME, "30"));
	CHECK(is_refused(RANGE_TIME, "1.2.3s"));
	CHECK(is_refused(RANGE_TIME, "9000000000s9000000000s10000000000s"));
	/* Stamps are printed without a unit: a second is one. */
	CHECK(is_range(RANGE_STAMP, "190..200", 190000000000, 200000000000));
	CHECK(is_range(RANGE_STAMP, "632.198231", 632198231000, 632198231999));
	CHECK(is_range(RANGE_STAMP, "10s..1min", 10000000000, 60000000000));
	/* What is typed of a stamp is what it begins with; an end of a range is exact. */
	CHECK(is_range(RANGE_STAMP, "632.19", 632190000000, 632199999999));
	CHECK(is_range(RANGE_STAMP, "632", 632000000000, 632999999999));
	CHECK(is_range(RANGE_STAMP, "632.1982317", 632198231700, 632198231700));
	CHECK(is_range(RANGE_STAMP, "632.19..632.2", 632190000000, 632200000000));
	CHECK(is_range(RANGE_STAMP, "500ms", 500000000, 500000000));
	CHECK(is_range(RANGE_TIME, "0", 0, 0) && is_refused(RANGE_TIME, "0.8"));
	CHECK(is_refused(RANGE_STAMP, "10x"));
}

TESTS({ "a line of each version is taken apart", a_line_of_each_version_is_taken_apart },
      { "units of others are taken", units_of_others_are_taken },
      { "headers are no sites", headers_are_no_sites },
      { "what is none is refused", what_is_none_is_refused },
      { "a site is named by its line, its function or its tag",
	a_site_is_named_by_line_function_or_tag },
      { "a tag in no list is unloaded if the lists are read",
	a_tag_in_no_list_is_unloaded_if_the_lists_are_read },
      { "nothing was counted if all counters are known",
	nothing_was_counted_if_all_counters_are_known },
      { "sums of slab pages need all names of vmlinux",
	sums_of_slab_pages_need_all_names_of_vmlinux },
      { "sizes may be below zero", sizes_may_be_below_zero })
