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

/*
 * Pointers in variables are where types begin. BTF has the types of per-CPU variables alone, but where pahole was asked
 * for all (1.28, global_var). Every kernel has this one, and no decoder needs it.
 */
static bool lacks_variables(struct dump *d)
{
	static const char name[] = "panic_notifier_list";
	struct field f;

	return dump_has_symbol(d, name) && dump_ask(d, variable, name, &f) != ST_OK;
}

const char *untyped_missing(struct untyped *u)
{
	struct dump *d = u->h->graph.dump;
	const struct hash_u64_entry *most = NULL;
	const char *module, *few;

	few = lacks_variables(d) ? "types begin at caches, per-CPU variables and few others, whose "
				   "types the dump has: --vmlinux FILE gives those of all, by "
				   "which more objects have one"
				 : NULL;
	for (const struct hash_u64_entry *e = u->modules.first; e; e = e->next)
		if (!most || *(const uint64_t *)e->value > *(const uint64_t *)most->value)
			most = e;
	module = most ? graph_owner_name(&u->h->graph, (uint16_t)most->key) : NULL;
	if (!module || types_of_module(d, module))
		return few;
	return dump_text(d, "structures of %s are unknown: %s%s%s", module,
			 types_missing_text(d, module), few ? "; " : "", few ?: "");
}
