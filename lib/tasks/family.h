/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How processes are related among each other: who descends from whom, and how far. */
#pragma once

#include "util/arena.h"

#include <stdint.h>

struct family_member {
	int32_t tgid, parent; /* parent 0: unknown, or none of them */
	/* By family_find(): members up to the first one that descends from none of them, itself included, and which that is. */
	uint32_t depth;
	size_t first;
};

void family_find(struct arena *arena, struct family_member *all, size_t n);
