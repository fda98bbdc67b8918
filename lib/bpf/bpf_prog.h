/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BPF programs (struct bpf_prog) and the links that attach them (struct bpf_link), by prog_idr and link_idr. */
#pragma once

#include "bpf/bpf_map.h"
#include "cgroup/cgroup.h"

struct bpf_progs {
	struct dump *dump;
	struct structure prog, aux, user, function, link, of_cgroup;
	uint64_t idr, links;	       /* heads of trees */
	struct first_problem no_links; /* ST_ABSENT: the kernel has none, before 5.8 */
	struct bpf_names types, link_types;
	int64_t cgroup_link; /* enumerator of enum bpf_link_type; -1: there is none */
};

struct bpf_prog {
	uint64_t address, aux;
	uint32_t id, type;
	const char *type_name; /* "cgroup_skb"; NULL: an enumerator that is not known */
	char name[BPF_NAME];
	uint64_t pages; /* of the struct bpf_prog with its instructions */
	bool has_jited; /* jited is known */
	uint64_t jited; /* bytes of machine code, with its functions */
	bool has_load_time;
	uint64_t load_time; /* nanoseconds since boot */
	uint64_t user;	    /* struct user_struct, or 0 */
	bool has_uid;
	uint32_t uid; /* who loaded it */
	bool has_references;
	uint64_t references;	  /* files, pins, links, where it is attached */
	uint64_t maps, functions; /* arrays of pointers: struct bpf_map, struct bpf_prog */
	uint32_t nmaps, nfunctions;
	uint64_t *used; /* maps as they were read: nmaps */
};

struct bpf_link {
	uint64_t address, prog; /* prog 0: it has none */
	uint32_t id, type;
	const char *type_name; /* "tracing"; NULL: an enumerator that is not known */
	uint64_t cgroup;       /* address; 0: it is of no cgroup */
	bool has_references;
	uint64_t references;
};

/* As bpf_maps_open(). */
enum status bpf_progs_open(struct dump *d, struct bpf_progs *ret);

/* As bpf_maps_next(), of p->idr and p->links; maps that cannot be read are not there, and xa_end() says so. */
bool bpf_progs_next(const struct bpf_progs *p, struct xa_entries *x, struct bpf_prog *ret);
bool bpf_links_next(const struct bpf_progs *p, struct xa_entries *x, struct bpf_link *ret);

/*
 * BPF programs that are attached to cgroups without a link (BPF_PROG_ATTACH, as systemd does): those of each cgroup
 * of the default hierarchy, by struct cgroup_bpf (include/linux/bpf-cgroup-defs.h).
 */

/*
 * Calls visit with the address of a struct bpf_prog and of its cgroup, once for each way in which it is attached.
 * ST_ABSENT: built without CONFIG_CGROUP_BPF; ST_UNREADABLE, ST_CORRUPT: some are missing.
 */
enum status bpf_cgroups_walk(struct dump *d,
			     enum status (*visit)(void *arg, uint64_t prog, uint64_t cgroup),
			     void *arg);
