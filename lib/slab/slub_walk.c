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

/* KFENCE places it at either end of its page, whatever the cache keeps before its objects. */
static enum status place(struct slabs *s, const struct kfence *k, uint32_t i,
			 const struct kfence_object *o, struct slab *ret)
{
	enum status st = slab_at(s, k->pfn + (i + 1) * 2ULL, ret);

	if (st == ST_OK && ret->cache->address != o->cache)
		st = dump_corrupt(
			s->dump, "the page of KFENCE object %u is of another cache than its record",
			i);
	if (st != ST_OK)
		return st;
	ret->address = o->address - ret->cache->pad;
	ret->objects = 1;
	return ST_OK;
}

enum status slub_kfence_at(struct slabs *s, struct kfence *k, uint64_t pfn, struct slab *ret,
			   struct kfence_object *object)
{
	bool is_guard;
	uint32_t i;
	enum status st = kfence_index(k, pfn, &i, &is_guard);

	if (st == ST_OK)
		st = is_guard ? ST_ABSENT : kfence_object_at(k, i, object);
	if (st == ST_OK && object->state != KFENCE_IN_USE)
		st = ST_ABSENT;
	return st ?: place(s, k, i, object, ret);
}

enum status slub_walk_kfence(struct slabs *s, struct kfence *k,
			     enum status (*visit)(void *arg, const struct slub_object *o),
			     void *arg, struct slab_gaps *gaps)
{
	struct kfence_object object;
	struct slab slab;
	struct slub_object o = { .slab = &slab, .knows_free = true, .kfence = &object };
	enum status st = ST_OK;

	*gaps = (struct slab_gaps){ 0 };
	for (uint32_t i = 0; st == ST_OK && i < k->objects; i++) {
		st = slub_kfence_at(s, k, k->pfn + (i + 1) * 2ULL, &slab, &object);
		if (st == ST_OK) {
			o.tag = 0;
			o.knows_tag = !slab.exts || slab_tag(s, &slab, 0, &o.tag) == ST_OK;
			gaps->tags |= !o.knows_tag;
			st = visit(arg, &o);
		} else if (st != ST_STOPPED) {
			gaps->slab |= st != ST_ABSENT;
			st = ST_OK;
		}
	}
	return st;
}
