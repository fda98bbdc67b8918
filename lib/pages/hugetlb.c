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
			return dump_fail(
				d, ST_CORRUPT,
				"hstate of order %u: %u huge pages of node %u are free, of %u",
				ret->order, ret->node_free[i], i, ret->node_total[i]);
	}
	if (ret->total >> (52 - ret->order) || ret->free > ret->total || total != ret->total ||
	    free != ret->free)
		return dump_fail(d, ST_CORRUPT,
				 "hstate of order %u: %lu huge pages, %lu free, %lu of nodes",
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

	st = dump_has_both(d, "hugetlb_max_hstate", "struct hstate") ?: STRUCTS_OPEN(d, rows, &l);
	if (st != ST_OK)
		return st;
	nodes = STRUCT_FIELD(&l.hstate, struct hugetlb_pool, node_total);
	if (dump_ask(d, type_size, "struct hstate", &bytes) != ST_OK ||
	    nodes->size > 4 * HUGETLB_NODES ||
	    nodes->size != STRUCT_FIELD(&l.hstate, struct hugetlb_pool, node_free)->size)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct hstate");
	st = st ?: dump_symbol(d, "hstates", &states) ?: dump_value(d, "hugetlb_max_hstate", &n);
	if (st == ST_OK && n > MAX_SIZES)
		st = dump_fail(d, ST_CORRUPT, "hugetlb_max_hstate: %lu", n);
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
