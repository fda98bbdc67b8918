// SPDX-License-Identifier: GPL-2.0-or-later
/* What open files lead to, of whatever kind: data of timerfds, eventfds, instances of epoll and their items, sockets. */
#include "cache_owners.h"

#include "files/file_data.h"
#include "files/open_list.h"
#include "memowner/verdict_words.h"
#include "util/address_set.h"

/* Objects of a cache that files of one process lead to. */
struct data_count {
	const struct file_user *user; /* NULL: of several */
	uint64_t n, of_kind[OPEN_KINDS];
};

/* There may be millions of objects: kept of each are a few bytes, and one sum of all that have one cache and one owner. */
struct data_owners {
	struct asked_cache *asked;
	struct dump *dump;
	struct file_data of;
	struct open_files open;
	/* Objects in the place of files; inode: of an item its instance of epoll, which has its users, else 0. */
	struct open_list objects;
	struct address_set found;	/* these */
	struct address_set again;	/* of these found once more: several may have them */
	struct hash_u64 several;	/* of struct file_user * by address; NULL: several */
	struct hash_u64 caches;		/* of hashes of data_count by tgid, by cache */
	struct opened file;		/* that leads to what is found */
	uint64_t instance;		/* whose items were not found yet; 0: none */
	const struct slab_cache *cache; /* of the object before */
	uint64_t page;			/* the same; 0: none was */
	const char *problem;
};

static enum status add_object(void *arg, uint64_t object)
{
	struct data_owners *x = arg;

	if (address_set_add(&x->found, object))
		x->instance = object;
	else
		address_set_add(&x->again, object);
	x->file.address = object;
	open_list_add(&x->objects, &x->file);
	return ST_OK;
}

static enum status add_item(void *arg, uint64_t item)
{
	struct data_owners *x = arg;

	x->file.address = item;
	if (address_set_add(&x->found, item))
		open_list_add(&x->objects, &x->file);
	return dump_stopped(x->dump) ? ST_STOPPED : ST_OK;
}

static enum status add_file(void *arg, uint64_t file, uint64_t operations,
			    const struct file_user *user)
{
	struct data_owners *x = arg;
	enum status st;

	if (dump_stopped(x->dump))
		return ST_STOPPED;
	x->instance = 0;
	x->file = (struct opened){ .file = { 0, operations }, .user = user };
	st = file_data_walk(&x->of, file, operations, add_object, x);
	x->file.file.inode = x->instance;
	if (st == ST_OK && x->instance)
		st = file_data_items(&x->of, x->instance, operations, add_item, x);
	if (st != ST_OK && st != ST_ABSENT && st != ST_STOPPED && !x->problem)
		x->problem = dump_why(x->dump);
	return st == ST_STOPPED ? st : ST_OK;
}

static const struct slab_cache *cache_of(struct data_owners *x, uint64_t object)
{
	const uint64_t page = object >> x->dump->page_shift;

	if (!x->page || page != x->page)
		x->cache = cache_of_object(x->asked, object);
	x->page = page;
	return x->cache;
}

static void count_object(struct data_owners *x, const struct opened *of, unsigned int kind)
{
	const uint64_t owner = of->file.inode ?: of->address;
	const struct slab_cache *cache = cache_of(x, of->address);
	const struct file_user *user = of->user;
	struct data_count *c;
	struct hash_u64 *counts;
	bool is_new;

	if (!cache)
		return;
	if (x->again.n && address_set_has(&x->again, owner))
		user = *(const struct file_user *const *)hash_u64_find(&x->several, owner);
	counts = hash_u64_get(&x->caches, cache->address, &is_new);
	if (is_new)
		hash_u64_init(counts, x->dump->arena, sizeof(*c));
	c = hash_u64_get(counts, user ? (uint64_t)(uint32_t)user->tgid : ~0ULL, NULL);
	c->user = user;
	c->n++;
	c->of_kind[kind]++;
}

static void add_user(struct data_owners *x, const struct opened *of)
{
	const struct file_user **user;
	bool is_new;

	if (of->file.inode || !address_set_has(&x->again, of->address))
		return;
	user = hash_u64_get(&x->several, of->address, &is_new);
	if (is_new)
		*user = of->user;
	else if (*user && (*user)->tgid != of->user->tgid)
		*user = NULL;
}

static void count_objects(struct data_owners *x)
{
	struct open_list_at at = open_list_begin(&x->objects);
	struct address_set counted;
	struct hash_u64 kinds;
	struct opened of;

	while (x->again.n && open_list_next(&at, &of))
		add_user(x, &of);
	at = open_list_begin(&x->objects);
	address_set_init(&counted, x->dump->arena);
	open_kinds_find(x->dump, &kinds);
	while (open_list_next(&at, &of))
		if (!address_set_has(&x->again, of.address) ||
		    address_set_add(&counted, of.address))
			count_object(x, &of, open_kind(&kinds, of.file.operations));
}

static struct data_owners *read_owners(struct asked_cache *a)
{
	struct dump *d = a->s->dump;
	struct data_owners *x = dump_alloc(d, sizeof(*x));
	enum status st;

	x->asked = a;
	x->dump = d;
	x->objects.arena = d->arena;
	address_set_init(&x->found, d->arena);
	address_set_init(&x->again, d->arena);
	hash_u64_init(&x->several, d->arena, sizeof(const struct file_user *));
	hash_u64_init(&x->caches, d->arena, sizeof(struct hash_u64));
	st = file_data_open(d, &x->of) ?: open_files_visit(&x->open, d, add_file, x);
	if (st != ST_OK)
		x->problem = dump_why(d);
	else if (!x->open.complete && !x->problem)
		x->problem = x->open.problem;
	count_objects(x);
	return x;
}

/* "parts of open files, mostly timerfds,": of the process that has most. */
static const char *data_text(const struct asked_cache *a, const struct data_count *most)
{
	unsigned int kind = 0;

	for (unsigned int i = 0; i < OPEN_KINDS; i++)
		kind = most->of_kind[i] > most->of_kind[kind] ? i : kind;
	return units_tenths(most->of_kind[kind], most->n) < OWNERS_MOST
		       ? "parts of open files"
		       : dump_text(a->s->dump, "parts of open files, mostly %s%s,",
				   open_kind_name(kind),
				   !strcmp(open_kind_name(kind), "sockets") && most->user && a->held
					   ? summary_sockets_state(a->s, a->held->sockets,
								   most->user->tgid)
					   : "");
}

void cache_ask_data(struct asked_cache *a)
{
	struct cache_owners o = { .place = "of " };
	const struct data_count *most = NULL;
	const uint64_t told = a->n;
	const struct hash_u64 *counts;

	/* What is told already. */
	if (units_tenths(a->n, slab_use_most(a->use)) >= OWNERS_MOST)
		return;
	if (!a->data_owners)
		a->data_owners = read_owners(a);
	o.problem = a->data_owners->problem;
	counts = hash_u64_find(&a->data_owners->caches, a->use->cache->address);
	for (const struct hash_u64_entry *e = counts ? counts->first : NULL; e; e = e->next) {
		const struct data_count *c = (const struct data_count *)e->value;

		most = !most || c->n > most->n ? c : most;
		if (c->user)
			cache_owners_add_user(a, &o, c->n, c->user);
		else
			cache_owners_add(&o, c->n, c->n, NULL, "that several processes have open");
	}
	if (most) {
		o.what = data_text(a, most);
		o.command =
			"memowner processes -s open_files -n 5 -o pid,comm,open_files,open_kinds";
		cache_owners_put(a, &o);
	}
	/* Objects of files that were not read may be in any large cache. */
	if (a->n == told)
		cache_owners_unknown(a, o.problem);
}
