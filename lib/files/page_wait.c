// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/page_wait.h"

static const struct layout_row rows[] = {
	FINDS(struct page_waits, wait, "struct wait_page_queue", REQUIRED, "all", "wait"),
	FINDS(struct page_waits, folio, "struct wait_page_queue", REQUIRED, "5.16, all", "folio",
	      "page"),
	FINDS(struct page_waits, private, "struct wait_queue_entry", REQUIRED, "all", "private"),
	FINDS(struct page_waits, folio_mapping, "struct folio", OPTIONAL, "5.16", "mapping"),
	FINDS(struct page_waits, page_mapping, "struct page", OPTIONAL, "all", "mapping"),
	FINDS(struct page_waits, folio_flags, "struct folio", OPTIONAL, "6.18, 5.16", "flags.f",
	      "flags"),
	FINDS(struct page_waits, page_flags, "struct page", OPTIONAL, "6.18, all", "flags.f",
	      "flags"),
	FINDS(struct page_waits, host, "struct address_space", REQUIRED, "all", "host"),
	FINDS(struct page_waits, sb, "struct inode", REQUIRED, "all", "i_sb"),
};

enum status page_waits_open(struct dump *d, struct page_waits *ret)
{
	struct page_waits x = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &x);

	if (st == ST_OK && !x.folio_mapping.present && !x.page_mapping.present)
		st = dump_unknown(d, "no mapping of a page");
	x.locked = dump_enumerator_bit(d, "PG_locked");
	x.read = dump_enumerator_bit(d, "PG_uptodate");
	return RESULT(st, ret, x);
}

/* The word of the dump at an address of another word; false: it is none. */
static bool follow(const struct page_waits *x, uint64_t *at, uint64_t offset)
{
	uint8_t raw[8];

	if (!*at || *at & 7 || dump_try(x->dump, *at + offset, raw, sizeof(raw)) != ST_OK)
		return false;
	*at = le64(raw);
	return true;
}

/* Of an anonymous page the mapping is odd. */
static bool read_queue(const struct page_waits *x, const struct task_stack *s, uint64_t queue,
		       struct page_wait *ret)
{
	const struct field *mapping = x->folio_mapping.present ? &x->folio_mapping
							       : &x->page_mapping;
	const struct field *flags = x->folio_flags.present ? &x->folio_flags : &x->page_flags;
	uint64_t at, word;

	if (!task_stack_word(s, queue + x->folio.offset, &at))
		return false;
	word = at;
	ret->is_unread = flags->present && follow(x, &word, flags->offset) && x->read &&
			 word & x->locked && !(word & x->read);
	if (!follow(x, &at, mapping->offset) || !follow(x, &at, x->host.offset))
		return false;
	ret->inode = at;
	if (!follow(x, &at, x->sb.offset))
		return false;
	ret->super = at;
	return at && !(at & 7);
}

enum status page_wait_find(const struct page_waits *x, uint64_t task, const struct task_stack *s,
			   uint64_t from, uint64_t to, struct page_wait *ret)
{
	struct page_wait found;
	uint64_t word;

	for (uint64_t at = from & ~7ULL; at < to; at += 8)
		if (task_stack_word(s, at, &word) && word == task &&
		    read_queue(x, s, at - x->private.offset - x->wait.offset, &found)) {
			*ret = found;
			return ST_OK;
		}
	return dump_absent(x->dump, "no wait for a page of a file");
}
