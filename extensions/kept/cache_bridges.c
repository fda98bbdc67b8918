// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries of the forwarding tables of bridges, by bridge: what stations sent made them, and no process has them. */
#include "cache_owners.h"

#include "net/bridge.h"

struct bridge_entries {
	struct asked_cache *a;
	struct cache_owners o;
	const char *largest; /* device name */
};

static enum status add_bridge(void *arg, const struct bridge *b)
{
	struct bridge_entries *x = arg;
	const uint64_t most = x->o.most;

	if (!b->cache || b->cache != x->a->use->cache->address)
		return ST_OK;
	cache_owners_add(&x->o, b->entries, b->entries, NULL,
			 dump_text(x->a->s->dump, "of bridge %s", b->device.name));
	if (x->o.most > most)
		x->largest = dump_strdup(x->a->s->dump, b->device.name);
	return ST_OK;
}

void cache_ask_bridges(struct asked_cache *a)
{
	struct bridge_entries x = { .a = a, .o = { .what = "entries of the forwarding table" } };
	const enum status st = a->use->cache ? bridges_walk(a->s->dump, add_bridge, &x) : ST_ABSENT;

	if (st != ST_OK && st != ST_ABSENT && st != ST_STOPPED)
		x.o.problem = dump_why(a->s->dump);
	a->s->dump->error[0] = '\0';
	cache_owners_put(a, &x.o);
	if (x.largest && units_tenths(x.o.most, slab_use_most(a->use)) >= OWNERS_MOST)
		a->release = dump_text(
			a->s->dump,
			"bridge fdb flush dev %s, a shorter ageing_time, or fewer stations",
			x.largest);
}
