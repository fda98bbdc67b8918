/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cgroup that a page is charged to: page.memcg_data (5.11; page.mem_cgroup before)
 * leads to a struct mem_cgroup, directly or through a struct obj_cgroup. Which of
 * them changed its rule in 7.1; but a mem_cgroup says what it is: its css.ss points
 * to memory_cgrp_subsys.
 */
#pragma once

#include "cgroup/cgroup.h"
#include "util/hash_bytes.h"

struct memcgs {
	struct dump *dump;
	struct structure memcg, objcg;
	struct cgroups cgroups;
	uint64_t subsystem;	  /* address of memory_cgrp_subsys */
	struct css_states states; /* online 0: unknown */
	struct hash_u64 paths;	  /* of const char * by what a page says */
	struct hash_u64 charges;  /* of struct memcg_charge by the same */
	struct hash_u64 owners;	  /* of struct memcg_owner by the same */
	bool has_vectors;	  /* memcgs_charged_to() has met one */
};

/* What the kernel says of a page that is charged (print_page_owner_memcg() in mm/page_owner.c). */
struct memcg_charge {
	enum status status;
	bool by_object;	  /* through a struct obj_cgroup: kernel memory */
	bool online;	  /* the cgroup was not removed */
	const char *name; /* its own name, "/" for the root */
};

struct memcg_owner {
	enum status status;
	uint64_t memcg; /* address of the struct mem_cgroup */
	uint64_t objcg; /* that leads to it; 0: the data points to the cgroup itself */
};

/* The address of memory_cgrp_subsys.  ST_ABSENT: built without CONFIG_MEMCG. */
enum status memcgs_subsystem(struct dump *d, uint64_t *ret);

/* ST_ABSENT: built without CONFIG_MEMCG. */
enum status memcgs_open(struct dump *d, struct memcgs *ret);

/*
 * "/web", as /proc/PID/cgroup has it, for page.memcg_data; NULL: it is charged to
 * none, or object by object (slab), or that cannot be read.
 */
const char *memcgs_path(struct memcgs *m, uint64_t data);

/* The same, but MEMCG_NOT_CHARGED for a page that no cgroup is charged for, and MEMCG_BY_OBJECT. */
#define MEMCG_NOT_CHARGED "[not charged]"
#define MEMCG_BY_OBJECT "[by object]"
const char *memcgs_charged_to(struct memcgs *m, uint64_t data);

/* A path that several cgroups had one after another: one that was removed keeps its pages. */
struct memcg_path {
	const char *path;
	unsigned int cgroups; /* of those that were met: from 1 on */
	unsigned int removed; /* of these; 0 too where css.flags or CSS_ONLINE is unknown */
};

/* Each path that memcgs_path() and memcgs_charged_to() have given, by its text, with its cgroups. */
void memcgs_met(struct memcgs *m, struct hash_bytes *ret /* of struct memcg_path */);

/*
 * The cgroup that page.memcg_data or a pointer to an obj_cgroup leads to.  ST_ABSENT: none;
 * ST_UNREADABLE, ST_CORRUPT: as memcgs_charge().
 */
enum status memcgs_owner(struct memcgs *m, uint64_t data, struct memcg_owner *ret);

/* Whether memcg_data is the vector of a slab: one entry for each object. */
bool memcgs_is_vector(uint64_t data);

/*
 * ST_ABSENT: charged to none, or object by object; ST_UNREADABLE, ST_CORRUPT: what the
 * data points to is not in this dump, or is no cgroup.
 */
enum status memcgs_charge(struct memcgs *m, uint64_t data, struct memcg_charge *ret);
