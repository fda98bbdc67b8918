/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How processes are related among each other: who descends from whom, and how far. */
#pragma once

#include "util/hash_u64.h"

#include <stdint.h>

struct family_member {
	int32_t tgid, parent; /* parent 0: unknown, or none of them */
	/* By family_find(): members up to the first one that descends from none of them, itself included, and which that is. */
	uint32_t depth;
	size_t first;
};

void family_find(struct arena *arena, struct family_member *all, size_t n);

/* A process by its tgid, in a map of all. */
struct family_process {
	int32_t parent; /* 0: unknown */
	char comm[17];
};

struct family_ancestor {
	int32_t tgid;
	const char *comm;
	uint64_t members; /* that descend from it */
};

/*
 * Of processes with these parents the ancestor that most of them have, the nearest of such, but not the first process;
 * all: of struct family_process. false: two have none together.
 */
bool family_ancestor(struct arena *arena, const struct hash_u64 *all, const int32_t *parents,
		     size_t n, struct family_ancestor *ret);
