// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/slab_caches.h"

#include "kernel/rb_tree.h"
#include "util/strbuf.h"

#define MAX_CACHES 65536 /* a machine has 100 to 400, up to 5.8 one more for each cgroup */

enum status slab_caches_open(struct dump *d, struct page_types *types, const struct zones *zones,
			     struct slab_caches *ret)
{
	enum status st;

	*ret = (struct slab_caches){ .types = types, .zones = zones, .head = UINT64_MAX };
	st = slabs_open(d, types->memmap, &ret->slabs);
	if (st == ST_OK)
		hash_bytes_init(&ret->uses, d->arena, sizeof(struct slab_use));
	return st;
}

static unsigned int node_of(const struct slab_caches *c, uint64_t pfn)
{
	const struct zone *z = c->zones ? zones_find(c->zones, pfn) : NULL;

	if (!c->zones)
		return 0;
	return z ? z->node : NODE_UNKNOWN;
}

static struct slab_use *use_of(struct slab_caches *c, enum slab_use_kind kind,
			       const struct slab_cache *cache, unsigned int node)
{
	const uint64_t key[] = { kind, cache ? cache->address : 0, node };
	bool is_new;
	struct hash_bytes_entry *e = hash_bytes_get(&c->uses, key, sizeof(key), &is_new);
	struct slab_use *u = e->value;

	if (is_new) {
		u->kind = kind;
		u->cache = cache;
		u->node = node;
	}
	return u;
}

#define STEP 32

static void note_slab(struct slab_caches *c)
{
	if (!(c->met++ % STEP) && c->tried < SLABS_TRIED)
		c->last_pages[c->tried++] = c->head + c->head_pages - 1;
}

void slab_caches_try(struct slab_caches *c)
{
	struct dump *d = c->slabs.dump;
	uint8_t raw[8];

	c->absent = 0;
	for (uint64_t i = 0; i < c->tried; i++)
		c->absent += dump_ask(d, read_phys, c->last_pages[i] << d->page_shift, raw,
				      sizeof(raw)) == ST_UNREADABLE;
	d->error[0] = '\0';
}

/* The slab that was being added is complete: more objects than fit into its pages are none. */
static void close_slab(struct slab_caches *c)
{
	const struct slab *slab = &c->slab;
	struct slab_use *u = c->use;
	uint64_t bytes = c->head_pages << c->slabs.dump->page_shift;

	if (!u)
		return;
	note_slab(c);
	u->slabs++;
	if (!(c->head_pages & (c->head_pages - 1)))
		u->orders |= 1ULL << __builtin_ctzll(c->head_pages);
	if (u->kind == SLAB_USE_LARGE)
		return;
	if (!c->has_slab || (uint64_t)slab->objects * slab->cache->size > bytes) {
		u->bad++;
		return;
	}
	u->objects += slab->objects;
	u->taken += slab->inuse;
}

static void open_slab(struct slab_caches *c, const struct page_info *info)
{
	const struct slab_cache *cache = NULL;
	enum slab_use_kind kind = SLAB_USE_LARGE;
	enum status st = ST_OK;

	close_slab(c);
	c->has_slab = false;
	if (info->state == PAGE_TYPE_SLAB) {
		st = slab_at(&c->slabs, info->head, &c->slab);
		c->has_slab = st == ST_OK;
		if (st == ST_OK)
			cache = c->slab.cache;
		else
			st = slab_cache_at(&c->slabs, info->head, &cache);
		kind = st == ST_OK ? SLAB_USE_CACHE : SLAB_USE_UNKNOWN;
	}
	c->head = info->head;
	c->head_pages = 0;
	c->use = use_of(c, kind, cache, node_of(c, info->head));
}

void slab_caches_add(struct slab_caches *c, const struct page_info *info)
{
	if (!c->use || info->head != c->head)
		open_slab(c, info);
	c->use->pages++;
	c->head_pages++;
}

static enum status slab_of(void *arg, uint64_t object, struct slab *ret)
{
	struct slab_caches *c = arg;
	struct page_info info;
	uint64_t pfn = (object - c->slabs.linear) >> c->slabs.dump->page_shift;
	enum status st;

	/* Neighbours in a list are often of one slab. */
	if (c->has_slab &&
	    object - c->slab.address < (uint64_t)c->slab.objects * c->slab.cache->size) {
		*ret = c->slab;
		return ST_OK;
	}
	st = page_type_at(c->types, pfn, &info);
	if (st == ST_OK && info.state != PAGE_TYPE_SLAB)
		st = ST_ABSENT;
	if (st == ST_ABSENT)
		return dump_corrupt(c->slabs.dump, "no slab has the free object at %#lx", object);
	c->has_slab = false;
	st = st ?: slab_at(&c->slabs, info.head, &c->slab);
	if (st != ST_OK)
		return st;
	c->has_slab = true;
	*ret = c->slab;
	return ST_OK;
}

static enum status add_idle(void *arg, const struct slab *slab, uint64_t object)
{
	struct slab_caches *c = arg;
	uint64_t pfn = (object - c->slabs.linear) >> c->slabs.dump->page_shift;

	use_of(c, SLAB_USE_CACHE, slab->cache, node_of(c, pfn))->idle++;
	return ST_OK;
}

static void set_idle_known(struct slab_caches *c, const struct slab_cache *cache)
{
	hash_bytes_for_each(struct slab_use, u, &c->uses)
		if (u->cache == cache)
			u->is_idle_known = true;
}

enum status slab_caches_find_idle(struct slab_caches *c, const struct slab_cache *cache)
{
	const struct idle_visitor visitor = { slab_of, add_idle, c };
	enum status st = slab_idle_walk(&c->slabs, cache, &visitor);

	if (st == ST_STOPPED)
		return st;
	if (st == ST_OK)
		set_idle_known(c, cache);
	else if (!c->problem)
		c->problem = dump_why(c->slabs.dump);
	return ST_OK;
}

static enum status count_idle(struct slab_caches *c)
{
	enum status st = ST_OK;

	hash_u64_for_each(const struct slab_cache, cache, &c->slabs.caches) {
		if (dump_stopped(c->slabs.dump))
			return ST_STOPPED;
		st = cache->address ? slab_caches_find_idle(c, cache) : ST_OK;
		if (st != ST_OK)
			break;
	}
	return st;
}

/* Adds the caches of the list slab_caches that have no slab. */
static enum status add_listed(struct slab_caches *c)
{
	const struct field *list = &c->slabs.cache_list;
	struct dump *d = c->slabs.dump;
	uint64_t head, entry;
	enum status st = dump_symbol(d, "slab_caches", &head);

	if (st == ST_OK && !list->present)
		return dump_unknown(d, "struct kmem_cache has no list");
	st = st ?: dump_u64(d, head, &entry, "slab_caches");
	for (unsigned int n = 0; st == ST_OK && entry != head; n++) {
		const struct slab_cache *cache;

		if (n == MAX_CACHES)
			return dump_corrupt(d, "the list slab_caches has no end");
		st = slab_cache_get(&c->slabs, entry - list->offset, &cache);
		if (st != ST_OK)
			return st;
		use_of(c, SLAB_USE_CACHE, cache, 0);
		st = dump_u64(d, entry, &entry, "slab_caches");
	}
	return st;
}

void slab_caches_close(struct slab_caches *c)
{
	close_slab(c);
	c->use = NULL;
	c->has_slab = false;
}

/*
 * After the last page: objects that are free on a CPU or in a sheaf, and caches without a slab.
 * ST_STOPPED.
 */
static enum status slab_caches_end(struct slab_caches *c)
{
	struct dump *d = c->slabs.dump;
	enum status st;

	slab_caches_close(c);
	/* By node, a cache without slabs is of none. */
	st = c->zones ? ST_OK : add_listed(c);
	if (st != ST_OK)
		c->list_problem = dump_why(d);
	return count_idle(c);
}

struct scan {
	struct slab_caches *caches;
	uint64_t unreadable, seen;
};

static enum status scan_page(void *arg, uint64_t pfn)
{
	struct scan *s = arg;
	struct page_info info;

	s->seen++;
	if (page_type_at(s->caches->types, pfn, &info) != ST_OK) {
		s->unreadable++;
		return ST_OK;
	}
	if (slab_caches_want(&info) && !memmap_is_removed(s->caches->types->memmap, pfn))
		slab_caches_add(s->caches, &info);
	return ST_OK;
}

enum status slab_caches_scan(struct slab_caches *c, const struct ram *ram, uint64_t *unreadable,
			     uint64_t *seen)
{
	struct scan s = { .caches = c };
	enum status st = ram_walk(c->slabs.dump, ram, scan_page, &s), ended;

	*unreadable = s.unreadable;
	*seen = s.seen;
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	ended = slab_caches_end(c);
	return ended == ST_OK ? st : ended;
}

bool slab_use_objects(const struct slab_use *u, uint64_t *ret)
{
	if (u->kind != SLAB_USE_CACHE || u->bad || !u->is_idle_known || u->idle > u->taken)
		return false;
	*ret = u->taken - u->idle;
	return true;
}

uint64_t slab_use_most(const struct slab_use *u)
{
	uint64_t n;

	return slab_use_objects(u, &n) ? n : u->taken;
}

enum status slab_cache_of(struct slabs *s, struct page_types *types, uint64_t object,
			  const struct slab_cache **ret)
{
	struct page_info info;
	uint64_t phys;
	enum status st = dump_phys(s->dump, object, &phys)
				 ?: page_type_at(types, phys >> s->dump->page_shift, &info);

	if (st == ST_OK && info.state != PAGE_TYPE_SLAB)
		st = ST_ABSENT;
	return st ?: slab_cache_at(s, info.head, ret);
}

const char *slab_use_name(const struct slab_use *u)
{
	if (u->kind == SLAB_USE_LARGE)
		return "[large kmalloc]";
	return u->cache ? u->cache->name : NULL;
}

#define MAX_NODES 65536 /* as many as caches, which have one or two each */
#define NAME_BYTES 256	/* NAME_MAX is 255 */

struct directory {
	uint64_t node; /* struct kernfs_node */
};

struct entry {
	uint64_t name, target, owner, children;
	uint32_t flags;
};

struct cache {
	uint64_t name;
};

struct walk {
	struct structure kset, entry, cache;
	struct field node, object; /* of struct kernfs_node; of struct kmem_cache */
	struct rb_types rb;
	int64_t link; /* of kernfs_node.flags */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, kset, "struct kset"),
	POINTS(struct directory, node, REQUIRED, "all", "kobj.sd"),
	STRUCTURE(struct walk, entry, "struct kernfs_node"),
	POINTS(struct entry, name, REQUIRED, "all", "name"),
	POINTS(struct entry, target, REQUIRED, "all", "symlink.target_kn"),
	POINTS(struct entry, owner, REQUIRED, "all", "priv"),
	POINTS(struct entry, children, REQUIRED, "all", "dir.children.rb_node"),
	READS(struct entry, flags, REQUIRED, "all", "flags"),
	FINDS(struct walk, node, "struct kernfs_node", REQUIRED, "all", "rb"),
	STRUCTURE(struct walk, cache, "struct kmem_cache"),
	POINTS(struct cache, name, REQUIRED, "all", "name"),
	FINDS(struct walk, object, "struct kmem_cache", REQUIRED, "all", "kobj"),
};

static enum status walk_open(struct dump *d, struct walk *w)
{
	return STRUCTS_OPEN(d, rows, w) ?: rb_types_open(d, &w->rb)
					?: dump_enumerator(d, "KERNFS_LINK", &w->link);
}

static const char *read_name(struct dump *d, const struct walk *w, uint64_t cache)
{
	char name[NAME_BYTES];
	struct cache c;

	if (struct_read(&w->cache, cache, &c) != ST_OK ||
	    dump_string(d, c.name, name, sizeof(name), "name of a slab cache") != ST_OK)
		return NULL;
	return dump_strdup(d, name);
}

/* The cache that a link leads to: its node has the kobject of the cache. */
static enum status read_link(struct dump *d, const struct walk *w, const struct entry *link,
			     struct slab_alias **ret)
{
	char name[NAME_BYTES];
	struct slab_alias *alias;
	struct entry target;
	enum status st = struct_read(&w->entry, link->target, &target)
				 ?: dump_string(d, link->name, name, sizeof(name),
						"name of a slab cache");

	if (st != ST_OK)
		return st;
	if (!target.owner)
		return dump_corrupt(d, "/sys/kernel/slab/%s leads to no cache", name);
	alias = dump_alloc(d, sizeof(*alias));
	*alias = (struct slab_alias){ .name = dump_strdup(d, name),
				      .cache = target.owner - w->object.offset };
	alias->server = read_name(d, w, alias->cache);
	*ret = alias;
	return ST_OK;
}

enum status slab_aliases_read(struct dump *d, struct slab_alias **ret)
{
	struct first_problem problem = { 0 };
	struct directory at;
	struct rb_nodes n;
	struct field batch;
	struct entry e;
	struct walk w;
	uint64_t variable, kset, node;
	enum status st;

	*ret = NULL;
	/* A pointer, whose type BTF does not have. */
	st = dump_has_both(d, "slab_kset", "struct slab_attribute")
		     ?: walk_open(d, &w)
		     ?: dump_symbol(d, "slab_kset", &variable)
		     ?: dump_u64(d, variable, &kset, "slab_kset");
	if (st == ST_ABSENT)
		return dump_fail(d, st, "this kernel has no /sys/kernel/slab: built with %s",
				 dump_ask(d, member, "struct kmem_cache", "batchcount", &batch) ==
						 ST_OK
					 ? "CONFIG_SLAB"
					 : "CONFIG_SLUB_TINY, or without CONFIG_SYSFS");
	if (st == ST_OK && !kset)
		return dump_absent(d, "the kernel had no /sys/kernel/slab yet");
	st = st ?: struct_read(&w.kset, kset, &at) ?: struct_read(&w.entry, at.node, &e);
	if (st != ST_OK)
		return st;
	rb_begin(&n, d, &w.rb, e.children, "tree of /sys/kernel/slab");
	for (unsigned int i = 0; i < MAX_NODES && rb_next(&n, &node); i++) {
		enum status read = struct_read(&w.entry, node - w.node.offset, &e);

		if (read == ST_OK && e.flags & w.link) {
			read = read_link(d, &w, &e, ret);
			if (read == ST_OK)
				ret = &(*ret)->next;
		}
		st = first_problem_keep(d, &problem, read);
		if (st != ST_OK)
			return st;
	}
	return rb_end(&n) ?: first_problem_end(d, &problem);
}

#define NAMED 8 /* merged caches */

const char *slab_merged_text(struct dump *d, const struct slab_cache *c, bool by_name)
{
	struct strbuf b = STRBUF_OF(NAMED * NAME_BYTES);
	struct slab_alias *all = NULL;
	unsigned int named = 0;

	if (!c->has_aliases || !c->aliases)
		return NULL;
	if (by_name && c->aliases <= NAMED && c->name && slab_aliases_read(d, &all) != ST_OK)
		all = NULL;
	for (const struct slab_alias *a = all; a; a = a->next)
		if (a->cache == c->address && strcmp(a->name, c->name) && named++ < NAMED)
			strbuf_add(&b, "%s%s", strbuf_between(&b, ", "), a->name);
	if (named != c->aliases)
		return dump_text(d, "and %u merged", c->aliases);
	return dump_text(d, "and %u merged (%s)", c->aliases, b.buf);
}
