// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/untyped.h"

#include "holders/types.h"

void untyped_init(struct holders *h, struct arena *arena, struct untyped *ret)
{
	ret->h = h;
	hash_u64_init(&ret->contents, arena, sizeof(struct content));
	hash_u64_init(&ret->modules, arena, sizeof(uint64_t));
}

void untyped_add(struct untyped *u, const void *group, uint32_t node, uint64_t bytes,
		 struct content **most)
{
	uint16_t owner = holders_owner(u->h, node);
	bool is_new;
	struct content *c = hash_u64_get(&u->contents,
					 (uint64_t)(uintptr_t)group << 16 ^
						 graph_span_of(&u->h->graph, node)->group,
					 &is_new);

	content_add(c, node);
	c->bytes += bytes;
	if (!*most || c->bytes > (*most)->bytes)
		*most = c;
	if (owner && owner != OWNER_NOBODY)
		*(uint64_t *)hash_u64_get(&u->modules, owner, &is_new) += bytes;
}

const char *untyped_missing(struct untyped *u)
{
	struct dump *d = u->h->graph.dump;
	const struct hash_u64_entry *most = NULL;
	const char *module;

	for (const struct hash_u64_entry *e = u->modules.first; e; e = e->next)
		if (!most || *(const uint64_t *)e->value > *(const uint64_t *)most->value)
			most = e;
	module = most ? graph_owner_name(&u->h->graph, (uint16_t)most->key) : NULL;
	if (!module || types_of_module(d, module))
		return NULL;
	return dump_text(d, "structures of %s are unknown: %s", module,
			 types_missing_text(d, module));
}
