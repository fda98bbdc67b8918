// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * IPv4 routes: each is an object of one cache, the leaf of its prefix one of another, and where it leads to, which routes may
 * share, one of kmalloc().
 */
#include "cache_owners.h"

#include "net/ipv4_routes.h"
#include "memowner/groups.h"

#define WHOLE 1000	/* parts of an info that routes share */
#define NETLINK_ROUTE 0 /* include/uapi/linux/netlink.h */
#define USERS 3u	/* processes that are named */

struct route_objects {
	struct ipv4_routes of;
	struct asked_cache *a;
	uint64_t cache; /* address of the kmem_cache of routes */
	struct owners_sample sample;
	uint64_t seen;				 /* routes */
	struct hash_u64 nets, protocols, tables; /* routes */
	struct hash_u64 infos, leaves;		 /* parts of WHOLE, by address of their cache */
	const char *what, *by;
};

static enum status add_route(void *arg, uint64_t object)
{
	struct route_objects *x = arg;
	const struct slab_cache *info, *leaf;
	struct ipv4_route route;
	const enum status st = ipv4_route_read(&x->of, object, &route);

	if (st != ST_OK || !hash_u64_has(&x->a->nets->all, route.net))
		return st ?: ST_ABSENT;
	x->seen++;
	owners_sum(&x->nets, route.net, 1);
	owners_sum(&x->protocols, route.protocol, 1);
	owners_sum(&x->tables, route.table, 1);
	info = cache_of_object(x->a, route.info);
	leaf = cache_of_object(x->a, route.leaf);
	if (info && route.routes)
		owners_sum(&x->infos, info->address, WHOLE / route.routes);
	if (leaf && leaf->address != x->cache)
		owners_sum(&x->leaves, leaf->address, WHOLE);
	return ST_OK;
}

/* "; sockets of rtnetlink, which installs routes, are open in bgpd (12)"; NULL: in none, in many, or it is unknown. */
static const char *installers(struct asked_cache *a, uint64_t net)
{
	const struct sockets *x;
	struct strbuf b = STRBUF_OF(256);
	struct hash_u64 told;
	unsigned int n = 0;

	hash_u64_init(&told, a->s->dump->arena, 0);
	if (summary_sockets_once(a->s, &x) != ST_OK || x->problem)
		return NULL;
	for (size_t i = 0; i < x->n; i++) {
		const struct socket *use = x->all[i];

		if (use->sock.family != FAMILY_NETLINK || use->sock.protocol != NETLINK_ROUTE ||
		    use->sock.net != net || !use->used_by || !use->used_by->n ||
		    !hash_u64_add(&told, (uint64_t)(uintptr_t)use->used_by))
			continue;
		strbuf_add(&b, "%s", n++ ? ", " : "");
		summary_user_names(use->used_by, &b);
	}
	return n && n <= USERS
		       ? dump_text(a->s->dump,
				   "; sockets of rtnetlink, which installs routes, are open "
				   "in %s",
				   b.buf)
		       : NULL;
}

/* "IPv4 routes of protocol bgp (186), table main" */
static const char *what_text(const struct route_objects *x)
{
	const uint64_t protocol = owners_most(&x->protocols, x->seen);
	const uint64_t table = owners_most(&x->tables, x->seen);
	const char *name = ipv4_protocol((uint8_t)protocol);

	return dump_text(x->a->s->dump, "IPv4 routes%s%s",
			 !protocol ? ""
			 : name ? dump_text(x->a->s->dump, " of protocol %s (%lu)", name, protocol)
				: dump_text(x->a->s->dump, " of protocol %lu", protocol),
			 table == 254	? ", table main"
			 : table == 255 ? ", table local"
			 : table	? dump_text(x->a->s->dump, ", table %lu", table)
					: "");
}

/* Of the large caches that of routes; 0: it is none. */
static uint64_t route_cache(struct asked_cache *a)
{
	uint64_t variable, at;

	if (dump_ask(a->s->dump, symbol, "fn_alias_kmem", &variable) != ST_OK ||
	    dump_u64(a->s->dump, variable, &at, "fn_alias_kmem") != ST_OK)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(a->s->caches) && a->s->caches[i].use; i++)
		if (a->s->caches[i].use->cache && a->s->caches[i].use->cache->address == at)
			return at;
	return 0;
}

static struct route_objects *routes_new(struct asked_cache *a)
{
	struct dump *d = a->s->dump;
	struct route_objects *x = dump_alloc(d, sizeof(*x));
	struct hash_u64 *const sums[] = { &x->nets, &x->protocols, &x->tables, &x->infos,
					  &x->leaves };
	enum status st;

	*x = (struct route_objects){ .a = a,
				     .cache = route_cache(a),
				     .sample = { .read = add_route, .arg = x } };
	for (size_t i = 0; i < ARRAY_SIZE(sums); i++)
		hash_u64_init(sums[i], d->arena, sizeof(uint64_t));
	if (!x->cache || !a->nets)
		return x;
	st = ipv4_routes_find(d, &x->of);
	if (st == ST_OK)
		owners_sample(a, x->cache, &x->sample);
	else if (st != ST_ABSENT)
		x->sample.problem = dump_why(d);
	d->error[0] = '\0';
	if (!x->seen)
		return x;
	x->what = what_text(x);
	x->by = installers(a, owners_most(&x->nets, x->seen));
	return x;
}

static bool has_routes(struct asked_cache *a)
{
	if (!a->route_objects)
		a->route_objects = routes_new(a);
	if (!a->route_objects->seen)
		cache_owners_unknown(a, a->route_objects->sample.problem);
	return a->route_objects->seen;
}

/* n: objects of the cache; what: what they are of routes, "" of the routes themselves. */
static void put(struct asked_cache *a, uint64_t n, const char *of)
{
	const struct route_objects *x = a->route_objects;
	const uint64_t all = slab_use_most(a->use);
	const uint64_t net = owners_most(&x->nets, x->seen);
	const struct net_namespace *in = net ? hash_u64_find(&a->nets->all, net) : NULL;
	struct cache_owners o = { .what = dump_text(a->s->dump, "%s%s", of, x->what), .place = "" };

	o.problem = x->sample.problem;
	n = n * x->sample.step < all ? n * x->sample.step : all;
	cache_owners_add(&o, n, n, in ? &in->users : NULL,
			 !in		  ? "of several network namespaces"
			 : in->is_initial ? "in the initial network namespace"
					  : "in a network namespace of its own");
	cache_owners_put(a, &o);
	if (!net || units_tenths(n, all) < OWNERS_MOST)
		return;
	a->super_at = net;
	a->keeper_text = x->what;
	a->keeper_what = dump_text(a->s->dump, "%s%s of %s objects of slab cache %s are %s%s%s",
				   owners_about(&x->sample), COUNT_TEXT(n), COUNT_TEXT(all),
				   slab_use_name(a->use) ?: "unknown", of, x->what, x->by ?: "");
	a->keeper_objects = dump_text(a->s->dump, "%s%s routes%s", owners_about(&x->sample),
				      COUNT_TEXT(x->seen * x->sample.step), x->by ?: "");
	a->command = "memowner sockets -f protocol=NETLINK";
	a->release = "removing the routes; the end of a process frees none of them";
}

void cache_ask_ipv4(struct asked_cache *a)
{
	if (has_routes(a) && a->use->cache->address == a->route_objects->cache)
		put(a, a->route_objects->seen, "");
}

/* Objects of any cache. */
void cache_ask_ipv4_parts(struct asked_cache *a)
{
	const uint64_t *n;

	if (a->n || !has_routes(a))
		return;
	n = hash_u64_find(&a->route_objects->leaves, a->use->cache->address);
	if (n)
		put(a, *n / WHOLE, "leaves of ");
	n = hash_u64_find(&a->route_objects->infos, a->use->cache->address);
	if (n)
		put(a, *n / WHOLE, "targets of ");
}
