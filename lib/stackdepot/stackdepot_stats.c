// SPDX-License-Identifier: GPL-2.0-or-later
#include "stackdepot/stackdepot_stats.h"

#include "dump/layout.h"
#include "util/hash_u64.h"

#define OFFSET_UNIT 16

enum { L_FREE, L_FIELDS };

static const struct layout_row rows[L_FIELDS] = {
	[L_FREE] = { "struct stack_record", { "free_list" }, OPTIONAL, "6.8" },
};

struct walk {
	struct depot *depot;
	struct field f[L_FIELDS];
	struct depot_stats *h;
	struct depot_table table;
	struct hash_u64 seen; /* records by address: each is in one chain, once */
	uint64_t limit;	      /* no depot of this size has more records */
	enum status (*visit)(void *arg, const struct depot_stack *record); /* or NULL */
	void *arg;
	enum status stop; /* why visit ended the walk */
};

static uint64_t size_of(const struct depot *p, const struct depot_stack *s)
{
	return (p->header + s->n * 8 + OFFSET_UNIT - 1) & ~(uint64_t)(OFFSET_UNIT - 1);
}

/* The record at an address, if the one that its handle names is the same. */
static enum status check_record(struct walk *w, uint64_t addr, struct depot_stack *ret)
{
	struct depot *p = w->depot;
	const struct field *handle = &p->f[DEPOT_HANDLE];
	uint32_t value;
	enum status st = dump_u32(p->dump, addr + handle->offset, &value, "stack record")
				 ?: depot_find(p, value, ret);

	if (st == ST_OK && ret->record != addr)
		st = dump_corrupt(p->dump, "the record at %#lx has the handle of %#lx", addr,
				  ret->record);
	return st;
}

/* False for one that was counted before: chains that loop or meet. */
static bool count(struct walk *w, const struct depot_stack *s)
{
	if (!hash_u64_add(&w->seen, s->record))
		return false;
	if (w->visit && w->stop == ST_OK)
		w->stop = w->visit(w->arg, s);
	w->h->records++;
	w->h->frames += s->n;
	w->h->record_bytes += size_of(w->depot, s);
	return true;
}

/* head: what the bucket holds; end: what ends the chain. */
static void walk_chain(struct walk *w, uint64_t head, uint64_t end)
{
	uint64_t length = 0;

	/* It is in use, whether or not its first record is in this dump. */
	w->h->chains += head != end;
	while (head != end) {
		uint64_t addr = head - w->table.link.offset;
		struct depot_stack s;

		if (check_record(w, addr, &s) != ST_OK || !count(w, &s) ||
		    dump_u64(w->depot->dump, head, &head, "stack record") != ST_OK) {
			w->h->bad++;
			break;
		}
		length++;
	}
	if (length > w->h->longest)
		w->h->longest = length;
}

static enum status walk_bucket(void *arg, uint64_t bucket NOT_USED, bool readable, uint64_t head,
			       uint64_t end)
{
	struct walk *w = arg;

	/* Without it there is no count of records. */
	if (!readable)
		return ST_UNREADABLE;
	walk_chain(w, head, end);
	return w->stop;
}

/* What was never handed out is zero, and no record of these has a handle of 0. */
static bool is_used(struct walk *w, uint64_t addr)
{
	struct depot *p = w->depot;
	uint32_t handle;

	return dump_u32(p->dump, addr + p->f[DEPOT_HANDLE].offset, &handle, "stack record") !=
		       ST_OK ||
	       handle;
}

/* The pools of 4.19 to 6.7 have record behind record. */
static enum status walk_pools(struct walk *w)
{
	struct depot *p = w->depot;
	struct dump *d = p->dump;

	for (uint64_t i = 0; i < p->used; i++) {
		uint64_t pool, at = 0;
		enum status st = dump_u64(d, p->table + i * 8, &pool, "stack depot's pool table");
		struct depot_stack s;

		if (st != ST_OK)
			return st;
		if (dump_stopped(d))
			return ST_STOPPED;
		while (pool && at + p->header < p->pool_bytes && is_used(w, pool + at)) {
			if (check_record(w, pool + at, &s) != ST_OK || !count(w, &s)) {
				w->h->bad++;
				break;
			}
			at += size_of(p, &s);
		}
		if (w->stop != ST_OK)
			return w->stop;
	}
	return ST_OK;
}

/* Freed records wait for the grace period of RCU and for reuse (free_stacks, 6.8). */
static void count_free(struct walk *w)
{
	struct dump *d = w->depot->dump;
	uint64_t head, next;

	if (!w->f[L_FREE].present || dump_symbol(d, "free_stacks", &head) != ST_OK ||
	    dump_u64(d, head, &next, "free_stacks") != ST_OK)
		return;
	while (next != head && w->h->free < w->limit) {
		if (!(w->h->free & 1023) && dump_stopped(d))
			return;
		if (dump_u64(d, next, &next, "free_stacks") != ST_OK) {
			w->h->bad++;
			return;
		}
		w->h->free++;
	}
	w->h->has_free = next == head;
}

static void count_bytes(struct walk *w)
{
	struct depot *p = w->depot;
	uint64_t last;

	w->h->has_bytes = dump_has_symbol(p->dump, p->last_end) &&
			  dump_value(p->dump, p->last_end, &last) == ST_OK && last <= p->pool_bytes;
	if (w->h->has_bytes)
		w->h->bytes = p->used ? (p->used - 1) * p->pool_bytes + last : 0;
}

enum status depot_walk(struct depot *depot,
		       enum status (*visit)(void *arg, const struct depot_stack *record), void *arg,
		       struct depot_stats *ret)
{
	struct depot_stats h = { 0 };
	struct walk w = { .depot = depot, .h = &h, .visit = visit, .arg = arg };
	enum status st = layout_resolve(depot->dump, rows, L_FIELDS, w.f);

	hash_u64_init(&w.seen, depot->dump->arena, 0);
	w.limit = depot->used * depot->pool_bytes / (depot->header + 8);
	st = st ?: depot_table_open(depot, &w.table);
	if (st == ST_OK) {
		h.buckets = w.table.buckets;
		h.has_table = h.buckets;
		st = h.has_table ? depot_table_walk(&w.table, walk_bucket, &w) : walk_pools(&w);
	}
	if (st != ST_OK)
		return st;
	count_free(&w);
	count_bytes(&w);
	*ret = h;
	return ST_OK;
}

enum status depot_stats_read(struct depot *depot, struct depot_stats *ret)
{
	return depot_walk(depot, NULL, NULL, ret);
}
