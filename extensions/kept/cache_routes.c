// SPDX-License-Identifier: GPL-2.0-or-later
#include "cache_owners.h"

static const char *place_of_net(const struct asked_cache *a, const struct net_namespace *net)
{
	return net->is_initial	      ? "in the initial network namespace"
	       : net->users.n	      ? NULL
	       : a->nets->empty.known ? "in a network namespace without a process"
				      : "in another network namespace";
}

static bool count_routes(struct asked_cache *a, const struct net_namespace *net,
			 struct cache_owners *o, struct ipv6_counts *ret)
{
	if (ipv6_routes_count(&a->routes, net->address, ret) == ST_OK)
		return true;
	o->problem = dump_why(a->s->dump);
	return false;
}

void cache_ask_nodes(struct asked_cache *a)
{
	struct cache_owners o = { .place = "in the network namespace of " };
	uint64_t routes = 0;
	struct ipv6_counts c;

	if (!a->nets || !a->has_ipv6)
		return cache_owners_unknown(a, a->nets_problem);
	hash_u64_for_each(const struct net_namespace, net, &a->nets->all) {
		if (!count_routes(a, net, &o, &c))
			continue;
		routes += c.routes;
		cache_owners_add(&o, c.nodes, c.nodes, &net->users, place_of_net(a, net));
	}
	if (o.n > slab_use_most(a->use))
		return cache_owners_unknown(
			a, "more nodes of IPv6 routes are counted than it has objects");
	o.what = dump_text(a->s->dump, "nodes of %s IPv6 routes", COUNT_TEXT(routes));
	cache_owners_put(a, &o);
}

/* Routes of a network namespace that are in one cache. */
struct cached_routes {
	uint64_t n, most;	/* of all tables; of the one that has most */
	uint32_t table;		/* that one */
	struct hash_u64 tables; /* of uint64_t, routes, by number of the table */
};

struct net_routes {
	struct asked_cache *a;
	struct hash_u64 caches; /* of struct cached_routes by address of the kmem_cache */
	const char *problem;	/* NULL, or why routes may be missing */
};

static enum status add_route(void *arg, uint64_t route, uint32_t table)
{
	struct net_routes *r = arg;
	const struct slab_cache *cache = cache_of_object(r->a, route);
	struct cached_routes *of;
	bool is_new;
	uint64_t *n;

	if (!cache)
		return ST_OK;
	of = hash_u64_get(&r->caches, cache->address, &is_new);
	if (is_new)
		hash_u64_init(&of->tables, r->a->s->dump->arena, sizeof(uint64_t));
	n = hash_u64_get(&of->tables, table, NULL);
	of->n++;
	if (++*n > of->most) {
		of->most = *n;
		of->table = table;
	}
	return ST_OK;
}

static const struct net_routes *routes_of(struct asked_cache *a, uint64_t net)
{
	bool is_new;
	struct net_routes *r = hash_u64_get(&a->walked, net, &is_new);

	if (!is_new)
		return r;
	r->a = a;
	hash_u64_init(&r->caches, a->s->dump->arena, sizeof(struct cached_routes));
	if (ipv6_routes_walk(&a->routes, net, add_route, r) != ST_OK)
		r->problem = dump_why(a->s->dump);
	return r;
}

void cache_ask_routes(struct asked_cache *a)
{
	struct cache_owners o = { .what = "IPv6 routes", .place = "in the network namespace of " };
	struct ipv6_counts c;

	hash_u64_for_each(const struct net_namespace, net, &a->nets->all) {
		const struct net_routes *r;
		const struct cached_routes *of;

		if (!count_routes(a, net, &o, &c) ||
		    units_tenths(c.routes, slab_use_most(a->use)) < OWNERS_LEAST)
			continue;
		r = routes_of(a, net->address);
		o.problem = r->problem ?: o.problem;
		of = hash_u64_find(&r->caches, a->use->cache->address);
		if (!of)
			continue;
		if (of->n > o.most)
			o.what = units_tenths(of->most, of->n) >= OWNERS_MOST
					 ? dump_text(a->s->dump, "IPv6 routes, most of table %u,",
						     of->table)
					 : "IPv6 routes";
		cache_owners_add(&o, of->n, of->n, &net->users, place_of_net(a, net));
	}
	cache_owners_put(a, &o);
}

void cache_routes_open(struct asked_cache *a)
{
	struct dump *d = a->s->dump;
	struct net_namespaces *n = dump_alloc(d, sizeof(*n));
	enum status st;

	hash_u64_init(&a->walked, d->arena, sizeof(struct net_routes));
	st = ipv6_routes_find(d, &a->routes);
	a->has_ipv6 = st == ST_OK;
	if (st != ST_OK && st != ST_ABSENT)
		a->nets_problem = dump_why(d);
	st = net_namespaces_read(d, n);
	if (st == ST_OK)
		a->nets = n;
	else if (st != ST_ABSENT)
		a->nets_problem = dump_why(d);
}
