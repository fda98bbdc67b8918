// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects of slab caches, ranked by who allocated them, or freed them last. */
#include <string.h>

#include "objects.h"
#include "util/units.h"

#define DEFAULT_ROWS 10

enum {
	COL_RANK,
	COL_OBJECTS,
	COL_BYTES,
	COL_THREADS,
	COL_AGE_MAX,
	COL_AGE_MIN,
	COL_HANDLE,
	COL_PID,
	COL_CALLER,
	COL_MODULE,
	COL_STATE,
	COL_CACHE,
	COL_SITE,
	COL_STACK,
	COL_CUT,
	COLUMNS
};

#define IF_ALL "if all objects of the group have the same"
#define TRACKED "with slub_debug=U"

static const struct view_column columns[COLUMNS] = {
	[COL_RANK] = { COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	[COL_OBJECTS] = { COLUMN_objects, IN_BOTH | KNOWN, "in use, or free with -f state=free" },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | KNOWN },
	[COL_THREADS] = { COLUMN_threads, IN_BOTH, TRACKED },
	[COL_AGE_MAX] = { COLUMN_age_max_ns, IN_BOTH, TRACKED },
	[COL_AGE_MIN] = { COLUMN_age_min_ns, IN_BOTH, TRACKED },
	[COL_HANDLE] = { COLUMN_handle, IN_BOTH, TRACKED },
	[COL_PID] = { COLUMN_pid, 0, IF_ALL },
	[COL_CALLER] = { COLUMN_caller, 0, IF_ALL },
	[COL_MODULE] = { COLUMN_module, 0, IF_ALL },
	[COL_STATE] = { COLUMN_state, 0, .choices = owner_state_choices },
	[COL_CACHE] = { COLUMN_cache, IN_BOTH, IF_ALL, .width = 32 },
	[COL_SITE] = { COLUMN_site, IN_BOTH, "without a track", .width = 48 },
	[COL_STACK] = { COLUMN_stack, IN_BOTH, TRACKED },
	[COL_CUT] = { COLUMN_cut, IN_JSON | NO_SORT_KEY },
};

enum {
	OBJECT_STACK,
	OBJECT_CACHE,
	OBJECT_CALLER,
	OBJECT_MODULE,
	OBJECT_SITE,
	OBJECT_PID,
	OBJECT_AGE,
	OBJECT_STATE,
	OBJECT_SIZE,
	OBJECT_KEYS
};

#define BOTH (KEY_FILTERS | KEY_GROUPS)

static const struct key object_keys[OBJECT_KEYS] = {
	[OBJECT_STACK] = { COLUMN_stack, "call stack of the track, or call site", BOTH,
			   .is_text = true },
	[OBJECT_CACHE] = { COLUMN_cache, "slab cache of the object", BOTH, .is_text = true },
	[OBJECT_CALLER] = { COLUMN_caller,
			    "first function that is not part of the kernel's allocators", BOTH,
			    .is_text = true },
	[OBJECT_MODULE] = { COLUMN_module, "first module of the stack, vmlinux without one", BOTH,
			    .is_text = true },
	[OBJECT_SITE] = { COLUMN_site, "call site of an object without a track", BOTH,
			  .is_text = true },
	[OBJECT_PID] = { COLUMN_pid, "pid of the thread that allocated or freed", BOTH,
			 .is_text = false },
	[OBJECT_AGE] = { COLUMN_age_ns, "age at the panic", KEY_FILTERS, .quantity = RANGE_TIME },
	[OBJECT_STATE] = { COLUMN_state,
			   "live: objects in use (default); free: free objects, by their last free",
			   KEY_FILTERS, .is_text = true, .choices = owner_state_choices },
	[OBJECT_SIZE] = { COLUMN_bytes, "bytes of a whole group", KEY_OF_GROUP,
			  .quantity = RANGE_SIZE },
};

static const unsigned int column_of[OBJECT_KEYS] = {
	[OBJECT_CALLER] = COL_CALLER,
	[OBJECT_MODULE] = COL_MODULE,
	[OBJECT_PID] = COL_PID,
};

static void prepare(struct cmdline *in)
{
	bool by_stack = !in->ngroups, by_cache = by_stack;

	for (size_t i = 0; i < in->ngroups; i++) {
		by_stack |= in->groups[i] == OBJECT_STACK;
		by_cache |= in->groups[i] == OBJECT_CACHE;
		if (column_of[in->groups[i]])
			table_show(&in->table, column_of[in->groups[i]]);
	}
	if (by_stack || in->opts.json)
		return;
	table_hide(&in->table, COL_HANDLE);
	table_hide(&in->table, COL_STACK);
	if (!by_cache)
		table_hide(&in->table, COL_CACHE);
	table_hide(&in->table, COL_SITE);
	for (size_t i = 0; i < in->ngroups; i++)
		if (in->groups[i] == OBJECT_SITE)
			table_show(&in->table, COL_SITE);
}

const struct view owner_objects_view = {
	"objects",	     "-t objects",	   COLUMNS_OF(columns),
	.has_groups = true,  .filters_rows = true, .prepare = prepare,
	.keys = object_keys, .nkeys = OBJECT_KEYS
};

/* Keys that all objects of a group may have in common: those before OBJECT_AGE. */
#define WORDS OBJECT_AGE

struct object_group {
	uint64_t objects, bytes, threads;
	uint64_t words[WORDS]; /* of all objects, or VALUE_UNKNOWN */
	bool has_age;
	uint64_t age_min, age_max;
};

struct ranking {
	struct owner_view *v;
	struct objects objects;
	size_t keys[GROUP_KEYS], nkeys;
	struct hash_bytes groups;  /* of struct object_group */
	struct hash_bytes threads; /* group and pid, to count distinct ones */
	uint64_t kept, of;
};

static uint64_t text_of(const char *text)
{
	return text ? (uint64_t)(uintptr_t)text : VALUE_UNKNOWN;
}

static uint64_t word_of(const struct slab_object *s, size_t key)
{
	const struct object_owner *o = s->owner;

	switch (key) {
	case OBJECT_CACHE:
		return text_of(s->object->slab->cache->name);
	case OBJECT_PID:
		return s->has_pid ? (uint64_t)s->pid : VALUE_UNKNOWN;
	case OBJECT_STACK:
		return o ? (uint64_t)(uintptr_t)o : VALUE_UNKNOWN;
	case OBJECT_CALLER:
		return o ? o->values.caller : VALUE_UNKNOWN;
	case OBJECT_MODULE:
		return o ? o->values.module : VALUE_UNKNOWN;
	case OBJECT_SITE:
		return o ? text_of(o->site) : VALUE_UNKNOWN;
	}
	return VALUE_UNKNOWN;
}

static const char *word_text(uint64_t word)
{
	return word == VALUE_UNKNOWN ? NULL : (const char *)(uintptr_t)word;
}

static bool keeps_number(const struct filter *f, bool known, uint64_t n)
{
	return known ? filter_keeps_number(f, n) : filter_keeps_unknown(f);
}

static bool keeps(const struct filter *f, const struct slab_object *s)
{
	const struct object_owner *o = s->owner;

	switch (f->key) {
	case OBJECT_STATE:
	case OBJECT_SIZE:
	case OBJECT_CACHE: /* asked before */
		return true;
	case OBJECT_AGE:
		return keeps_number(f, s->has_age, s->age_ns);
	case OBJECT_PID:
		return keeps_number(f, s->has_pid, s->pid);
	case OBJECT_STACK:
		return o && o->site && !o->stack ? filter_keeps_text(f, o->site)
						 : filter_keeps_stack(f, o ? o->stack : NULL);
	case OBJECT_CALLER:
		return owner_keeps_caller(f, word_text(word_of(s, f->key)));
	}
	return filter_keeps_text(f, word_text(word_of(s, f->key)));
}

static bool wants_cache(void *arg, const struct slab_cache *c)
{
	const struct ranking *r = arg;
	const struct filters *filters = &r->v->in->filters;

	for (unsigned int i = 0; i < filters->n; i++)
		if (filters->filters[i].key == OBJECT_CACHE &&
		    !filter_keeps_text(&filters->filters[i], c->name))
			return false;
	return true;
}

static struct object_group *find_group(struct ranking *r, const struct slab_object *s)
{
	uint64_t key[GROUP_KEYS] = { 0 };
	struct hash_bytes_entry *e;
	struct object_group *g;
	bool is_new;

	for (size_t i = 0; i < r->nkeys; i++)
		key[i] = word_of(s, r->keys[i]);
	e = hash_bytes_get(&r->groups, key, r->nkeys * sizeof(key[0]), &is_new);
	if (!e)
		return NULL;
	g = e->value;
	for (size_t i = 0; i < WORDS; i++) {
		if (is_new)
			g->words[i] = word_of(s, i);
		else if (g->words[i] != word_of(s, i))
			g->words[i] = VALUE_UNKNOWN;
	}
	return g;
}

static void add_thread(struct ranking *r, struct object_group *g, const struct slab_object *s)
{
	uint64_t pair[2] = { (uintptr_t)g, (uint64_t)s->pid };
	bool is_new;

	if (s->has_pid && hash_bytes_get(&r->threads, pair, sizeof(pair), &is_new) && is_new)
		g->threads++;
	if (!s->has_age)
		return;
	if (!g->has_age || s->age_ns > g->age_max)
		g->age_max = s->age_ns;
	if (!g->has_age || s->age_ns < g->age_min)
		g->age_min = s->age_ns;
	g->has_age = true;
}

static enum status add_object(void *arg, const struct slab_object *s)
{
	struct ranking *r = arg;
	const struct filters *filters = &r->v->in->filters;
	struct object_group *g;

	r->of++;
	for (unsigned int i = 0; i < filters->n; i++)
		if (!keeps(&filters->filters[i], s))
			return ST_OK;
	g = find_group(r, s);
	if (!g)
		return dump_no_memory(r->v->dump);
	r->kept++;
	g->objects++;
	g->bytes += s->object->slab->cache->size;
	add_thread(r, g, s);
	return ST_OK;
}

static bool keeps_group(const struct ranking *r, const struct object_group *g)
{
	const struct filters *filters = &r->v->in->filters;

	for (unsigned int i = 0; i < filters->n; i++)
		if (filters->filters[i].key == OBJECT_SIZE &&
		    !filter_keeps_number(&filters->filters[i], g->bytes))
			return false;
	return true;
}

static enum status add_row(struct ranking *r, const struct object_group *g)
{
	const struct object_owner *o = (const void *)word_text(g->words[OBJECT_STACK]);
	struct cell *row = table_add(&r->v->in->table);

	if (!row)
		return ST_NOMEM;
	row[COL_OBJECTS] = cell_uint(g->objects);
	row[COL_BYTES] = cell_uint(g->bytes);
	row[COL_THREADS] = cell_if(g->threads, cell_uint(g->threads));
	row[COL_AGE_MAX] = cell_if(g->has_age, cell_uint(g->age_max));
	row[COL_AGE_MIN] = cell_if(g->has_age, cell_uint(g->age_min));
	row[COL_PID] = cell_if(g->words[OBJECT_PID] != VALUE_UNKNOWN,
			       cell_int((int64_t)g->words[OBJECT_PID]));
	row[COL_CALLER] = cell_text(word_text(g->words[OBJECT_CALLER]));
	row[COL_MODULE] = cell_text(word_text(g->words[OBJECT_MODULE]));
	row[COL_STATE] = cell_text(r->objects.freed ? "free" : "live");
	row[COL_CACHE] = cell_text(word_text(g->words[OBJECT_CACHE]));
	row[COL_SITE] = cell_text(word_text(g->words[OBJECT_SITE]));
	if (!o)
		return ST_OK;
	row[COL_HANDLE] = cell_if(o->handle, cell_hex(o->handle));
	row[COL_STACK] = cell_stack(o->stack);
	row[COL_CUT] = cell_if(o->stack, cell_bool(o->stack && o->stack->cut));
	return ST_OK;
}

static enum status fill_table(struct ranking *r)
{
	struct table *t = &r->v->in->table;
	const struct opts *o = &r->v->in->opts;
	enum status st = ST_OK;

	for (struct hash_bytes_entry *e = r->groups.first; e && st == ST_OK; e = e->next)
		if (keeps_group(r, e->value))
			st = add_row(r, e->value);
	table_filter(t, &r->v->in->filters);
	if (st == ST_OK)
		st = table_sort(t, o->sort ? o->sort : "bytes", o->reverse);
	for (size_t i = 0; i < t->n; i++)
		t->rows[i][COL_RANK] = cell_uint(i + 1);
	return st;
}

static void put_warnings(struct ranking *r)
{
	const struct objects *o = &r->objects;
	struct report *report = &r->v->report;
	char n[UNITS_PLURAL];

	if (!o->tracked && !o->sited && r->of)
		report_warn(report,
			    "callers are unknown: slub_debug=U records each alloc and free, "
			    "allocation profiling (6.10 and later) each call site");
	if (o->unreadable_pages)
		report_warn(report,
			    "no struct page in this dump for %s: any of them may be a slab page",
			    units_plural(n, o->unreadable_pages, "page", "pages"));
	if (o->bad_slabs)
		report_warn(report, "%s corrupt, or not in this dump",
			    units_plural(n, o->bad_slabs, "slab is", "slabs are"));
	if (o->unsure)
		report_warn(report, "it is unknown whether %s in use: left out",
			    units_plural(n, o->unsure, "object is", "objects are"));
	if (o->slabs.sheaves_problem)
		report_warn(report, "some free objects may be shown as in use: %s",
			    o->slabs.sheaves_problem);
	if (o->bad_tracks)
		report_warn(report, "%s not available: %s",
			    units_plural(n, o->bad_tracks, "track is", "tracks are"),
			    o->track_problem ? o->track_problem : "");
	if (o->unknown_sites)
		report_warn(report, "the call site of %s is not in this dump",
			    units_plural(n, o->unknown_sites, "object", "objects"));
	if (o->bad_stacks)
		report_warn(report, "%s a stack that is corrupt, or not in this dump",
			    units_plural(n, o->bad_stacks, "object has", "objects have"));
}

static void put_end(struct ranking *r, enum status st)
{
	struct owner_view *v = r->v;
	const struct objects *o = &r->objects;
	char of[UNITS_BYTES], tracked[UNITS_BYTES], sited[UNITS_BYTES], unowned[UNITS_BYTES];
	char unknown[UNITS_BYTES];
	bool whole = !o->unreadable_pages && !o->bad_slabs && !o->unsure &&
		     o->slabs.sheaves_complete && !o->bad_tracks && !o->bad_stacks &&
		     !o->unknown_sites && !v->owner.ram.derived;

	if (!v->in->opts.json) {
		units_count(of, r->of);
		units_count(tracked, o->tracked);
		units_count(sited, o->sited);
		units_count(unowned, o->unowned);
		units_count(unknown, o->unknown_sites);
		if (v->in->filters.n) {
			char kept[UNITS_BYTES];

			units_count(kept, r->kept);
			sink_printf(v->out, "filters kept %s of %s objects of these caches\n", kept,
				    of);
		}
		sink_printf(v->out, "%s %s = %s with a track + %s with a call site + %s without",
			    of, o->freed ? "free objects" : "objects in use", tracked, sited,
			    unowned);
		if (o->unknown_sites)
			sink_printf(v->out, " + %s unknown", unknown);
		sink_text(v->out, "\n");
	}
	put_warnings(r);
	report_end(&v->report, NULL, st == ST_OK && whole);
}

static bool wants_free(const struct cmdline *in)
{
	bool live = true;

	for (unsigned int i = 0; i < in->filters.n; i++)
		if (in->filters.filters[i].key == OBJECT_STATE)
			live &= filter_keeps_text(&in->filters.filters[i], "live");
	return !live;
}

/* Columns of tracks where there is none, and that of call sites, unless they were asked for. */
static void hide_empty(struct ranking *r)
{
	static const unsigned int of_tracks[] = { COL_THREADS, COL_AGE_MAX, COL_AGE_MIN,
						  COL_HANDLE };
	struct cmdline *in = r->v->in;

	if (in->opts.json)
		return;
	for (size_t i = 0; !r->objects.tracked && i < 4; i++)
		table_hide(&in->table, of_tracks[i]);
	if (!r->objects.sited)
		table_hide(&in->table, COL_SITE);
	cmdline_reselect(in);
}

enum status owner_objects(struct owner_view *v)
{
	struct ranking *r = dump_alloc(v->dump, sizeof(*r));
	enum status st, filled;
	size_t shown;

	if (!r)
		return ST_NOMEM;
	r->v = v;
	st = v->has_states ? objects_open(v, wants_free(v->in), &r->objects) : ST_UNKNOWN;
	if (st != ST_OK) {
		report_no_data(&v->report, UNKNOWN_LAYOUT);
		return ST_OK;
	}
	hash_bytes_init(&r->groups, v->dump->arena, sizeof(struct object_group));
	hash_bytes_init(&r->threads, v->dump->arena, 0);
	memcpy(r->keys, v->in->groups, sizeof(r->keys));
	r->nkeys = v->in->ngroups;
	if (!r->nkeys) {
		r->keys[r->nkeys++] = OBJECT_CACHE;
		r->keys[r->nkeys++] = OBJECT_STACK;
	}
	st = objects_walk(&r->objects, wants_cache, add_object, r);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	filled = fill_table(r);
	if (filled != ST_OK)
		return filled;
	hide_empty(r);
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, DEFAULT_ROWS);
	report_rest_bytes(&v->report, &v->in->table, shown, COL_BYTES, "group", "groups");
	put_end(r, st);
	return st;
}
