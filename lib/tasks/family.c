// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/family.h"

#define NONE SIZE_MAX
#define BUSY UINT32_MAX /* depth of a member that is on the way up */

static size_t parent_of(const struct hash_u64 *by_tgid, const struct family_member *m)
{
	const size_t *of = m->parent ? hash_u64_find(by_tgid, (uint32_t)m->parent) : NULL;

	return of ? *of : NONE;
}

void family_find(struct arena *arena, struct family_member *all, size_t n)
{
	size_t *way = arena_alloc(arena, n * sizeof(*way));
	struct hash_u64 by_tgid;

	hash_u64_init(&by_tgid, arena, sizeof(size_t));
	for (size_t i = 0; i < n; i++) {
		all[i].depth = 0;
		*(size_t *)hash_u64_get(&by_tgid, (uint32_t)all[i].tgid, NULL) = i;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at = i, up = 0, first;
		uint32_t depth;

		while (at != NONE && !all[at].depth) {
			all[at].depth = BUSY;
			way[up++] = at;
			at = parent_of(&by_tgid, &all[at]);
		}
		/* A circle of a damaged dump ends where it was entered. */
		if (at == NONE || all[at].depth == BUSY) {
			depth = 0;
			first = up ? way[up - 1] : i;
		} else {
			depth = all[at].depth;
			first = all[at].first;
		}
		while (up) {
			struct family_member *m = &all[way[--up]];

			m->depth = ++depth;
			m->first = first;
		}
	}
}

#define GENERATIONS 8u /* from a process up: make, a shell, cc and cc1plus are four */

struct counted {
	const struct family_process *of;
	uint64_t members, depth; /* depth: the sum of how far they are */
};

bool family_ancestor(struct arena *arena, const struct hash_u64 *all, const int32_t *parents,
		     size_t n, struct family_ancestor *ret)
{
	const struct counted *most = NULL;
	struct hash_u64 counts;

	hash_u64_init(&counts, arena, sizeof(struct counted));
	for (size_t k = 0; k < n; k++) {
		int32_t at = parents[k];

		for (unsigned int i = 0; i < GENERATIONS && at > 1; i++) {
			const struct family_process *p = hash_u64_find(all, (uint32_t)at);
			struct counted *c;

			if (!p)
				break;
			c = hash_u64_get(&counts, (uint32_t)at, NULL);
			c->of = p;
			c->members++;
			c->depth += i;
			at = p->parent;
		}
	}
	hash_u64_for_each(const struct counted, c, &counts)
		if (c->members > 1 && (!most || c->members > most->members ||
				       (c->members == most->members && c->depth < most->depth)))
			most = c;
	if (!most)
		return false;
	*ret = (struct family_ancestor){ .tgid = (int32_t)hash_u64_entry_of(most)->key,
					 .comm = most->of->comm,
					 .members = most->members };
	return true;
}
