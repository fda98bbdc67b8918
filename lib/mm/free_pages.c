// SPDX-License-Identifier: GPL-2.0-or-later
#include "mm/free_pages.h"

#include <string.h>

#include "dump/layout.h"
#include "kernel/percpu.h"
#include "mm/page_to_pfn.h"
#include "mm/zones.h"

#define MAX_LISTS 64
#define MAX_LOW_ORDER 3 /* PAGE_ALLOC_COSTLY_ORDER; above, CPUs keep huge pages alone */

enum { N_ZONES, Z_AREAS, Z_SETS, Z_OLD_SETS, S_COUNT, S_LISTS, P_LIST, F_FIELDS };

static const struct layout_row rows[F_FIELDS] = {
	[N_ZONES] = { "struct pglist_data", { "node_zones" }, REQUIRED, "all" },
	[Z_AREAS] = { "struct zone", { "free_area" }, REQUIRED, "all" },
	[Z_SETS] = { "struct zone", { "per_cpu_pageset" }, OPTIONAL, "5.14" },
	[Z_OLD_SETS] = { "struct zone", { "pageset" }, OPTIONAL, "to 5.13" },
	[S_COUNT] = { "struct per_cpu_pages", { "count" }, REQUIRED, "all" },
	[S_LISTS] = { "struct per_cpu_pages", { "lists" }, REQUIRED, "all" },
	[P_LIST] = { "struct page", { "pcp_list", "lru" }, REQUIRED, "6.1, all" },
};

static const struct layout_row old_set = {
	"struct per_cpu_pageset", { "pcp" }, REQUIRED, "to 5.13"
};

struct reader {
	struct dump *dump;
	struct field f[F_FIELDS];
	uint64_t zone_bytes;
	uint32_t set_offset; /* of struct per_cpu_pages in what a zone points to */
	int64_t types;	     /* lists for each order */
	struct percpu cpus;
	struct page_to_pfn finder;
	struct pfnset *pcp;
};

static enum status add_block(struct reader *r, uint64_t page, unsigned int order)
{
	uint64_t pfn;
	enum status st = page_to_pfn_find(&r->finder, page, &pfn);

	if (st != ST_OK)
		return st == ST_ABSENT ? ST_CORRUPT : st;
	for (uint64_t i = 0; i < 1ULL << order; i++)
		if (!pfnset_add(r->pcp, pfn + i))
			return dump_no_memory(r->dump);
	return ST_OK;
}

static enum status read_list(struct reader *r, uint64_t head, unsigned int order, uint64_t *left)
{
	uint64_t *all = &r->finder.left;
	struct dump *d = r->dump;
	uint64_t next;
	enum status st = dump_u64(d, head, &next, "per_cpu_pages.lists");

	while (st == ST_OK && next != head) {
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		/* Counted in pages; a CPU that is amidst a change may be one block off. */
		if (*left < 1ULL << order || *all < 1ULL << order)
			return dump_fail(d, ST_CORRUPT, "list of free pages at %#llx is too long",
					 (unsigned long long)head);
		*left -= 1ULL << order;
		*all -= 1ULL << order;
		st = add_block(r, next - r->f[P_LIST].offset, order);
		if (st == ST_OK)
			st = dump_u64(d, next, &next, "struct page");
	}
	return st;
}

static enum status read_set(struct reader *r, uint64_t set)
{
	struct dump *d = r->dump;
	unsigned int huge = d->page_shift - 3, n = r->f[S_LISTS].size / 16;
	uint32_t count;
	uint64_t left;
	enum status st = dump_u32(d, set + r->f[S_COUNT].offset, &count, "per_cpu_pages");

	if (st == ST_OK && count > r->finder.end)
		st = dump_fail(d, ST_CORRUPT, "%u free pages of one CPU", count);
	left = st == ST_OK ? (uint64_t)count + (1ULL << huge) : 0;
	for (unsigned int i = 0; st == ST_OK && i < n; i++) {
		unsigned int order = i / r->types;

		st = read_list(r, set + r->f[S_LISTS].offset + i * 16,
			       order > MAX_LOW_ORDER ? huge : order, &left);
	}
	return st;
}

static enum status read_node(void *arg, uint64_t pgdat)
{
	struct reader *r = arg;
	struct dump *d = r->dump;
	const struct field *sets = &r->f[r->f[Z_SETS].present ? Z_SETS : Z_OLD_SETS];
	enum status st = ST_OK;

	for (uint64_t at = 0; st == ST_OK && at + r->zone_bytes <= r->f[N_ZONES].size;
	     at += r->zone_bytes) {
		uint64_t set;

		st = dump_u64(d, pgdat + r->f[N_ZONES].offset + at + sets->offset, &set, "zone");
		/* Zones without memory all have the one that the kernel booted with. */
		for (unsigned int i = 0; st == ST_OK && set && i < r->cpus.n; i++)
			st = read_set(r, set + r->cpus.offset[i] + r->set_offset);
	}
	return st;
}

static enum status read_cpus(struct reader *r)
{
	struct dump *d = r->dump;
	struct field pcp;
	enum status st = ST_OK;

	if (d->ops->type_size(d->priv, "struct zone", &r->zone_bytes) != ST_OK || !r->zone_bytes ||
	    r->f[S_LISTS].size / 16 > MAX_LISTS ||
	    d->ops->enumerator(d->priv, "MIGRATE_PCPTYPES", &r->types) != ST_OK || r->types < 1)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct per_cpu_pages");
	if (!r->f[Z_SETS].present) {
		st = layout_resolve(d, &old_set, 1, &pcp);
		r->set_offset = st == ST_OK ? pcp.offset : 0;
	}
	if (st == ST_OK)
		st = percpu_open(d, &r->cpus);
	return st == ST_OK ? nodes_walk(d, read_node, r) : st;
}

enum status free_pages_open(struct dump *d, const struct page_types *states, uint64_t end,
			    struct free_pages *ret)
{
	struct reader r = { .dump = d, .pcp = &ret->pcp };
	uint64_t area;
	enum status st = layout_resolve(d, rows, F_FIELDS, r.f);

	memset(ret, 0, sizeof(*ret));
	ret->dump = d;
	ret->states = *states;
	ret->start = UINT64_MAX;
	pfnset_init(&ret->pcp, d->arena, end);
	if (st == ST_OK &&
	    (d->ops->type_size(d->priv, "struct free_area", &area) != ST_OK || !area ||
	     r.f[Z_AREAS].size / area < 1 || r.f[Z_AREAS].size / area > FREE_MAX_ORDER))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: zone.free_area");
	if (st == ST_OK)
		st = read_window_init(&ret->states.window, d);
	/* The table that the copy remembers is the other's. */
	ret->states.start = ret->states.end = 0;
	if (st != ST_OK) {
		ret->pcp_status = st;
		ret->pcp_problem = arena_strdup(d->arena, d->error);
		return st == ST_NOMEM ? st : ST_OK;
	}
	ret->orders = r.f[Z_AREAS].size / area;
	ret->pcp_status = page_to_pfn_open(d, states->memmap, end, &r.finder);
	if (ret->pcp_status == ST_OK)
		ret->pcp_status = read_cpus(&r);
	if (ret->pcp_status != ST_OK)
		ret->pcp_problem = arena_strdup(d->arena, d->error);
	decoder_trace(d, "decide blocks of up to 2^%u free pages; CPUs keep %llu pages",
		      ret->orders - 1, (unsigned long long)ret->pcp.n);
	return ret->pcp_status == ST_NOMEM ? ST_NOMEM : ST_OK;
}

static void read_block(struct free_pages *f, uint64_t start)
{
	uint64_t n = 1ULL << (f->orders - 1);

	memset(f->bits, 0, sizeof(f->bits));
	f->start = start;
	for (uint64_t i = 0; i < n;) {
		struct page_info info;
		uint64_t free = 0;

		if (page_type_at(&f->states, start + i, &info) == ST_OK &&
		    info.state == PAGE_TYPE_BUDDY && info.private < f->orders)
			free = 1ULL << info.private;
		for (uint64_t k = i; k < i + free && k < n; k++)
			f->bits[k / 64] |= 1ULL << (k & 63);
		i += free ? free : 1;
	}
}

bool free_pages_has_block(struct free_pages *f, uint64_t pfn)
{
	uint64_t at;

	if (!f->orders)
		return false;
	at = pfn & ((1ULL << (f->orders - 1)) - 1);
	if (f->start != pfn - at)
		read_block(f, pfn - at);
	return f->bits[at / 64] >> (at & 63) & 1;
}

bool free_pages_has_pcp(struct free_pages *f, uint64_t pfn)
{
	return pfnset_has(&f->pcp, pfn);
}
