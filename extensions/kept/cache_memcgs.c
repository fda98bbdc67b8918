// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What memory cgroups that were removed are made of, a struct mem_cgroup and a struct cgroup each, by the nearest one
 * above them that was not: references of their pages keep them.
 */
#include "cache_owners.h"

#include "cgroup/memcg_counts.h"

struct removed {
	const struct memcg_counts *above; /* NULL: none */
	uint64_t cgroups, objects;
};

static const struct memcg_counts *above(const struct memcg_counts *c)
{
	do
		c = c->parent;
	while (c && c->removed);
	return c;
}

static uint64_t count_removed(const struct summary *s)
{
	uint64_t n = 0;

	for (const struct memcg_counts *c = s->memcgs; c; c = c->next)
		n += c->removed;
	return n;
}

void cache_ask_memcgs(struct asked_cache *a)
{
	struct cache_owners o = { .place = "" };
	struct arena *arena = a->s->dump->arena;
	const struct removed *most = NULL;
	struct hash_u64 all;

	if (count_removed(a->s) < limit(LIMIT_REMOVED))
		return;
	hash_u64_init(&all, arena, sizeof(struct removed));
	for (const struct memcg_counts *c = a->s->memcgs; c; c = c->next) {
		const struct memcg_counts *up = c->removed ? above(c) : NULL;
		struct removed *of;
		uint64_t n;

		if (!c->removed)
			continue;
		n = is_in_cache(a, c->address) + (c->cgroup && is_in_cache(a, c->cgroup));
		of = hash_u64_get(&all, up ? up->address : 0, NULL);
		of->above = up;
		of->objects += n;
		of->cgroups += n > 0;
	}
	hash_u64_for_each(const struct removed, of, &all) {
		const char *path = of->above ? of->above->path : NULL;

		cache_owners_add(&o, of->objects, of->objects, NULL,
				 path ? arena_text(arena, "below %s", path)
				      : "below one whose path is unknown");
		most = !most || of->objects > most->objects ? of : most;
	}
	if (most)
		o.what = arena_text(arena, "of %s", COUNT_OF(most->cgroups, "removed cgroup"));
	o.problem = a->s->memcgs_problem;
	cache_owners_put(a, &o);
}
