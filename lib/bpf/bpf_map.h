/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BPF maps (struct bpf_map, kernel/bpf/syscall.c): map_idr has all that user space can reach. */
#pragma once

#include "bpf/map_bytes.h"
#include "dump/memory_parts.h"
#include "kernel/xarray.h"

/* Values of an enumeration by name, as the debug information of the kernel has them. */

#define BPF_NAMES 64 /* values of one enumeration */

struct bpf_names {
	const char *of[BPF_NAMES]; /* "lru_hash" of BPF_MAP_TYPE_LRU_HASH; NULL: unknown */
};

/* Names in capitals, "LRU_HASH", with the prefix before them: those that the kernel has. */
void bpf_names_open(struct dump *d, const char *prefix, const char *const *names, size_t n,
		    struct bpf_names *ret);

static inline const char *bpf_name(const struct bpf_names *x, uint32_t value)
{
	return value < BPF_NAMES ? x->of[value] : NULL;
}

#define BPF_NAME 32 /* BPF_OBJ_NAME_LEN is 16 */

struct bpf_maps {
	struct dump *dump;
	struct structure map;
	uint64_t idr; /* head of the tree of map_idr */
	struct bpf_names types;
	struct map_bytes bytes;
};

struct bpf_map {
	uint64_t address;
	uint32_t id, type, key_bytes, value_bytes, max_entries, flags;
	const char *type_name; /* "percpu_hash"; NULL: an enumerator that is not known */
	char name[BPF_NAME];   /* "": none was given */
	bool has_references;
	uint64_t references; /* files, pins, programs that use it, outer maps */
	bool has_memcg;	     /* the kernel keeps memcg: 5.11 and later */
	uint64_t memcg; /* address of the obj_cgroup or mem_cgroup that is charged; 0: none is */
	bool has_pages; /* the kernel keeps pages: up to 5.10 */
	uint64_t pages;
	struct maybe_u64 bytes;
	const char *problem; /* why bytes are unknown */
};

/* ST_ABSENT: built without CONFIG_BPF_SYSCALL; ST_UNKNOWN. */
enum status bpf_maps_open(struct dump *d, struct bpf_maps *ret);

/*
 * The next map by rising id, of xa_begin(x, d, m->idr); one that cannot be read, or true, is left out, as
 * xa_end() then says.
 */
bool bpf_maps_next(const struct bpf_maps *m, struct xa_entries *x, struct bpf_map *ret);

/*
 * Pages of BPF ring buffers (kernel/bpf/ringbuf.c): maps of type ringbuf and user_ringbuf.  A holder is a map,
 * "events, map 12", counted by bpf_ringbuf.nr_pages.
 */

/* ST_ABSENT: built without CONFIG_BPF_SYSCALL; ST_UNREADABLE, ST_CORRUPT: some of them, or of their pages, are missing. */
enum status bpf_rings_walk(struct dump *d, const struct memory_parts *v);
