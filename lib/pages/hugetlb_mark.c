// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/hugetlb_mark.h"

#include "dump/fork.h"
#include "pages/hugetlb.h"

#define PAGE_BYTES 256 /* struct page has 56 to 96 */
#define TYPE_BASE 0xf0000000
#define TYPE_BITS 0xffff /* of page_type, where a type is a bit that is cleared */
#define MAX_DTORS 8	 /* enum compound_dtor_id had 2 to 4 */

enum { MARK_FLAG, MARK_FOLIO_DTOR, MARK_PAGE_DTOR, MARK_TYPE, MARK_FORKS };

static const struct fork forks[MARK_FORKS] = {
	[MARK_FLAG] = { "a flag of the second page", "6.6: mm: remove HUGETLB_PAGE_DTOR",
			.enumerator = "PG_hugetlb" },
	[MARK_FOLIO_DTOR] = { "the destructor of the folio",
			      "6.1: mm: add the first tail page to struct folio",
			      .members = { { "struct folio", "_folio_dtor" } } },
	[MARK_PAGE_DTOR] = { "the destructor in the second page",
			     "4.4: mm: pack compound_dtor and compound_order into one word",
			     .members = { { "struct page", "compound_dtor" } } },
	[MARK_TYPE] = { "a bit of page_type, a macro",
			"6.9: mm: turn folio_test_hugetlb into a PageType" },
};

struct witness {
	struct dump *dump;
	struct hugetlb_mark *m;
	uint64_t bytes;
	uint64_t taken;
	uint64_t pages;		     /* that the pools have */
	unsigned int seen, agreeing; /* of those that were looked at */
};

bool hugetlb_mark_has(const struct hugetlb_mark *m, const uint8_t *first, const uint8_t *second)
{
	return m->place != HUGETLB_NOWHERE &&
	       (field_get(&m->member, m->place == HUGETLB_PAGE_TYPE ? first : second) & m->mask) ==
		       m->value;
}

/* No debug information has the value: it is that of a page that the pools list. */
static void learn(struct witness *w, const uint8_t *first, const uint8_t *second)
{
	struct hugetlb_mark *m = w->m;
	uint64_t v = field_get(&m->member, m->place == HUGETLB_PAGE_TYPE ? first : second);
	uint64_t bits = ~v & TYPE_BITS;

	if (m->place == HUGETLB_SECOND_PAGE && v > 1 && v < MAX_DTORS) {
		m->mask = UINT64_MAX;
		m->value = v;
	} else if (m->place == HUGETLB_PAGE_TYPE && (v & TYPE_BASE) == TYPE_BASE && bits &&
		   !(bits & (bits - 1)) && !(bits & w->taken)) {
		m->mask = TYPE_BASE | bits;
		m->value = TYPE_BASE;
	}
}

static enum status ask_pool(void *arg, const struct hugetlb_pool *pool)
{
	struct witness *w = arg;
	uint8_t raw[2 * PAGE_BYTES];

	w->pages += pool->total;
	for (unsigned int i = 0; i < pool->npages; i++) {
		if (dump_try(w->dump, pool->pages[i], raw, 2 * w->bytes) != ST_OK)
			continue;
		if (!w->m->mask)
			learn(w, raw, raw + w->bytes);
		w->seen++;
		w->agreeing += w->m->mask && hugetlb_mark_has(w->m, raw, raw + w->bytes);
	}
	return ST_OK;
}

/* The member and, where debug information has it, the value. */
static void find_place(struct dump *d, size_t fork, const struct field *flags, uint64_t bytes,
		       struct hugetlb_mark *m)
{
	static const char *const types[] = {
		[MARK_FOLIO_DTOR] = "struct folio", [MARK_PAGE_DTOR] = "struct page"
	};
	int64_t v;

	m->place = HUGETLB_SECOND_PAGE;
	if (fork == MARK_FLAG) {
		m->member = *flags;
		if (dump_ask(d, enumerator, "PG_hugetlb", &v) == ST_OK && v >= 0 && v < 64)
			m->mask = m->value = 1ULL << v;
		return;
	}
	if (dump_ask(d, member, types[fork], forks[fork].members[0].member, &m->member) != ST_OK)
		return;
	if (fork == MARK_FOLIO_DTOR)
		m->member.offset -= (uint32_t)bytes;
	if (dump_ask(d, enumerator, "HUGETLB_PAGE_DTOR", &v) == ST_OK && v > 0) {
		m->mask = UINT64_MAX;
		m->value = (uint64_t)v;
	}
}

static const char *problem_of(struct dump *d, const struct witness *w, enum status st)
{
	if (st != ST_OK && !w->m->mask)
		return dump_why(d);
	if (w->pages && !w->m->mask && !w->seen)
		return "none of the pages that its pools list is in this dump";
	/* A list may lead astray; most pages do not. */
	if (w->seen && w->agreeing <= w->seen / 2)
		return "no mark is known that the pages of its pools have";
	return NULL;
}

enum status hugetlb_mark_open(struct dump *d, uint64_t bytes, const struct field *type,
			      const struct field *flags, uint64_t taken, struct hugetlb_mark *ret)
{
	struct hugetlb_mark m = { .place = HUGETLB_PAGE_TYPE, .member = *type };
	struct witness w = { .dump = d, .m = &m, .bytes = bytes, .taken = taken };
	size_t fork;
	enum status st;

	*ret = (struct hugetlb_mark){ 0 };
	if (!dump_has_symbol(d, "hugetlb_max_hstate"))
		return ST_OK;
	fork = fork_find(d, "pages of hugetlb", forks, MARK_FORKS);
	if (fork != MARK_TYPE)
		find_place(d, fork, flags, bytes, &m);
	if (bytes > PAGE_BYTES || m.member.offset + m.member.size > bytes)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: the mark of hugetlb");
	st = hugetlb_walk(d, ask_pool, &w);
	m.problem = problem_of(d, &w, st);
	/* Without huge pages there is nothing to learn from, and nothing to tell. */
	if (m.problem || !m.mask)
		m.place = HUGETLB_NOWHERE;
	decoder_trace(d, "decide pages of hugetlb: %#lx under %#lx, on %u of %u pages of its lists",
		      m.value, m.mask, w.agreeing, w.seen);
	*ret = m;
	return ST_OK;
}
