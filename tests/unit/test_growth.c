// SPDX-License-Identifier: GPL-2.0-or-later
/* Burst or leak-like: spans of time, and their ends to the nanosecond. */
#include "memowner/growth.h"

#include "memowner/summary.h"
#include "stub.h"
#include "test.h"

#define PANIC 6400ULL

static void put(struct growth *g, uint64_t from, uint64_t to, unsigned int each)
{
	for (uint64_t ts = from; ts < to; ts += PANIC / GROWTH_STEPS)
		g->pages[growth_step(ts, PANIC)] += each;
}

static void steps(void)
{
	CHECK(growth_step(0, PANIC) == 0 && growth_step(99, PANIC) == 0);
	CHECK(growth_step(100, PANIC) == 1 && growth_step(6399, PANIC) == 63);
	/* Other CPUs run on while one panics. */
	CHECK(growth_step(6400, PANIC) == 63 && growth_step(UINT64_MAX, PANIC) == 63);
	CHECK(growth_step(5, 0) == 63);
	/* Every stamp is between the ends that its step has in a span. */
	for (uint64_t panic = 60; panic < 4000; panic += 37)
		for (uint64_t ts = 0; ts < panic; ts++) {
			struct growth g = { 0 };
			struct growth_span span;

			g.pages[growth_step(ts, panic)] = 1000;
			CHECK(growth_span(&g, panic, &span));
			CHECK(ts >= span.start_ns && ts <= span.end_ns && span.pages == 1000);
		}
}

static void a_burst(void)
{
	struct growth g = { 0 };
	struct growth_span span;

	put(&g, 1000, 1800, 100);
	put(&g, 5000, 5100, 10);
	CHECK(growth_span(&g, PANIC, &span));
	CHECK_TEXT(span.kind, "burst");
	CHECK(span.start_ns == 1000 && span.end_ns == 1799 && span.pages == 800);
	/* One step more. */
	put(&g, 1800, 1900, 100);
	CHECK(growth_span(&g, PANIC, &span) && span.pages >= 820 && !strcmp(span.kind, "mixed"));
}

static void a_leak(void)
{
	struct growth g = { 0 };
	struct growth_span span;

	put(&g, 0, 6400, 10);
	CHECK(growth_span(&g, PANIC, &span) && span.end_ns);
	CHECK_TEXT(span.kind, "leak-like");
	/* The same, but it ended before the panic. */
	memset(&g, 0, sizeof(g));
	put(&g, 0, 5600, 10);
	CHECK(growth_span(&g, PANIC, &span) && !strcmp(span.kind, "mixed"));
	/* One page at the end is not a leak that goes on. */
	put(&g, 6300, 6400, 1);
	CHECK(growth_span(&g, PANIC, &span) && !strcmp(span.kind, "mixed"));
	/* A share of it at the end is one. */
	put(&g, 5600, 6400, 4);
	CHECK(growth_span(&g, PANIC, &span));
	CHECK_TEXT(span.kind, "leak-like");
	/* What goes on up to the panic has no other end, however little the last part of it is. */
	CHECK(span.end_ns == UINT64_MAX && !span.start_ns && span.pages == 593);
}

static const char *kind_of(const struct growth *g)
{
	struct growth_span span = { 0 };

	CHECK(growth_span(g, PANIC, &span));
	return span.kind;
}

/* Pages over a long time that are not spread over it. */
static void neither(void)
{
	struct growth g = { 0 };

	/* The boot, then the last moment, nothing between. */
	put(&g, 0, 400, 162);
	put(&g, 6200, 6400, 2808);
	CHECK_TEXT(kind_of(&g), "mixed");
	/* Two bursts of one size. */
	memset(&g, 0, sizeof(g));
	put(&g, 0, 400, 100);
	put(&g, 6000, 6400, 100);
	CHECK_TEXT(kind_of(&g), "mixed");
	/* A page a step between them does not make a leak of them. */
	put(&g, 400, 6000, 1);
	CHECK_TEXT(kind_of(&g), "mixed");
	/* The first third, and a page at the end. */
	memset(&g, 0, sizeof(g));
	put(&g, 0, 2100, 100);
	put(&g, 6300, 6400, 1);
	CHECK_TEXT(kind_of(&g), "mixed");
	/* A low rate all the time, and half of the pages within an eighth. */
	memset(&g, 0, sizeof(g));
	put(&g, 0, 6400, 10);
	put(&g, 3000, 3800, 80);
	CHECK_TEXT(kind_of(&g), "mixed");
	/* Less than half. */
	memset(&g, 0, sizeof(g));
	put(&g, 0, 6400, 10);
	put(&g, 3000, 3800, 40);
	CHECK_TEXT(kind_of(&g), "leak-like");
	/* A quarter of the span without pages. */
	memset(&g, 0, sizeof(g));
	put(&g, 0, 6400, 10);
	memset(&g.pages[16], 0, 18 * sizeof(g.pages[0]));
	CHECK_TEXT(kind_of(&g), "mixed");
}

static void to_the_panic(void)
{
	struct growth g = { 0 };
	struct growth_span span = { .pages = 7 };

	put(&g, 6300, 6400, 63);
	CHECK(!growth_span(&g, PANIC, &span) && span.pages == 7);
	put(&g, 6300, 6400, 1);
	CHECK(growth_span(&g, PANIC, &span) && span.end_ns == UINT64_MAX && span.pages == 64);
	CHECK(!growth_span(&g, 0, &span));
}

/* The screen of one owner, allocated from first_ns to last_ns. */
static void show_owner(uint64_t first_ns, uint64_t last_ns, struct text *t)
{
	STUB(s);
	struct report r = { .info = { .panic_ns = PANIC, .has_panic_time = true } };
	struct statement row = {
		.section = SECTION_OWNER,
		.by = "caller",
		.name = "driver",
		.pages = { 1000, true },
		.bytes = { 1000 << 12, true },
		.oldest = { PANIC - first_ns, true },
		.youngest = { PANIC - last_ns, true },
		.growth = "burst",
		.span_pages = { 1000, true },
		.span_start = { 1000, true },
		.span_end = { 1799, true },
	};
	struct summary sum = {
		.dump = &s.dump, .out = &t->sink, .report = &r, .first = { [SECTION_OWNER] = &row }
	};

	text_open(t);
	summary_print(&sum);
}

static void the_screen_says_when(void)
{
	struct text t;

	show_owner(1100, 1500, &t);
	CHECK(strstr(text_get(&t),
		     "\ngrowth    100.0% of driver was allocated within 400ns that ended 5us "
		     "before the panic\n"));
	/* One page of 4 MiB, as of hugetlbfs. */
	show_owner(1500, 1500, &t);
	CHECK(strstr(text_get(&t),
		     "\ngrowth    100.0% of driver has one time stamp, 5us before the panic\n"));
}

static void limits_have_reasons(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < LIMITS; i++) {
		CHECK(!limit(i) == !limit_reason(i));
		n += limit(i) > 0;
	}
	CHECK(n > 12);
	CHECK_TEXT(limit_of_free(20), "low");
	CHECK(!limit_of_free(21) && !limit_of_class(CLASS_DIRECT, 199));
	CHECK(limit_of_class(CLASS_DIRECT, 200) && !limit_of_class(CLASS_FILE, 1000));
}

static void rates_and_sites(void)
{
	/* A thread that started 160 ms before the panic: 5,700 faults of it are 35,000 per second. */
	CHECK(!limit_has_rate(160000000) && limit_has_rate(1000000000));
	CHECK(limit(LIMIT_SITE) == 100);
}

TESTS({ "each limit has a reason", limits_have_reasons },
      { "rates that are noise, sites that are small", rates_and_sites },
      { "steps, and the ends of spans", steps }, { "a burst", a_burst }, { "a leak", a_leak },
      { "neither burst nor leak", neither }, { "up to the panic; too few pages", to_the_panic },
      { "the screen says when", the_screen_says_when })
