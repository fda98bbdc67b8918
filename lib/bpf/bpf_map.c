// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_map.h"

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
static const char *const names[] = {
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
	enum status st = dump_has_both(d, "map_idr", "struct bpf_htab");

	if (st == ST_ABSENT)
		return dump_fail(d, ST_ABSENT, "this kernel was built without CONFIG_BPF_SYSCALL");
	st = st ?: STRUCTS_OPEN(d, rows, &m) ?: idr_open(d, "map_idr", &m.idr) ?:
		map_bytes_open(d, &m.bytes);
	if (st != ST_OK)
		return st;
	bpf_names_open(d, "BPF_MAP_TYPE_", names, ARRAY_SIZE(names), &m.types);
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
			st = dump_fail(m->dump, ST_CORRUPT,
				       "the map at %#lx has ID %u, map_idr has %lu", address,
				       ret->id, id);
		first_problem_keep(m->dump, &x->problem, st);
		if (st != ST_OK)
			continue;
		ret->type_name = bpf_name(&m->types, ret->type);
		find_bytes(m, ret);
		return true;
	}
	return false;
}
