// SPDX-License-Identifier: GPL-2.0-or-later
/* In which part of the time from boot to the end the members of a group began. */
#include "cli/row_times.h"
#include "stub.h"
#include "test.h"

/* Of members of these ages, where the machine ran for span. */
static const char *times_of(struct stub *s, uint64_t span, const uint64_t *ages, size_t n)
{
	const struct table t = { .dump = &s->dump, .span_ns = span };
	struct cell sum = { .kind = CELL_NULL }, age;

	for (size_t i = 0; i < n; i++) {
		age = cell_uint(ages[i]);
		row_times_add(&t, &sum, &age);
	}
	age = row_times_cell(&t, &sum);
	return age.kind == CELL_NULL ? NULL : age.text;
}

#define TIMES(span, ...)                                      \
	times_of(&s, span, (const uint64_t[]){ __VA_ARGS__ }, \
		 sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void parts(void)
{
	STUB(s);

	CHECK_TEXT(TIMES(1000, 0), "_________1");
	CHECK_TEXT(TIMES(1000, 1), "_________1");
	CHECK_TEXT(TIMES(1000, 100, 101), "________11");
	CHECK_TEXT(TIMES(1000, 1000, 901, 900), "21________");
	/* What is older than the machine, as a file. */
	CHECK_TEXT(TIMES(1000, 1001, UINT64_MAX), "2_________");
	/* No product wraps. */
	CHECK_TEXT(TIMES(UINT64_MAX, 0, UINT64_MAX), "1________1");
	CHECK_TEXT(TIMES(1, 0, 1), "1________1");
}

static void marks(void)
{
	static const uint64_t zero[1000];

	STUB(s);
	CHECK_TEXT(times_of(&s, 10, zero, 9), "_________9");
	CHECK_TEXT(times_of(&s, 10, zero, 10), "_________+");
	CHECK_TEXT(times_of(&s, 10, zero, 99), "_________+");
	CHECK_TEXT(times_of(&s, 10, zero, 100), "_________#");
	CHECK_TEXT(times_of(&s, 10, zero, 999), "_________#");
	CHECK_TEXT(times_of(&s, 10, zero, 1000), "_________@");
}

static void unknown(void)
{
	const struct cell none = { .kind = CELL_NULL };
	struct cell sum = { .kind = CELL_NULL };

	STUB(s);
	const struct table t = { .dump = &s.dump, .span_ns = 10 };

	CHECK(!TIMES(0, 1));
	row_times_add(&t, &sum, &none);
	CHECK(row_times_cell(&t, &sum).kind == CELL_NULL);
}

TESTS({ "ten parts of the time from boot", parts }, { "how many of a part", marks },
      { "no age, or no end", unknown })
