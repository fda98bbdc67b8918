// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_buf.h"

#include "dump/structure.h"

#define MAX_TEXT 1024		      /* LOG_LINE_MAX; a record may be in parts */
#define MAX_ALIGN 8		      /* LOG_ALIGN is 4 or 8 */
#define MIN_ALIGN 4		      /* where records begin */
#define MAX_BYTES ((uint64_t)1 << 31) /* LOG_BUF_LEN_MAX */

/* A struct printk_log, which is before the text and the dictionary. */
struct header {
	uint64_t ts_ns, len, text, dict;
	uint64_t facility, flags, caller;
};

struct buffer {
	struct dump *dump;
	struct structure header;
	uint64_t header_bytes;
	uint64_t address, bytes;
	uint64_t first, next; /* offset of the oldest record, and behind the newest */
	uint64_t first_seq, next_seq;
	uint64_t newline, cont; /* bits of flags; 0: unknown */
	uint64_t steps;		/* that a search may still make */
	char text[MAX_TEXT + 1];
};

static const struct layout_row rows[] = {
	STRUCTURE(struct buffer, header, "struct printk_log"),
	READS(struct header, ts_ns, REQUIRED, "3.11 to 5.9", "ts_nsec"),
	READS(struct header, len, REQUIRED, "3.11 to 5.9", "len"),
	READS(struct header, text, REQUIRED, "3.11 to 5.9", "text_len"),
	READS(struct header, dict, REQUIRED, "3.11 to 5.9", "dict_len"),
	READS(struct header, facility, OPTIONAL, "3.11 to 5.9", "facility"),
	READS(struct header, flags, OPTIONAL_BITS, "3.11 to 5.9", "flags"),
	READS(struct header, caller, OPTIONAL, "5.1 to 5.9", "caller_id"),
};

/* A part of the log without a gap. */
struct part {
	uint64_t begin, end; /* offsets; end is behind the last record */
	uint64_t n, seq;     /* records, and the number of the first */
	uint64_t *at;	     /* of each */
};

static enum status open_buffer(struct dump *d, struct buffer *b)
{
	enum status st = STRUCTS_OPEN(d, rows, b);

	if (st == ST_OK &&
	    (dump_ask(d, type_size, "struct printk_log", &b->header_bytes) != ST_OK ||
	     b->header_bytes < b->header.end))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: no size of struct printk_log");
	st = st ?: dump_value(d, "log_buf", &b->address) ?:
			dump_value(d, "log_buf_len", &b->bytes) ?:
			dump_value(d, "log_first_idx", &b->first) ?:
			dump_value(d, "log_next_idx", &b->next) ?:
			dump_value(d, "log_first_seq", &b->first_seq) ?:
			dump_value(d, "log_next_seq", &b->next_seq);
	if (st != ST_OK)
		return st;
	if (b->bytes > MAX_BYTES || b->bytes < b->header_bytes || b->next > b->bytes ||
	    b->first > b->bytes)
		return dump_fail(d, ST_CORRUPT, "log_buf of %lu bytes, its records from %lu to %lu",
				 b->bytes, b->first, b->next);
	b->newline = dump_enumerator_or(d, "LOG_NEWLINE", 0);
	b->cont = dump_enumerator_or(d, "LOG_CONT", 0);
	b->steps = 4 * (b->bytes / MIN_ALIGN);
	return ST_OK;
}

/* The header at an offset. len is 0: the next record is at the start of the buffer. */
static enum status read_header(struct buffer *b, uint64_t at, struct header *ret)
{
	uint64_t used;
	enum status st;

	if (b->bytes - at < b->header_bytes)
		return dump_fail(b->dump, ST_CORRUPT, "log_buf: a record reaches beyond its end");
	st = struct_read(&b->header, b->address + at, ret);
	if (st != ST_OK || !ret->len)
		return st;
	/* What it holds, and padding up to the next record. */
	used = b->header_bytes + ret->text + ret->dict;
	if (ret->len < used || ret->len - used >= MAX_ALIGN || ret->len > b->bytes - at)
		return dump_fail(b->dump, ST_CORRUPT, "log_buf: what is at %lu is no record", at);
	return ST_OK;
}

/* From p->begin up to the newest record, or until one cannot be followed: counts, and fills p->at. */
static enum status follow(struct buffer *b, struct part *p)
{
	uint64_t at = p->begin, n = 0;
	struct header h;
	bool has_wrapped = false;
	enum status st = ST_OK;

	while (at != b->next && st == ST_OK) {
		st = read_header(b, at, &h);
		if (st == ST_OK && !h.len && has_wrapped)
			st = dump_fail(b->dump, ST_CORRUPT, "log_buf: its records have no end");
		/* Behind the newest is the oldest, which is no record of this walk. */
		if (st == ST_OK && has_wrapped && at >= p->begin)
			st = dump_fail(b->dump, ST_CORRUPT, "log_buf: its records have no end");
		if (st == ST_OK && !(n & 4095) && dump_stopped(b->dump))
			st = ST_STOPPED;
		if (st != ST_OK)
			break;
		if (!h.len) {
			has_wrapped = true;
			at = 0;
			continue;
		}
		if (p->at && n == p->n) {
			st = dump_fail(b->dump, ST_CORRUPT, "log_buf changed");
			break;
		}
		if (p->at)
			p->at[n] = at;
		n++;
		at += h.len;
	}
	p->n = n;
	p->end = at;
	return st;
}

/* The first record from begin up to end that leads to the end of the log. */
static bool find_between(struct buffer *b, uint64_t begin, uint64_t end, struct part *ret)
{
	for (uint64_t at = begin; at < end && b->steps && !dump_stopped(b->dump); at += MIN_ALIGN) {
		struct part p = { .begin = at };
		bool is_end = follow(b, &p) == ST_OK && p.n;

		/* Wrong starts may be as many as right ones, and as long. */
		b->steps -= p.n + 1 < b->steps ? p.n + 1 : b->steps;
		if (is_end) {
			*ret = p;
			return true;
		}
	}
	return false;
}

static bool find_again(struct buffer *b, uint64_t behind, struct part *ret)
{
	uint64_t begin = (behind / MIN_ALIGN + 1) * MIN_ALIGN;

	if (behind < b->next)
		return find_between(b, begin, b->next, ret);
	return find_between(b, begin, b->bytes, ret) || find_between(b, 0, b->next, ret);
}

static enum status list_records(struct buffer *b, struct part *p)
{
	uint64_t n = p->n;

	if (!n)
		return ST_OK;
	p->at = dump_alloc(b->dump, n * sizeof(*p->at));
	follow(b, p);
	return p->n == n ? ST_OK : dump_fail(b->dump, ST_CORRUPT, "log_buf changed");
}

/* false: the text is not in this dump. */
static bool append_text(struct buffer *b, uint64_t at, const struct header *h, size_t *used)
{
	size_t len = h->text < MAX_TEXT - *used ? h->text : MAX_TEXT - *used;

	if (len && dump_read(b->dump, b->address + at + b->header_bytes, b->text + *used, len,
			     "text of the log") != ST_OK)
		return false;
	*used += len;
	b->text[*used] = '\0';
	return true;
}

/* Whether record i goes on with the line of the one before it: pr_cont(). */
static bool goes_on(struct buffer *b, const struct part *p, uint64_t i)
{
	struct header h, before;

	return i && b->newline && b->cont && read_header(b, p->at[i], &h) == ST_OK &&
	       h.flags & b->cont && read_header(b, p->at[i - 1], &before) == ST_OK &&
	       !(before.flags & b->newline) && before.caller == h.caller;
}

/* The line that ends with record i; *ret is the record that it begins with. */
static enum status visit_line(struct buffer *b, const struct part *p, uint64_t i, uint64_t *ret,
			      enum status (*visit)(void *arg, const struct log_record *r),
			      void *arg)
{
	struct log_record rec = { .text = b->text,
				  .has_caller = STRUCT_HAS(&b->header, struct header, caller) };
	uint64_t first = i;
	size_t used = 0;

	while (goes_on(b, p, first))
		first--;
	b->text[0] = '\0';
	for (uint64_t k = first; k <= i; k++) {
		struct header h;
		enum status st = read_header(b, p->at[k], &h);

		if (st != ST_OK)
			return st;
		if (k == first) {
			rec.seq = p->seq + k;
			rec.ts_ns = h.ts_ns;
			rec.from_user = h.facility;
			rec.caller = h.caller;
		}
		rec.is_torn |= !append_text(b, p->at[k], &h, &used);
	}
	if (rec.is_torn)
		b->text[0] = '\0';
	*ret = first;
	return visit(arg, &rec);
}

static enum status visit_part(struct buffer *b, const struct part *p,
			      enum status (*visit)(void *arg, const struct log_record *r),
			      void *arg)
{
	enum status st = ST_OK;

	for (uint64_t i = p->n; i && st == ST_OK;) {
		st = visit_line(b, p, i - 1, &i, visit, arg);
		if (!(i & 4095) && dump_stopped(b->dump))
			return ST_STOPPED;
	}
	return st;
}

enum status log_buf_walk(struct dump *d,
			 enum status (*visit)(void *arg, const struct log_record *r), void *arg)
{
	struct buffer b = { .dump = d };
	struct part old = { 0 }, new = { 0 };
	const char *problem = NULL;
	enum status st = open_buffer(d, &b), broken;

	if (st != ST_OK)
		return st;
	old.begin = b.first;
	broken = follow(&b, &old);
	if (broken != ST_OK) {
		problem = dump_why(d);
		if (broken == ST_STOPPED || !find_again(&b, old.end, &new))
			return dump_fail(d, broken, "%s", problem ? problem : "");
	}
	new.seq = b.next_seq - new.n;
	old.seq = b.first_seq;
	st = list_records(&b, &new) ?: list_records(&b, &old) ?: visit_part(&b, &new, visit, arg) ?:
		visit_part(&b, &old, visit, arg);
	if (st != ST_OK || broken == ST_OK)
		return st;
	return dump_fail(d, broken, "%s", problem ? problem : "");
}
