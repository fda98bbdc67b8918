// SPDX-License-Identifier: GPL-2.0-or-later
#include "stackdepot/stackdepot_table.h"

#include "dump/layout.h"

#define MAX_BUCKETS (1ULL << 24) /* STACK_HASH_ORDER_MAX is 20 */
#define CHUNK_BYTES 4096	 /* that are read at once */

enum { L_LIST, L_NEXT, L_HASH, L_FIELDS };

static const struct layout_row rows[L_FIELDS] = {
	[L_LIST] = { "struct stack_record", { "hash_list" }, OPTIONAL, "6.8" },
	[L_NEXT] = { "struct stack_record", { "next" }, OPTIONAL, "to 6.7" },
	[L_HASH] = { "struct stack_record", { "hash" }, OPTIONAL, "all" },
};

static enum status find_buckets(struct depot_table *t)
{
	struct dump *d = t->dump;
	struct field var;
	uint64_t addr, mask;
	enum status st = dump_symbol(d, "stack_table", &addr);

	if (st != ST_OK)
		return st;
	t->bucket_bytes = t->is_list ? 16 : 8;
	if (dump_ask(d, variable, "stack_table", &var) != ST_OK)
		return dump_fail(d, ST_UNKNOWN, "no debug information for stack_table");
	t->address = addr;
	if (var.kind == KIND_ARRAY) {
		t->buckets = var.size / t->bucket_bytes;
		return ST_OK;
	}
	st = dump_u64(d, addr, &t->address, "stack_table");
	if (st != ST_OK || !dump_has_symbol(d, "stack_hash_mask"))
		return st;
	if (dump_value(d, "stack_hash_mask", &mask) == ST_OK)
		t->buckets = mask + 1;
	if (t->buckets && (!t->address || t->buckets > MAX_BUCKETS))
		return dump_fail(d, ST_CORRUPT, "a stack_table of %lu buckets at %#lx", t->buckets,
				 t->address);
	return ST_OK;
}

enum status depot_table_open(const struct depot *depot, struct depot_table *ret)
{
	struct depot_table t = { .dump = depot->dump };
	struct field f[L_FIELDS];
	enum status st = layout_resolve(depot->dump, rows, L_FIELDS, f);

	if (st == ST_OK && !f[L_LIST].present && !f[L_NEXT].present)
		st = dump_fail(depot->dump, ST_UNKNOWN,
			       "unknown layout: stack_record has no hash_list or next");
	if (st == ST_OK) {
		t.is_list = f[L_LIST].present;
		t.link = t.is_list ? f[L_LIST] : f[L_NEXT];
		t.hash = f[L_HASH];
		st = find_buckets(&t);
	}
	if (st == ST_OK)
		*ret = t;
	return st;
}

enum status depot_table_walk(const struct depot_table *t,
			     enum status (*visit)(void *arg, uint64_t bucket, bool readable,
						  uint64_t head, uint64_t end),
			     void *arg)
{
	struct dump *d = t->dump;
	uint64_t bytes = t->buckets * t->bucket_bytes;
	uint8_t raw[CHUNK_BYTES];
	enum status st = ST_OK;

	for (uint64_t at = 0; at < bytes; at += sizeof(raw)) {
		size_t len = bytes - at < sizeof(raw) ? bytes - at : sizeof(raw);
		bool readable = dump_read(d, t->address + at, raw, len, "stack_table") == ST_OK;

		if (dump_stopped(d))
			return ST_STOPPED;
		for (size_t i = 0; i < len && st == ST_OK; i += t->bucket_bytes)
			st = visit(arg, (at + i) / t->bucket_bytes, readable,
				   readable ? le64(raw + i) : 0,
				   t->is_list ? t->address + at + i : 0);
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}
