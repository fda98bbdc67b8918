// SPDX-License-Identifier: GPL-2.0-or-later
#include "buddy/pcp_lists.h"

#include "dump/structure.h"
#include "kernel/list.h"

#define MAX_LISTS 64	/* 3 for each order up to 3 and one or two more: 12 to 15 */
#define MAX_LOW_ORDER 3 /* PAGE_ALLOC_COSTLY_ORDER; above, CPUs keep huge pages alone */
#define LIST_HEAD 16	/* bytes of struct list_head */

static const struct layout_row rows[] = {
	FINDS(struct pcp_lists, sets, "struct zone", OPTIONAL, "5.14", "per_cpu_pageset"),
	FINDS(struct pcp_lists, old_sets, "struct zone", OPTIONAL, "to 5.13", "pageset"),
	FINDS(struct pcp_lists, present, "struct zone", REQUIRED, "all", "present_pages"),
	FINDS(struct pcp_lists, count, "struct per_cpu_pages", REQUIRED, "all", "count"),
	FINDS(struct pcp_lists, lists, "struct per_cpu_pages", REQUIRED, "all", "lists"),
	FINDS(struct pcp_lists, list, "struct page", REQUIRED, "6.1, all", "pcp_list", "lru"),
};

static const struct layout_row old_set = {
	"struct per_cpu_pageset", { "pcp" }, REQUIRED, "to 5.13"
};

enum status pcp_lists_open(struct dump *d, uint64_t max_pages, struct pcp_lists *ret)
{
	struct pcp_lists p = { .dump = d, .max_pages = max_pages };
	struct field pcp;
	enum status st = STRUCTS_OPEN(d, rows, &p);

	p.n = p.lists.size / LIST_HEAD;
	if (st == ST_OK && (!p.n || p.n > MAX_LISTS ||
			    dump_ask(d, enumerator, "MIGRATE_PCPTYPES", &p.types) != ST_OK ||
			    p.types < 1 || (!p.sets.present && !p.old_sets.present)))
		st = dump_unknown(d, "struct per_cpu_pages");
	if (st == ST_OK && !p.sets.present) {
		st = layout_resolve(d, &old_set, 1, &pcp);
		p.set_offset = st == ST_OK ? pcp.offset : 0;
	}
	return RESULT(st ?: percpu_open(d, &p.cpus), ret, p);
}

/* Where the sets of a zone are, before the offset of a CPU is added; 0: it has none, and no memory. */
static enum status find_sets(const struct pcp_lists *p, uint64_t zone, uint64_t *ret)
{
	const struct field *sets = p->sets.present ? &p->sets : &p->old_sets;
	uint64_t present = 0;
	enum status st = dump_u64(p->dump, zone + sets->offset, ret, "struct zone");

	if (st == ST_OK && !*ret)
		st = dump_u64(p->dump, zone + p->present.offset, &present, "struct zone");
	if (st == ST_OK && present)
		st = dump_corrupt(p->dump, "struct zone at %#lx has no per-CPU pages", zone);
	return st;
}

static enum status read_count(const struct pcp_lists *p, uint64_t set, uint32_t *ret)
{
	struct dump *d = p->dump;
	uint32_t count;
	enum status st = dump_u32(d, set + p->count.offset, &count, "per_cpu_pages");

	if (st == ST_OK && count > p->max_pages)
		st = dump_corrupt(d, "%u free pages of one CPU", count);
	return RESULT(st, ret, count);
}

enum status pcp_lists_count(const struct pcp_lists *p, uint64_t zone, uint64_t *ret)
{
	uint64_t sets, sum = 0;
	enum status st = find_sets(p, zone, &sets);

	for (unsigned int i = 0; st == ST_OK && sets && i < p->cpus.n; i++) {
		uint32_t count = 0;

		st = read_count(p, sets + p->cpus.offset[i] + p->set_offset, &count);
		sum += count;
	}
	return RESULT(st, ret, sum);
}

unsigned int pcp_list_order(const struct pcp_lists *p, unsigned int list)
{
	unsigned int order = list / p->types;

	return order > MAX_LOW_ORDER ? p->dump->page_shift - 3 : order;
}

int pcp_list_type(const struct pcp_lists *p, unsigned int list)
{
	return list / p->types > MAX_LOW_ORDER ? -1 : (int)(list % p->types);
}

struct walk {
	const struct pcp_lists *p;
	enum status (*visit)(void *arg, const struct pcp_block *b);
	void *arg;
	uint64_t left; /* pages that the lists of a CPU can still have */
};

static enum status walk_list(struct walk *w, uint64_t head, struct pcp_block *b)
{
	struct dump *d = w->p->dump;
	struct list_nodes l = list_of(d, head, "per_cpu_pages.lists");
	enum status st = ST_OK;
	uint64_t node;

	while (st == ST_OK && list_next(&l, &node)) {
		if (w->left < 1ULL << b->order)
			return dump_corrupt(d, "list of free pages at %#lx is too long", head);
		w->left -= 1ULL << b->order;
		b->page = node - w->p->list.offset;
		st = w->visit(w->arg, b);
	}
	return st ?: list_end(&l);
}

static enum status walk_set(struct walk *w, uint64_t set)
{
	const struct pcp_lists *p = w->p;
	unsigned int huge = p->dump->page_shift - 3;
	uint32_t count = 0;
	enum status st = read_count(p, set, &count);

	/* Counted in pages; a CPU that is amidst a change may be one block off. */
	w->left = (uint64_t)count + (1ULL << huge);
	for (unsigned int i = 0; st == ST_OK && i < p->n; i++) {
		struct pcp_block b = { .order = pcp_list_order(p, i), .list = i };

		st = walk_list(w, set + p->lists.offset + (uint64_t)i * LIST_HEAD, &b);
	}
	return st;
}

enum status pcp_lists_walk(const struct pcp_lists *p, uint64_t zone,
			   enum status (*visit)(void *arg, const struct pcp_block *b), void *arg)
{
	struct walk w = { p, visit, arg, 0 };
	uint64_t sets;
	enum status st = find_sets(p, zone, &sets);

	/* Zones without memory all have the sets that the kernel booted with. */
	for (unsigned int i = 0; st == ST_OK && sets && i < p->cpus.n; i++)
		st = walk_set(&w, sets + p->cpus.offset[i] + p->set_offset);
	return st;
}
