// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The slab caches with the most pages, and who has the objects of a large one, where the kernel's own lists or
 * counters tell: mounts of a namespace, watches of inotify and fanotify and the inodes that they keep, requests of
 * io_uring, IPv6 routes of a network namespace.
 */
#include "collect/held.h"
#include "collect/net_namespaces.h"
#include "collect/task_places.h"
#include "net/ipv6_routes.h"
#include "pageowner/view.h"
#include "slab/slab_caches.h"
#include "summary.h"

static void add(struct summary *s, struct largest *largest, const struct slab_use *u)
{
	s->slab_objects += u->objects;
	if (u->pages)
		largest_add(largest, u->pages, u);
}

enum status summary_put_caches(struct summary *s, struct slab_caches *caches)
{
	struct largest largest = { .room = SUMMARY_CACHES };

	slab_caches_close(caches);
	for (const struct hash_bytes_entry *e = caches->uses.first; e; e = e->next)
		add(s, &largest, (const struct slab_use *)e->value);
	s->largest_cache = largest.n ? largest.of[0].item : NULL;
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct slab_use *u = largest.of[i].item;
		bool is_large = summary_reaches(s, LIMIT_HOLDER, u->pages);
		const char *merged = u->cache ? slab_merged_text(s->dump, u->cache, is_large)
					      : NULL;

		s->has_caches = true;
		SUMMARY_ADD(s, .section = SECTION_CACHE, .name = slab_use_name(u),
			    .pages = { u->pages, true }, .remark = merged);
		s->caches[i].use = u;
		s->caches[i].row = s->last[SECTION_CACHE];
	}
	return s->pages_missing && !s->has_caches ? summary_fail_missing(s) : ST_OK;
}

#define LEAST 100 /* tenths of a percent of the objects: owners of fewer are not named */
#define MOST \
	800 /* of what all owners have: one is named alone; of the objects: their owner is known */

/* Who has objects of one cache for one reason. */
struct owners {
	const char *what;    /* "mounts" */
	const char *place;   /* "in the mount namespace of " */
	const char *problem; /* NULL, or why there may be more */
	uint64_t n;	     /* objects */
	uint64_t sum,
		most; /* what each has, added up: some have several; of the one that has most */
	const struct file_users *users; /* of that one */
	const char
		*where; /* of that one, in place of its users: "in the initial mount namespace" */
};

/* firsts: of n, those that no other has, or that are counted here. */
static void add_owner(struct owners *o, uint64_t n, uint64_t firsts, const struct file_users *users,
		      const char *where)
{
	o->n += firsts;
	o->sum += n;
	if (n <= o->most)
		return;
	o->most = n;
	o->users = users;
	o->where = where;
}

/* A cache that is asked for. */
struct asked {
	struct summary *s;
	const struct slab_use *use;
	struct tasks tasks;
	struct task_places places;
	bool has_places;
	struct slabs slabs;
	bool has_slabs;
	struct ipv6_routes routes;
	const struct net_namespaces *nets; /* NULL: not known, or without IPv6 */
	const char *nets_problem;	   /* NULL, or why they are not known */
	struct hash_u64 walked;		   /* of struct net_routes by address of struct net */
	uint64_t n;			   /* objects with an owner */
	struct strbuf *b;		   /* who has them */
};

static const char *service_of(struct asked *a, const struct file_user *user)
{
	struct task task;

	return a->has_places && tasks_find(&a->tasks, user->tgid, &task) == ST_OK
		       ? summary_service(task_cgroup(&a->places, &task), user->comm)
		       : NULL;
}

/* "watcher (700) of job.service and 2 more" */
static const char *users_text(struct asked *a, const struct owners *o)
{
	const struct file_user *first = o->users->n ? o->users->all[0] : NULL;
	const char *service = first ? service_of(a, first) : NULL;

	if (!first)
		return "unknown processes";
	return arena_text(a->s->dump->arena, "%s (%d)%s%s%s", first->comm, first->tgid,
			  service ? " of " : "", service ?: "",
			  o->users->n > 1 ? arena_text(a->s->dump->arena, " and %s more",
						       COUNT_TEXT(o->users->n - 1))
					  : "");
}

/* Why the lists of a cache say nothing; NULL: the kernel has none. */
static void tell_unknown(struct asked *a, const char *why)
{
	if (why)
		summary_unknown(a->s,
				arena_text(a->s->dump->arena, "who has objects of %s",
					   slab_use_name(a->use) ?: "a cache"),
				NOT_IN_DUMP, "%s", why);
}

static void put_owners(struct asked *a, const struct owners *o)
{
	const bool is_one = units_tenths(o->most, o->sum) >= MOST;

	if (!o->n || units_tenths(o->n, a->use->taken) < LEAST)
		return;
	a->n += o->n;
	strbuf_add(a->b, "%s%s%s", strbuf_between(a->b, "; "), o->problem ? "at least " : "",
		   COUNT_TEXT(is_one ? o->most : o->n));
	if (!strstr(a->b->buf, "objects"))
		strbuf_add(a->b, " of %s objects", COUNT_TEXT(a->use->taken));
	strbuf_add(a->b, " are %s", o->what);
	if (!is_one)
		strbuf_add(a->b, ", the largest part, %s,", COUNT_TEXT(o->most));
	strbuf_add(a->b, " %s%s", o->where ?: o->place, o->where ? "" : users_text(a, o));
	tell_unknown(a, o->problem);
}

static void ask_mounts(struct asked *a, const struct held *h)
{
	struct owners o = { .what = "mounts", .place = "in the mount namespace of " };

	if (!h->mounts)
		return tell_unknown(a, h->problems[HELD_MOUNTS]);
	o.problem = h->mounts->problem;
	for (size_t i = 0; i < h->mounts->n; i++)
		add_owner(&o, h->mounts->all[i].mounts, h->mounts->all[i].mounts,
			  &h->mounts->all[i].users,
			  h->mounts->all[i].is_initial ? "in the initial mount namespace" : NULL);
	put_owners(a, &o);
}

static void ask_requests(struct asked *a, const struct held *h)
{
	struct owners flying = { .what = "requests of io_uring in flight", .place = "of " };
	struct owners free = { .what = "free requests that io_uring keeps for its next ones",
			       .place = "in a ring of " };

	if (!h->io_users)
		return tell_unknown(a, h->problems[HELD_IO_REQUESTS]);
	flying.problem = h->io_users->problem;
	free.problem = h->io_users->rings_problem;
	hash_u64_for_each(const struct io_user, u, &h->io_users->users) {
		struct file_users *users = dump_alloc(a->s->dump, sizeof(*users));

		file_users_add(a->s->dump->arena, users, u->user);
		add_owner(&flying, u->in_flight, u->in_flight, users, NULL);
	}
	hash_u64_for_each(const struct io_ring, ring, &h->io_users->rings)
		add_owner(&free, ring->lists.free, ring->lists.free, &ring->users, NULL);
	put_owners(a, &flying);
	put_owners(a, &free);
}

/* What of a watch is an object of the cache. */
enum part_of_watch { PART_WATCH, PART_CONNECTOR, PART_INODE };

/* The cache of the slab that has an object; NULL: there is none, or it is not known. */
static const struct slab_cache *cache_of(struct asked *a, uint64_t object)
{
	const struct session session = owner_session(a->s->view);
	const struct slab_cache *cache;
	struct page_info info;
	uint64_t phys;

	return a->has_slabs && dump_phys(a->s->dump, object, &phys) == ST_OK &&
			       page_type_at(session.types, phys >> a->s->dump->page_shift, &info) ==
				       ST_OK &&
			       info.state == PAGE_TYPE_SLAB &&
			       slab_cache_at(&a->slabs, info.head, &cache) == ST_OK
		       ? cache
		       : NULL;
}

static bool is_in_cache(struct asked *a, uint64_t object)
{
	const struct slab_cache *cache = cache_of(a, object);

	return cache && cache->address == a->use->cache->address;
}

/* All inodes of a file system are of one cache. */
static void add_inodes(struct asked *a, const struct watcher *w, struct owners *o)
{
	uint64_t n = 0, firsts = 0;

	hash_u64_for_each(const struct watched, of, &w->supers) {
		if (!is_in_cache(a, of->sample))
			continue;
		n += of->inodes;
		firsts += of->firsts;
	}
	add_owner(o, n, firsts, &w->users, NULL);
}

static void ask_watches(struct asked *a, const struct held *h, enum watch_kind kind,
			enum part_of_watch part)
{
	const char *name = watch_kind_name(kind);
	struct arena *arena = a->s->dump->arena;
	struct owners o = { .place = "of " };

	o.what = part == PART_WATCH   ? arena_text(arena, "watches of %s", name)
		 : part == PART_INODE ? arena_text(arena, "inodes that watches of %s keep,", name)
				      : arena_text(arena, "connectors of watches of %s", name);
	o.problem = h->watchers->problem;
	hash_u64_for_each(const struct watcher, w, &h->watchers->all) {
		if (w->kind != kind)
			continue;
		if (part == PART_INODE)
			add_inodes(a, w, &o);
		else
			add_owner(&o, w->watches, part == PART_WATCH ? w->watches : w->connectors,
				  &w->users, NULL);
	}
	put_owners(a, &o);
}

static void ask_all_watches(struct asked *a, const struct held *h, enum part_of_watch part)
{
	for (enum watch_kind kind = 0; h->watchers && kind < WATCH_KINDS; kind++)
		ask_watches(a, h, kind, part);
}

static void ask_inotify(struct asked *a, const struct held *h)
{
	if (h->watchers)
		ask_watches(a, h, WATCH_INOTIFY, PART_WATCH);
	else
		tell_unknown(a, h->problems[HELD_WATCHES]);
}

static void ask_fanotify(struct asked *a, const struct held *h)
{
	if (h->watchers)
		ask_watches(a, h, WATCH_FANOTIFY, PART_WATCH);
	else
		tell_unknown(a, h->problems[HELD_WATCHES]);
}

static void ask_connectors(struct asked *a, const struct held *h)
{
	if (h->watchers)
		ask_all_watches(a, h, PART_CONNECTOR);
	else
		tell_unknown(a, h->problems[HELD_WATCHES]);
}

/* Those that did not fit into the queue of a ring, which its process does not empty. */
static void ask_completions(struct asked *a, const struct held *h)
{
	struct owners o = { .what = "completions of io_uring that wait for room in its queue",
			    .place = "in a ring of " };

	if (!h->io_users)
		return;
	o.problem = h->io_users->rings_problem;
	hash_u64_for_each(const struct io_ring, ring, &h->io_users->rings)
		if (ring->lists.overflow && is_in_cache(a, ring->lists.completion))
			add_owner(&o, ring->lists.overflow, ring->lists.overflow, &ring->users,
				  NULL);
	put_owners(a, &o);
}

/* The packet itself, and its data, are objects of caches. */
static void ask_packets(struct asked *a, const struct held *h)
{
	struct owners o = { .what = "of packets in queues of tun devices",
			    .place = "not read by " };
	const char *device = NULL;
	unsigned int devices = 0;

	if (!h->tun_users)
		return;
	o.problem = h->tun_users->problem;
	hash_u64_for_each(const struct tun_user, u, &h->tun_users->all) {
		const struct tun_queue *q = &u->queue;

		if (!q->packets || (!is_in_cache(a, q->first) && !is_in_cache(a, q->head)))
			continue;
		add_owner(&o, q->packets, q->packets, &u->users, NULL);
		device = q->device;
		devices++;
	}
	if (devices == 1 && *device)
		o.what = arena_text(a->s->dump->arena, "of packets in the queue of tun device %s,",
				    device);
	put_owners(a, &o);
}

static const char *place_of_net(const struct asked *a, const struct net_namespace *net)
{
	return net->is_initial	      ? "in the initial network namespace"
	       : net->users.n	      ? NULL
	       : a->nets->empty.known ? "in a network namespace without a process"
				      : "in another network namespace";
}

static bool count_routes(struct asked *a, const struct net_namespace *net, struct owners *o,
			 struct ipv6_counts *ret)
{
	if (ipv6_routes_count(&a->routes, net->address, ret) == ST_OK)
		return true;
	o->problem = dump_why(a->s->dump);
	return false;
}

static void ask_nodes(struct asked *a, const struct held *h)
{
	struct owners o = { .place = "in the network namespace of " };
	uint64_t routes = 0;
	struct ipv6_counts c;

	(void)h;
	if (!a->nets)
		return tell_unknown(a, a->nets_problem);
	hash_u64_for_each(const struct net_namespace, net, &a->nets->all) {
		if (!count_routes(a, net, &o, &c))
			continue;
		routes += c.routes;
		add_owner(&o, c.nodes, c.nodes, &net->users, place_of_net(a, net));
	}
	if (o.n > a->use->taken)
		return tell_unknown(a, "more nodes of IPv6 routes are counted than it has objects");
	o.what = arena_text(a->s->dump->arena, "nodes of %s IPv6 routes", COUNT_TEXT(routes));
	put_owners(a, &o);
}

/* Routes of a network namespace that are in one cache. */
struct cached_routes {
	uint64_t n, most;	/* of all tables; of the one that has most */
	uint32_t table;		/* that one */
	struct hash_u64 tables; /* of uint64_t, routes, by number of the table */
};

struct net_routes {
	struct asked *a;
	struct hash_u64 caches; /* of struct cached_routes by address of the kmem_cache */
	const char *problem;	/* NULL, or why routes may be missing */
};

static enum status add_route(void *arg, uint64_t route, uint32_t table)
{
	struct net_routes *r = arg;
	const struct slab_cache *cache = cache_of(r->a, route);
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

static const struct net_routes *routes_of(struct asked *a, uint64_t net)
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

static void ask_routes(struct asked *a)
{
	struct owners o = { .what = "IPv6 routes", .place = "in the network namespace of " };
	struct ipv6_counts c;

	hash_u64_for_each(const struct net_namespace, net, &a->nets->all) {
		const struct net_routes *r;
		const struct cached_routes *of;

		if (!count_routes(a, net, &o, &c) || units_tenths(c.routes, a->use->taken) < LEAST)
			continue;
		r = routes_of(a, net->address);
		o.problem = r->problem ?: o.problem;
		of = hash_u64_find(&r->caches, a->use->cache->address);
		if (!of)
			continue;
		if (of->n > o.most)
			o.what = units_tenths(of->most, of->n) >= MOST
					 ? arena_text(a->s->dump->arena,
						      "IPv6 routes, most of table %u,", of->table)
					 : "IPv6 routes";
		add_owner(&o, of->n, of->n, &net->users, place_of_net(a, net));
	}
	put_owners(a, &o);
}

static void read_nets(struct asked *a)
{
	struct dump *d = a->s->dump;
	struct net_namespaces *n = dump_alloc(d, sizeof(*n));
	enum status st = ipv6_routes_find(d, &a->routes) ?: net_namespaces_read(d, n);

	if (st == ST_OK)
		a->nets = n;
	else if (st != ST_ABSENT)
		a->nets_problem = dump_why(d);
}

/* By the variable that points to the cache, which the kernel may have merged with others. */
static const struct {
	const char *variable;
	void (*ask)(struct asked *a, const struct held *h);
} of_caches[] = {
	{ "mnt_cache", ask_mounts },
	{ "req_cachep", ask_requests },
	{ "inotify_inode_mark_cachep", ask_inotify },
	{ "fanotify_mark_cache", ask_fanotify },
	{ "fsnotify_mark_connector_cachep", ask_connectors },
	{ "fib6_node_kmem", ask_nodes },
};

static bool is_variable(struct dump *d, const char *name, const struct slab_cache *c)
{
	uint64_t variable, at;

	return dump_ask(d, symbol, name, &variable) == ST_OK &&
	       dump_u64(d, variable, &at, name) == ST_OK && at == c->address;
}

static void ask(struct asked *a, const struct held *h)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_caches); i++)
		if (is_variable(a->s->dump, of_caches[i].variable, a->use->cache))
			of_caches[i].ask(a, h);
	ask_all_watches(a, h, PART_INODE);
	ask_completions(a, h);
	ask_packets(a, h);
	if (a->nets)
		ask_routes(a);
}

enum status summary_cache_owners(struct summary *s, const struct held *h)
{
	const struct session session = owner_session(s->view);
	struct asked *a = dump_alloc(s->dump, sizeof(*a));

	a->s = s;
	a->has_slabs = session.types && slabs_open(s->dump, session.memmap, &a->slabs) == ST_OK;
	a->has_places = tasks_open(s->dump, &a->tasks) == ST_OK;
	a->tasks.identity_only = true;
	task_places_open(s->dump, &a->places);
	hash_u64_init(&a->walked, s->dump->arena, sizeof(struct net_routes));
	if (s->largest_cache && summary_reaches(s, LIMIT_HOLDER, s->largest_cache->pages))
		read_nets(a);
	for (size_t i = 0; i < ARRAY_SIZE(s->caches) && s->caches[i].use; i++) {
		struct strbuf b = STRBUF_OF(1024);

		a->use = s->caches[i].use;
		if (!a->use->cache || !summary_reaches(s, LIMIT_HOLDER, a->use->pages))
			continue;
		a->n = 0;
		a->b = &b;
		ask(a, h);
		if (dump_stopped(s->dump))
			return ST_STOPPED;
		if (b.len)
			s->caches[i].row->kept_by = arena_strdup(s->dump->arena, b.buf);
		s->tells_objects |= a->use == s->largest_cache &&
				    units_tenths(a->n, a->use->taken) >= MOST;
	}
	return ST_OK;
}
