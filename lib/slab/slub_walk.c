// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/slub.h"

#include <string.h>

enum status slub_walk(struct slabs *s, uint64_t pfn, bool untagged,
		      enum status (*visit)(void *arg, const struct slub_object *o), void *arg,
		      struct slab_gaps *gaps)
{
	uint64_t bits[SLAB_FREE_WORDS] = { 0 };
	struct slab slab;
	struct slub_object o = { .slab = &slab };
	enum status st = slab_at(s, pfn, &slab);

	*gaps = (struct slab_gaps){ .slab = st != ST_OK };
	if (st != ST_OK || (!slab.exts && !untagged))
		return ST_OK;
	st = slab_free_objects(s, &slab, bits);
	o.knows_free = st == ST_OK;
	gaps->free = !o.knows_free;
	/* The bits of a list that breaks off are not of all free objects. */
	if (!o.knows_free)
		memset(bits, 0, sizeof(bits));
	st = ST_OK;
	for (o.index = 0; st == ST_OK && o.index < slab.objects; o.index++) {
		o.tag = 0;
		o.knows_tag = !slab.exts || slab_tag(s, &slab, o.index, &o.tag) == ST_OK;
		gaps->tags |= !o.knows_tag;
		o.is_free = bits[o.index / 64] >> o.index % 64 & 1;
		st = visit(arg, &o);
	}
	return st;
}
