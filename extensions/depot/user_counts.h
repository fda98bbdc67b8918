/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often each part of the kernel refers to each handle of the stack depot. */
#pragma once

#include "slab/kmemleak.h"
#include "util/hash_u64.h"

enum user {
	OWNER_ALLOC,
	OWNER_FREE,
	SLUB_ALLOC,
	SLUB_FREE,
	KASAN_ALLOC,
	KASAN_DEFERRED,
	KASAN_FREE,
	KMEMLEAK_OBJECT,
	KMEMLEAK_REPORTED,
	REF_TAKEN,
	REF_RELEASED,
	USERS
};

/*
 * COUNTED_IN_PART: of rows alone, for COUNTED with something missing.  NO_HANDLES: it is built in, and
 * keeps the frames of its stacks itself.
 */
enum user_state { COUNTED, COUNTED_IN_PART, NOT_BUILT_IN, NO_HANDLES, OFF, NOT_COUNTED };

struct user_handles {
	uint64_t n[USERS];
};

#define MAX_LEAKS 100000 /* objects of kmemleak that are listed; more are counted */

/* An object that kmemleak reported. */
struct user_leak {
	struct user_leak *next;
	struct kmemleak_object object;
};

struct user_counts {
	struct dump *dump;
	uint32_t extra_mask;	 /* bits of a handle that its user owns */
	struct hash_u64 handles; /* struct user_handles by handle */
	struct user_handles total, distinct;
	enum user_state state[USERS];
	uint64_t missing[USERS];   /* places that are not in the dump, or corrupt */
	const char *reason[USERS]; /* of NOT_COUNTED and of missing places; NULL: see the count */
	struct user_leak *leaks, **last_leak; /* the first MAX_LEAKS, in the order of the kernel */
	uint64_t nleaks;
	const char *coverage; /* of ref_tracker, where it is not all; else NULL */
};

void user_counts_init(struct user_counts *u, struct dump *d, uint32_t extra_mask);

/* Of one handle; all are 0 where nothing refers to it. */
const struct user_handles *user_counts_of(const struct user_counts *u, uint32_t handle);

/* For the counters of each user: one reference of it to a handle; a handle of 0 is none. */
void user_counts_add(struct user_counts *u, enum user user, uint32_t handle);

/* No count of the users from first to last: the status of what was opened, and dump->error. */
enum status user_counts_refuse(struct user_counts *u, enum user first, enum user last,
			       enum status st);

/*
 * The users, each group in a file of its own (page_users.c and so on).  What cannot be counted is in
 * state, missing and reason.  ST_STOPPED.
 */
enum status user_counts_pages(struct user_counts *u);
enum status user_counts_objects(struct user_counts *u); /* tracks of SLUB, metadata of KASAN */
enum status user_counts_kmemleak(struct user_counts *u);
enum status user_counts_references(struct user_counts *u);
