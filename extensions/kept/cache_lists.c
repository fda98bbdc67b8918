// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who has the objects of a large slab cache by the kernel's own lists: watches of inotify and
 * fanotify and the inodes that they keep, requests of io_uring, packets of tun devices, IPv6 routes, keys.
 */
#include "cache_owners.h"

#include "net/bridge.h"
#include "pageowner/view.h"

static void ask_requests(struct asked_cache *a)
{
	struct cache_owners flying = { .what = "requests of io_uring in flight", .place = "of " };
	struct cache_owners free = { .what = "free requests that io_uring keeps for its next ones",
				     .place = "in a ring of " };

	if (!a->held->io_users)
		return cache_owners_unknown(a, a->held->problems[HELD_IO_REQUESTS]);
	flying.problem = a->held->io_users->problem;
	free.problem = a->held->io_users->rings_problem;
	hash_u64_for_each(const struct io_user, u, &a->held->io_users->users)
		cache_owners_add_user(a, &flying, u->in_flight, u->user);
	hash_u64_for_each(const struct io_ring, ring, &a->held->io_users->rings)
		cache_owners_add(&free, ring->lists.free, ring->lists.free, &ring->users, NULL);
	cache_owners_put(a, &flying);
	cache_owners_put(a, &free);
}

/* What is in no HELD is told by its cache; NULL: its name is no word of a command line. */
static const char *cache_command(const struct asked_cache *a)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	const char *name = slab_use_name(a->use) ?: "";

	return *name && strspn(name, plain) == strlen(name)
		       ? dump_text(a->s->dump, "memowner caches -f cache=%s", name)
		       : NULL;
}

/* What of a watch is an object of the cache. */
enum part_of_watch { PART_WATCH, PART_CONNECTOR, PART_INODE };

/* All inodes of a file system are of one cache. */
static void add_inodes(struct asked_cache *a, const struct watcher *w, struct cache_owners *o)
{
	uint64_t n = 0, firsts = 0;

	hash_u64_for_each(const struct watched, of, &w->supers) {
		if (!is_in_cache(a, of->sample))
			continue;
		n += of->inodes;
		firsts += of->firsts;
	}
	cache_owners_add(o, n, firsts, &w->users, NULL);
}

static void put_watches(struct asked_cache *a, enum watch_kind kind, enum part_of_watch part)
{
	const char *name = watch_kind_name(kind);
	struct arena *arena = a->s->dump->arena;
	struct cache_owners o = { .place = "of " };

	o.what = part == PART_WATCH   ? arena_text(arena, "watches of %s", name)
		 : part == PART_INODE ? arena_text(arena, "inodes that watches of %s keep,", name)
				      : arena_text(arena, "connectors of watches of %s", name);
	o.problem = a->held->watchers->problem;
	o.command = part == PART_INODE ? cache_command(a) : NULL;
	hash_u64_for_each(const struct watcher, w, &a->held->watchers->all) {
		if (w->kind != kind)
			continue;
		if (part == PART_INODE)
			add_inodes(a, w, &o);
		else
			cache_owners_add(&o, w->watches,
					 part == PART_WATCH ? w->watches : w->connectors, &w->users,
					 NULL);
	}
	cache_owners_put(a, &o);
}

struct event_count {
	struct asked_cache *a;
	uint64_t n;
};

static void count_event(void *arg, uint64_t event)
{
	struct event_count *c = arg;

	c->n += is_in_cache(c->a, event);
}

/* An event is as large as the name of its file: a queue may be in several caches. */
static void put_events(struct asked_cache *a, enum watch_kind kind)
{
	const struct watchers *all = a->held->watchers;
	struct dump *d = a->s->dump;
	struct first_problem problem = { 0 };
	struct cache_owners o = { .what = dump_text(d, "events of %s that were not read",
						    watch_kind_name(kind)),
				  .place = "by ",
				  .command = cache_command(a) };

	hash_u64_for_each(const struct watcher, w, &all->all) {
		struct event_count c = { .a = a };

		if (w->kind != kind)
			continue;
		first_problem_keep(d, &problem,
				   watch_events_walk(&all->of, w->group, count_event, &c));
		cache_owners_add(&o, c.n, c.n, &w->users, NULL);
	}
	o.problem = all->problem ?: problem.text;
	cache_owners_put(a, &o);
}

/* Those that did not fit into the queue of a ring, which its process does not empty. */
static void ask_completions(struct asked_cache *a)
{
	struct cache_owners o = { .what = "completions of io_uring that wait for room in its queue",
				  .place = "in a ring of " };

	if (!a->held->io_users)
		return;
	o.problem = a->held->io_users->rings_problem;
	hash_u64_for_each(const struct io_ring, ring, &a->held->io_users->rings)
		if (ring->lists.overflow && is_in_cache(a, ring->lists.completion))
			cache_owners_add(&o, ring->lists.overflow, ring->lists.overflow,
					 &ring->users, NULL);
	cache_owners_put(a, &o);
}

/* The packet itself, and its data, are objects of caches. */
static void ask_packets(struct asked_cache *a)
{
	struct cache_owners o = { .what = "of packets in queues of tun devices",
				  .place = "not read by " };
	const char *device = NULL;
	unsigned int devices = 0;

	if (!a->held->tun_users)
		return;
	o.problem = a->held->tun_users->problem;
	hash_u64_for_each(const struct tun_user, u, &a->held->tun_users->all) {
		const struct tun_queue *q = &u->queue;

		if (!q->packets || (!is_in_cache(a, q->first) && !is_in_cache(a, q->head)))
			continue;
		cache_owners_add(&o, q->packets, q->packets, &u->users, NULL);
		device = q->device;
		devices++;
	}
	if (devices == 1 && *device)
		o.what = dump_text(a->s->dump, "of packets in the queue of tun device %s,", device);
	cache_owners_put(a, &o);
}

/* By the variable that points to the cache, which the kernel may have merged with others. */
struct of_cache {
	const char *variable;
	void (*ask)(struct asked_cache *a);
	unsigned int kinds; /* a bit for each enum watch_kind */
	enum part_of_watch part;
	enum held_kind held;
	const char *what; /* objects of that kind */
	const char *name; /* of the cache, never merged, where no variable has it; NULL */
	bool beside; /* a row of less than a holder's is asked, too: with others it may be much */
};

static void ask_watches(struct asked_cache *a)
{
	if (!a->held->watchers)
		return cache_owners_unknown(a, a->held->problems[HELD_WATCHES]);
	for (enum watch_kind kind = 0; kind < WATCH_KINDS; kind++)
		if (a->of->kinds >> kind & 1)
			put_watches(a, kind, a->of->part);
}

/* What each process holds, of a kind whose objects are of this cache. */
static void ask_held(struct asked_cache *a)
{
	struct cache_owners o = { .what = a->of->what, .place = "of " };

	o.problem = a->held->problems[a->of->held];
	hash_u64_for_each(const struct held_process, p, &a->held->processes)
		if (p->n[a->of->held])
			cache_owners_add_user(a, &o, p->n[a->of->held],
					      file_user_new(a->s->dump, p->tgid, p->comm));
	cache_owners_put(a, &o);
}

static const struct of_cache of_caches[] = {
	{ "mnt_cache", cache_ask_mounts },
	{ "req_cachep", ask_requests },
	{ "inotify_inode_mark_cachep", ask_watches, 1 << WATCH_INOTIFY, PART_WATCH },
	{ "fanotify_mark_cache", ask_watches, 1 << WATCH_FANOTIFY, PART_WATCH },
	{ "fsnotify_mark_connector_cachep", ask_watches, ~0u, PART_CONNECTOR },
	{ "fib6_node_kmem", cache_ask_nodes },
	{ "fn_alias_kmem", cache_ask_ipv4, .beside = true },
	{ "trie_leaf_kmem", cache_ask_ipv4_parts, .beside = true },
	{ "key_jar", cache_ask_keys, .beside = true },
	{ "task_struct_cachep", cache_ask_tasks, .beside = true },
	{ "signal_cachep", cache_ask_processes, .beside = true },
	{ "sighand_cachep", cache_ask_processes, .beside = true },
	{ "filp_cachep", cache_ask_files, .name = "filp", .beside = true },
	{ "dentry_cache", cache_ask_dentries, .name = "dentry", .beside = true },
	{ "dentry_cache", cache_ask_negative, .name = "dentry" },
	{ "vm_area_cachep", cache_ask_maps, .beside = true },
	{ "vma_lock_cachep", cache_ask_maps, .beside = true },
	{ "anon_vma_cachep", cache_ask_map_parts, .beside = true },
	{ "anon_vma_chain_cachep", cache_ask_map_parts, .beside = true },
	{ "maple_node_cache", cache_ask_map_parts, .beside = true },
	{ "posix_timers_cache", ask_held, .held = HELD_TIMERS, .what = "POSIX timers" },
	{ "sigqueue_cachep", cache_ask_signals },
	{ "filelock_cache", ask_held, .held = HELD_FILE_LOCKS, .what = "locks of files" },
};

/* From 7.0 on some are constants in the text (include/linux/runtime_const.h). */
static bool is_of(struct dump *d, const struct of_cache *of, const struct slab_cache *c)
{
	uint64_t variable, at;

	if (dump_ask(d, symbol, of->variable, &variable) != ST_OK)
		return of->name && !strcmp(c->kind ?: c->name ?: "", of->name);
	return dump_u64(d, variable, &at, of->variable) == ST_OK && at == c->address;
}

/* Entries of the forwarding tables of bridges: what stations sent made them, and no process has them. */
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

static void ask_bridges(struct asked_cache *a)
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

/* What may be of any cache. */
static void ask_large(struct asked_cache *a)
{
	for (enum watch_kind kind = 0; a->held->watchers && kind < WATCH_KINDS; kind++)
		put_watches(a, kind, PART_INODE);
	for (enum watch_kind kind = 0; a->held->watchers && kind < WATCH_KINDS; kind++)
		put_events(a, kind);
	cache_ask_freed(a);
	ask_completions(a);
	ask_packets(a);
	cache_ask_payloads(a);
	if (a->nets && a->has_ipv6)
		cache_ask_routes(a);
	cache_ask_data(a);
	cache_ask_long_names(a);
	cache_ask_ipv4_parts(a);
	ask_bridges(a);
}

/* Of what is charged to a cgroup at its limit, objects of a cache may be all that is kernel memory. */
static bool may_fill_limit(const struct asked_cache *a)
{
	const struct summary *s = a->s;

	return s->limit_path && s->limit_kernel.known && s->limit_pages &&
	       a->use->pages <= s->limit_kernel.n &&
	       units_tenths(a->use->pages, s->limit_pages) >= limit(LIMIT_HOLDER);
}

static void ask(struct asked_cache *a)
{
	const bool is_large = summary_reaches(a->s, LIMIT_HOLDER, a->use->pages) ||
			      may_fill_limit(a);

	for (a->of = of_caches; a->of < of_caches + ARRAY_SIZE(of_caches); a->of++)
		if ((is_large || a->of->beside) && is_of(a->s->dump, a->of, a->use->cache))
			a->of->ask(a);
	cache_ask_memcgs(a);
	cache_ask_conntrack(a);
	if (is_large)
		ask_large(a);
	else if (a->data_owners) /* counted for a larger cache */
		cache_ask_data(a);
	cache_ask_inodes(a, is_large);
}

/* Whose memory it is, in place of the name of a cache. */
static void put_keeper(struct statement *row, struct asked_cache *a)
{
	struct task task;

	row->keeper = a->keeper_text;
	row->brief = a->keeper_what;
	row->objects = a->keeper_objects;
	row->command = a->command;
	if (a->keeper_group) {
		row->comm = a->keeper_group;
		row->processes = (struct maybe_u64){ a->keeper_of, true };
		row->are_kthreads = true;
	}
	if (!a->keeper) {
		row->inode = a->super_at;
		row->changes = a->changes;
		row->release = a->release;
		row->is_idle = a->is_idle;
		return;
	}
	row->comm = a->keeper->comm;
	row->pid = (struct maybe_u64){ (uint64_t)a->keeper->tgid, true };
	if (!row->objects)
		row->release = summary_end_of(a->s, row->comm, a->keeper->tgid);
	if (a->has_places && tasks_find(&a->tasks, a->keeper->tgid, &task) == ST_OK)
		row->cgroup = task_cgroup(&a->places, &task);
}

/* Who has few objects of many places does not have the pages: most was freed, and each page has one left. */
static bool is_sparse(const struct slab_use *u)
{
	return slab_use_most(u) < u->objects / 2;
}

static void add_sparse(const struct slab_use *u, struct strbuf *b)
{
	strbuf_add(
		b,
		"%s%s of %s places for objects are free, in slabs of which few objects are in use",
		strbuf_between(b, "; "), COUNT_TEXT(u->objects - slab_use_most(u)),
		COUNT_TEXT(u->objects));
}

enum status summary_cache_owners(struct summary *s, const struct held *h)
{
	const struct session session = owner_session(s->view);
	struct asked_cache *a = dump_alloc(s->dump, sizeof(*a));

	a->s = s;
	a->held = h;
	a->has_slabs = session.types && slabs_open(s->dump, session.memmap, &a->slabs) == ST_OK;
	a->has_places = tasks_open(s->dump, &a->tasks) == ST_OK;
	a->tasks.identity_only = true;
	task_places_open(s->dump, &a->places);
	if (s->largest_cache && summary_reaches(s, LIMIT_HOLDER, s->largest_cache->pages))
		cache_routes_open(a);
	cache_conntrack_open(a);
	for (size_t i = 0; i < ARRAY_SIZE(s->caches) && s->caches[i].use; i++) {
		struct strbuf b = STRBUF_OF(1024);

		a->use = s->caches[i].use;
		if (!a->use->cache || !summary_reaches(s, LIMIT_SHOWN, a->use->pages))
			continue;
		a->n = 0;
		a->b = &b;
		a->keeper = NULL;
		a->super_at = 0;
		a->keeper_group = NULL;
		a->is_idle = false;
		ask(a);
		if (dump_stopped(s->dump))
			return ST_STOPPED;
		if (is_sparse(a->use))
			add_sparse(a->use, &b);
		if (b.len)
			s->caches[i].row->kept_by = dump_strdup(s->dump, b.buf);
		if ((a->keeper || a->super_at || a->keeper_group) && !is_sparse(a->use))
			put_keeper(s->caches[i].row, a);
		s->tells_objects |= a->use == s->largest_cache &&
				    units_tenths(a->n, slab_use_most(a->use)) >= OWNERS_MOST;
	}
	cache_put_conntrack(a);
	return ST_OK;
}
