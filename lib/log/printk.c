// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/printk.h"

#include "dump/structure.h"
#include "log/log_buf.h"
#include "log/log_file.h"
#include "log/log_marks.h"

#define MAX_COUNT_BITS 26     /* a record for 32 bytes of text, of which there are at most 2 GiB */
#define PANIC_IS_WITHIN 65536 /* newest records that are searched for it */
#define MAX_TEXT 1024	      /* PRINTKRB_RECORD_MAX */

/* The top two bits of state_var: 1 committed, 2 finalized; both are readable. */
#define DESC_STATE_SHIFT 62
#define DESC_COMMITTED 1
#define DESC_FINALIZED 2

static const struct fork forks[] = {
	{ .form = "ring of descriptors",
	  .since = "5.10: printk: use the lockless ringbuffer",
	  .symbol = "prb" },
	{ .form = "records in log_buf", .since = "3.11 to 5.9", .symbol = "log_first_idx" },
};

struct ring {
	struct dump *dump;
	struct structure buffer, desc, info;
	uint64_t desc_bytes, info_bytes;
	uint32_t count_bits, size_bits;
	uint64_t descs, infos, data;
	uint64_t head, tail;
	uint64_t n, foreign; /* records that were visited; those whose printk_info is of another */
	struct {
		uint8_t id[8];
		char text[MAX_TEXT + 1];
	} block; /* struct prb_data_block */
};

/* A prb_desc and its printk_info. */
struct record {
	uint64_t state, begin, next;
	uint64_t seq, ts_ns, len, facility, caller;
	bool has_caller;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct ring, buffer, "struct printk_ringbuffer"),
	READS_TO(struct ring, count_bits, MAX_COUNT_BITS, REQUIRED, "5.10", "desc_ring.count_bits"),
	READS(struct ring, descs, REQUIRED, "5.10", "desc_ring.descs"),
	READS(struct ring, infos, REQUIRED, "5.10", "desc_ring.infos"),
	READS(struct ring, head, REQUIRED, "5.10", "desc_ring.head_id"),
	READS(struct ring, tail, REQUIRED, "5.10", "desc_ring.tail_id"),
	READS_TO(struct ring, size_bits, 32, REQUIRED, "5.10", "text_data_ring.size_bits"),
	READS(struct ring, data, REQUIRED, "5.10", "text_data_ring.data"),
	STRUCTURE(struct ring, desc, "struct prb_desc"),
	READS(struct record, state, REQUIRED, "5.10", "state_var"),
	READS(struct record, begin, REQUIRED, "5.10", "text_blk_lpos.begin"),
	READS(struct record, next, REQUIRED, "5.10", "text_blk_lpos.next"),
	STRUCTURE(struct ring, info, "struct printk_info"),
	READS(struct record, seq, REQUIRED, "5.10", "seq"),
	READS(struct record, ts_ns, REQUIRED, "5.10", "ts_nsec"),
	READS(struct record, len, REQUIRED, "5.10", "text_len"),
	READS(struct record, facility, OPTIONAL, "5.10", "facility"),
	READS_IF(struct record, caller, has_caller, OPTIONAL, "5.10", "caller_id"),
};

static enum status open_ring(struct dump *d, struct ring *r)
{
	uint64_t prb;
	enum status st = STRUCTS_OPEN(d, rows, r);

	if (st == ST_OK && (dump_ask(d, type_size, "struct prb_desc", &r->desc_bytes) != ST_OK ||
			    dump_ask(d, type_size, "struct printk_info", &r->info_bytes) != ST_OK))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: printk ring buffer");
	st = st ?: dump_value(d, "prb", &prb);
	return st ?: struct_read(&r->buffer, prb, r);
}

static uint64_t number_of(uint64_t state_or_id)
{
	return state_or_id & ~(3ULL << DESC_STATE_SHIFT);
}

/*
 * Text of a block: behind its descriptor id; a block that wraps starts again at 0. False: missing, or what is there is of
 * another record, as in a page of zeros: data_alloc() in kernel/printk/printk_ringbuffer.c writes the id.
 */
static bool read_text(struct ring *r, uint64_t id, const struct record *of)
{
	uint64_t begin = of->begin, mask = (1ULL << r->size_bits) - 1;
	size_t len = of->len < MAX_TEXT ? of->len : MAX_TEXT;

	r->block.text[0] = '\0';
	/* printk("\n") reserves a block, whose text vprintk_store() then cuts to nothing. */
	if (begin & 1 || !len)
		return true;
	if (begin >> r->size_bits != of->next >> r->size_bits && of->next & mask)
		begin = 0;
	if ((begin & mask) + 8 + len > mask + 1 ||
	    dump_read(r->dump, r->data + (begin & mask), &r->block, 8 + len, "printk text") !=
		    ST_OK ||
	    number_of(le64(r->block.id)) != id) {
		r->block.text[0] = '\0';
		return false;
	}
	r->block.text[len] = '\0';
	return true;
}

/*
 * The first id is one behind DESC0_ID(), a descriptor for each, so they wrap to 0, in 32 bits at least, when all have been used
 * once; seq counts from 0 (prb_init(), prb_reserve()).
 */
static bool has_number(const struct ring *r, uint64_t id, uint64_t seq)
{
	return (uint32_t)(id + (1ULL << r->count_bits)) == (uint32_t)seq;
}

static enum status visit_record(struct ring *r, uint64_t id,
				enum status (*visit)(void *arg, const struct log_record *rec),
				void *arg)
{
	uint64_t index = id & ((1ULL << r->count_bits) - 1);
	struct log_record rec = { .text = r->block.text };
	struct record of;
	uint64_t state;
	enum status st = struct_read(&r->desc, r->descs + index * r->desc_bytes, &of);

	if (st != ST_OK)
		return st;
	if ((of.state ^ id) << 2)
		return ST_OK; /* reused or never used */
	state = of.state >> DESC_STATE_SHIFT;
	if (state != DESC_COMMITTED && state != DESC_FINALIZED)
		return ST_OK;
	/* One that was never used may be in a page of zeros, which no dump has. */
	st = struct_read(&r->info, r->infos + index * r->info_bytes, &of);
	if (st != ST_OK)
		return st;
	if (!has_number(r, id, of.seq)) {
		r->foreign++;
		return ST_OK;
	}
	rec.seq = of.seq;
	rec.ts_ns = of.ts_ns;
	rec.from_user = of.facility;
	rec.has_caller = of.has_caller;
	rec.caller = of.caller;
	rec.is_torn = !read_text(r, id, &of);
	r->n++;
	return visit(arg, &rec);
}

/* A kernel that was dumped has logged something, and what is not committed at the head is the newest record alone. */
static enum status end_walk(struct ring *r, enum status st)
{
	if (st != ST_OK && (st != ST_STOPPED || dump_stopped(r->dump)))
		return st;
	if (r->foreign)
		return dump_corrupt(r->dump, "printk ring: %lu records have another number",
				    r->foreign);
	return st == ST_OK && !r->n ? dump_corrupt(r->dump, "printk ring: no record at its head")
				    : st;
}

static enum status walk_ring(struct dump *d,
			     enum status (*visit)(void *arg, const struct log_record *r), void *arg)
{
	struct ring r = { .dump = d };
	enum status st = open_ring(d, &r);

	if (st != ST_OK)
		return st;
	for (uint64_t id = r.head, n = 0; n < 1ULL << r.count_bits; id--, n++) {
		st = visit_record(&r, number_of(id), visit, arg);
		if (st != ST_OK || id == r.tail)
			return end_walk(&r, st);
		if (!(n & 4095) && dump_stopped(d))
			return ST_STOPPED;
	}
	return end_walk(&r, ST_OK);
}

/* A text has the kernel's own records alone. */
static enum status walk_file(const struct kernel_log *log,
			     enum status (*visit)(void *arg, const struct log_record *r), void *arg)
{
	enum status st = ST_OK;

	for (size_t i = log->n; i-- && st == ST_OK;) {
		const struct kernel_record *of = &log->records[i];
		const struct log_record rec = { .seq = i + log->has_dropped,
						.ts_ns = of->ts_ns,
						.text = of->text ? of->text : "",
						.is_torn = !of->text,
						.has_caller = of->has_caller,
						.caller = of->caller };

		st = visit(arg, &rec);
	}
	return st;
}

enum status printk_walk(struct dump *d, enum status (*visit)(void *arg, const struct log_record *r),
			void *arg)
{
	enum status st;

	if (d->log_file)
		return walk_file(&d->log_file->log, visit, arg);
	switch (fork_find(d, "the log", forks, ARRAY_SIZE(forks))) {
	case 0:
		return walk_ring(d, visit, arg);
	case 1:
		return log_buf_walk(d, visit, arg);
	}
	st = dump_has_both(d, "prb", "struct printk_ringbuffer");
	if (st == ST_ABSENT)
		st = dump_has_both(d, "log_buf", "struct printk_log");
	return st == ST_UNKNOWN ? st : dump_fail(d, ST_ABSENT, "no printk ring buffer");
}

struct search {
	uint64_t newest, panic,
		beside; /* ns: by which a record may be newer than the one behind it */
	bool has_newest, has_panic;
	bool is_torn; /* a record, which may be that of the panic */
	unsigned int n;
};

static enum status look_for_panic(void *arg, const struct log_record *r)
{
	struct search *s = arg;
	bool is_panic;

	if (!s->has_newest || (r->ts_ns > s->newest && r->ts_ns - s->newest < s->beside)) {
		s->newest = r->ts_ns;
		s->has_newest = true;
	}
	s->is_torn |= r->is_torn;
	/* What a user wrote to /dev/kmsg may say anything. */
	is_panic = !r->from_user && log_panic(r->text);
	/* Of the last line the time is known where the first one is lost: that may stand before it. */
	if (is_panic || (!s->has_panic && !r->from_user && log_panic_end(r->text))) {
		s->panic = r->ts_ns;
		s->has_panic = true;
	}
	return !is_panic && ++s->n < PANIC_IS_WITHIN ? ST_OK : ST_STOPPED;
}

enum status printk_panic_time(struct dump *d, uint64_t *ns, bool *is_panic, bool *is_whole)
{
	struct search s = { .beside = log_beside(d) };
	enum status st = printk_walk(d, look_for_panic, &s);

	*is_whole = (st == ST_OK || st == ST_STOPPED) && !s.is_torn;
	if (!s.has_panic && !s.has_newest)
		return st ?: dump_fail(d, ST_ABSENT, "the kernel log is empty");
	*ns = s.has_panic ? s.panic : s.newest;
	*is_panic = s.has_panic;
	return ST_OK;
}

enum status printk_bytes(struct dump *d, uint64_t *text, uint64_t *ret)
{
	struct ring r = { .dump = d };
	enum status st;

	if (!dump_has_symbol(d, "prb")) {
		st = dump_has_symbol(d, "log_buf_len")
			     ? dump_value(d, "log_buf_len", text)
			     : dump_fail(d, ST_ABSENT, "no buffer of printk");
		return RESULT(st, ret, *text);
	}
	st = open_ring(d, &r);
	if (st != ST_OK)
		return st;
	*text = 1ULL << r.size_bits;
	*ret = *text + (r.desc_bytes + r.info_bytes) * (1ULL << r.count_bits);
	return ST_OK;
}
