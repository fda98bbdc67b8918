// SPDX-License-Identifier: GPL-2.0-or-later
#include "cache_owners.h"

/* Keys of a keyring whose objects, or those of their payloads, are in the cache. */
struct cached_keys {
	const struct keyring *in; /* NULL: of those that no keyring links that is known */
	uint64_t n;
};

struct cached_types {
	uint64_t type, n;
};

struct cached {
	struct hash_u64 rings; /* of struct cached_keys by address of the keyring */
	struct hash_u64 types; /* of struct cached_types by address */
	uint64_t n;
};

static void count(struct cached *c, const struct used_key *key)
{
	const uint64_t at = key->in ? key->in->key.address : 0;
	struct cached_keys *of = hash_u64_get(&c->rings, at, NULL);
	struct cached_types *type = hash_u64_get(&c->types, key->key.type, NULL);

	of->in = key->in;
	of->n++;
	type->type = key->key.type;
	type->n++;
	c->n++;
}

/* "keys of type user": of one that most are of. */
static const char *kind_text(struct asked_cache *a, const struct cached *c, const char *what)
{
	hash_u64_for_each(const struct cached_types, type, &c->types)
		if (units_tenths(type->n, c->n) >= OWNERS_MOST)
			return dump_text(a->s->dump, "%s of type %s", what,
					 key_type_name(&a->held->keys->of, type->type));
	return what;
}

/* "keyring sso_tokens of uid 0" */
static const char *name_of(struct asked_cache *a, const struct keyring *ring)
{
	return dump_text(a->s->dump, "keyring %s of uid %u",
			 ring->name ?: dump_text(a->s->dump, "%d", ring->key.serial),
			 ring->key.uid);
}

/* A process that finds it does not keep it: that of a user outlives all of them. */
static bool has_keeper(const struct keyring *ring)
{
	return ring && ring->users.n && !ring->is_kept;
}

/* "ticketd (246)", "no process"; NULL: it is unknown. */
static const char *searchers_of(struct asked_cache *a, const struct keyring *ring)
{
	if (ring->users.n)
		return cache_users_text(a, &ring->users);
	return a->held->keys->problem ? NULL : "no process";
}

/* "in keyring sso_tokens of uid 0, a keyring of ", behind which its processes stand */
static const char *ring_text(struct asked_cache *a, const struct keyring *ring)
{
	const char *who;

	if (!ring)
		return "in no keyring that is known";
	if (has_keeper(ring))
		return dump_text(a->s->dump, "in %s, a keyring of ", name_of(a, ring));
	who = searchers_of(a, ring);
	return dump_text(a->s->dump, "in %s%s%s%s", name_of(a, ring), who ? ", which " : "",
			 who ?: "", who ? " can search" : "");
}

/* Memory of a keyring that stays when processes end: it is named in place of one of them. */
static void put_ring(struct asked_cache *a, const struct keyring *ring, uint64_t n,
		     const char *what)
{
	const char *least = a->held->keys->problem ? "at least " : "", *who;

	who = searchers_of(a, ring);
	who = who ? dump_text(a->s->dump, "; %s can search the keyring", who) : "";
	a->super_at = ring->key.address;
	a->keeper_text = dump_text(a->s->dump, "keys in %s", name_of(a, ring));
	a->keeper_what = dump_text(a->s->dump, "%s%s of %s objects of slab cache %s are %s%s",
				   least, COUNT_TEXT(n), COUNT_TEXT(slab_use_most(a->use)),
				   slab_use_name(a->use) ?: "unknown", what, who);
	a->keeper_objects = dump_text(a->s->dump, "%s%s %s%s", least, COUNT_TEXT(n), what, who);
	a->command = "memowner caches";
	a->release = a->held->keys->problem
			     ? NULL
			     : dump_text(a->s->dump,
					 "clearing the keyring (keyctl clear %d); the end of a "
					 "process frees none of its keys",
					 ring->key.serial);
}

static void put(struct asked_cache *a, const struct cached *c, const char *what)
{
	struct cache_owners o = { .what = kind_text(a, c, what),
				  .problem = a->held->keys->problem };
	const struct keyring *most = NULL;

	hash_u64_for_each(const struct cached_keys, of, &c->rings) {
		const char *text = of->n > o.most ? ring_text(a, of->in) : NULL;
		const bool has_users = has_keeper(of->in);

		most = of->n > o.most ? of->in : most;
		cache_owners_add(&o, of->n, of->n, has_users ? &of->in->users : NULL,
				 has_users ? NULL : text);
		o.place = text ?: o.place;
	}
	cache_owners_put(a, &o);
	if (most && !has_keeper(most) && units_tenths(o.most, slab_use_most(a->use)) >= OWNERS_MOST)
		put_ring(a, most, o.most, o.what);
}

static void begin(struct asked_cache *a, struct cached *c)
{
	*c = (struct cached){ 0 };
	hash_u64_init(&c->rings, a->s->dump->arena, sizeof(struct cached_keys));
	hash_u64_init(&c->types, a->s->dump->arena, sizeof(struct cached_types));
}

/* Keyrings are objects of it as well. */
void cache_ask_keys(struct asked_cache *a)
{
	struct cached c;

	if (!a->held->keys)
		return cache_owners_unknown(a, a->held->problems[HELD_KEYS]);
	begin(a, &c);
	hash_u64_for_each(const struct used_key, key, &a->held->keys->all)
		count(&c, key);
	put(a, &c, "keys");
}

/* One that several keys name is one object. */
void cache_ask_payloads(struct asked_cache *a)
{
	struct hash_u64 seen;
	struct cached c;

	if (!a->held->keys ||
	    units_tenths(a->held->keys->all.n, slab_use_most(a->use)) < OWNERS_LEAST)
		return;
	begin(a, &c);
	hash_u64_init(&seen, a->s->dump->arena, 0);
	hash_u64_for_each(const struct used_key, key, &a->held->keys->all)
		if (key->key.payload && is_in_cache(a, key->key.payload) &&
		    hash_u64_add(&seen, key->key.payload))
			count(&c, key);
	put(a, &c, "payloads of keys");
}
