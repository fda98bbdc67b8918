// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/hugetlb.h"

#include "dump/structure.h"

#define MAX_SIZES 64 /* HUGE_MAX_HSTATE is at most 16 */
#define MAX_ORDER 30 /* of a huge page: 22 is 16 GiB of 4 KiB pages */

struct layout {
	struct structure hstate;
	struct field active, free, lru; /* list_heads: of struct hstate two, of struct page */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct layout, hstate, "struct hstate"),
	READS_TO(struct hugetlb_pool, order, MAX_ORDER, REQUIRED, "all", "order"),
	READS(struct hugetlb_pool, total, REQUIRED, "all", "nr_huge_pages"),
	READS(struct hugetlb_pool, free, REQUIRED, "all", "free_huge_pages"),
	READS(struct hugetlb_pool, reserved, REQUIRED, "all", "resv_huge_pages"),
	READS(struct hugetlb_pool, surplus, REQUIRED, "all", "surplus_huge_pages"),
	READS(struct hugetlb_pool, node_total, REQUIRED, "all", "nr_huge_pages_node"),
	READS(struct hugetlb_pool, node_free, REQUIRED, "all", "free_huge_pages_node"),
	/* Pages in use, and free ones by node, as struct page.lru links them. */
	FINDS(struct layout, active, "struct hstate", OPTIONAL, "3.5", "hugepage_activelist"),
	FINDS(struct layout, free, "struct hstate", OPTIONAL, "all", "hugepage_freelists"),
	FINDS(struct layout, lru, "struct page", OPTIONAL, "all", "lru"),
};

/* Examples only: a list that cannot be read, or does not lead back, ends. */
static void find_pages(struct dump *d, const struct field *lists, const struct field *lru,
		       uint64_t hstate, struct hugetlb_pool *ret)
{
	for (uint32_t at = 0; lists->present && lru->present && at + 16 <= lists->size; at += 16) {
		uint64_t head = hstate + lists->offset + at, from = head, node;
		uint8_t link[16];

		if (dump_try(d, head, link, sizeof(link)) != ST_OK)
			return;
		node = le64(link);
		while (node != head && ret->npages < HUGETLB_PAGES &&
		       dump_try(d, node, link, sizeof(link)) == ST_OK && le64(link + 8) == from) {
			ret->pages[ret->npages++] = node - lru->offset;
			from = node;
			node = le64(link);
		}
	}
}

/* What holds for every size. */
static enum status check(struct dump *d, const struct hugetlb_pool *ret)
{
	uint64_t total = 0, free = 0;

	for (unsigned int i = 0; i < ret->nodes; i++) {
		total += ret->node_total[i];
		free += ret->node_free[i];
		if (ret->node_free[i] > ret->node_total[i])
			return dump_corrupt(
				d, "hstate of order %u: %u huge pages of node %u are free, of %u",
				ret->order, ret->node_free[i], i, ret->node_total[i]);
	}
	if (ret->total >> (52 - ret->order) || ret->free > ret->total || total != ret->total ||
	    free != ret->free)
		return dump_corrupt(d, "hstate of order %u: %lu huge pages, %lu free, %lu of nodes",
				    ret->order, ret->total, ret->free, total);
	return ST_OK;
}

enum status hugetlb_walk(struct dump *d,
			 enum status (*visit)(void *arg, const struct hugetlb_pool *pool),
			 void *arg)
{
	struct hugetlb_pool *pool;
	struct layout l;
	const struct field *nodes;
	uint64_t states, n, bytes;
	enum status st;

	st = dump_built_with(d, "CONFIG_HUGETLB_PAGE", "hugetlb_max_hstate", "struct hstate")
		     ?: STRUCTS_OPEN(d, rows, &l);
	if (st != ST_OK)
		return st;
	nodes = STRUCT_FIELD(&l.hstate, struct hugetlb_pool, node_total);
	if (dump_ask(d, type_size, "struct hstate", &bytes) != ST_OK ||
	    nodes->size > 4 * HUGETLB_NODES ||
	    nodes->size != STRUCT_FIELD(&l.hstate, struct hugetlb_pool, node_free)->size)
		st = dump_unknown(d, "struct hstate");
	st = st ?: dump_symbol(d, "hstates", &states) ?: dump_value(d, "hugetlb_max_hstate", &n);
	if (st == ST_OK && n > MAX_SIZES)
		st = dump_corrupt(d, "hugetlb_max_hstate: %lu", n);
	if (st != ST_OK)
		return st;
	pool = dump_alloc(d, sizeof(*pool));
	pool->nodes = nodes->size / 4;
	for (uint64_t i = 0; st == ST_OK && i < n; i++) {
		uint64_t hstate = states + i * bytes;

		st = struct_read(&l.hstate, hstate, pool) ?: check(d, pool);
		if (st != ST_OK)
			break;
		pool->npages = 0;
		find_pages(d, &l.active, &l.lru, hstate, pool);
		find_pages(d, &l.free, &l.lru, hstate, pool);
		st = visit(arg, pool);
	}
	return st;
}

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

	m->place = HUGETLB_SECOND_PAGE;
	if (fork == MARK_FLAG) {
		m->member = *flags;
		m->mask = m->value = dump_enumerator_bit(d, "PG_hugetlb");
		return;
	}
	if (dump_ask(d, member, types[fork], forks[fork].members[0].member, &m->member) != ST_OK)
		return;
	if (fork == MARK_FOLIO_DTOR)
		m->member.offset -= (uint32_t)bytes;
	m->value = dump_enumerator_or(d, "HUGETLB_PAGE_DTOR", 0);
	m->mask = m->value ? UINT64_MAX : 0;
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
		return dump_unknown(d, "the mark of hugetlb");
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
