// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/hugetlb.h"

#include "dump/layout.h"

#define MAX_SIZES 64 /* HUGE_MAX_HSTATE is at most 16 */
#define MAX_BYTES (1U << 20)
#define MAX_ORDER 30

enum {
	H_ORDER,
	H_TOTAL,
	H_FREE,
	H_RESERVED,
	H_SURPLUS,
	H_NODE_TOTAL,
	H_NODE_FREE,
	H_ACTIVE_LIST,
	H_FREE_LISTS,
	H_LRU,
	H_FIELDS
};
#define HSTATE_FIELDS H_LRU /* those of struct hstate */

static const struct layout_row rows[H_FIELDS] = {
	[H_ORDER] = { "struct hstate", { "order" }, REQUIRED, "all" },
	[H_TOTAL] = { "struct hstate", { "nr_huge_pages" }, REQUIRED, "all" },
	[H_FREE] = { "struct hstate", { "free_huge_pages" }, REQUIRED, "all" },
	[H_RESERVED] = { "struct hstate", { "resv_huge_pages" }, REQUIRED, "all" },
	[H_SURPLUS] = { "struct hstate", { "surplus_huge_pages" }, REQUIRED, "all" },
	[H_NODE_TOTAL] = { "struct hstate", { "nr_huge_pages_node" }, REQUIRED, "all" },
	[H_NODE_FREE] = { "struct hstate", { "free_huge_pages_node" }, REQUIRED, "all" },
	/* Pages in use, and free ones by node, as struct page.lru links them. */
	[H_ACTIVE_LIST] = { "struct hstate", { "hugepage_activelist" }, OPTIONAL, "3.5" },
	[H_FREE_LISTS] = { "struct hstate", { "hugepage_freelists" }, OPTIONAL, "all" },
	[H_LRU] = { "struct page", { "lru" }, OPTIONAL, "all" },
};

static void get_nodes(const struct field *f, const uint8_t *raw, unsigned int n,
		      uint32_t ret[HUGETLB_NODES])
{
	for (unsigned int i = 0; i < n; i++)
		ret[i] = le32(raw + f->offset + 4ULL * i);
}

/* Examples only: a list that cannot be read, or does not lead back, ends. */
static void find_pages(struct dump *d, const struct field *lists, const struct field *lru,
		       const uint8_t *raw, uint64_t hstate, struct hugetlb_pool *ret)
{
	for (uint32_t at = 0; lists->present && lru->present && at + 16 <= lists->size; at += 16) {
		uint64_t head = hstate + lists->offset + at, from = head;
		uint64_t node = le64(raw + lists->offset + at);
		uint8_t link[16];

		while (node != head && ret->npages < HUGETLB_PAGES &&
		       dump_try(d, node, link, sizeof(link)) == ST_OK && le64(link + 8) == from) {
			ret->pages[ret->npages++] = node - lru->offset;
			from = node;
			node = le64(link);
		}
	}
}

static enum status get_pool(struct dump *d, const struct field *f, const uint8_t *raw,
			    struct hugetlb_pool *ret)
{
	uint64_t total = 0, free = 0;

	ret->order = (unsigned int)field_get(&f[H_ORDER], raw);
	ret->total = field_get(&f[H_TOTAL], raw);
	ret->free = field_get(&f[H_FREE], raw);
	ret->reserved = field_get(&f[H_RESERVED], raw);
	ret->surplus = field_get(&f[H_SURPLUS], raw);
	get_nodes(&f[H_NODE_TOTAL], raw, ret->nodes, ret->node_total);
	get_nodes(&f[H_NODE_FREE], raw, ret->nodes, ret->node_free);
	for (unsigned int i = 0; i < ret->nodes; i++) {
		total += ret->node_total[i];
		free += ret->node_free[i];
		if (ret->node_free[i] > ret->node_total[i])
			return dump_fail(
				d, ST_CORRUPT,
				"hstate of order %u: %llu huge pages of node %u are free, of %llu",
				ret->order, (unsigned long long)ret->node_free[i], i,
				(unsigned long long)ret->node_total[i]);
	}
	if (ret->order > MAX_ORDER || ret->total >> (52 - ret->order) || ret->free > ret->total ||
	    total != ret->total || free != ret->free)
		return dump_fail(d, ST_CORRUPT,
				 "hstate of order %u: %llu huge pages, %llu free, %llu of nodes",
				 ret->order, (unsigned long long)ret->total,
				 (unsigned long long)ret->free, (unsigned long long)total);
	return ST_OK;
}

enum status hugetlb_walk(struct dump *d,
			 enum status (*visit)(void *arg, const struct hugetlb_pool *pool),
			 void *arg)
{
	struct hugetlb_pool *pool;
	struct field f[H_FIELDS];
	uint64_t states, n, bytes;
	uint8_t *raw;
	enum status st;

	st = dump_has_both(d, "hugetlb_max_hstate", "struct hstate");
	if (st == ST_OK)
		st = layout_resolve(d, rows, H_FIELDS, f);
	if (st == ST_OK &&
	    (d->ops->type_size(d->priv, "struct hstate", &bytes) != ST_OK || bytes > MAX_BYTES ||
	     layout_span(f, HSTATE_FIELDS) > bytes || f[H_NODE_TOTAL].size > 4 * HUGETLB_NODES ||
	     f[H_NODE_FREE].size != f[H_NODE_TOTAL].size))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct hstate");
	if (st == ST_OK)
		st = dump_symbol(d, "hstates", &states);
	if (st == ST_OK)
		st = dump_value(d, "hugetlb_max_hstate", &n);
	if (st == ST_OK && n > MAX_SIZES)
		st = dump_fail(d, ST_CORRUPT, "hugetlb_max_hstate: %llu", (unsigned long long)n);
	if (st != ST_OK)
		return st;
	pool = dump_alloc(d, sizeof(*pool));
	raw = dump_alloc(d, bytes);
	if (!pool || !raw)
		return ST_NOMEM;
	pool->nodes = f[H_NODE_TOTAL].size / 4;
	for (uint64_t i = 0; st == ST_OK && i < n; i++) {
		st = dump_read(d, states + i * bytes, raw, bytes, "hstate");
		if (st == ST_OK)
			st = get_pool(d, f, raw, pool);
		if (st != ST_OK)
			break;
		pool->npages = 0;
		find_pages(d, &f[H_ACTIVE_LIST], &f[H_LRU], raw, states + i * bytes, pool);
		find_pages(d, &f[H_FREE_LISTS], &f[H_LRU], raw, states + i * bytes, pool);
		st = visit(arg, pool);
	}
	return st;
}
