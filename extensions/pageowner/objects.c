// SPDX-License-Identifier: GPL-2.0-or-later
#include "objects.h"

enum status objects_open(struct owner_view *v, bool freed, struct objects *ret)
{
	enum status st;

	*ret = (struct objects){ .v = v, .freed = freed };
	st = slabs_open(v->dump, &v->owner.ext.memmap, &ret->slabs);
	if (st != ST_OK)
		return st;
	ret->has_tracks = slub_tracks_open(v->dump, &ret->tracks) == ST_OK;
	hash_bytes_init(&ret->owners, v->dump->arena, sizeof(struct object_owner));
	return ST_OK;
}

static enum status by_handle(struct owner_view *v, uint32_t handle, const struct stack **ret)
{
	struct cached_stack *k;

	if (!v->has_depot)
		return ST_OK;
	k = stack_cache_get(&v->stacks, handle);
	if (!k)
		return dump_no_memory(v->dump);
	*ret = stack_cache_frames(&v->stacks, k);
	return ST_OK;
}

enum { BY_HANDLE, BY_FRAMES, BY_TAG };

/* By the handle of a track, or by its frames (to 5.17), whose first is the address of the call. */
static enum status track_owner(struct objects *o, const struct slub_track *t,
			       struct object_owner **ret)
{
	uint64_t key[2 + TRACK_FRAMES] = { t->handle ? BY_HANDLE : BY_FRAMES, t->handle };
	struct slub_track alone = *t;
	struct hash_bytes_entry *e;
	bool is_new;
	enum status st = ST_OK;

	if (!alone.handle && !alone.n)
		alone.frames[alone.n++] = t->addr;
	for (unsigned int i = 0; !alone.handle && i < alone.n; i++)
		key[2 + i] = alone.frames[i];
	e = hash_bytes_get(&o->owners, key, sizeof(key), &is_new);
	if (!e)
		return dump_no_memory(o->v->dump);
	*ret = e->value;
	if (!is_new)
		return ST_OK;
	(*ret)->handle = t->handle;
	st = t->handle ? by_handle(o->v, t->handle, &(*ret)->stack)
		       : symbolize_stack(&o->v->stacks.symbols, alone.frames, alone.n,
					 &(*ret)->stack);
	owner_stack_values(o->v, (*ret)->stack, &(*ret)->values);
	return st;
}

static enum status site_owner(struct objects *o, uint64_t tag, struct object_owner **ret)
{
	const uint64_t key[2] = { BY_TAG, tag };
	const char *site = tag_names_object(o->v->tags, tag);
	struct hash_bytes_entry *e;
	bool is_new;

	*ret = NULL;
	if (!site)
		return ST_OK;
	e = hash_bytes_get(&o->owners, key, sizeof(key), &is_new);
	if (!e)
		return dump_no_memory(o->v->dump);
	*ret = e->value;
	if (is_new) {
		(*ret)->site = site;
		(*ret)->values.caller = (*ret)->values.module = VALUE_UNKNOWN;
	}
	return ST_OK;
}

/* True: the object has a track. */
static bool find_track(struct objects *o, const struct slub_object *object, struct slub_track *t)
{
	const struct slab *slab = object->slab;
	enum status st = ST_ABSENT;

	if (o->has_tracks && slab->cache->has_tracks)
		st = slub_track_at(&o->tracks, slab, object->index, o->freed, t);
	if ((st == ST_UNREADABLE || st == ST_CORRUPT) && !o->bad_tracks++)
		o->track_problem = arena_strdup(o->v->dump->arena, o->v->dump->error);
	return st == ST_OK;
}

static enum status find_owner(struct objects *o, struct slab_object *s)
{
	struct object_owner *owner = NULL;
	struct slub_track t;
	enum status st = ST_OK;

	if (find_track(o, s->object, &t)) {
		s->has_pid = true;
		s->pid = t.pid;
		s->has_age = t.has_age;
		s->age_ns = t.age_ns;
		st = track_owner(o, &t, &owner);
		o->tracked++;
		o->bad_stacks += owner && !owner->stack;
	} else if (!o->freed && o->v->tags && s->object->knows_tag && s->object->tag) {
		bool known = tag_names_knows(o->v->tags, s->object->tag);

		st = site_owner(o, s->object->tag, &owner);
		o->sited += owner && known;
		o->unknown_sites += owner && !known;
		o->unowned += !owner;
	} else if (!o->freed && (s->object->tag || (o->v->tags && !s->object->knows_tag))) {
		o->unknown_sites++;
	} else {
		o->unowned++;
	}
	s->owner = owner;
	return st;
}

struct walk {
	struct objects *o;
	bool (*wants)(void *arg, const struct slab_cache *c);
	enum status (*visit)(void *arg, const struct slab_object *object);
	void *arg;
};

static enum status add_object(void *arg, const struct slub_object *object)
{
	struct walk *w = arg;
	struct slab_object s = { .object = object };
	enum status st;

	if (!object->knows_free) {
		w->o->unsure++;
		return ST_OK;
	}
	if (object->is_free != w->o->freed)
		return ST_OK;
	st = find_owner(w->o, &s);
	return st == ST_OK ? w->visit(w->arg, &s) : st;
}

static enum status add_page(void *arg, uint64_t pfn)
{
	struct walk *w = arg;
	struct objects *o = w->o;
	const struct slab_cache *cache;
	struct slab_gaps gaps;
	struct page_info info;
	enum status st = page_type_at(&o->v->states, pfn, &info);

	if (st != ST_OK) {
		o->unreadable_pages++;
		return ST_OK;
	}
	if (info.state != PAGE_TYPE_SLAB || info.head != pfn)
		return ST_OK;
	st = slab_cache_at(&o->slabs, pfn, &cache);
	if (st == ST_NOMEM)
		return st;
	if (st == ST_OK && !w->wants(w->arg, cache))
		return ST_OK;
	o->slabs_seen++;
	st = slub_walk(&o->slabs, pfn, true, add_object, w, &gaps);
	o->bad_slabs += gaps.slab;
	return st;
}

enum status objects_walk(struct objects *o, bool (*wants)(void *arg, const struct slab_cache *c),
			 enum status (*visit)(void *arg, const struct slab_object *object),
			 void *arg)
{
	struct walk w = { o, wants, visit, arg };

	return ram_walk(o->v->dump, &o->v->owner.ram, add_page, &w);
}
