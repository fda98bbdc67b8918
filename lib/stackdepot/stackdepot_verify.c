// SPDX-License-Identifier: GPL-2.0-or-later
#include "stackdepot/stackdepot_verify.h"

#include <stdlib.h>

#include "util/hash_u64.h"
#include "util/jhash.h"

#define HASH_SEED 0x9747b28c /* STACK_HASH_SEED */
#define UNIT 16		     /* DEPOT_STACK_ALIGN */
#define NO_BUCKET UINT64_MAX
#define WHAT 200

struct record {
	uint64_t address, next, prev, bucket; /* bucket: whose chain has it, or NO_BUCKET */
	uint32_t pool, offset, handle, hash;
	unsigned int n;
	bool is_free, checks_hash, hash_fits;
};

struct verify {
	struct depot *depot;
	const struct depot_verifier *with;
	struct depot_checks *c;
	struct depot_table table;
	uint64_t *pools;	   /* addresses; 0: unknown, or none */
	uint8_t *bytes, *has_page; /* of one pool, and which of its pages are in the dump */
	uint64_t record_bytes;	   /* of one that can be evicted; 0: there are none */
	uint64_t fits, differs;	   /* hashes */
	struct hash_u64 records;   /* struct record by address */
	struct hash_u64 holes;	   /* of addresses of pages of pools that are not in the dump */
	struct hash_u64 cut;	   /* of buckets whose chain leaves what is in the dump */
};

__attribute__((format(printf, 4, 5))) static enum status tell(struct verify *v,
							      const struct record *r,
							      const uint64_t *pool, const char *fmt,
							      ...)
{
	struct depot_defect defect = { 0 };
	char what[WHAT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	defect.what = dump_strdup(v->depot->dump, what);
	if (pool) {
		defect.has_place = true;
		defect.pool = *pool;
	}
	if (r) {
		defect.has_place = true;
		defect.pool = r->pool;
		defect.offset = r->offset;
		defect.address = r->address;
		defect.has_handle = true;
		defect.handle = r->handle;
	}
	return v->with->defect(v->with->arg, &defect);
}

static bool has_bytes(const struct verify *v, uint64_t at, uint64_t len)
{
	uint64_t page = dump_page_size(v->depot->dump);

	for (uint64_t p = at / page; p <= (at + len - 1) / page; p++)
		if (!v->has_page[p])
			return false;
	return true;
}

/* Whether the place has a record by its own handle, and how many frames. */
static bool is_record(struct verify *v, uint64_t pool, uint64_t at, unsigned int *n)
{
	struct depot *p = v->depot;
	uint64_t size, room;
	uint32_t handle;

	if (at + p->header >= p->pool_bytes || !has_bytes(v, at, p->header))
		return false;
	handle = field_get(&p->f[DEPOT_HANDLE], v->bytes + at);
	size = field_get(&p->f[DEPOT_SIZE], v->bytes + at);
	room = (p->pool_bytes - at - p->header) / 8;
	if (!depot_handle_is_of(p, handle, pool, at) || !size || size > room ||
	    size > DEPOT_MAX_FRAMES)
		return false;
	*n = size;
	return true;
}

static enum status check_frames(struct verify *v, struct record *r)
{
	const struct depot *p = v->depot;
	const uint8_t *frames = v->bytes + r->offset + p->header;
	enum status st = ST_OK;

	if (!has_bytes(v, r->offset + p->header, r->n * 8ULL)) {
		v->c->missing_frames += r->n;
		return ST_OK;
	}
	v->c->frames += r->n;
	/* A stack that the depot truncated has the hash of the whole (CONFIG_STACKDEPOT_MAX_FRAMES). */
	r->checks_hash = p->f[DEPOT_ENTRIES].size <= 8 || r->n * 8ULL < p->f[DEPOT_ENTRIES].size;
	r->hash_fits = jhash_words(frames, r->n * 2, HASH_SEED) == r->hash;
	if (r->checks_hash && r->hash_fits)
		v->fits++;
	else if (r->checks_hash)
		v->differs++;
	for (unsigned int i = 0; v->with->is_text && !r->is_free && i < r->n && st == ST_OK; i++)
		if (!v->with->is_text(v->with->arg, le64(frames + i * 8)))
			st = tell(v, r, NULL, "frame %u is %#lx: no kernel text", i,
				  le64(frames + i * 8));
	return st;
}

static enum status add_record(struct verify *v, uint64_t pool, uint64_t at, unsigned int n)
{
	struct depot *p = v->depot;
	const uint8_t *raw = v->bytes + at;
	struct record *r = hash_u64_get(&v->records, v->pools[pool] + at, NULL);

	*r = (struct record){
		.address = v->pools[pool] + at,
		.next = le64(raw + v->table.link.offset),
		.prev = v->table.is_list ? le64(raw + v->table.link.offset + 8) : 0,
		.bucket = NO_BUCKET,
		.pool = pool,
		.offset = at,
		.handle = field_get(&p->f[DEPOT_HANDLE], raw),
		.hash = field_get(&v->table.hash, raw),
		.n = n,
		.is_free = p->f[DEPOT_COUNT].present && !field_get(&p->f[DEPOT_COUNT], raw),
	};
	v->c->records += !r->is_free;
	v->c->free_records += r->is_free;
	return check_frames(v, r);
}

static uint64_t aligned(uint64_t bytes)
{
	return (bytes + UNIT - 1) & ~(uint64_t)(UNIT - 1);
}

/* Where the next record starts: one that can be evicted has the room of the deepest stack (6.8). */
static uint64_t behind(struct verify *v, uint64_t pool, uint64_t at, unsigned int n, uint64_t end)
{
	uint64_t next = at + aligned(v->depot->header + n * 8ULL);
	unsigned int ignored;

	if (next != end && v->record_bytes && at + v->record_bytes <= end &&
	    !is_record(v, pool, next, &ignored) &&
	    (at + v->record_bytes == end || is_record(v, pool, at + v->record_bytes, &ignored)))
		next = at + v->record_bytes;
	return next;
}

/* From a place without a record to the next one, or to the end. */
static enum status skip(struct verify *v, uint64_t pool, uint64_t *at, uint64_t end, bool must_end)
{
	struct depot *p = v->depot;
	uint64_t start = *at, page = dump_page_size(p->dump);
	struct record r = { .pool = pool, .offset = start, .address = v->pools[pool] + start };
	bool hole = false;
	unsigned int n;

	while (*at < end && !is_record(v, pool, *at, &n)) {
		hole |= !v->has_page[*at / page] ||
			!v->has_page[(*at + p->header < p->pool_bytes ? *at + p->header : *at) /
				     page];
		*at += UNIT;
	}
	if (hole || (*at >= end && !must_end) || start >= end)
		return ST_OK;
	r.handle = field_get(&p->f[DEPOT_HANDLE], v->bytes + start);
	if (depot_handle_is_of(p, r.handle, pool, start))
		return tell(v, &r, NULL,
			    "the record has %lu frames, which its pool has no room for",
			    field_get(&p->f[DEPOT_SIZE], v->bytes + start));
	return tell(v, &r, NULL, "no record with the handle of its place; %lu bytes to the %s",
		    *at - start, *at < end ? "next record" : "end of what is in use");
}

static enum status check_pool(struct verify *v, uint64_t i)
{
	struct depot *p = v->depot;
	struct dump *d = p->dump;
	uint64_t page = dump_page_size(d), at = 0, end = p->pool_bytes, last;
	bool must_end = i + 1 == p->used && dump_has_symbol(d, p->last_end) &&
			dump_value(d, p->last_end, &last) == ST_OK && last <= end;
	enum status st = ST_OK;

	if (must_end)
		end = last;
	for (uint64_t k = 0; k * page < p->pool_bytes; k++) {
		v->has_page[k] = dump_read(d, v->pools[i] + k * page, v->bytes + k * page, page,
					   "stack depot's pool") == ST_OK;
		if (v->has_page[k])
			continue;
		v->c->missing_bytes += page;
		hash_u64_get(&v->holes, v->pools[i] + k * page, NULL);
	}
	v->c->pools++;
	while (at < end && st == ST_OK) {
		unsigned int n;

		if (!is_record(v, i, at, &n)) {
			st = skip(v, i, &at, end, must_end);
			continue;
		}
		st = add_record(v, i, at, n);
		at = behind(v, i, at, n, end);
	}
	return st;
}

/* The addresses of the pools: each there, each once. */
static enum status read_pools(struct verify *v)
{
	struct depot *p = v->depot;
	struct dump *d = p->dump;
	struct hash_u64 seen;
	enum status st = ST_OK;
	bool is_new;

	hash_u64_init(&seen, d->arena, 0);
	for (uint64_t i = 0; i < p->used && i < p->pools && st == ST_OK; i++) {
		if (dump_u64(d, p->table + i * 8, &v->pools[i], "stack depot's pool table") !=
		    ST_OK) {
			v->c->missing_pools++;
			v->pools[i] = 0;
			continue;
		}
		if (!v->pools[i])
			st = tell(v, NULL, &i, "the table of pools has no pool here, of %lu in use",
				  p->used);
		else if (v->pools[i] % 4096 || !(v->pools[i] >> 63))
			st = tell(v, NULL, &i, "the pool is at %#lx, which is no page",
				  v->pools[i]);
		else if (hash_u64_get(&seen, v->pools[i], &is_new), !is_new)
			st = tell(v, NULL, &i, "the pool is at %#lx as another pool is",
				  v->pools[i]);
		else
			continue;
		v->pools[i] = 0;
	}
	return st;
}

/* Whether what should be at an address may be in a part that the dump lacks. */
static bool may_be_missing(struct verify *v, uint64_t address)
{
	uint64_t page = dump_page_size(v->depot->dump);

	return v->c->missing_pools || hash_u64_has(&v->holes, address & ~(page - 1)) ||
	       hash_u64_has(&v->holes, (address + v->depot->header - 1) & ~(page - 1));
}

/* The place of an address in the pools, with the handle that is stored there; false: in none. */
static bool find_place(struct verify *v, uint64_t address, struct record *ret)
{
	struct depot *p = v->depot;

	for (uint64_t i = 0; i < p->used && i < p->pools; i++) {
		if (!v->pools[i] || address - v->pools[i] >= p->pool_bytes)
			continue;
		*ret = (struct record){ .address = address,
					.pool = i,
					.offset = address - v->pools[i] };
		return dump_u32(p->dump, address + p->f[DEPOT_HANDLE].offset, &ret->handle,
				"stack record") == ST_OK;
	}
	return false;
}

/* A chain leads to what is no record, from a record or from its bucket. */
static enum status lost(struct verify *v, const struct record *from, uint64_t bucket, uint64_t to)
{
	struct record place;

	if (may_be_missing(v, to)) {
		v->c->cut_chains++;
		hash_u64_get(&v->cut, bucket, NULL);
		return ST_OK;
	}
	if (find_place(v, to, &place))
		return tell(v, &place, NULL, "the chain of bucket %lu leads here: no record%s",
			    bucket,
			    depot_handle_is_of(v->depot, place.handle, place.pool, place.offset)
				    ? ""
				    : " with the handle of its place");
	return tell(v, from, NULL, "the chain of bucket %lu leads %sto %#lx, which is in no pool",
		    bucket, from ? "from here " : "", to);
}

/* head: the first link; end: what follows the last one; from: what the first one leads back to. */
static enum status check_chain(struct verify *v, uint64_t bucket, uint64_t head, uint64_t end)
{
	const struct record *from = NULL;
	uint64_t back = end;
	enum status st = ST_OK;

	while (head != end && st == ST_OK) {
		struct record *r = NULL;
		uint64_t address = head - v->table.link.offset;

		if (hash_u64_has(&v->records, address))
			r = hash_u64_get(&v->records, address, NULL);
		if (!r)
			return lost(v, from, bucket, address);
		if (r->bucket != NO_BUCKET)
			return tell(v, r, NULL,
				    "the chain of bucket %lu comes to it again, after bucket %lu",
				    bucket, r->bucket);
		r->bucket = bucket;
		if ((r->hash & (v->table.buckets - 1)) != bucket)
			st = tell(v, r, NULL,
				  "it is in the chain of bucket %lu, its hash is of %lu", bucket,
				  r->hash & (v->table.buckets - 1));
		else if (r->is_free)
			st = tell(v, r, NULL, "the record is free, but in the chain of bucket %lu",
				  bucket);
		else if (v->table.is_list && r->prev != back)
			st = tell(v, r, NULL, "its link back is %#lx, not %#lx", r->prev, back);
		from = r;
		back = head;
		head = r->next;
	}
	return st;
}

static enum status check_bucket(void *arg, uint64_t bucket, bool readable, uint64_t head,
				uint64_t end)
{
	struct verify *v = arg;

	if (readable)
		return check_chain(v, bucket, head, end);
	v->c->missing_buckets++;
	hash_u64_get(&v->cut, bucket, NULL);
	return ST_OK;
}

/* Up to 5.19 the size of the table may be unknown: the one in which all chains lead to records. */
static bool leads_to(struct verify *v, const struct record *r, uint64_t buckets)
{
	uint64_t at, limit = v->records.n;

	if (dump_u64(v->depot->dump, v->table.address + 8 * (r->hash & (buckets - 1)), &at,
		     "stack_table") != ST_OK)
		return false;
	for (; at && at != r->address && limit; limit--) {
		const struct record *next;

		if (!hash_u64_has(&v->records, at - v->table.link.offset))
			return false;
		next = hash_u64_get(&v->records, at - v->table.link.offset, NULL);
		at = next->next;
	}
	return at == r->address;
}

static void derive_buckets(struct verify *v)
{
	uint64_t best = 0;

	for (unsigned int order = 8; order <= 24; order++) {
		uint64_t found = 0, tried = 0;

		for (struct hash_u64_entry *e = v->records.first; e && tried < 256; e = e->next) {
			tried++;
			found += leads_to(v, (const struct record *)e->value, 1ULL << order);
			if (tried == 16 && !found)
				break;
		}
		if (found > best && 2 * found > tried) {
			best = found;
			v->table.buckets = 1ULL << order;
			v->c->derived_buckets = true;
		}
	}
}

/* Once it is known which chains there are, and whether hashes are those that we know. */
static enum status check_records(struct verify *v)
{
	enum status st = ST_OK;
	bool chained = v->c->buckets;

	v->c->hashes = v->fits > v->differs;
	for (struct hash_u64_entry *e = v->records.first; e && st == ST_OK; e = e->next) {
		const struct record *r = (const struct record *)e->value;
		uint64_t bucket = chained ? r->hash & (v->table.buckets - 1) : 0;

		if (v->c->hashes && r->checks_hash && !r->hash_fits && !r->is_free)
			st = tell(v, r, NULL, "the hash %#x is not the one of its frames", r->hash);
		if (st == ST_OK && chained && r->bucket == NO_BUCKET && !r->is_free &&
		    !hash_u64_has(&v->cut, bucket))
			st = tell(v, r, NULL, "no chain has it: its hash is of bucket %lu", bucket);
		if (dump_stopped(v->depot->dump))
			return ST_STOPPED;
	}
	return st;
}

static enum status check_chains(struct verify *v)
{
	if (!v->table.buckets)
		derive_buckets(v);
	if (!v->table.buckets || v->table.buckets & (v->table.buckets - 1))
		return ST_OK;
	v->c->buckets = v->table.buckets;
	return depot_table_walk(&v->table, check_bucket, v);
}

enum status depot_verify(struct depot *depot, const struct depot_verifier *with,
			 struct depot_checks *ret)
{
	struct dump *d = depot->dump;
	struct depot_checks checks = { 0 };
	struct verify v = { .depot = depot, .with = with, .c = &checks };
	enum status st = depot_table_open(depot, &v.table);
	uint64_t bytes;

	if (st != ST_OK)
		return st;
	hash_u64_init(&v.records, d->arena, sizeof(struct record));
	hash_u64_init(&v.holes, d->arena, 0);
	hash_u64_init(&v.cut, d->arena, 0);
	v.pools = dump_alloc(d, (depot->used + 1) * sizeof(*v.pools));
	v.bytes = dump_alloc(d, depot->pool_bytes + dump_page_size(d));
	v.has_page = dump_alloc(d, depot->pool_bytes / 4096 + 1);
	if (depot->f[DEPOT_COUNT].present &&
	    dump_ask(d, type_size, "struct stack_record", &bytes) == ST_OK &&
	    bytes <= depot->pool_bytes)
		v.record_bytes = aligned(bytes);
	st = read_pools(&v);
	for (uint64_t i = 0; i < depot->used && i < depot->pools && st == ST_OK; i++) {
		if (dump_stopped(d))
			st = ST_STOPPED;
		else if (v.pools[i])
			st = check_pool(&v, i);
	}
	st = st ?: check_chains(&v) ?: check_records(&v);
	*ret = checks;
	return st;
}
