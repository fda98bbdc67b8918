/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects without a type, by groups of them: what they have in common, and whose structures they may be. */
#pragma once

#include "holders/content.h"

struct untyped {
	struct holders *h;
	struct hash_u64 contents; /* of struct content by group and cache */
	struct hash_u64 modules;  /* bytes by the owner that keeps them */
};

void untyped_init(struct holders *h, struct arena *arena, struct untyped *ret);

/* One more of a group; *most: the cache that most bytes of the group are of, NULL to begin with. */
void untyped_add(struct untyped *u, const void *group, uint32_t node, uint64_t bytes,
		 struct content **most);

/*
 * What would name the structures of the module that keeps most, if nothing does, and more of all, where the types of
 * variables are not known; NULL: nothing would.
 */
const char *untyped_missing(struct untyped *u);
