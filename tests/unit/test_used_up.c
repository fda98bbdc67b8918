// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether memory is used up where a request for a block of several pages was the last one. */
#include "files/super_space.h"
#include "memowner/files.h"
#include "memowner/summary.h"
#include "memowner/verdict.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"
#include "zones/zones.h"

static uint64_t available; /* MemAvailable; 0: it is unknown */

enum status mem_available_read(struct dump *d, struct mem_available *ret)
{
	*ret = (struct mem_available){ .pages = available };
	return available ? ST_OK : dump_absent(d, "made so");
}

/* Of 1,000 pages so many are free in the zones of the request, and available. */
static bool is_used_up(uint64_t free, uint64_t pages, enum oom_report_kind kind)
{
	const struct oom_report r = { .kind = kind };
	const struct zone_sum z = { .free = free };
	struct report report;
	struct summary s = { .ram_pages = 1000, .free = { free, true }, .report = &report };
	STUB(stub);

	available = pages;
	report = (struct report){ .dump = &stub.dump, .last_unknown = &report.unknown };
	s.dump = &stub.dump;
	return zone_sum_is_used_up(&s, &r, &z);
}

static void what_is_left(void)
{
	CHECK(is_used_up(20, 16, OOM_REPORT_OOM));
	/* What is free, or may be, serves others: blocks are what lacks. */
	CHECK(!is_used_up(60, 16, OOM_REPORT_OOM));
	CHECK(!is_used_up(20, 60, OOM_REPORT_OOM));
	CHECK(!is_used_up(20, 0, OOM_REPORT_OOM));
	/* An allocation that failed goes on without, as before. */
	CHECK(!is_used_up(20, 16, OOM_REPORT_ALLOCATION));
}

/* Free pages, those of them above the marks, those in zones that the request may not use. */
static bool is_kept(uint64_t free, uint64_t above, uint64_t other)
{
	return zone_sum_is_kept(&(struct zone_sum){
		.known = true, .zones = 2, .free = free, .above = above, .other_free = other });
}

static void what_the_marks_keep(void)
{
	CHECK(is_kept(10017, 184, 0));
	CHECK(is_kept(10000, 1000, 0));
	CHECK(!is_kept(10000, 1100, 0));
	/* Others could be served there. */
	CHECK(!is_kept(10017, 184, 1));
	CHECK(!zone_sum_is_kept(&(struct zone_sum){ .zones = 1, .free = 10017 }));
}

static void full_tmpfs(void)
{
	/* Free bytes of 1,000 pages. */
	static const struct {
		uint64_t pages;
		const char *words;
	} all[] = { { 0, ", full: mounted with size=3.9M" },
		    { 9, ", full: mounted with size=3.9M" },
		    { 10, ", mounted with size=3.9M" } };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct strbuf b = STRBUF_OF(64);

		summary_add_size(
			&(struct super_space){ .bytes = 1000 << 12, .free = all[i].pages << 12 },
			&b);
		CHECK_TEXT(b.buf, all[i].words);
	}
}

TESTS({ "a tmpfs that is full", full_tmpfs },
      { "what the watermarks keep of free memory", what_the_marks_keep },
      { "what is left in pieces of memory that is used up", what_is_left })
