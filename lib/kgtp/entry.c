// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/entry.h"

enum { FID_HEAD, FID_REG, FID_MEM, FID_VAR, FID_END, FID_PAGE_BEGIN };

/* Of entries, as KGTP writes them. */
#define FID_BYTES 4
#define HEAD_BYTES (FID_BYTES + 24)
#define MEM_BYTES KGTP_MEM_HEAD
#define VAR_BYTES (FID_BYTES + 16)
#define PAGE_BEGIN_BYTES (FID_BYTES + 8)

struct walk {
	struct kgtp_reader *reader;
	const struct kgtp_ring *ring;
	uint64_t unsure; /* offset in the last page from where on nothing is certain */
	bool (*visit)(void *arg, const struct kgtp_entry *e);
	void *arg;
};

static size_t align4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* Bytes of an entry, of which room are there; 0: they make none. */
static size_t decode_head(const uint8_t *p, size_t room, struct kgtp_entry *e)
{
	if (room < HEAD_BYTES)
		return 0;
	e->kind = KGTP_HEAD;
	e->id = le64(p + FID_BYTES);
	e->number = le64(p + FID_BYTES + 8);
	e->previous = le64(p + FID_BYTES + 16);
	return HEAD_BYTES;
}

static size_t decode_reg(const uint8_t *p, size_t room, uint32_t regs, struct kgtp_entry *e)
{
	if (room < FID_BYTES + align4(regs))
		return 0;
	e->kind = KGTP_REG;
	e->data = p + FID_BYTES;
	e->size = regs;
	return FID_BYTES + align4(regs);
}

static size_t decode_mem(const uint8_t *p, size_t room, struct kgtp_entry *e)
{
	uint64_t size;

	if (room < MEM_BYTES)
		return 0;
	size = le64(p + FID_BYTES + 8);
	/* What is left is a multiple of 4. */
	if (size > room - MEM_BYTES)
		return 0;
	e->kind = KGTP_MEM;
	e->memory = le64(p + FID_BYTES);
	e->data = p + MEM_BYTES;
	e->size = size;
	return MEM_BYTES + align4(size);
}

static size_t decode_var(const uint8_t *p, size_t room, struct kgtp_entry *e)
{
	if (room < VAR_BYTES)
		return 0;
	e->kind = KGTP_VAR;
	e->number = le32(p + FID_BYTES);
	e->value = (int64_t)le64(p + FID_BYTES + 8);
	return VAR_BYTES;
}

static size_t decode_page_begin(const uint8_t *p, size_t room, size_t offset, struct kgtp_entry *e)
{
	if (room < PAGE_BEGIN_BYTES || offset != KGTP_WORD)
		return 0;
	e->kind = KGTP_PAGE_BEGIN;
	e->id = le64(p + FID_BYTES);
	return PAGE_BEGIN_BYTES;
}

static size_t decode(const struct walk *w, size_t offset, size_t end, struct kgtp_entry *e)
{
	const uint8_t *p = w->reader->buf + offset;
	size_t room = end - offset;

	switch (le32(p)) {
	case FID_HEAD:
		return decode_head(p, room, e);
	case FID_REG:
		return decode_reg(p, room, w->reader->regs, e);
	case FID_MEM:
		return decode_mem(p, room, e);
	case FID_VAR:
		return decode_var(p, room, e);
	case FID_PAGE_BEGIN:
		return decode_page_begin(p, room, offset, e);
	default:
		return 0;
	}
}

/* False: the visitor wants no more. */
static bool tell(const struct walk *w, enum kgtp_kind kind, size_t page, size_t offset, size_t size)
{
	struct kgtp_entry e = {
		.kind = kind,
		.address = w->ring->pages[page].address + offset,
		.page = page,
		.offset = offset,
		.size = size,
	};

	return w->visit(w->arg, &e);
}

/* Entries of the page in buf. False: the visitor wants no more. */
static bool walk_page(const struct walk *w, size_t page, size_t offset, size_t end)
{
	bool last = page == w->ring->n - 1;
	uint64_t begin = KGTP_WORD;

	while (offset < end) {
		struct kgtp_entry e = {
			.address = w->ring->pages[page].address + offset,
			.page = page,
			.offset = offset,
			.unsure = last && offset >= w->unsure,
		};
		size_t size;

		/*
		 * What goes on in a page has an entry there: no page is closed at its beginning. The
		 * newest is closed at w, if at all.
		 */
		if (le32(w->reader->buf + offset) == KGTP_PAGE_END && !e.unsure &&
		    offset != begin && !last)
			return tell(w, KGTP_CLOSED, page, offset, end - offset);
		size = decode(w, offset, end, &e);
		/* Ids start at 1: zeros are no head. */
		if (!e.unsure && e.kind == KGTP_HEAD && !e.id)
			size = 0;
		if (e.unsure && size != end - offset)
			return tell(w, KGTP_WRITING, page, offset, end - offset);
		if (!size)
			return tell(w, KGTP_BAD, page, offset, end - offset);
		e.takes = size;
		if (!w->visit(w->arg, &e))
			return false;
		offset += size;
		if (e.kind == KGTP_PAGE_BEGIN)
			begin = offset;
	}
	return true;
}

/*
 * Where the last allocation starts, if its writer holds the lock: at prev_w, or, if the
 * allocation began a page, at the start of its data behind PAGE_BEGIN.
 */
static uint64_t unsure_from(const struct walk *w, uint64_t end)
{
	uint64_t mask = dump_page_size(w->reader->dump) - 1, start = KGTP_WORD;

	if (!w->ring->locked)
		return UINT64_MAX;
	if ((w->ring->prev_w & ~mask) == (w->ring->w & ~mask))
		return w->ring->prev_w & mask;
	if (end >= start + PAGE_BEGIN_BYTES && le32(w->reader->buf + start) == FID_PAGE_BEGIN)
		start += PAGE_BEGIN_BYTES;
	return start;
}

struct kgtp_place kgtp_entries_start(const struct dump *d, const struct kgtp_ring *ring)
{
	return (struct kgtp_place){ 0, ring->r & (dump_page_size(d) - 1) };
}

void kgtp_reader_init(struct kgtp_reader *r, struct dump *d, uint32_t regs)
{
	uint8_t *buf = dump_alloc(d, dump_page_size(d));

	*r = (struct kgtp_reader){ .dump = d, .regs = regs, .buf = buf };
}

static bool read_page(struct kgtp_reader *r, uint64_t address)
{
	if (r->address == address)
		return true;
	r->address = 0;
	if (dump_try(r->dump, address, r->buf, dump_page_size(r->dump)) != ST_OK)
		return false;
	r->address = address;
	return true;
}

enum status kgtp_entries_walk(struct kgtp_reader *r, const struct kgtp_ring *ring,
			      struct kgtp_place from,
			      bool (*visit)(void *arg, const struct kgtp_entry *e), void *arg)
{
	struct walk w = { .reader = r, .ring = ring, .visit = visit, .arg = arg };
	uint64_t size = dump_page_size(r->dump);
	bool more = true;

	for (size_t i = from.page; more && i < ring->n; i++) {
		size_t offset = i == from.page ? from.offset : KGTP_WORD, end = size - KGTP_WORD;

		if (dump_stopped(r->dump))
			return ST_STOPPED;
		if (i == ring->n - 1)
			end = ring->w & (size - 1);
		if (ring->pages[i].gap && i > from.page)
			more = tell(&w, KGTP_MISSING, i, KGTP_WORD, 0);
		if (!more)
			break;
		if (!read_page(r, ring->pages[i].address)) {
			more = tell(&w, KGTP_MISSING, i, offset, end - offset);
			continue;
		}
		w.unsure = i == ring->n - 1 ? unsure_from(&w, end) : UINT64_MAX;
		more = walk_page(&w, i, offset, end);
	}
	return ST_OK;
}
