// SPDX-License-Identifier: GPL-2.0-or-later
/* What is kept beside slab objects: tracks of SLUB, metadata of KASAN. */
#include "slab/kasan.h"
#include "pages/page_type.h"
#include "user_counts.h"

struct object_users {
	struct user_counts *counts;
	struct page_types types;
	struct slabs slabs;
	struct slub_tracks tracks;
	struct kasan kasan;
	bool has_tracks, has_kasan;
};

static void count_tracks(struct object_users *s, const struct slub_object *o)
{
	struct user_counts *u = s->counts;
	struct slub_track t;

	/* As of pages: the track of an allocation that was freed is no use of its stack. */
	if (!o->knows_free)
		u->missing[SLUB_ALLOC]++;
	for (unsigned int freed = !o->knows_free || o->is_free; freed < 2; freed++) {
		enum status found = slub_track_at(&s->tracks, o->slab, o->index, freed, &t);

		if (found == ST_OK)
			user_counts_add(u, SLUB_ALLOC + freed, t.handle);
		else if (found != ST_ABSENT)
			u->missing[SLUB_ALLOC + freed]++;
	}
}

/* The stack of an allocation is in use until the object is freed, those of deferred work longer. */
static void count_metadata(struct object_users *s, const struct slub_object *o)
{
	struct user_counts *u = s->counts;
	struct kasan_object k;
	enum status found = kasan_object_at(&s->kasan, o->slab, o->index, &k);

	if (found == ST_ABSENT)
		return;
	if (found != ST_OK) {
		u->missing[KASAN_ALLOC]++;
		u->missing[KASAN_DEFERRED]++;
		u->missing[KASAN_FREE]++;
		return;
	}
	if (k.state == KASAN_IN_USE)
		user_counts_add(u, KASAN_ALLOC, k.allocated);
	for (unsigned int i = 0; i < KASAN_AUX; i++)
		user_counts_add(u, KASAN_DEFERRED, k.aux[i]);
	user_counts_add(u, KASAN_FREE, k.freed);
}

static enum status count_object(void *arg, const struct slub_object *o)
{
	struct object_users *s = arg;

	if (s->has_tracks && o->slab->cache->has_tracks)
		count_tracks(s, o);
	if (s->has_kasan)
		count_metadata(s, o);
	return ST_OK;
}

static void count_missing(struct object_users *s)
{
	for (enum user i = SLUB_ALLOC; i <= KASAN_FREE; i++)
		s->counts->missing[i] += i < KASAN_ALLOC ? s->has_tracks : s->has_kasan;
}

static enum status count_slab(void *arg, uint64_t pfn)
{
	struct object_users *s = arg;
	const struct slab_cache *cache;
	struct slab_gaps gaps = { 0 };
	struct page_info info;
	enum status st = page_type_at(&s->types, pfn, &info);
	bool bad = st != ST_OK;

	if (st == ST_OK && (info.state != PAGE_TYPE_SLAB || info.head != pfn))
		return ST_OK;
	if (st == ST_OK) {
		st = slab_cache_at(&s->slabs, pfn, &cache);
		if (st == ST_OK && !cache->has_tracks && !s->has_kasan)
			return ST_OK;
		bad = st != ST_OK;
	}
	st = bad ? ST_OK : slub_walk(&s->slabs, pfn, true, count_object, s, &gaps);
	if (bad || gaps.slab)
		count_missing(s);
	return st;
}

/* Up to 5.17 a track has the frames themselves. */
static void open_tracks(struct object_users *s)
{
	struct user_counts *u = s->counts;
	enum status st = slub_tracks_open(u->dump, &s->tracks);

	u->state[SLUB_ALLOC] = u->state[SLUB_FREE] = st == ST_ABSENT ? NOT_BUILT_IN : NOT_COUNTED;
	if (st != ST_OK && st != ST_ABSENT)
		u->reason[SLUB_ALLOC] = dump_why(u->dump);
	if (st != ST_OK)
		return;
	s->has_tracks = STRUCT_HAS(&s->tracks.track, struct slub_track, handle);
	u->state[SLUB_ALLOC] = u->state[SLUB_FREE] = s->has_tracks ? COUNTED : NOT_BUILT_IN;
}

enum status user_counts_objects(struct user_counts *u)
{
	struct dump *d = u->dump;
	struct object_users *s = dump_alloc(d, sizeof(*s));
	struct memmap *memmap = dump_alloc(d, sizeof(*memmap));
	struct ram ram;
	enum status st, opened;

	s->counts = u;
	opened = kasan_open(d, &s->kasan);
	s->has_kasan = opened == ST_OK;
	st = user_counts_refuse(u, KASAN_ALLOC, KASAN_FREE, opened);
	if (st != ST_OK)
		return st;
	open_tracks(s);
	st = memmap_open(d, memmap) ?: page_types_open(d, memmap, &s->types) ?:
			slabs_open(d, memmap, &s->slabs) ?: ram_open(d, &ram);
	if (st != ST_OK) {
		if (s->has_tracks)
			u->reason[SLUB_ALLOC] = dump_why(d);
		s->has_tracks = s->has_kasan = false;
		if (u->state[SLUB_ALLOC] != NOT_BUILT_IN)
			u->state[SLUB_ALLOC] = u->state[SLUB_FREE] = NOT_COUNTED;
		if (opened == ST_OK)
			st = user_counts_refuse(u, KASAN_ALLOC, KASAN_FREE,
						st == ST_ABSENT ? ST_UNKNOWN : st);
	}
	if (s->has_tracks || s->has_kasan)
		st = ram_walk(d, &ram, count_slab, s);
	return st == ST_STOPPED ? st : ST_OK;
}
