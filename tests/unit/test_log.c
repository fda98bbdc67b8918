// SPDX-License-Identifier: GPL-2.0-or-later
/* The log of kernels up to 5.9: records one behind the other. */
#include "log/log_buf.h"
#include "stub.h"
#include "test.h"

#define BYTES 256
#define BUFFER 0x4000ULL
#define NEWLINE 2
#define CONT 8

/* Of 5.1 to 5.9, with CONFIG_PRINTK_CALLER. */
struct record {
	uint64_t ts;
	uint16_t len, text_len, dict_len;
	uint8_t facility, flags;
	uint32_t caller;
};
#define HEADER 20

static struct {
	uint64_t log_buf, first_seq, next_seq;
	uint32_t bytes, first, next;
	uint8_t buffer[BYTES];
} m;
static uint64_t last_seq;

static const struct stub_member members[] = {
	{ "struct printk_log", "ts_nsec", FIELD(0, 8) },
	{ "struct printk_log", "len", FIELD(8, 2) },
	{ "struct printk_log", "text_len", FIELD(10, 2) },
	{ "struct printk_log", "dict_len", FIELD(12, 2) },
	{ "struct printk_log", "facility", FIELD(14, 1) },
	{ "struct printk_log", "flags", BITS(15, 1, 0, 5) },
	{ "struct printk_log", "caller_id", FIELD(16, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct printk_log", HEADER }, { 0 } };
static const struct stub_number flags[] = { { "LOG_NEWLINE", NEWLINE },
					    { "LOG_CONT", CONT },
					    { 0 } };
static const struct stub_symbol symbols[] = {
	{ "log_buf", 0x100, FIELD(0, 8) },
	{ "log_first_seq", 0x108, FIELD(0, 8) },
	{ "log_next_seq", 0x110, FIELD(0, 8) },
	{ "log_buf_len", 0x118, FIELD(0, 4) },
	{ "log_first_idx", 0x11c, FIELD(0, 4) },
	{ "log_next_idx", 0x120, FIELD(0, 4) },
	{ 0 },
};
static struct stub_memory memory[] = {
	{ 0x100, &m, 36 }, { BUFFER, m.buffer, BYTES }, { 0 }, { 0 }
};

/* As log_store() places them: the oldest give way, what does not fit in begins at 0. */
static void store(const char *text, unsigned int flag, uint32_t caller)
{
	size_t text_len = strlen(text), len = (HEADER + text_len + 3) & ~3UL;
	struct record r = { .ts = 100 * ++last_seq,
			    .len = len,
			    .text_len = text_len,
			    .flags = 6 << 5 | flag,
			    .caller = caller };

	if (m.next + len + HEADER > BYTES) {
		memset(m.buffer + m.next, 0, HEADER);
		m.next = 0;
	}
	while (m.first_seq != m.next_seq && m.first >= m.next && m.first < m.next + len + HEADER) {
		uint16_t old;

		memcpy(&old, m.buffer + m.first + 8, 2);
		m.first = old ? m.first + old : 0;
		m.first_seq += old != 0;
		if (!m.first)
			break;
	}
	memcpy(m.buffer + m.next, &r, HEADER);
	memcpy(m.buffer + m.next + HEADER, text, text_len);
	m.next += len;
	m.next_seq++;
}

static void empty_log(void)
{
	memset(&m, 0, sizeof(m));
	m.log_buf = BUFFER;
	m.bytes = BYTES;
	last_seq = 0;
	memory[1].len = BYTES;
	memory[1].addr = BUFFER;
	memory[2] = (struct stub_memory){ 0 };
}

struct texts {
	unsigned int n, torn;
	char text[512];
	struct log_record last;
};

static enum status keep(void *arg, const struct log_record *r)
{
	struct texts *t = arg;
	size_t used = strlen(t->text);

	snprintf(t->text + used, sizeof(t->text) - used, "%llu:%s|", (unsigned long long)r->seq,
		 r->text);
	t->n++;
	t->torn += r->is_torn;
	t->last = *r;
	return ST_OK;
}

static enum status walk(struct texts *t)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
	     .enumerators = flags);

	memset(t, 0, sizeof(*t));
	return printk_walk(&s.dump, keep, t);
}

static void newest_first(void)
{
	struct texts t;

	empty_log();
	CHECK(walk(&t) == ST_OK && !t.n);
	store("one", NEWLINE, 1);
	store("", NEWLINE, 0x80000003);
	store("Kernel panic - not syncing: pages", NEWLINE, 7);
	CHECK(walk(&t) == ST_OK);
	CHECK_TEXT(t.text, "2:Kernel panic - not syncing: pages|1:|0:one|");
	CHECK(t.last.ts_ns == 100 && t.last.has_caller && t.last.caller == 1 && !t.last.from_user);
}

static void around_the_end(void)
{
	struct texts t;

	empty_log();
	for (unsigned int i = 0; i < 30; i++) {
		char text[32];

		snprintf(text, sizeof(text), "line %u of %.*s", i, (int)(i % 7), "thirty");
		store(text, NEWLINE, 1);
		CHECK(walk(&t) == ST_OK && t.n == m.next_seq - m.first_seq && t.n);
		CHECK(!strncmp(strchr(t.text, ':') + 1, text, strlen(text)));
	}
	CHECK(m.first_seq > 20 && t.n > 3 && t.last.seq == m.first_seq);
}

static void lines_in_pieces(void)
{
	struct texts t;

	empty_log();
	store("Node 0 DMA:", 0, 1);
	store(" 1*4kB", CONT, 1);
	store(" 2*8kB", CONT | NEWLINE, 1);
	store(" of another task", CONT | NEWLINE, 2);
	store("begin", 0, 2);
	store("other", NEWLINE, 2);
	CHECK(walk(&t) == ST_OK);
	CHECK_TEXT(t.text, "5:other|4:begin|3: of another task|0:Node 0 DMA: 1*4kB 2*8kB|");
	CHECK(t.last.ts_ns == 100);
}

/* Where the chain is broken, the newest are found by records that lead to the end. */
static void records_that_lie(void)
{
	static const char *const names[] = { "aaaa", "bbbb", "cccc", "dddd" };
	struct texts t;

	empty_log();
	for (unsigned int i = 0; i < 4; i++)
		store(names[i], NEWLINE, 1);
	m.buffer[24 + 8] = 0xff; /* len of the second */
	CHECK(walk(&t) == ST_CORRUPT);
	CHECK_TEXT(t.text, "3:dddd|2:cccc|0:aaaa|");
	/* One that leads to the beginning of another holds less than it is long. */
	m.buffer[24 + 8] = 48;
	CHECK(walk(&t) == ST_CORRUPT);
	CHECK_TEXT(t.text, "3:dddd|2:cccc|0:aaaa|");
	/* Pages that are not in the dump: of the second record, of the newest. */
	m.buffer[24 + 8] = 24;
	memory[1].len = 24;
	memory[2] = (struct stub_memory){ BUFFER + 48, m.buffer + 48, BYTES - 48 };
	CHECK(walk(&t) == ST_UNREADABLE);
	CHECK_TEXT(t.text, "3:dddd|2:cccc|0:aaaa|");
	memory[2] = (struct stub_memory){ 0 };
	CHECK(walk(&t) == ST_UNREADABLE && !t.n);
	/* No end: a record that is all there is, a mark at the start, and what lies behind the newest. */
	empty_log();
	store("aaaa", NEWLINE, 1);
	m.next = 100;
	CHECK(walk(&t) == ST_CORRUPT && !t.n);
	m.next = BYTES + 1;
	CHECK(walk(&t) == ST_CORRUPT && !t.n);
	m.next = 24;
	m.bytes = 0x80000001;
	CHECK(walk(&t) == ST_CORRUPT && !t.n);
}

static void text_that_is_not_there(void)
{
	struct texts t;

	empty_log();
	store("aaaa", NEWLINE, 1);
	memory[1].len = HEADER;
	CHECK(walk(&t) == ST_OK && t.n == 1 && t.torn == 1);
	CHECK_TEXT(t.text, "0:|");
}

TESTS({ "log: newest first", newest_first },
      { "log: around the end of the buffer", around_the_end },
      { "log: lines in pieces", lines_in_pieces },
      { "log: damaged records, pages that are missing", records_that_lie },
      { "log: a text that is missing", text_that_is_not_there })
