// SPDX-License-Identifier: GPL-2.0-or-later
#include "cache_names.h"

/* Whether the kernel was told to merge no caches. */
static bool merges_none(struct dump *d)
{
	uint64_t variable;
	uint8_t nomerge; /* a bool, whose type BTF does not have */

	return dump_symbol(d, "slab_nomerge", &variable) == ST_OK &&
	       dump_read(d, variable, &nomerge, sizeof(nomerge), "slab_nomerge") == ST_OK &&
	       nomerge;
}

void cache_other_names(struct dump *d, struct other_names *ret)
{
	struct slab_alias *found;
	enum status st = slab_aliases_read(d, &found);

	ret->how = "is merged into";
	if (st != ST_OK && !merges_none(d))
		ret->unknown =
			"it may be merged into another cache: the names of those are unknown";
	for (const struct slab_alias *a = found; a; a = a->next) {
		struct other_name *o;

		/* A link of its own name is no other one. */
		if (a->server && !strcmp(a->server, a->name))
			continue;
		o = dump_alloc(d, sizeof(*o));
		*o = (struct other_name){ .next = ret->first,
					  .name = a->name,
					  .holder = a->server };
		ret->first = o;
	}
}

void object_other_names(struct dump *d, struct other_names *ret)
{
	static struct other_name large = {
		.name = "[large kmalloc]",
		.text = "[large kmalloc] is pages without objects, which memowner caches has",
	};

	cache_other_names(d, ret);
	large.next = ret->first;
	ret->first = &large;
}
