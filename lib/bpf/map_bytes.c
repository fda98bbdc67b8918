// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/map_bytes.h"

#include "bpf/bpf_map.h"

/* Flags of maps (include/uapi/linux/bpf.h): those of the system call. */
#define NO_PREALLOC 1
#define MMAPABLE 0x400

#define POINTER 8
#define MAX_BYTES (1ULL << 46) /* more than a machine has */

/* What the structures say of the memory. */
struct parts {
	uint64_t elem_size, buckets, entries, pages, mask, bucket_log, data;
	int64_t count, counter_count;
	uint64_t counter, counters, extra, ring;
	bool uses_counter;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct map_bytes, of[AS_ARRAY], "struct bpf_array"),
	READS(struct parts, elem_size, OPTIONAL, "all", "elem_size"),
	STRUCTURE(struct map_bytes, of[AS_HASH], "struct bpf_htab"),
	READS(struct parts, elem_size, OPTIONAL, "all", "elem_size"),
	READS(struct parts, buckets, OPTIONAL, "all", "n_buckets"),
	READS(struct parts, count, OPTIONAL, "all", "count.counter"),
	STRUCTURE(struct map_bytes, hash, "struct bpf_htab"),
	READS(struct parts, extra, OPTIONAL, "4.11", "extra_elems"),
	READS(struct parts, uses_counter, OPTIONAL, "6.1", "use_percpu_counter"),
	PLACES(struct parts, counter, OPTIONAL, "6.1", "pcount"),
	STRUCTURE(struct map_bytes, counter, "struct percpu_counter"),
	READS(struct parts, counter_count, OPTIONAL, "all", "count"),
	READS(struct parts, counters, OPTIONAL, "CONFIG_SMP", "counters"),
	STRUCTURE(struct map_bytes, of[AS_TRIE], "struct lpm_trie"),
	READS(struct parts, entries, OPTIONAL, "all", "n_entries"),
	READS(struct parts, data, OPTIONAL, "all", "data_size"),
	STRUCTURE(struct map_bytes, of[AS_STACKS], "struct bpf_stack_map"),
	READS(struct parts, buckets, OPTIONAL, "all", "n_buckets"),
	STRUCTURE(struct map_bytes, of[AS_QUEUE], "struct bpf_queue_stack"),
	READS(struct parts, entries, OPTIONAL, "4.20", "size"),
	STRUCTURE(struct map_bytes, of[AS_RING], "struct bpf_ringbuf_map"),
	READS(struct parts, ring, OPTIONAL, "5.8", "rb"),
	STRUCTURE(struct map_bytes, ring, "struct bpf_ringbuf"),
	READS(struct parts, pages, OPTIONAL, "5.8", "nr_pages"),
	STRUCTURE(struct map_bytes, of[AS_BLOOM], "struct bpf_bloom_filter"),
	READS(struct parts, mask, OPTIONAL, "5.16", "bitset_mask"),
	STRUCTURE(struct map_bytes, of[AS_DEVICES], "struct bpf_dtab"),
	READS(struct parts, buckets, OPTIONAL, "5.4", "n_buckets"),
	READS(struct parts, entries, OPTIONAL, "5.4", "items"),
	STRUCTURE(struct map_bytes, of[AS_SOCKET_HASH], "struct bpf_shtab"),
	READS(struct parts, buckets, OPTIONAL, "5.8", "buckets_num"),
	READS(struct parts, elem_size, OPTIONAL, "5.8", "elem_size"),
	READS(struct parts, count, OPTIONAL, "5.8", "count.counter"),
	STRUCTURE(struct map_bytes, of[AS_STORAGE], "struct bpf_local_storage_map"),
	READS(struct parts, bucket_log, OPTIONAL, "5.9", "bucket_log"),
	STRUCTURE(struct map_bytes, of[AS_ARENA], "struct bpf_arena"),
	READS(struct parts, pages, OPTIONAL, "7.3", "nr_pages"),
	STRUCTURE(struct map_bytes, of[AS_RHASH], "struct bpf_rhtab"),
	READS(struct parts, elem_size, OPTIONAL, "7.3", "elem_size"),
	READS(struct parts, count, OPTIONAL, "7.3", "ht.nelems.counter"),
};

/* The structure of each form, and what it has many of. */
static const struct {
	const char *type, *part;
} forms[MAP_FORMS] = {
	[AS_ARRAY] = { "struct bpf_array", NULL },
	[AS_HASH] = { "struct bpf_htab", "struct bucket" },
	[AS_TRIE] = { "struct lpm_trie", "struct lpm_trie_node" },
	[AS_STACKS] = { "struct bpf_stack_map", "struct stack_map_bucket" },
	[AS_QUEUE] = { "struct bpf_queue_stack", NULL },
	[AS_RING] = { "struct bpf_ringbuf_map", "struct bpf_ringbuf" },
	[AS_BLOOM] = { "struct bpf_bloom_filter", NULL },
	[AS_DEVICES] = { "struct bpf_dtab", "struct bpf_dtab_netdev" },
	[AS_CPUS] = { "struct bpf_cpu_map", NULL },
	[AS_SOCKETS] = { "struct bpf_stab", NULL },
	[AS_SOCKET_HASH] = { "struct bpf_shtab", "struct bpf_shtab_bucket" },
	[AS_XSK] = { "struct xsk_map", NULL },
	[AS_REUSEPORT] = { "struct reuseport_array", NULL },
	[AS_STORAGE] = { "struct bpf_local_storage_map", "struct bpf_local_storage_map_bucket" },
	[AS_CGROUP_STORAGE] = { "struct bpf_cgroup_storage_map", NULL },
	[AS_ARENA] = { "struct bpf_arena", NULL },
	[AS_INSNS] = { "struct bpf_insn_array", "struct bpf_insn_array_value" },
	[AS_RHASH] = { "struct bpf_rhtab", NULL },
};

static const struct {
	const char *name;
	enum map_form form;
} types[] = {
	{ "hash", AS_HASH },
	{ "array", AS_ARRAY },
	{ "prog_array", AS_ARRAY },
	{ "perf_event_array", AS_ARRAY },
	{ "percpu_hash", AS_HASH },
	{ "percpu_array", AS_ARRAY },
	{ "stack_trace", AS_STACKS },
	{ "cgroup_array", AS_ARRAY },
	{ "lru_hash", AS_HASH },
	{ "lru_percpu_hash", AS_HASH },
	{ "lpm_trie", AS_TRIE },
	{ "array_of_maps", AS_ARRAY },
	{ "hash_of_maps", AS_HASH },
	{ "devmap", AS_DEVICES },
	{ "devmap_hash", AS_DEVICES },
	{ "sockmap", AS_SOCKETS },
	{ "sockhash", AS_SOCKET_HASH },
	{ "cpumap", AS_CPUS },
	{ "xskmap", AS_XSK },
	{ "cgroup_storage", AS_CGROUP_STORAGE },
	{ "percpu_cgroup_storage", AS_CGROUP_STORAGE },
	{ "reuseport_sockarray", AS_REUSEPORT },
	{ "queue", AS_QUEUE },
	{ "stack", AS_QUEUE },
	{ "sk_storage", AS_STORAGE },
	{ "inode_storage", AS_STORAGE },
	{ "task_storage", AS_STORAGE },
	{ "cgrp_storage", AS_STORAGE },
	{ "ringbuf", AS_RING },
	{ "user_ringbuf", AS_RING },
	{ "bloom_filter", AS_BLOOM },
	{ "arena", AS_ARENA },
	{ "insn_array", AS_INSNS },
	{ "rhash", AS_RHASH },
};

enum status map_bytes_open(struct dump *d, struct map_bytes *ret)
{
	struct map_bytes b = { .dump = d };
	struct field locks;
	enum status st = STRUCTS_OPEN(d, rows, &b);

	if (st != ST_OK)
		return st;
	for (size_t i = 0; i < MAP_FORMS; i++) {
		b.own[i] = forms[i].type ? dump_type_bytes(d, forms[i].type) : 0;
		b.part[i] = forms[i].part ? dump_type_bytes(d, forms[i].part) : 0;
	}
	/* Up to 6.15: an array of pointers to numbers of each CPU. */
	if (dump_ask(d, member, "struct bpf_htab", "map_locked", &locks) == ST_OK)
		b.locks = locks.size / POINTER;
	if (dump_ask(d, member, "struct xsk_map", "count.counter", &b.xsk_count) != ST_OK) /* 6.4 */
		b.xsk_count.present = false;
	if (dump_ask(d, member, "struct xsk_map", "xsk_map", &b.xsk_sockets) != ST_OK)
		b.xsk_sockets.present = false;
	b.xsk_node = dump_type_bytes(d, "struct xsk_map_node"); /* 5.3 */
	b.cpus_status = percpu_open(d, &b.cpus);
	/* It takes a kernel without the table for one without SMP. */
	if (b.cpus.n == 1 && STRUCT_HAS(&b.counter, struct parts, counters) &&
	    !dump_has_symbol(d, "__per_cpu_offset"))
		b.cpus_status = ST_UNKNOWN;
	*ret = b;
	return ST_OK;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	return a && b > MAX_BYTES / a ? MAX_BYTES : a * b;
}

static uint64_t round_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

/* Elements of a hash that allocates them one by one. */
static enum status count_elements(const struct map_bytes *b, struct parts *p, uint64_t *ret)
{
	int64_t n = p->count;
	enum status st = ST_OK;

	if (p->uses_counter)
		st = struct_read(&b->counter, p->counter, p);
	if (p->uses_counter)
		n = p->counter_count;
	for (unsigned int i = 0; st == ST_OK && p->uses_counter && p->counters && i < b->cpus.n;
	     i++) {
		uint32_t more;

		st = dump_u32(b->dump, p->counters + b->cpus.offset[i], &more, "percpu_counter");
		if (st == ST_OK)
			n += (int32_t)more;
	}
	return RESULT(st, ret, n < 0 ? 0 : (uint64_t)n);
}

/* htab_map_mem_usage() of kernel/bpf/hashtab.c */
static enum status hash_bytes(const struct map_bytes *b, const struct bpf_map *map, struct parts *p,
			      uint64_t *ret)
{
	const bool percpu = strstr(map->type_name, "percpu") != NULL,
		   late = map->flags & NO_PREALLOC;
	const uint64_t values = times(round_up((uint64_t)map->value_bytes, 8), b->cpus.n);
	uint64_t n = (uint64_t)map->max_entries + (p->extra && !late ? b->cpus.n : 0);
	uint64_t each = p->elem_size;
	enum status st = ST_OK;

	if (late)
		st = count_elements(b, p, &n);
	each += (late ? POINTER : 0) + (percpu ? values + (late ? 2 * POINTER : 0) : 0);
	*ret += times(b->part[AS_HASH], p->buckets) + times(4 * b->locks, b->cpus.n) +
		times(n, each);
	if (!late && !percpu && !strstr(map->type_name, "lru"))
		*ret += POINTER * b->cpus.n;
	return st;
}

static uint64_t array_bytes(const struct map_bytes *b, const struct bpf_map *map,
			    const struct parts *p)
{
	const uint64_t all = times(p->elem_size, map->max_entries), page = dump_page_size(b->dump);

	if (!strcmp(map->type_name, "percpu_array"))
		return b->own[AS_ARRAY] + times(POINTER, map->max_entries) + times(all, b->cpus.n);
	if (map->flags & MMAPABLE)
		return round_up(b->own[AS_ARRAY], page) + round_up(all, page);
	return b->own[AS_ARRAY] + all;
}

static enum status ring_bytes(const struct map_bytes *b, const struct bpf_map *map, struct parts *p,
			      uint64_t *ret)
{
	const unsigned int shift = b->dump->page_shift;
	const uint64_t data = map->max_entries >> shift;
	enum status st = struct_read(&b->ring, p->ring, p);

	/* An array of struct page has those of the data twice. */
	if (st == ST_OK)
		*ret += (p->pages << shift) + times(POINTER, p->pages + data);
	return st;
}

#define MAX_SOCKETS (1U << 20) /* of a map that does not count them */

/* Before 6.4 a map does not count the sockets that it has: each has its node. */
static enum status count_sockets(const struct map_bytes *b, const struct bpf_map *map,
				 uint64_t *ret)
{
	const uint64_t at = map->address + b->xsk_sockets.offset;
	uint64_t words[64], n = 0;
	enum status st = ST_OK;

	if (!b->xsk_sockets.present || map->max_entries > MAX_SOCKETS)
		return dump_fail(b->dump, ST_UNKNOWN,
				 "sockets of the map with ID %u are not counted", map->id);
	for (uint64_t i = 0; st == ST_OK && i < map->max_entries; i += ARRAY_SIZE(words)) {
		const uint64_t left = map->max_entries - i;
		const uint64_t here = left < ARRAY_SIZE(words) ? left : ARRAY_SIZE(words);

		st = dump_read(b->dump, at + i * POINTER, words, here * POINTER, "xsk_map");
		for (uint64_t k = 0; st == ST_OK && k < here; k++)
			n += words[k] != 0;
	}
	return RESULT(st, ret, n);
}

/* xsk_map_mem_usage() of net/xdp/xskmap.c */
static enum status xsk_bytes(const struct map_bytes *b, const struct bpf_map *map, uint64_t *ret)
{
	uint32_t count = 0;
	uint64_t n = 0;
	enum status st = ST_OK;

	if (b->xsk_node && b->xsk_count.present)
		st = dump_u32(b->dump, map->address + b->xsk_count.offset, &count, "xsk_map");
	else if (b->xsk_node)
		st = count_sockets(b, map, &n);
	*ret += times(POINTER, map->max_entries) + times(b->xsk_node, n + count);
	return st;
}

static enum status form_bytes(const struct map_bytes *b, enum map_form form,
			      const struct bpf_map *map, struct parts *p, uint64_t *ret)
{
	const uint64_t own = b->own[form], part = b->part[form], max = map->max_entries;

	*ret = own;
	switch (form) {
	case AS_ARRAY:
		*ret = array_bytes(b, map, p);
		return ST_OK;
	case AS_HASH:
		return hash_bytes(b, map, p, ret);
	case AS_TRIE:
		*ret = times(part + p->data + map->value_bytes, p->entries);
		return ST_OK;
	case AS_STACKS:
		*ret += times(POINTER, p->buckets) + times(part + map->value_bytes, max);
		return ST_OK;
	case AS_QUEUE:
		*ret += times(map->value_bytes, p->entries);
		return ST_OK;
	case AS_RING:
		return ring_bytes(b, map, p, ret);
	case AS_BLOOM:
		*ret += round_up((p->mask + 1 + 7) / 8, 8);
		return ST_OK;
	case AS_DEVICES:
		*ret += times(POINTER, strcmp(map->type_name, "devmap") ? p->buckets : max) +
			times(part, p->entries);
		return ST_OK;
	case AS_SOCKET_HASH:
		*ret += times(part, p->buckets) + times(p->elem_size, (uint64_t)p->count);
		return ST_OK;
	case AS_STORAGE:
		*ret += times(part, p->bucket_log < 32 ? 1ULL << p->bucket_log : MAX_BYTES);
		return ST_OK;
	case AS_CGROUP_STORAGE:
		return ST_OK;
	case AS_XSK:
		return xsk_bytes(b, map, ret);
	case AS_ARENA:
		*ret = times(p->pages, dump_page_size(b->dump));
		return ST_OK;
	case AS_INSNS:
		*ret += times(part + POINTER, max);
		return ST_OK;
	case AS_RHASH:
		*ret += times(p->elem_size, (uint64_t)p->count);
		return ST_OK;
	default:
		*ret += times(POINTER, max);
		return ST_OK;
	}
}

static enum map_form form_of(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i].name, name))
			return types[i].form;
	return AS_UNKNOWN;
}

enum status map_bytes_of(const struct map_bytes *b, const struct bpf_map *map, uint64_t *ret)
{
	const enum map_form form = form_of(map->type_name);
	struct parts p = { 0 };
	uint64_t bytes = 0;
	enum status st;

	/* Kernels of before do not count the pages of an arena. */
	if (form == AS_UNKNOWN || (form == AS_ARENA && !struct_has_all(&b->of[form])))
		return dump_fail(b->dump, ST_UNKNOWN,
				 "how much a map of type %s takes is not known",
				 map->type_name ? map->type_name : "that has no name here");
	if (!b->own[form] || (forms[form].part && !b->part[form]) || !struct_has_all(&b->of[form]))
		return dump_unknown(b->dump, "%s", forms[form].type);
	if (b->cpus_status != ST_OK)
		return dump_fail(b->dump, b->cpus_status, "the number of CPUs is unknown");
	st = b->of[form].end ? struct_read(&b->of[form], map->address, &p) : ST_OK;
	if (st == ST_OK && form == AS_HASH)
		st = struct_read(&b->hash, map->address, &p);
	st = st ?: form_bytes(b, form, map, &p, &bytes);
	if (st == ST_OK && bytes >= MAX_BYTES)
		st = dump_corrupt(b->dump, "the map with ID %u has %lu bytes", map->id, bytes);
	return RESULT(st, ret, bytes);
}
