// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/printk.h"

#include <string.h>

#include "dump/field.h"
#include "dump/fork.h"
#include "dump/layout.h"
#include "log/log_buf.h"

#define MAX_COUNT_BITS 26     /* a record for 32 bytes of text, of which there are at most 2 GiB */
#define PANIC_IS_WITHIN 65536 /* newest records that are searched for it */
#define MAX_TEXT 1024
#define PANIC_TEXT "Kernel panic - not syncing"

/* The top two bits of state_var: 1 committed, 2 finalized; both are readable. */
#define DESC_STATE_SHIFT 62
#define DESC_COMMITTED 1
#define DESC_FINALIZED 2

enum {
	L_COUNT_BITS,
	L_DESCS,
	L_INFOS,
	L_HEAD,
	L_TAIL,
	L_SIZE_BITS,
	L_DATA,
	L_STATE,
	L_BEGIN,
	L_NEXT,
	L_SEQ,
	L_TS,
	L_LEN,
	L_FACILITY,
	L_CALLER,
	L_FIELDS
};

static const struct fork forks[] = {
	{ .form = "ring of descriptors",
	  .since = "5.10: printk: use the lockless ringbuffer",
	  .symbol = "prb" },
	{ .form = "records in log_buf", .since = "3.11 to 5.9", .symbol = "log_first_idx" },
};

static const struct layout_row rows[L_FIELDS] = {
	[L_COUNT_BITS] = { "struct printk_ringbuffer",
			   { "desc_ring.count_bits" },
			   REQUIRED,
			   "5.10" },
	[L_DESCS] = { "struct printk_ringbuffer", { "desc_ring.descs" }, REQUIRED, "5.10" },
	[L_INFOS] = { "struct printk_ringbuffer", { "desc_ring.infos" }, REQUIRED, "5.10" },
	[L_HEAD] = { "struct printk_ringbuffer", { "desc_ring.head_id" }, REQUIRED, "5.10" },
	[L_TAIL] = { "struct printk_ringbuffer", { "desc_ring.tail_id" }, REQUIRED, "5.10" },
	[L_SIZE_BITS] = { "struct printk_ringbuffer",
			  { "text_data_ring.size_bits" },
			  REQUIRED,
			  "5.10" },
	[L_DATA] = { "struct printk_ringbuffer", { "text_data_ring.data" }, REQUIRED, "5.10" },
	[L_STATE] = { "struct prb_desc", { "state_var" }, REQUIRED, "5.10" },
	[L_BEGIN] = { "struct prb_desc", { "text_blk_lpos.begin" }, REQUIRED, "5.10" },
	[L_NEXT] = { "struct prb_desc", { "text_blk_lpos.next" }, REQUIRED, "5.10" },
	[L_SEQ] = { "struct printk_info", { "seq" }, REQUIRED, "5.10" },
	[L_TS] = { "struct printk_info", { "ts_nsec" }, REQUIRED, "5.10" },
	[L_LEN] = { "struct printk_info", { "text_len" }, REQUIRED, "5.10" },
	[L_FACILITY] = { "struct printk_info", { "facility" }, OPTIONAL, "5.10" },
	[L_CALLER] = { "struct printk_info", { "caller_id" }, OPTIONAL, "5.10" },
};

struct ring {
	struct dump *dump;
	struct field f[L_FIELDS];
	uint64_t desc_bytes, info_bytes;
	unsigned int count_bits, size_bits;
	uint64_t descs, infos, data;
	uint64_t head, tail;
	char text[MAX_TEXT + 1];
};

static enum status open_ring(struct dump *d, struct ring *r)
{
	uint8_t buf[512];
	uint64_t prb;
	size_t span;
	enum status st;

	st = layout_resolve(d, rows, L_FIELDS, r->f);
	if (st != ST_OK)
		return st;
	span = layout_span(r->f, L_STATE);
	if (span > sizeof(buf) ||
	    d->ops->type_size(d->priv, "struct prb_desc", &r->desc_bytes) != ST_OK ||
	    d->ops->type_size(d->priv, "struct printk_info", &r->info_bytes) != ST_OK ||
	    layout_span(&r->f[L_STATE], 3) > r->desc_bytes ||
	    layout_span(&r->f[L_SEQ], 5) > r->info_bytes || r->desc_bytes > 64 ||
	    r->info_bytes > 256)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: printk ring buffer");
	st = dump_value(d, "prb", &prb);
	if (st == ST_OK)
		st = dump_read(d, prb, buf, span, "printk ring buffer");
	if (st != ST_OK)
		return st;
	r->count_bits = field_get(&r->f[L_COUNT_BITS], buf);
	r->size_bits = field_get(&r->f[L_SIZE_BITS], buf);
	r->descs = field_get(&r->f[L_DESCS], buf);
	r->infos = field_get(&r->f[L_INFOS], buf);
	r->data = field_get(&r->f[L_DATA], buf);
	r->head = field_get(&r->f[L_HEAD], buf);
	r->tail = field_get(&r->f[L_TAIL], buf);
	if (r->count_bits > MAX_COUNT_BITS || r->size_bits > 32)
		return dump_fail(d, ST_CORRUPT, "printk ring buffer of 2^%u records",
				 r->count_bits);
	return ST_OK;
}

/* Text of a block: behind its descriptor id; a block that wraps starts again at 0. False: missing. */
static bool read_text(struct ring *r, const uint8_t *desc, size_t len)
{
	uint64_t begin = field_get(&r->f[L_BEGIN], desc), next = field_get(&r->f[L_NEXT], desc);
	uint64_t mask = (1ULL << r->size_bits) - 1;

	r->text[0] = '\0';
	/* printk("\n") reserves a block, whose text vprintk_store() then cuts to nothing. */
	if (begin & 1 || !len)
		return true;
	if (begin >> r->size_bits != next >> r->size_bits && next & mask)
		begin = 0;
	if ((begin & mask) + 8 + len > mask + 1 ||
	    dump_read(r->dump, r->data + (begin & mask) + 8, r->text, len, "printk text") !=
		    ST_OK) {
		r->text[0] = '\0';
		return false;
	}
	r->text[len] = '\0';
	return true;
}

static enum status visit_record(struct ring *r, uint64_t id,
				enum status (*visit)(void *arg, const struct log_record *rec),
				void *arg)
{
	uint64_t index = id & ((1ULL << r->count_bits) - 1);
	struct log_record rec = { .text = r->text };
	uint8_t desc[64], info[256];
	uint64_t state;
	size_t len;
	enum status st = dump_read(r->dump, r->descs + index * r->desc_bytes, desc, r->desc_bytes,
				   "printk descriptor");

	if (st == ST_OK)
		st = dump_read(r->dump, r->infos + index * r->info_bytes, info, r->info_bytes,
			       "printk record");
	if (st != ST_OK)
		return st;
	state = field_get(&r->f[L_STATE], desc);
	if ((state ^ id) << 2)
		return ST_OK; /* reused or never used */
	state >>= DESC_STATE_SHIFT;
	if (state != DESC_COMMITTED && state != DESC_FINALIZED)
		return ST_OK;
	rec.seq = field_get(&r->f[L_SEQ], info);
	rec.ts_ns = field_get(&r->f[L_TS], info);
	rec.from_user = field_get(&r->f[L_FACILITY], info);
	rec.has_caller = r->f[L_CALLER].present;
	rec.caller = field_get(&r->f[L_CALLER], info);
	len = field_get(&r->f[L_LEN], info);
	rec.is_torn = !read_text(r, desc, len > MAX_TEXT ? MAX_TEXT : len);
	return visit(arg, &rec);
}

static enum status walk_ring(struct dump *d,
			     enum status (*visit)(void *arg, const struct log_record *r), void *arg)
{
	struct ring r = { .dump = d };
	enum status st = open_ring(d, &r);

	if (st != ST_OK)
		return st;
	for (uint64_t id = r.head, n = 0; n < 1ULL << r.count_bits; id--, n++) {
		st = visit_record(&r, id & ~(3ULL << DESC_STATE_SHIFT), visit, arg);
		if (st != ST_OK || id == r.tail)
			return st;
		if (!(n & 4095) && dump_stopped(d))
			return ST_STOPPED;
	}
	return ST_OK;
}

enum status printk_walk(struct dump *d, enum status (*visit)(void *arg, const struct log_record *r),
			void *arg)
{
	enum status st;

	switch (fork_find(d, "the log", forks, sizeof(forks) / sizeof(forks[0]))) {
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
	uint64_t newest, panic;
	bool has_newest, has_panic;
	unsigned int n;
};

static enum status look_for_panic(void *arg, const struct log_record *r)
{
	struct search *s = arg;

	if (!s->has_newest) {
		s->newest = r->ts_ns;
		s->has_newest = true;
	}
	/* What a user wrote to /dev/kmsg may say anything. */
	if (r->from_user || strncmp(r->text, PANIC_TEXT, strlen(PANIC_TEXT)))
		return ++s->n < PANIC_IS_WITHIN ? ST_OK : ST_STOPPED;
	s->panic = r->ts_ns;
	s->has_panic = true;
	return ST_STOPPED;
}

enum status printk_panic_time(struct dump *d, uint64_t *ns, bool *is_panic, bool *is_whole)
{
	struct search s = { 0 };
	enum status st = printk_walk(d, look_for_panic, &s);

	*is_whole = st == ST_OK || st == ST_STOPPED;
	if (!s.has_panic && !s.has_newest)
		return st == ST_OK ? dump_fail(d, ST_ABSENT, "the kernel log is empty") : st;
	*ns = s.has_panic ? s.panic : s.newest;
	*is_panic = s.has_panic;
	return ST_OK;
}
