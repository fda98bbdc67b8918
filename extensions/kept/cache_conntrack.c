// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries of connection tracking by network namespace: their own cache and those of their extensions are one holder. */
#include "cache_owners.h"

#include "net/conntrack.h"
#include "slab/cache_objects.h"

#define CACHE "nf_conntrack"
#define NETLINK_NETFILTER 12

/* Of one protocol, to one port. */
struct tracked_group {
	unsigned int protocol;
	uint16_t port;
	uint64_t n, connected, unreplied, longest_ns;
};

/* Of one protocol, from one port. */
struct tracked_from {
	unsigned int protocol;
	uint16_t port;
	uint64_t n;
};

/* Extensions of one size are of one cache. */
struct tracked_ext {
	uint64_t n, sample;
	const struct slab_cache *cache; /* NULL: unknown */
};

struct tracked_net {
	uint64_t address; /* of struct net; 0: this kernel has but one */
	uint64_t n;	  /* objects; the next of the table */
	uint64_t entries;
	struct hash_u64 groups, exts, froms;
	const struct tracked_group *most;
	const struct tracked_from *most_from;
};

struct tracked {
	struct asked_cache *a;
	struct conntracks of;
	struct hash_u64 nets;
	struct first_problem problem;
};

static struct tracked_net *net_of(struct tracked *t, uint64_t address)
{
	bool is_new;
	struct tracked_net *net = hash_u64_get(&t->nets, address, &is_new);

	if (is_new) {
		net->address = address;
		hash_u64_init(&net->groups, t->of.dump->arena, sizeof(struct tracked_group));
		hash_u64_init(&net->froms, t->of.dump->arena, sizeof(struct tracked_from));
		hash_u64_init(&net->exts, t->of.dump->arena, sizeof(struct tracked_ext));
	}
	return net;
}

static void add_entry(struct tracked_net *net, const struct conntrack *c)
{
	struct tracked_group *g = hash_u64_get(&net->groups, (uint64_t)c->protocol << 16 | c->port,
					       NULL);
	struct tracked_from *from;

	g->protocol = c->protocol;
	g->port = c->port;
	g->n++;
	g->connected += c->is_connected;
	g->unreplied += !c->is_replied;
	g->longest_ns = c->left_ns > g->longest_ns ? c->left_ns : g->longest_ns;
	net->entries++;
	if (!net->most || g->n > net->most->n)
		net->most = g;
	if (!c->from)
		return;
	from = hash_u64_get(&net->froms, (uint64_t)c->protocol << 16 | c->from, NULL);
	from->protocol = c->protocol;
	from->port = c->from;
	from->n++;
	if (!net->most_from || from->n > net->most_from->n)
		net->most_from = from;
}

static enum status add_object(void *arg, uint64_t object)
{
	struct tracked *t = arg;
	struct conntrack c;
	struct tracked_net *net;
	enum status st = conntrack_read(&t->of, object, &c);

	if (st != ST_OK)
		return first_problem_keep(t->of.dump, &t->problem, st);
	net = net_of(t, c.net);
	net->n++;
	if (c.is_in_table)
		add_entry(net, &c);
	if (c.ext) {
		struct tracked_ext *ext = hash_u64_get(&net->exts, c.ext_bytes, NULL);

		ext->n++;
		ext->sample = c.ext;
	}
	return ST_OK;
}

/* With its extensions it may be twice as large. */
static const struct slab_use *find_use(const struct summary *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(s->caches) && s->caches[i].use; i++) {
		const struct slab_use *u = s->caches[i].use;

		if (u->cache && !strncmp(slab_use_name(u) ?: "", CACHE, strlen(CACHE)) &&
		    summary_reaches(s, LIMIT_HOLDER, 2 * u->pages))
			return u;
	}
	return NULL;
}

void cache_conntrack_open(struct asked_cache *a)
{
	const struct slab_use *u = find_use(a->s);
	struct dump *d = a->s->dump;
	struct tracked *t = u ? dump_alloc(d, sizeof(*t)) : NULL;
	struct cache_objects n = { 0 };
	enum status st = u ? conntracks_open(d, &t->of) : ST_ABSENT;

	if (st == ST_OK && t->of.cache != u->cache->address)
		st = ST_ABSENT;
	if (st == ST_OK) {
		t->a = a;
		hash_u64_init(&t->nets, d->arena, sizeof(struct tracked_net));
		st = cache_objects_walk(d, t->of.cache, add_object, t, &n);
	}
	if (st == ST_OK && (n.unreadable || n.unknown) && !t->problem.text)
		t->problem.text = dump_text(d, "%lu slabs and %lu pages are not known", n.unknown,
					    n.unreadable);
	if (st != ST_OK) {
		summary_failed(a->s, "entries of connection tracking", st);
		return;
	}
	hash_u64_for_each(struct tracked_net, net, &t->nets)
		hash_u64_for_each(struct tracked_ext, ext, &net->exts)
			ext->cache = cache_of_object(a, ext->sample);
	a->tracked = t;
}

static const struct net_namespace *namespace_of(const struct asked_cache *a, uint64_t address)
{
	return a->nets ? hash_u64_find(&a->nets->all, address) : NULL;
}

static bool is_initial(const struct asked_cache *a, uint64_t address)
{
	uint64_t at;

	return !address ||
	       (dump_ask(a->s->dump, symbol, "init_net", &at) == ST_OK && at == address);
}

/* Of a namespace: "the initial network namespace", "the network namespace of web (12)". */
static const char *net_text(struct asked_cache *a, uint64_t address)
{
	const struct net_namespace *net = namespace_of(a, address);

	if (is_initial(a, address))
		return "the initial network namespace";
	if (net && net->users.n)
		return dump_text(a->s->dump, "the network namespace of %s",
				 cache_users_text(a, &net->users));
	return net && a->nets->empty.known ? "a network namespace without a process"
					   : "another network namespace";
}

static void put_objects(struct asked_cache *a, const char *what,
			uint64_t (*count)(const struct asked_cache *a,
					  const struct tracked_net *net))
{
	struct cache_owners o = { .what = what, .problem = a->tracked->problem.text };

	hash_u64_for_each(const struct tracked_net, net, &a->tracked->nets) {
		const uint64_t n = count(a, net);

		if (n)
			cache_owners_add(&o, n, n, NULL,
					 dump_text(a->s->dump, "in %s", net_text(a, net->address)));
	}
	cache_owners_put(a, &o);
}

static uint64_t conns_of(const struct asked_cache *a NOT_USED, const struct tracked_net *net)
{
	return net->n;
}

static uint64_t exts_of(const struct asked_cache *a, const struct tracked_net *net)
{
	uint64_t n = 0;

	hash_u64_for_each(const struct tracked_ext, ext, &net->exts)
		n += ext->cache && ext->cache->address == a->use->cache->address ? ext->n : 0;
	return n;
}

void cache_ask_conntrack(struct asked_cache *a)
{
	if (!a->tracked)
		return;
	if (a->use->cache->address == a->tracked->of.cache)
		put_objects(a, "entries of connection tracking", conns_of);
	else
		put_objects(a, "extensions of entries of connection tracking", exts_of);
}

/* " (net.netfilter.nf_conntrack_udp_timeout is 7200)", of most of them */
static void add_setting(const struct asked_cache *a, const struct tracked_net *net,
			struct strbuf *b)
{
	const struct tracked_group *g = net->most;
	const struct conntrack like = {
		.net = net->address,
		.protocol = g->protocol,
		.is_replied = units_tenths(g->unreplied, g->n) < OWNERS_MOST,
		.is_connected = units_tenths(g->connected, g->n) >= OWNERS_MOST,
	};
	uint64_t seconds;
	const char *setting = conntrack_setting(&a->tracked->of, &like, &seconds);

	if (setting)
		strbuf_add(b, " (%s is %lu)", setting, seconds);
}

/* "most TCP to port 443, established, with timeouts of up to 5.0d" */
static void add_most(const struct asked_cache *a, const struct tracked_net *net, struct strbuf *b)
{
	const struct tracked_group *g = net->most;
	const char *protocol = g ? conntrack_protocol(g->protocol) : NULL;

	if (!g || units_tenths(g->n, net->entries) < OWNERS_MOST)
		return;
	strbuf_add(b, ", %s ", g->n == net->entries ? "all" : "most");
	if (protocol)
		strbuf_add(b, "%s", protocol);
	else
		strbuf_add(b, "of protocol %u", g->protocol);
	if (g->port)
		strbuf_add(b, " to port %u", g->port);
	if (units_tenths(g->connected, g->n) >= OWNERS_MOST)
		strbuf_add(b, ", established");
	if (units_tenths(g->unreplied, g->n) >= OWNERS_MOST)
		strbuf_add(b, ", without a reply");
	if (g->longest_ns)
		strbuf_add(b, ", with timeouts of up to %s", TIME_TEXT(g->longest_ns));
	add_setting(a, net, b);
}

/* Packets without an answer made them. */
static bool is_by_packets(const struct tracked_net *net)
{
	const struct tracked_group *g = net->most;

	return g && units_tenths(g->n, net->entries) >= OWNERS_MOST &&
	       units_tenths(g->unreplied, g->n) >= OWNERS_MOST;
}

/* "; conntrackd (12) may have put them in: it has a netlink socket of netfilter open" */
static void add_writers(struct asked_cache *a, uint64_t net, struct strbuf *b)
{
	const struct sockets *all = a->held->sockets;
	struct file_users users = { 0 };

	for (size_t i = 0; all && i < all->n; i++) {
		const struct socket *x = all->all[i];

		if (x->sock.family == FAMILY_NETLINK && x->sock.protocol == NETLINK_NETFILTER &&
		    x->sock.net == net && x->users)
			file_users_add_all(a->s->dump->arena, &users, x->users);
	}
	if (users.n)
		strbuf_add(b,
			   "; %s may have put them in: a netlink socket of netfilter is open there",
			   cache_users_text(a, &users));
}

/*
 * ", from UDP port 52104, which assetscan (289) has open": whoever has that socket sent what made them, or takes what is sent
 * through this machine from such a port.  The only process; 0: none, or several.
 */
static int32_t add_sender(struct asked_cache *a, const struct tracked_net *net, struct strbuf *b)
{
	const struct sockets *all = a->held->sockets;
	const struct tracked_from *from = net->most_from;
	const char *protocol = from ? conntrack_protocol(from->protocol) : NULL;
	struct file_users users = { 0 };

	if (!protocol || units_tenths(from->n, net->entries) < OWNERS_MOST)
		return 0;
	strbuf_add(b, ", %s from %s port %u", from->n == net->entries ? "all" : "most", protocol,
		   from->port);
	for (size_t i = 0; all && i < all->n; i++) {
		const struct socket *x = all->all[i];

		if ((x->sock.family == FAMILY_INET || x->sock.family == FAMILY_INET6) &&
		    x->sock.protocol == from->protocol && x->sock.port == from->port &&
		    x->sock.net == net->address && x->users)
			file_users_add_all(a->s->dump->arena, &users, x->users);
	}
	if (!users.n)
		return 0;
	strbuf_add(b, ", which %s %s open", cache_users_text(a, &users),
		   users.n > 1 ? "have" : "has");
	return users.n == 1 ? users.all[0]->tgid : 0;
}

/* Pages of a cache that some of its objects have. */
static uint64_t pages_of(const struct slab_use *u, uint64_t n)
{
	const uint64_t all = slab_use_most(u);

	return all ? u->pages * (n < all ? n : all) / all : 0;
}

static void put_net(struct asked_cache *a, const struct tracked_net *net)
{
	struct summary *s = a->s;
	struct strbuf b = STRBUF_OF(512);
	struct statement *row;
	const char *brief;
	uint64_t pages = 0;
	int32_t sender;

	strbuf_add(&b, "%s%s", a->tracked->problem.text ? "at least " : "",
		   PLURAL_TEXT(net->entries, "entry", "entries"));
	if (a->tracked->of.max)
		strbuf_add(&b, " of at most %s", COUNT_TEXT(a->tracked->of.max));
	brief = dump_strdup(s->dump, b.buf);
	add_most(a, net, &b);
	sender = add_sender(a, net, &b);
	for (size_t i = 0; i < ARRAY_SIZE(s->caches) && (a->use = s->caches[i].use); i++) {
		const bool is_own = a->use->cache && a->use->cache->address == a->tracked->of.cache;
		const uint64_t n = !a->use->cache ? 0 : is_own ? net->n : exts_of(a, net);

		pages += pages_of(a->use, n);
		if (n && !is_own)
			strbuf_add(&b, "; extensions in %s: %s", slab_use_name(a->use) ?: "a cache",
				   summary_size(s, pages_of(a->use, n)));
	}
	if (!is_by_packets(net))
		add_writers(a, net->address, &b);
	row = summary_holder(s, "conntrack", net_text(a, net->address), pages, NULL, brief);
	if (!row)
		return;
	/* The line of the holder has all of it. */
	row->brief = dump_strdup(s->dump, b.buf);
	row->release = "flushing its table (conntrack -F)";
	row->user_pid = (struct maybe_u64){ (uint64_t)sender, sender > 0 };
}

void cache_put_conntrack(struct asked_cache *a)
{
	if (a->tracked)
		hash_u64_for_each(const struct tracked_net, net, &a->tracked->nets)
			put_net(a, net);
}
