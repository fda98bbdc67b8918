// SPDX-License-Identifier: GPL-2.0-or-later
#include "stackdepot/stackdepot.h"

#include "dump/layout.h"

#define OFFSET_UNIT 16	      /* DEPOT_STACK_ALIGN */
#define MAX_POOLS (1u << 21)  /* the widest index there has been */
#define FRAMES_AHEAD (24 * 8) /* bytes that are read with a header: more than most stacks have */

static const struct layout_row rows[DEPOT_FIELDS] = {
	[DEPOT_INDEX] = FIELD_ROW("union handle_parts", REQUIRED_BITS, "6.9, 6.3, 4.19",
				  "pool_index_plus_1", "pool_index", "slabindex"),
	[DEPOT_OFFSET] = FIELD_ROW("union handle_parts", REQUIRED_BITS, "all", "offset"),
	[DEPOT_VALID] = FIELD_ROW("union handle_parts", OPTIONAL_BITS, "to 6.7", "valid"),
	[DEPOT_EXTRA] = FIELD_ROW("union handle_parts", OPTIONAL_BITS, "6.1", "extra"),
	[DEPOT_SIZE] = FIELD_ROW("struct stack_record", REQUIRED, "all", "size"),
	[DEPOT_HANDLE] = FIELD_ROW("struct stack_record", REQUIRED, "all", "handle"),
	[DEPOT_COUNT] = FIELD_ROW("struct stack_record", OPTIONAL, "6.8", "count"),
	[DEPOT_ENTRIES] = FIELD_ROW("struct stack_record", REQUIRED, "all", "entries"),
};

/* One part of a handle; 0 if this generation has no such part. */
static uint32_t part(const struct depot *p, enum depot_field which, uint32_t handle)
{
	const struct field *f = &p->f[which];

	if (!f->present)
		return 0;
	return handle >> (f->offset * 8 + f->bit_offset) & ((1u << f->bit_size) - 1);
}

/* The parts must be bit fields inside of 32 bits. */
static bool parts_fit(const struct depot *p)
{
	for (unsigned int i = DEPOT_INDEX; i <= DEPOT_EXTRA; i++) {
		const struct field *f = &p->f[i];

		if (f->present && (!f->bit_size || f->bit_size > 31 || f->offset > 3 ||
				   f->offset * 8 + f->bit_offset + f->bit_size > 32))
			return false;
	}
	return true;
}

/* Which symbols hold the pools, newest names first, and how many are in use. */
static const struct {
	const char *table;
	const char *in_use;
	unsigned int more;    /* add to the value of in_use */
	const char *last_end; /* bytes used of the last pool */
} generations[] = {
	{ "stack_pools", "pools_num", 0, "pool_offset" }, /* 6.8: a count */
	{ "stack_pools", "pool_index", 1,
	  "pool_offset" }, /* 6.3: lib/stackdepot: rename slab to pool */
	{ "stack_slabs", "depot_index", 1, "depot_offset" }, /* 4.19 */
};

/*
 * The table is an array, or a pointer to one of stack_max_pools (6.17: stackdepot: make max number of
 * pools boot-time configurable).
 */
static enum status pool_table(struct depot *p, const char *name)
{
	struct dump *d = p->dump;
	struct field var;
	uint64_t addr;
	enum status st = dump_symbol(d, name, &addr);

	if (st == ST_OK && dump_ask(d, variable, name, &var) != ST_OK)
		st = dump_fail(d, ST_UNKNOWN, "no debug information for %s", name);
	if (st != ST_OK)
		return st;
	if (var.kind == KIND_ARRAY) {
		p->table = addr;
		p->pools = var.size / 8;
		return ST_OK;
	}
	if (var.kind != KIND_POINTER)
		return dump_unknown(d, "%s is no array or pointer", name);
	st = dump_u64(d, addr, &p->table, name) ?: dump_value(d, "stack_max_pools", &p->pools);
	if (st == ST_OK && !p->table)
		return dump_absent(d, "%s is empty: stack depot is off", name);
	return st;
}

/* The hash table is allocated by the first user, at boot (5.12 and later). */
static bool is_off(struct dump *d)
{
	struct field var;
	uint64_t table;

	return dump_ask(d, variable, "stack_table", &var) == ST_OK && var.kind == KIND_POINTER &&
	       dump_value(d, "stack_table", &table) == ST_OK && !table;
}

/* An index of 0 is that of the first pool, which the first stack allocates. */
static bool is_unused(struct depot *p)
{
	uint64_t pool;

	return dump_u64(p->dump, p->table, &pool, "stack depot's pool table") == ST_OK && !pool;
}

static enum status find_pools(struct depot *p)
{
	struct dump *d = p->dump;

	for (size_t i = 0; i < ARRAY_SIZE(generations); i++) {
		enum status st;

		if (!dump_has_symbol(d, generations[i].table) ||
		    !dump_has_symbol(d, generations[i].in_use))
			continue;
		st = pool_table(p, generations[i].table)
			     ?: dump_value(d, generations[i].in_use, &p->used);
		if (st != ST_OK)
			return st;
		p->used += generations[i].more;
		if (p->used == 1 && generations[i].more && is_unused(p))
			p->used = 0;
		p->last_end = generations[i].last_end;
		p->table_name = generations[i].table;
		p->used_name = generations[i].in_use;
		if (p->pools > MAX_POOLS || p->used > p->pools + 1)
			return dump_corrupt(d, "stack depot uses %lu of %lu pools", p->used,
					    p->pools);
		decoder_trace(d, "decide stack depot: %s at %#lx, %lu of %lu pools in use",
			      generations[i].table, p->table, p->used, p->pools);
		return ST_OK;
	}
	return dump_unknown(d, "no stack_pools or stack_slabs with a count");
}

/* 0 stayed a valid handle until 6.9 made the index one higher and renamed it. */
static void find_biases(struct depot *p)
{
	struct dump *d = p->dump;
	struct field f;

	if (dump_ask(d, member, "union handle_parts", "pool_index_plus_1", &f) == ST_OK) {
		p->bias[p->biases++] = 1;
	} else {
		p->bias[p->biases++] = 0;
		/* Some vendors took the meaning without the name: the record decides. */
		if (dump_ask(d, member, "union handle_parts", "pool_index", &f) == ST_OK)
			p->bias[p->biases++] = 1;
	}
	decoder_trace(d, "decide stack depot: index minus %u%s is the pool", p->bias[0],
		      p->biases > 1 ? " or 1, as the record's own handle says," : "");
}

enum status depot_open(struct dump *d, struct depot *ret)
{
	struct depot p = { .dump = d };
	enum status st;

	if (dump_lacks_type(d, "union handle_parts"))
		return dump_knows_symbol(d, "stack_depot_fetch")
			       ? dump_unknown(d, "no union handle_parts")
			       : dump_absent(d, "this kernel was built without CONFIG_STACKDEPOT");
	if (is_off(d))
		return dump_absent(
			d, "the stack depot is off: nothing that this kernel booted with needs it");
	st = layout_resolve(d, rows, DEPOT_FIELDS, p.f);
	if (st != ST_OK)
		return st;
	p.header = p.f[DEPOT_ENTRIES].offset;
	if (!parts_fit(&p))
		return dump_unknown(d, "handle_parts has no bit fields of a u32");
	/* The offset reaches to the end of a pool, whatever its order is. */
	p.pool_bytes = (uint64_t)OFFSET_UNIT << p.f[DEPOT_OFFSET].bit_size;
	if (p.header > p.pool_bytes || layout_span(&p.f[DEPOT_SIZE], 3) > p.header)
		return dump_unknown(d, "stack_record.entries at %zu", p.header);
	if (p.f[DEPOT_EXTRA].present)
		p.extra_mask = ((1u << p.f[DEPOT_EXTRA].bit_size) - 1)
			       << (p.f[DEPOT_EXTRA].offset * 8 + p.f[DEPOT_EXTRA].bit_offset);
	find_biases(&p);
	st = find_pools(&p);
	if (st != ST_OK)
		return st;
	p.record = dump_alloc(d, p.header + DEPOT_MAX_FRAMES * 8);
	p.known = dump_alloc(d, DEPOT_KNOWN * sizeof(*p.known));
	*ret = p;
	return ST_OK;
}

/* Its header, and of what follows, up to the end of the page, what most stacks need: one read and not two. */
static enum status read_record(struct depot *p, uint64_t at)
{
	struct dump *d = p->dump;
	uint64_t page = dump_page_size(d), left = page - (at & (page - 1));
	size_t more = left > p->header ? left - p->header : 0;

	more = more < FRAMES_AHEAD ? more : FRAMES_AHEAD;
	p->record_at = at;
	p->frame_bytes = dump_try(d, at, p->record, p->header + more) == ST_OK ? more : 0;
	return p->frame_bytes ? ST_OK : dump_read(d, at, p->record, p->header, "stack record");
}

static enum status find_pool(struct depot *p, uint64_t number, uint64_t *ret)
{
	struct depot_pool *known = &p->known[number % DEPOT_KNOWN];
	enum status st = ST_OK;

	if (!known->address || known->number != number) {
		known->number = number;
		st = dump_u64(p->dump, p->table + number * 8, &known->address,
			      "stack depot's pool table");
	}
	if (st != ST_OK)
		known->address = 0;
	return RESULT(st, ret, known->address);
}

/* Their numbers, which begin at 0. */
static const char *pools_text(const struct depot *p)
{
	const uint64_t n = p->used < p->pools ? p->used : p->pools;

	return n ? dump_text(p->dump, "0 to %lu", n - 1) : "none";
}

/* Reads and checks the record where a handle points if the index is biased so. */
static enum status fetch_biased(struct depot *p, uint32_t handle, unsigned int bias,
				struct depot_stack *ret)
{
	struct dump *d = p->dump;
	uint64_t index = part(p, DEPOT_INDEX, handle);
	uint64_t offset = (uint64_t)part(p, DEPOT_OFFSET, handle) * OFFSET_UNIT;
	uint64_t pool, room, size;
	struct depot_stack found;
	enum status st;

	if (index < bias || index - bias >= p->used || index - bias >= p->pools)
		return dump_corrupt(d, "handle %#x: there is no pool %ld, in use are %s", handle,
				    index - bias, pools_text(p));
	st = find_pool(p, index - bias, &pool);
	if (st != ST_OK)
		return st;
	if (!pool || offset + p->header >= p->pool_bytes)
		return dump_corrupt(d, "handle %#x: pool %lu, offset %#lx holds no record", handle,
				    index - bias, offset);
	st = read_record(p, pool + offset);
	if (st != ST_OK)
		return st;
	if ((field_get(&p->f[DEPOT_HANDLE], p->record) ^ handle) & ~p->extra_mask)
		return dump_corrupt(d, "handle %#x: the record at %#lx has handle %#lx", handle,
				    pool + offset, field_get(&p->f[DEPOT_HANDLE], p->record));
	size = field_get(&p->f[DEPOT_SIZE], p->record);
	room = (p->pool_bytes - offset - p->header) / 8;
	if (!size || size > room || size > DEPOT_MAX_FRAMES)
		return dump_corrupt(d, "handle %#x: a record of %lu frames", handle, size);
	found = (struct depot_stack){
		.handle = handle,
		.pool = index - bias,
		.offset = offset,
		.record = pool + offset,
		.has_count = p->f[DEPOT_COUNT].present,
		.n = size,
		.count = field_get(&p->f[DEPOT_COUNT], p->record),
	};
	if (found.has_count && !found.count)
		return dump_corrupt(d, "handle %#x: its record is free", handle);
	*ret = found;
	return ST_OK;
}

static enum status read_frames(struct depot *p, const struct depot_stack *s, uint64_t *to)
{
	uint8_t *raw = p->record + p->header;
	bool is_read = s->record == p->record_at && s->n * 8 <= p->frame_bytes;
	enum status st = is_read ? ST_OK
				 : dump_read(p->dump, s->record + p->header, raw, s->n * 8,
					     "stack record");

	/* No longer those of one record. */
	p->frame_bytes = is_read ? p->frame_bytes : 0;
	for (unsigned int i = 0; st == ST_OK && i < s->n; i++)
		to[i] = le64(raw + i * 8);
	return st;
}

enum status depot_frames(struct depot *p, struct depot_stack *s)
{
	uint64_t *frames = dump_alloc(p->dump, s->n * sizeof(*frames));
	enum status st = read_frames(p, s, frames);

	return RESULT(st, &s->frames, frames);
}

enum status depot_pools(struct depot *p, enum status (*visit)(void *arg, uint64_t pool), void *arg)
{
	struct dump *d = p->dump;
	enum status worst = ST_OK, st;
	uint64_t pool;

	for (uint64_t i = 0; i <= p->pools; i++) {
		if (i < p->pools)
			st = dump_u64(d, p->table + i * 8, &pool, "stack depot's pool table");
		else
			st = dump_has_symbol(d, "new_pool") ? dump_value(d, "new_pool", &pool)
							    : ST_ABSENT;
		if (st == ST_OK)
			st = pool ? visit(arg, pool) : ST_OK;
		else
			worst = st == ST_ABSENT ? worst : st;
		if (st == ST_STOPPED)
			return st;
	}
	return worst;
}

enum status depot_find(struct depot *p, uint32_t handle, struct depot_stack *ret)
{
	enum status st = ST_CORRUPT, first = ST_OK;
	char why[sizeof(p->dump->error)];

	if (p->f[DEPOT_VALID].present && !part(p, DEPOT_VALID, handle))
		return dump_corrupt(p->dump, "handle %#x: its valid bit is clear", handle);
	for (unsigned int i = 0; i < p->biases; i++) {
		st = fetch_biased(p, handle, p->bias[i], ret);
		if (st != ST_CORRUPT && st != ST_UNREADABLE)
			return st;
		if (i)
			continue;
		first = st;
		memcpy(why, p->dump->error, sizeof(why));
	}
	/* None fits: the meaning that the names have is the one to complain of. */
	return dump_fail(p->dump, first, "%s", why);
}

bool depot_handle_is_of(const struct depot *p, uint32_t handle, uint64_t pool, uint64_t offset)
{
	if ((p->f[DEPOT_VALID].present && !part(p, DEPOT_VALID, handle)) ||
	    (uint64_t)part(p, DEPOT_OFFSET, handle) * OFFSET_UNIT != offset)
		return false;
	return ANY_OF(i, p->biases, part(p, DEPOT_INDEX, handle) == pool + p->bias[i]);
}

/* A handle that is none has no record either. */
static enum status find_stack(struct depot *p, uint32_t handle, struct depot_stack *ret)
{
	if (!(handle & ~p->extra_mask) && p->bias[0])
		return dump_absent(p->dump, "handle %#x means no stack", handle);
	if (!handle)
		return dump_absent(p->dump, "handle 0 means no stack");
	return depot_find(p, handle, ret);
}

enum status depot_fetch(struct depot *p, uint32_t handle, struct depot_stack *ret)
{
	struct depot_stack found = { 0 };

	return RESULT(find_stack(p, handle, &found) ?: depot_frames(p, &found), ret, found);
}

enum status depot_fetch_into(struct depot *p, uint32_t handle, uint64_t *frames, unsigned int *n)
{
	struct depot_stack found = { 0 };

	return RESULT(find_stack(p, handle, &found) ?: read_frames(p, &found, frames), n, found.n);
}

#define MAX_BUCKETS (1ULL << 24) /* STACK_HASH_ORDER_MAX is 20 */
#define CHUNK_BYTES 4096	 /* that are read at once */

enum { L_LIST, L_NEXT, L_HASH, L_FIELDS };

static const struct layout_row stackdepot_table_rows[L_FIELDS] = {
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
		return dump_corrupt(d, "a stack_table of %lu buckets at %#lx", t->buckets,
				    t->address);
	return ST_OK;
}

enum status depot_table_open(const struct depot *depot, struct depot_table *ret)
{
	struct depot_table t = { .dump = depot->dump };
	struct field f[L_FIELDS];
	enum status st = layout_resolve(depot->dump, stackdepot_table_rows, L_FIELDS, f);

	if (st == ST_OK && !f[L_LIST].present && !f[L_NEXT].present)
		st = dump_unknown(depot->dump, "stack_record has no hash_list or next");
	if (st == ST_OK) {
		t.is_list = f[L_LIST].present;
		t.link = t.is_list ? f[L_LIST] : f[L_NEXT];
		t.hash = f[L_HASH];
		st = find_buckets(&t);
	}
	return RESULT(st, ret, t);
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
