/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a BPF map takes, as map_mem_usage() of its type counts it (6.4: bpf: add new map ops ->map_mem_usage):
 * "memlock:" of /proc/PID/fdinfo.  Elements of local storage are not in it.
 */
#pragma once

#include "dump/structure.h"
#include "kernel/percpu.h"
#include "util/maybe.h"

/* Types of map that have their memory in the same way, in a structure that begins with the struct bpf_map. */
enum map_form {
	AS_UNKNOWN,
	AS_ARRAY,
	AS_HASH,
	AS_TRIE,
	AS_STACKS,
	AS_QUEUE,
	AS_RING,
	AS_BLOOM,
	AS_DEVICES,
	AS_CPUS,
	AS_SOCKETS,
	AS_SOCKET_HASH,
	AS_XSK,
	AS_REUSEPORT,
	AS_STORAGE,
	AS_CGROUP_STORAGE,
	AS_ARENA,
	AS_INSNS,
	AS_RHASH,
	MAP_FORMS
};

struct map_bytes {
	struct dump *dump;
	struct structure of[MAP_FORMS], hash, ring, counter;
	uint64_t own[MAP_FORMS], part[MAP_FORMS]; /* bytes of the structure, of one of its parts */
	uint64_t locks;				  /* members map_locked of a struct bpf_htab */
	struct field xsk_count, xsk_sockets;	  /* of a struct xsk_map */
	uint64_t xsk_node; /* bytes of a struct xsk_map_node; 0: there is none */
	struct percpu cpus;
	enum status cpus_status;
};

struct bpf_map;

enum status map_bytes_open(struct dump *d, struct map_bytes *ret);

/* Its type by the name that the kernel has for it. ST_UNKNOWN: of this type nothing is known. */
enum status map_bytes_of(const struct map_bytes *b, const struct bpf_map *map, uint64_t *ret);
