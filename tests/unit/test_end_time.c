// SPDX-License-Identifier: GPL-2.0-or-later
/* When a kernel that did not panic ended. */
#include "kernel/dump_info.h"
#include "kernel/machine.h"
#include "stub.h"
#include "test.h"

#define S 1000000000ULL
#define FIRST 0xfffedb08ULL /* INITIAL_JIFFIES with HZ=250 */

/* The log before 5.10, of one record. */
static struct {
	uint64_t ts;
	uint16_t len, text_len, dict_len, rest;
	char text[32];
} record;
static struct {
	uint64_t log_buf, first_seq, next_seq;
	uint32_t bytes, first, next, cpus;
	uint64_t offsets[2], possible, jiffies;
	uint32_t mult, shift;
} m;
static uint64_t clocks[2];

static const struct stub_member members[] = {
	{ "struct printk_log", "ts_nsec", FIELD(0, 8) },
	{ "struct printk_log", "len", FIELD(8, 2) },
	{ "struct printk_log", "text_len", FIELD(10, 2) },
	{ "struct printk_log", "dict_len", FIELD(12, 2) },
	{ "struct rq", "clock", FIELD(0, 8) },
	{ "struct clocksource", "mult", FIELD(0, 4) },
	{ "struct clocksource", "shift", FIELD(4, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct printk_log", 16 }, { 0 } };
#define AT(member) (0x1000 + offsetof(__typeof__(m), member))
static const struct stub_symbol symbols[] = {
	{ "log_buf", AT(log_buf), FIELD(0, 8) },
	{ "log_first_seq", AT(first_seq), FIELD(0, 8) },
	{ "log_next_seq", AT(next_seq), FIELD(0, 8) },
	{ "log_buf_len", AT(bytes), FIELD(0, 4) },
	{ "log_first_idx", AT(first), FIELD(0, 4) },
	{ "log_next_idx", AT(next), FIELD(0, 4) },
	{ "nr_cpu_ids", AT(cpus), FIELD(0, 4) },
	{ "__per_cpu_offset", AT(offsets), KINDED(KIND_ARRAY, 0, 16) },
	{ "__cpu_possible_mask", AT(possible), FIELD(0, 8) },
	{ "jiffies", AT(jiffies), FIELD(0, 8) },
	{ "clocksource_jiffies", AT(mult), FIELD(0, 8) },
	{ "runqueues", 0x100, FIELD(0, 8) },
	{ 0 },
};
static const struct stub_memory memory[] = { { 0x1000, &m, sizeof(m) },
					     { 0x2000, &record, sizeof(record) },
					     { 0x10100, &clocks[0], 8 },
					     { 0x20100, &clocks[1], 8 },
					     { 0 } };

static void fill(const char *text)
{
	memset(&record, 0, sizeof(record));
	record.ts = 40 * S;
	record.len = sizeof(record);
	record.text_len = strlen(text);
	record.dict_len = 32 - strlen(text);
	memcpy(record.text, text, strlen(text));
	memset(&m, 0, sizeof(m));
	m.log_buf = 0x2000;
	m.bytes = 4096;
	m.next = sizeof(record);
	m.next_seq = 1;
	m.cpus = 2;
	m.possible = 3;
	m.offsets[0] = 0x10000;
	m.offsets[1] = 0x20000;
	m.mult = 4000000 << 8;
	m.shift = 8;
	m.jiffies = FIRST + 250 * 109;
	clocks[0] = 108 * S;
	clocks[1] = 109 * S + 5;
}

static enum status read_end(uint64_t *ns, enum end_source *source, uint64_t *age, bool *has_note)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	char end[END_TEXT];
	struct dump_info info;
	enum status st;
	bool is_whole;

	*ns = 0;
	st = end_time_read(&s.dump, ns, source, &is_whole);
	dump_info_read(&s.dump, false, &info);
	CHECK(info.has_panic_time == (st == ST_OK) && !end_text(&info, end));
	if (st == ST_OK) {
		char text[AGE_TEXT] = "";
		bool is_panic = *source == END_PANIC_RECORD;

		CHECK(age_text(&info, *ns - S, text));
		CHECK_TEXT(end_name(&info), is_panic ? "panic" : "dump");
		CHECK(end_is_assumed(&info) == (*source == END_NEWEST_RECORD));
		CHECK_TEXT(age_end(&info),
			   end_is_assumed(&info) ? "newest record of the log" : end_name(&info));
		CHECK(!strncmp(text, "1.0s before the ", 16) && !strcmp(text + 16, age_end(&info)));
		CHECK(!age_text(&info, *ns + 1, text));
		*info.is_asked = false;
	}
	CHECK(st != ST_OK || (info.panic_ns == *ns && age_at_panic(&info, S, age)));
	*has_note = end_text(&info, end);
	/* A log without a record is none that could be read. */
	CHECK(info.may_have_panic == (st == ST_OK && *source != END_PANIC_RECORD && m.bytes == 8));
	return st;
}

static void the_latest_clock(void)
{
	enum end_source source;
	uint64_t ns, age;
	bool has_note;

	fill("some line");
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_RUN_QUEUE);
	CHECK(ns == 109 * S + 5 && age == 108 * S + 5 && has_note);
	fill("Kernel panic - not syncing: x");
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_PANIC_RECORD);
	CHECK(ns == 40 * S && !has_note);
	/* All CPUs were idle. */
	fill("some line");
	clocks[0] = clocks[1] = 60 * S;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_JIFFIES);
	CHECK(ns == 109 * S);
	/* The log is newer than either. */
	clocks[0] = clocks[1] = m.jiffies = 0;
	clocks[1] = 39 * S;
	m.jiffies = FIRST + 250 * 40;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_NEWEST_RECORD);
	CHECK(ns == 40 * S && has_note);
}

/* After 100 days NTP may have moved one of them by minutes. */
static void clocks_that_drift(void)
{
	enum end_source source;
	uint64_t ns, age, up = 100ULL * 86400;
	bool has_note;

	fill("some line");
	m.jiffies = FIRST + 250 * up;
	clocks[1] = (up + 90) * S;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_RUN_QUEUE);
	CHECK(ns == (up + 90) * S);
	clocks[1] = (up - 30) * S;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_RUN_QUEUE);
	CHECK(ns == (up - 30) * S);
	/* This is more than it can. */
	clocks[1] = (up + 9000) * S;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_NEWEST_RECORD);
}

static void clocks_that_disagree(void)
{
	enum end_source source;
	uint64_t ns, age;
	bool has_note;

	fill("some line");
	clocks[0] = 1ULL << 60;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_NEWEST_RECORD &&
	      ns == 40 * S);
	fill("some line");
	m.jiffies = 7;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_NEWEST_RECORD);
	/* Without the length of a tick. */
	fill("some line");
	m.mult = 0;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_NEWEST_RECORD);
	/* Jiffies alone. */
	fill("some line");
	clocks[0] = clocks[1] = 0;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_NEWEST_RECORD);
	/* A log of a size that cannot be: a panic may have been in it. */
	fill("some line");
	m.bytes = 8;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_RUN_QUEUE &&
	      has_note);
	/* No log. */
	fill("some line");
	m.next_seq = m.next = 0;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_OK && source == END_RUN_QUEUE);
	clocks[0] = clocks[1] = m.jiffies = 0;
	CHECK(read_end(&ns, &source, &age, &has_note) == ST_ABSENT);
}

/* A machine that booted at 1,000.5 s since 1970. */
static void times_of_files(void)
{
	const struct machine_clocks none = { .agree = true },
				    known = { true, true, 0, 1000500000000 };
	uint64_t ns = 7;

	CHECK(!monotonic_of_utc(&none, 2000, &ns) && ns == 7);
	CHECK(monotonic_of_utc(&known, 1001, &ns) && ns == 500000000);
	/* Before the boot; and what has no nanoseconds in 63 bits. */
	CHECK(!monotonic_of_utc(&known, 1000, &ns) && ns == 500000000);
	CHECK(!monotonic_of_utc(&known, 9000000001, &ns));
	CHECK(!monotonic_of_utc(&known, UINT64_MAX, &ns));
}

TESTS({ "end: the latest clock", the_latest_clock },
      { "a file: its time since boot", times_of_files },
      { "end: clocks that drifted apart since boot", clocks_that_drift },
      { "end: clocks that disagree", clocks_that_disagree })
