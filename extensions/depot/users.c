// SPDX-License-Identifier: GPL-2.0-or-later
#include "users.h"

#include "mm/page_owner.h"
#include "mm/page_type.h"
#include "mm/slub_track.h"
#include "mm/slub_walk.h"
#include "util/hash_u64.h"
#include "util/units.h"

enum { COL_HANDLE, COL_USER, COL_REFERENCES, COL_HANDLES, COL_STATE, COLUMNS };

static const char *const states[] = { "counted", "not built in", "off", "not counted", NULL };
enum { COUNTED, NOT_BUILT_IN, OFF, NOT_COUNTED };

static const struct view_column columns[COLUMNS] = {
	[COL_HANDLE] = { COLUMN_handle, IN_BOTH, "with HANDLE" },
	[COL_USER] = { COLUMN_user, IN_BOTH | KNOWN },
	[COL_REFERENCES] = { COLUMN_uses, IN_BOTH },
	[COL_HANDLES] = { COLUMN_handles, IN_BOTH },
	[COL_STATE] = { COLUMN_looked, IN_BOTH | KNOWN, .choices = states },
};

const struct view depot_users_view = { "users", "-u", COLUMNS_OF(columns),
				       .takes_arguments = true };

enum user { OWNER_ALLOC, OWNER_FREE, SLUB_ALLOC, SLUB_FREE, OTHERS };

/* Users without a decoder here, by a function that only they have (mm/kasan, mm/kmemleak.c, ...). */
static const struct {
	const char *name, *symbol;
} others[] = {
	{ "KASAN", "kasan_report" },
	{ "kmemleak", "kmemleak_alloc" },
	{ "ref_tracker", "ref_tracker_alloc" },
	{ "KMSAN", "kmsan_save_stack_with_flags" },
};

#define NOTHERS (sizeof(others) / sizeof(others[0]))

static const char *const names[OTHERS] = {
	[OWNER_ALLOC] = "page_owner, allocation",
	[OWNER_FREE] = "page_owner, last free",
	[SLUB_ALLOC] = "SLUB track, allocation",
	[SLUB_FREE] = "SLUB track, last free",
};

struct counts {
	uint64_t n[OTHERS];
};

struct users {
	const struct record_source *from;
	struct dump *dump;
	struct hash_u64 handles; /* struct counts by handle */
	struct counts total, distinct;
	unsigned int state[OTHERS];
	uint64_t missing[OTHERS];
	struct page_owner owner;
	struct page_types types;
	struct slabs slabs;
	struct slub_tracks tracks;
};

static enum status count(struct users *u, enum user user, uint32_t handle)
{
	struct counts *c;
	bool is_new;

	handle &= ~u->from->stacks->depot.extra_mask;
	if (!handle)
		return ST_OK;
	c = hash_u64_get(&u->handles, handle, &is_new);
	if (!c)
		return dump_no_memory(u->dump);
	u->distinct.n[user] += !c->n[user];
	c->n[user]++;
	u->total.n[user]++;
	return ST_OK;
}

static enum status count_page(void *arg, const struct owner_page *page)
{
	struct users *u = arg;
	struct owner_record r;
	enum status st = page->allocated ? count(u, OWNER_ALLOC, page->handle) : ST_OK;

	if (st != ST_OK || u->state[OWNER_FREE] != COUNTED)
		return st;
	page_owner_decode(&u->owner, page, &r);
	return count(u, OWNER_FREE, r.free_handle);
}

static enum status count_pages(struct users *u)
{
	struct scan_stats cov = { 0 };
	enum availability why;
	enum status st = page_owner_open(u->dump, &u->owner, &why);

	if (st != ST_OK) {
		u->state[OWNER_ALLOC] = u->state[OWNER_FREE] = why == OFF_AT_BOOT ? OFF
							       : why == NOT_BUILT ? NOT_BUILT_IN
										  : NOT_COUNTED;
		return st == ST_NOMEM ? st : ST_OK;
	}
	if (!u->owner.f[OWNER_FREE_HANDLE].present)
		u->state[OWNER_FREE] = NOT_BUILT_IN;
	st = page_owner_scan(&u->owner, SCAN_RECORDED, &cov, count_page, u);
	u->missing[OWNER_ALLOC] = u->missing[OWNER_FREE] = cov.unreadable + cov.undecodable;
	return st;
}

static enum status count_object(void *arg, const struct slub_object *o)
{
	struct users *u = arg;
	struct slub_track t;
	enum status st = ST_OK;

	/* As of pages: the track of an allocation that was freed is no use of its stack. */
	if (!o->knows_free)
		u->missing[SLUB_ALLOC]++;
	for (unsigned int freed = !o->knows_free || o->is_free; freed < 2 && st == ST_OK; freed++) {
		enum status found = slub_track_at(&u->tracks, o->slab, o->index, freed, &t);

		if (found == ST_OK)
			st = count(u, SLUB_ALLOC + freed, t.handle);
		else if (found != ST_ABSENT)
			u->missing[SLUB_ALLOC + freed]++;
	}
	return st;
}

static enum status count_slab(void *arg, uint64_t pfn)
{
	struct users *u = arg;
	const struct slab_cache *cache;
	struct slab_gaps gaps = { 0 };
	struct page_info info;
	enum status st = page_type_at(&u->types, pfn, &info);
	bool bad = st != ST_OK;

	if (st == ST_OK && (info.state != PAGE_TYPE_SLAB || info.head != pfn))
		return ST_OK;
	if (st == ST_OK) {
		st = slab_cache_at(&u->slabs, pfn, &cache);
		if (st == ST_OK && !cache->has_tracks)
			return ST_OK;
		bad = st != ST_OK;
	}
	st = bad ? ST_OK : slub_walk(&u->slabs, pfn, true, count_object, u, &gaps);
	u->missing[SLUB_ALLOC] += bad || gaps.slab;
	u->missing[SLUB_FREE] += bad || gaps.slab;
	return st;
}

static enum status count_tracks(struct users *u)
{
	struct dump *d = u->dump;
	struct memmap *memmap = dump_alloc(d, sizeof(*memmap));
	struct ram ram;
	enum status st;

	if (!memmap)
		return ST_NOMEM;
	u->state[SLUB_ALLOC] = u->state[SLUB_FREE] = NOT_COUNTED;
	st = memmap_open(d, memmap);
	if (st == ST_OK)
		st = page_types_open(d, memmap, &u->types);
	if (st == ST_OK)
		st = slabs_open(d, memmap, &u->slabs);
	if (st == ST_OK)
		st = ram_open(d, &ram);
	if (st == ST_OK && slub_tracks_open(d, &u->tracks) == ST_OK) {
		/* Up to 5.17 a track has the frames themselves. */
		u->state[SLUB_ALLOC] = u->state[SLUB_FREE] = u->tracks.f[TRACK_HANDLE].present
								     ? COUNTED
								     : NOT_BUILT_IN;
		if (u->tracks.f[TRACK_HANDLE].present)
			st = ram_walk(d, &ram, count_slab, u);
	}
	return st == ST_NOMEM || st == ST_STOPPED ? st : ST_OK;
}

static enum status add_row(struct users *u, const uint32_t *handle, const char *name,
			   unsigned int state, const uint64_t *n, const uint64_t *handles,
			   bool missing)
{
	struct cell *row = table_add(&u->from->in->table);

	if (!row)
		return ST_NOMEM;
	row[COL_HANDLE] = cell_if(handle, cell_hex(handle ? *handle : 0));
	row[COL_USER] = cell_text(name);
	row[COL_STATE] = cell_text(states[state]);
	/* None is none only where nothing is missing. */
	row[COL_REFERENCES] = cell_if(n && state == COUNTED && (*n || !missing),
				      cell_uint(n ? *n : 0));
	row[COL_HANDLES] = cell_if(handles && state == COUNTED && (*handles || !missing),
				   cell_uint(handles ? *handles : 0));
	return ST_OK;
}

static enum status add_rows(struct users *u, const uint32_t *handle)
{
	static const struct counts none;
	struct counts *c = &u->total;
	enum status st = ST_OK;
	bool is_new;

	if (handle) {
		uint32_t key = *handle & ~u->from->stacks->depot.extra_mask;

		c = hash_u64_has(&u->handles, key) ? hash_u64_get(&u->handles, key, &is_new)
						   : (struct counts *)&none;
	}
	for (unsigned int i = 0; i < OTHERS && st == ST_OK; i++)
		st = add_row(u, handle, names[i], u->state[i], &c->n[i],
			     handle ? NULL : &u->distinct.n[i], u->missing[i]);
	for (size_t i = 0; i < NOTHERS && st == ST_OK; i++)
		st = add_row(u, handle, others[i].name,
			     dump_has_symbol(u->dump, others[i].symbol) ? NOT_COUNTED
									: NOT_BUILT_IN,
			     NULL, NULL, false);
	return st;
}

enum status depot_users_show(const struct record_source *from, const uint32_t *handles, size_t n)
{
	struct report *r = from->report;
	struct users u = { .from = from, .dump = r->dump };
	char text[UNITS_PLURAL];
	enum status st, added = ST_OK;

	hash_u64_init(&u.handles, u.dump->arena, sizeof(struct counts));
	st = count_pages(&u);
	if (st == ST_OK)
		st = count_tracks(&u);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	if (!n)
		added = add_rows(&u, NULL);
	for (size_t i = 0; i < n && added == ST_OK; i++)
		added = add_rows(&u, &handles[i]);
	if (added != ST_OK)
		return added;
	if (u.missing[OWNER_ALLOC])
		report_warn(r, "not in this dump, or corrupt: the page_owner records of %s",
			    units_plural(text, u.missing[OWNER_ALLOC], "page", "pages"));
	if (u.missing[SLUB_ALLOC] + u.missing[SLUB_FREE])
		report_warn(r, "not in this dump, or corrupt: tracks of slab objects");
	report_rows(r, &from->in->table, &from->in->opts, 0);
	report_end(r, NULL, st == ST_OK && !r->nwarnings);
	return st;
}
