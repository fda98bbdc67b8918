// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_map.h"

#include <ctype.h>

static const struct layout_row rows[] = {
	STRUCTURE(struct bpf_maps, map, "struct bpf_map"),
	READS(struct bpf_map, id, REQUIRED, "4.13", "id"),
	READS(struct bpf_map, type, REQUIRED, "all", "map_type"),
	READS(struct bpf_map, key_bytes, REQUIRED, "all", "key_size"),
	READS(struct bpf_map, value_bytes, REQUIRED, "all", "value_size"),
	READS(struct bpf_map, max_entries, REQUIRED, "all", "max_entries"),
	READS(struct bpf_map, flags, REQUIRED, "all", "map_flags"),
	READS(struct bpf_map, name, OPTIONAL, "4.15", "name"),
	READS_IF(struct bpf_map, references, has_references, OPTIONAL, "all", "refcnt.counter"),
	/* 6.1: an obj_cgroup, which outlives a cgroup that is removed. */
	READS_IF(struct bpf_map, memcg, has_memcg, OPTIONAL, "6.1, 5.11: CONFIG_MEMCG", "objcg",
		 "memcg"),
	/* 5.3: bpf: add memlock precharge check; gone in 5.11, which charges cgroups instead. */
	READS_IF(struct bpf_map, pages, has_pages, OPTIONAL, "5.3 to 5.10, to 5.2", "memory.pages",
		 "pages"),
};

/* enum bpf_map_type; of two names of one value the first is told. */
static const char *const type_names[] = {
	"HASH",
	"ARRAY",
	"PROG_ARRAY",
	"PERF_EVENT_ARRAY",
	"PERCPU_HASH",
	"PERCPU_ARRAY",
	"STACK_TRACE",
	"CGROUP_ARRAY",
	"LRU_HASH",
	"LRU_PERCPU_HASH",
	"LPM_TRIE",
	"ARRAY_OF_MAPS",
	"HASH_OF_MAPS",
	"DEVMAP",
	"SOCKMAP",
	"CPUMAP",
	"XSKMAP",
	"SOCKHASH",
	"CGROUP_STORAGE",
	"REUSEPORT_SOCKARRAY",
	"PERCPU_CGROUP_STORAGE",
	"QUEUE",
	"STACK",
	"SK_STORAGE",
	"DEVMAP_HASH",
	"STRUCT_OPS",
	"RINGBUF",
	"INODE_STORAGE",
	"TASK_STORAGE",
	"BLOOM_FILTER",
	"USER_RINGBUF",
	"CGRP_STORAGE",
	"ARENA",
	"INSN_ARRAY",
	"RHASH",
};

enum status bpf_maps_open(struct dump *d, struct bpf_maps *ret)
{
	struct bpf_maps m = { .dump = d };
	/* Others have a struct bpf_map as well; that of hashes is of kernel/bpf/hashtab.c. */
	enum status st = dump_built_with(d, "CONFIG_BPF_SYSCALL", "map_idr", "struct bpf_htab");

	st = st ?: STRUCTS_OPEN(d, rows, &m) ?: idr_open(d, "map_idr", &m.idr) ?:
		map_bytes_open(d, &m.bytes);
	if (st != ST_OK)
		return st;
	bpf_names_open(d, "BPF_MAP_TYPE_", type_names, ARRAY_SIZE(type_names), &m.types);
	*ret = m;
	return ST_OK;
}

/* A map is charged for all elements that it may have, which is all that is known of some. */
static void find_bytes(const struct bpf_maps *m, struct bpf_map *map)
{
	struct dump *d = m->dump;
	enum status st = map_bytes_of(&m->bytes, map, &map->bytes.n);

	if (st == ST_UNKNOWN && map->has_pages) {
		map->bytes = (struct maybe_u64){ map->pages << d->page_shift, true };
		return;
	}
	map->bytes.known = st == ST_OK;
	if (st != ST_OK)
		map->problem = dump_why(d);
}

bool bpf_maps_next(const struct bpf_maps *m, struct xa_entries *x, struct bpf_map *ret)
{
	uint64_t id, address;

	while (xa_next(x, &id, &address)) {
		enum status st;

		*ret = (struct bpf_map){ .address = address };
		st = struct_read(&m->map, address, ret);
		if (st == ST_OK && ret->id != id)
			st = dump_corrupt(m->dump, "the map at %#lx has ID %u, map_idr has %lu",
					  address, ret->id, id);
		first_problem_keep(m->dump, &x->problem, st);
		if (st != ST_OK)
			continue;
		ret->type_name = bpf_name(&m->types, ret->type);
		find_bytes(m, ret);
		return true;
	}
	return false;
}

static const char *lower(struct dump *d, const char *name)
{
	char *text = dump_strdup(d, name);

	for (char *c = text; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return text;
}

void bpf_names_open(struct dump *d, const char *prefix, const char *const *names, size_t n,
		    struct bpf_names *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < n; i++) {
		int64_t value;

		if (dump_ask(d, enumerator, dump_text(d, "%s%s", prefix, names[i]), &value) ==
			    ST_OK &&
		    value >= 0 && value < BPF_NAMES && !ret->of[value])
			ret->of[value] = lower(d, names[i]);
	}
}

#define MAX_PAGES (1U << 20) /* of one ring: max_entries of 4 GiB */

struct ring {
	uint64_t ring, pages;
	uint32_t n;
};

struct walk {
	struct dump *dump;
	const struct memory_parts *v;
	struct structure map, ring;
	bool has_types; /* they are asked for when the first ring is found */
	struct first_problem problem;
};

static const struct layout_row ring_pages_rows[] = {
	STRUCTURE(struct walk, map, "struct bpf_ringbuf_map"),
	POINTS(struct ring, ring, REQUIRED, "5.8", "rb"),
	STRUCTURE(struct walk, ring, "struct bpf_ringbuf"),
	POINTS(struct ring, pages, REQUIRED, "5.8", "pages"),
	READS(struct ring, n, REQUIRED, "5.8", "nr_pages"),
};

static enum status visit_map(struct walk *w, const struct bpf_map *map)
{
	struct dump *d = w->dump;
	struct memory_holder h = { .address = map->address, .counter = "bpf_ringbuf.nr_pages" };
	struct ring r = { 0 };
	enum status st = ST_OK;

	if (!map->type_name || !strstr(map->type_name, "ringbuf"))
		return ST_OK;
	if (!w->has_types)
		st = STRUCTS_OPEN(d, ring_pages_rows, w);
	w->has_types = st == ST_OK;
	st = st ?: struct_read(&w->map, map->address, &r) ?: struct_read(&w->ring, r.ring, &r);
	if (st == ST_OK && r.n > MAX_PAGES)
		st = dump_corrupt(d, "bpf_ringbuf at %#lx has %u pages", r.ring, r.n);
	if (st != ST_OK)
		return first_problem_keep(d, &w->problem, st);
	h.name = dump_text(d, "%s%smap %u", map->name, map->name[0] ? ", " : "", map->id);
	h.counted = (struct maybe_u64){ (uint64_t)r.n << d->page_shift, true };
	/* Behind them the array has those of data once more: they are mapped twice. */
	st = memory_parts_array(d, r.pages, r.n, 0, "pages of a bpf_ringbuf", w->v);
	return first_problem_keep(d, &w->problem, st) ?: w->v->holder(w->v->arg, &h);
}

enum status bpf_rings_walk(struct dump *d, const struct memory_parts *v)
{
	struct walk w = { .dump = d, .v = v };
	struct xa_entries x;
	struct bpf_maps maps;
	struct bpf_map map;
	enum status st = bpf_maps_open(d, &maps);

	if (st != ST_OK)
		return st;
	xa_begin(&x, d, maps.idr);
	while (st == ST_OK && bpf_maps_next(&maps, &x, &map))
		st = visit_map(&w, &map);
	return st ?: xa_end(&x) ?: first_problem_end(d, &w.problem);
}
