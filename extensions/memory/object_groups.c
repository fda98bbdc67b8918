// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects of slab caches, ranked by who allocated them, or freed them last. */
#include "dump/lack_words.h"
#include "holders/types.h"
#include "holders/untyped.h"
#include "pageowner/holders.h"
#include "pageowner/memory.h"
#include "objects.h"

struct ranking {
	struct owner_view *v;
	struct objects objects;
	struct object_memcgs memcgs;
	struct table members;	   /* all columns of an object are selected */
	size_t by[GROUP_KEYS], n;  /* columns of objects: keys of the groups */
	struct hash_bytes groups;  /* of struct object_group */
	struct hash_bytes threads; /* group and pid, to count distinct ones */
	struct holders *holders;   /* NULL: no key asks for them, nor for types */
	struct node_types *types;  /* NULL: no key asks for them */
	bool wants_types;
	struct untyped untyped; /* objects without one */
};

/* Members: objects. */
#define OBJECT struct slab_object

enum {
	OBJECT_STACK,
	OBJECT_CACHE,
	OBJECT_CALLER,
	OBJECT_MODULE,
	OBJECT_SITE,
	OBJECT_PID,
	OBJECT_HANDLE,
	OBJECT_STATE,
	OBJECT_AGE,
	OBJECT_HOLDER,
	OBJECT_TYPE,
	OBJECT_MEMCG
};

static const char *word_text(uint64_t word)
{
	return word == VALUE_UNKNOWN ? NULL : (const char *)(uintptr_t)word;
}

/* Call stack of the track, or call site; stacks that are unknown differ by their owners. */
static struct cell owner_cell(const struct object_owner *o)
{
	if (o && o->stack)
		return cell_stack(o->stack);
	return o && o->site ? cell_text(o->site) : (struct cell){ .kind = CELL_NULL, .record = o };
}

CELL_FROM(owner_stack_cell, OBJECT, owner_cell(r->owner))

/* A call site is one frame: what it is not may be another, which nothing recorded. */
static bool keeps_stack(const struct filter *f, const void *record, void *view NOT_USED,
			bool *unknown)
{
	static const struct view_column stack = { COLUMN_stack, 0 };
	const struct object_owner *o = ((const OBJECT *)record)->owner;
	struct cell c = owner_cell(o);

	*unknown = cell_is_doubtful(&c);
	if (c.kind != CELL_TEXT || filter_names(f, o->site))
		return table_keeps_key(f, &stack, &c);
	return *unknown = true, filter_keeps_unknown(f);
}

CELL_FROM(cache_cell, OBJECT, cell_text(r->object->slab->cache->name))
CELL_FROM(caller_cell, OBJECT, cell_text(r->owner ? word_text(r->owner->values.caller) : NULL))
CELL_FROM(module_cell, OBJECT, cell_text(r->owner ? word_text(r->owner->values.module) : NULL))
CELL_FROM(handle_cell, OBJECT,
	  r->owner && r->owner->handle ? cell_hex(r->owner->handle) : cell_text(NULL))
CELL_WITH(state_cell, OBJECT, struct ranking, cell_text(v->objects.freed ? "free" : "live"))

static const char *holder_of(const struct ranking *x, const struct slab_object *o, uint16_t *part)
{
	*part = 0;
	return x->holders ? holders_word(x->holders, slab_object(o->object->slab, o->object->index),
					 part)
			  : NULL;
}

CELL_WITH(holder_cell, OBJECT, const struct ranking, cell_text(holder_of(v, r, &(uint16_t){ 0 })))

static bool node_of(const struct ranking *x, const struct slab_object *o, uint32_t *node)
{
	const struct span *span;
	uint32_t place;

	return graph_find(&x->holders->graph, slab_object(o->object->slab, o->object->index), &span,
			  node, &place);
}

/* NULL: unknown. */
static const char *type_of(const struct ranking *x, const struct slab_object *o, uint16_t *part)
{
	uint32_t node;

	*part = 0;
	return x->types && node_of(x, o, &node) ? node_type_name(x->types, node, part) : NULL;
}

CELL_WITH(type_cell, OBJECT, const struct ranking, cell_text(type_of(v, r, &(uint16_t){ 0 })))

CELL_WITH(memcg_cell, OBJECT, struct ranking, cell_text(object_memcg(&v->memcgs, r)))

CAN_HAVE(has_track, OBJECT, void, !r->owner || !r->owner->site)

static const struct view_column members[] = {
	[OBJECT_STACK] = { COLUMN_stack, 0, .keeps = keeps_stack, CELL_BY(owner_stack_cell) },
	[OBJECT_CACHE] = { COLUMN_cache, 0, CELL_BY(cache_cell) },
	[OBJECT_CALLER] = { COLUMN_caller, 0, CELL_BY(caller_cell) },
	[OBJECT_MODULE] = { COLUMN_module, 0, CELL_BY(module_cell) },
	[OBJECT_SITE] = { COLUMN_site, 0, TEXT_OF(OBJECT, site) },
	[OBJECT_PID] = { COLUMN_pid, 0, INT_IF(OBJECT, pid, has_pid) },
	[OBJECT_HANDLE] = { COLUMN_handle, 0, .can_have = has_track, CELL_BY(handle_cell) },
	[OBJECT_STATE] = { COLUMN_state, 0, CELL_BY(state_cell) },
	[OBJECT_AGE] = { COLUMN_age_ns, 0, UINT_IF(OBJECT, age_ns, has_age) },
	[OBJECT_HOLDER] = { COLUMN_holder, 0, CELL_BY(holder_cell) },
	[OBJECT_TYPE] = { COLUMN_struct_type, 0, CELL_BY(type_cell) },
	[OBJECT_MEMCG] = { COLUMN_memcg, 0, CELL_BY(memcg_cell) },
};

#define BOTH (KEY_FILTERS | KEY_GROUPS)

enum { KEY_OF_MEMCG = 8 }; /* in object_keys[] */

static const struct key object_keys[] = {
	{ COLUMN_stack,
	  "call stack of the track; without one its call site, of which no other frame is known",
	  BOTH },
	{ COLUMN_cache, "slab cache of the object", BOTH, .other_names = object_other_names,
	  .forms = &filter_forms_kmalloc },
	{ COLUMN_caller,
	  "first function that is not part of the kernel's allocators; without a track that of the "
	  "call site",
	  BOTH, .is_function = true },
	{ COLUMN_module,
	  "first module of the stack, without a track that of the call site; vmlinux without one",
	  BOTH },
	{ COLUMN_site, "call site of the object, by allocation profiling", BOTH },
	{ COLUMN_pid, "pid of the thread that allocated or freed", BOTH },
	{ COLUMN_holder,
	  "what keeps the object by the pointers in the dump, inferred: module, vmlinux, "
	  "several, unknown, or none",
	  BOTH },
	{ COLUMN_struct_type, "structure that the object is by pointers to it, inferred", BOTH },
	[KEY_OF_MEMCG] = { COLUMN_memcg,
			   "cgroup that the object is charged to; [not charged]: to none", BOTH },
	{ COLUMN_age_ns, "age at the panic", KEY_FILTERS },
	{ COLUMN_state, "live: objects in use (default); free: free objects, by their last free",
	  KEY_FILTERS, .choices = owner_state_choices },
	{ COLUMN_bytes, "bytes of a whole group", KEY_OF_GROUP },
};

struct object_group {
	struct cell cells[ARRAY_SIZE(members)]; /* that of all objects, or unknown */
	uint64_t objects, bytes, threads;
	uint64_t typed;		 /* parts of 1000 of the same, for types */
	struct content *content; /* of the cache of most without a type; NULL: none */
	uint64_t walks;		 /* parts of the walks back, of WALK_WHOLE, of all objects */
	bool has_age;
	uint64_t age_min, age_max;
	struct maybe_u64 reparented; /* objects; known: of all that are charged */
};

#define ROW struct object_group

static struct cell common_cell(const void *group, void *view NOT_USED, unsigned int index)
{
	return ((const struct object_group *)group)->cells[index];
}

#define OF_ALL(INDEX) CELL_OF(common_cell, INDEX)

static const struct stack *stack_of(const struct object_group *g)
{
	const struct cell *c = &g->cells[OBJECT_STACK];

	return c->kind == CELL_STACK ? c->stack : NULL;
}

CELL_FROM(stack_cell, ROW, cell_stack(stack_of(r)))
CELL_FROM(cut_cell, ROW, cell_cut(stack_of(r)))

/* In text each line of what is inferred begins with a mark. */
static struct cell inferred(const struct ranking *x, const struct cell *c)
{
	const char *word = cell_words(c);

	if (!word || x->v->in->opts.json)
		return cell_text(word);
	return cell_text(dump_text(x->v->dump, "~%s", word));
}

CELL_WITH(common_holder_cell, ROW, struct ranking, inferred(v, &r->cells[OBJECT_HOLDER]))
CELL_WITH(common_type_cell, ROW, struct ranking, inferred(v, &r->cells[OBJECT_TYPE]))
CELL_FROM(type_confidence_cell, ROW, cell_if(r->typed, cell_uint(r->typed / r->objects)))

static struct cell content_cell(const void *record, void *view)
{
	struct ranking *x = view;
	const ROW *r = record;
	struct cell c = cell_text(r->content ? content_text(x->holders, r->content) : NULL);

	return inferred(x, &c);
}

CELL_FROM(confidence_cell, ROW,
	  cell_if(r->walks, cell_uint(r->walks / r->objects * 1000 / WALK_WHOLE)))

static struct cell basis_cell(const void *record, void *view)
{
	const ROW *r = record;

	return cell_text(((struct ranking *)view)->holders    ? "inferred"
			 : ((struct ranking *)view)->memcgs.v ? "derived"
			 : stack_of(r) || r->cells[OBJECT_SITE].kind || r->cells[OBJECT_MODULE].kind
				 ? "recorded"
				 : "derived");
}

CAN_HAVE(may_have_stack, ROW, void,
	 r->cells[OBJECT_STACK].kind == CELL_NULL && !r->cells[OBJECT_STACK].is_none)
CAN_HAVE(has_holders, ROW, struct ranking, v->holders)
CAN_HAVE(has_types, ROW, struct ranking, v->types)
CAN_HAVE(has_content, ROW, struct ranking, r->content)
CAN_HAVE(has_memcgs, ROW, struct ranking, v->memcgs.v)

#define IF_ALL "if all objects of the group have the same"
#define TRACKED "with slub_debug=U"

static const struct view_column columns[] = {
	{ COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	{ COLUMN_objects, IN_BOTH | KNOWN, "in use, or free with -f state=free",
	  UINT_OF(ROW, objects) },
	{ COLUMN_bytes, IN_BOTH | KNOWN, UINT_OF(ROW, bytes) },
	{ COLUMN_threads, IN_BOTH, TRACKED, UINT_NONZERO(ROW, threads) },
	{ COLUMN_age_max_ns, IN_BOTH, TRACKED, UINT_IF(ROW, age_max, has_age) },
	{ COLUMN_age_min_ns, IN_BOTH, TRACKED, UINT_IF(ROW, age_min, has_age) },
	{ COLUMN_handle, IN_BOTH, TRACKED, OF_ALL(OBJECT_HANDLE) },
	{ COLUMN_pid, 0, IF_ALL, OF_ALL(OBJECT_PID) },
	{ COLUMN_caller, 0, IF_ALL, OF_ALL(OBJECT_CALLER) },
	{ COLUMN_module, 0, IF_ALL, OF_ALL(OBJECT_MODULE) },
	{ COLUMN_state, 0, .choices = owner_state_choices, OF_ALL(OBJECT_STATE) },
	{ COLUMN_holder, 0, IF_ALL, CELL_BY(common_holder_cell) },
	{ COLUMN_confidence, 0, "if a key is holder", .can_have = has_holders,
	  .needs_key = COLUMN_holder, CELL_BY(confidence_cell) },
	{ COLUMN_struct_type, 0, IF_ALL, CELL_BY(common_type_cell) },
	{ COLUMN_type_confidence, 0, "if a key is type", .can_have = has_types,
	  .needs_key = COLUMN_struct_type, CELL_BY(type_confidence_cell) },
	{ COLUMN_content, 0, "if a key is type", .can_have = has_content,
	  .needs_key = COLUMN_struct_type, CELL_BY(content_cell) },
	{ COLUMN_memcg, 0, IF_ALL, OF_ALL(OBJECT_MEMCG) },
	{ COLUMN_reparented_objects, 0, "if a key is memcg", .can_have = has_memcgs,
	  .needs_key = COLUMN_memcg, UINT_MAYBE(ROW, reparented) },
	BASIS_ASKED(
		basis_cell,
		"recorded where the group has a track or a call site and memcg is not asked for, inferred where holder or type is"),
	{ COLUMN_cache, IN_BOTH, IF_ALL, .width = 32, OF_ALL(OBJECT_CACHE) },
	{ COLUMN_site, IN_BOTH, "by allocation profiling", .width = 48, OF_ALL(OBJECT_SITE) },
	{ COLUMN_stack, IN_BOTH, TRACKED, .can_have = may_have_stack, CELL_BY(stack_cell) },
	{ COLUMN_cut, IN_JSON | NO_SORT_KEY, CELL_BY(cut_cell) },
};

static void prepare(struct cmdline *in)
{
	static const enum column_id more[] = { COLUMN_caller, COLUMN_module,	  COLUMN_pid,
					       COLUMN_holder, COLUMN_struct_type, COLUMN_memcg };
	struct table *t = &in->table;
	bool by_stack = !in->ngroups || cmdline_groups_column(in, COLUMN_stack);

	for (size_t i = 0; i < in->ngroups; i++)
		for (size_t k = 0; k < ARRAY_SIZE(more); k++)
			if (in->keys[in->groups[i]].column == more[k])
				table_show(t, more[k]);
	if (cmdline_groups_column(in, COLUMN_holder))
		table_show(t, COLUMN_confidence);
	if (cmdline_groups_column(in, COLUMN_struct_type)) {
		table_show(t, COLUMN_type_confidence);
		table_show(t, COLUMN_content);
	}
	if (cmdline_groups_column(in, COLUMN_memcg))
		table_show(t, COLUMN_reparented_objects);
	if (by_stack)
		return;
	rows_hide(in, (const enum column_id[]){ COLUMN_handle, COLUMN_stack, COLUMN_site,
						COLUMN_NONE });
	if (!cmdline_groups_column(in, COLUMN_cache))
		rows_hide(in, (const enum column_id[]){ COLUMN_cache, COLUMN_NONE });
	if (cmdline_groups_column(in, COLUMN_site) && !in->opts.json)
		table_show(t, COLUMN_site);
}

/* Whether the walk looks into the slabs of a cache. */
static bool wants_cache(void *arg, const struct slab_cache *c)
{
	const struct cmdline *in = ((const struct ranking *)arg)->v->in;

	return !ANY_OF(
		i, in->filters.n,
		in->keys[in->filters.filters[i].key].column == COLUMN_cache &&
			filter_leaves_whole(&in->filters.filters[i], c->name, "cache", "caches"));
}

/* Without -g by cache and stack. */
static void open_groups(struct ranking *r)
{
	const struct cmdline *in = r->v->in;
	struct dump *d = r->v->dump;

	table_init(&r->members, d, COLUMNS(members), false);
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		table_show_at(&r->members, i);
	for (size_t i = 0; i < in->ngroups; i++)
		r->by[r->n++] = table_index(&r->members, in->keys[in->groups[i]].column);
	if (!r->n) {
		r->by[r->n++] = OBJECT_CACHE;
		r->by[r->n++] = OBJECT_STACK;
	}
	hash_bytes_init(&r->groups, d->arena, sizeof(struct object_group));
	hash_bytes_init(&r->threads, d->arena, 0);
}

/* The group of an object, or NULL: filters do not keep it. Texts of objects are interned. */
static struct object_group *group_of(struct ranking *r, const struct slab_object *s)
{
	struct cell cells[VIEW_COLUMNS] = { 0 };
	uint64_t key[2 * GROUP_KEYS];
	struct object_group *g;
	bool is_new;

	if (!rows_keep_member(r->v->in, COLUMNS(members), s, r))
		return NULL;
	row_fill(&r->members, s, r, cells);
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		cells[i] = cell_value(&cells[i]);
	for (size_t i = 0; i < r->n; i++) {
		key[2 * i] = cells[r->by[i]].kind;
		key[2 * i + 1] = cells[r->by[i]].u;
	}
	g = hash_bytes_get(&r->groups, key, 2 * r->n * sizeof(key[0]), &is_new)->value;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (is_new)
			g->cells[i] = cells[i];
		else
			cell_keep_common(&g->cells[i], &cells[i]);
	return g;
}

static void add_charge(struct ranking *r, struct object_group *g, const struct slab_object *s)
{
	enum obj_cgroup_state state = object_memcg_state(&r->memcgs, s);

	g->reparented.known &= state != OBJCG_UNKNOWN;
	g->reparented.n += state == OBJCG_TAKEN;
}

static void add_object(void *arg, const struct slab_object *s)
{
	struct ranking *r = arg;
	struct object_group *g = group_of(r, s);
	uint64_t pair[2] = { (uintptr_t)g, (uint64_t)s->pid };
	uint16_t part;
	uint32_t node;
	bool is_new;

	if (!g)
		return;
	holder_of(r, s, &part);
	g->walks += part;
	if (type_of(r, s, &part))
		g->typed += part;
	else if (r->wants_types && r->holders && node_of(r, s, &node))
		untyped_add(&r->untyped, g, node, s->object->slab->cache->size, &g->content);
	g->reparented.known |= !g->objects;
	if (r->memcgs.v)
		add_charge(r, g, s);
	g->objects++;
	g->bytes += s->object->slab->cache->size;
	if (s->has_pid) {
		hash_bytes_get(&r->threads, pair, sizeof(pair), &is_new);
		g->threads += is_new;
	}
	if (!s->has_age)
		return;
	if (!g->has_age || s->age_ns > g->age_max)
		g->age_max = s->age_ns;
	if (!g->has_age || s->age_ns < g->age_min)
		g->age_min = s->age_ns;
	g->has_age = true;
}

static void put_text(const struct ranking *r)
{
	const struct owner_view *v = r->v;
	const struct objects *o = &r->objects;
	char of[UNITS_BYTES], n[3][UNITS_BYTES];

	rows_put_kept(&r->v->report, v->in);
	if (!v->in->members && (o->unreadable_pages || o->bad_slabs || o->unsure)) {
		sink_printf(v->out, "no %s was found in what could be read\n",
			    o->freed ? "free object" : "object in use");
		return;
	}
	units_count(of, v->in->members);
	units_count(n[0], o->tracked);
	units_count(n[1], o->sited);
	units_count(n[2], o->unowned);
	sink_printf(v->out, "%s %s = %s with a track + %s with a call site%s + %s without", of,
		    o->freed ? "free objects" : "objects in use", n[0], n[1],
		    o->tracked ? " alone" : "", n[2]);
	if (o->unknown_sites)
		sink_printf(v->out, " + %s unknown", COUNT_TEXT(o->unknown_sites));
	sink_text(v->out, "\n");
	objects_put_slabs(v, o);
	objects_put_beside(v, &o->slabs);
}

/* Whether a key, a filter or a column asks for what is inferred. */
static bool wants(const struct cmdline *in, enum column_id column)
{
	const struct table *t = &in->table;

	return cmdline_filters_column(in, column) || cmdline_groups_column(in, column) ||
	       table_shows(t, column);
}

static enum status find_holders(struct ranking *r)
{
	struct owner_view *v = r->v;
	struct holders *h;
	enum status st = owner_holders_open(v) ?: owner_holders_find(v, &h);

	if (st == ST_OK)
		r->holders = h;
	else if (st != ST_STOPPED)
		report_unknown(&v->report, "holders of objects", availability_of(st), "%s",
			       v->dump->error);
	return st == ST_STOPPED ? st : ST_OK;
}

static enum status find_types(struct ranking *r)
{
	struct owner_view *v = r->v;
	struct node_types *x = dump_alloc(v->dump, sizeof(*x));
	enum status st = r->holders ? node_types_find(r->holders, NULL, NULL, x) : ST_ABSENT;

	if (st == ST_OK)
		r->types = x;
	else if (r->holders && st != ST_STOPPED)
		report_unknown(&v->report, "types of objects", availability_of(st), "%s",
			       v->dump->error);
	return st == ST_STOPPED ? st : ST_OK;
}

/* What a track alone has. */
static bool asks_task(const struct cmdline *in)
{
	return cmdline_groups_column(in, COLUMN_pid) || cmdline_filters_column(in, COLUMN_pid) ||
	       cmdline_filters_column(in, COLUMN_age_ns);
}

static void put_end(struct ranking *r, enum status st)
{
	const char *missing = r->types ? untyped_missing(&r->untyped) : NULL;
	struct owner_view *v = r->v;
	const struct objects *o = &r->objects;
	const bool no_callers = !o->tracked && !o->sited && v->in->members;
	const bool has_tracks = dump_has_symbol(v->dump, "slub_debug");
	struct field pad;
	const bool has_last = dump_ask(v->dump, member, "struct kmem_cache", "obj_offset", &pad) ==
			      ST_OK;
	const struct gap gaps[] = {
		{ "the cgroup of %s is unknown: it cannot be read", r->memcgs.unknown, "object",
		  "objects" },
		{ .text = "%s", .n = missing != NULL, .why = missing, .is_note = true },
		{ WORD_NOT_RECORDED ": callers; slub_debug=U or allocation profiling records them",
		  no_callers && has_tracks, .is_note = true },
		{ WORD_NOT_RECORDED ": tasks and ages; a call site has none, slub_debug=U does",
		  !o->tracked && o->sited && has_tracks && asks_task(v->in), .is_note = true },
		{ WORD_NOT_THERE
		  ": callers; allocation profiling (6.10 and later) keeps call sites",
		  no_callers && !has_tracks && !has_last, .is_note = true },
		{ "callers are unknown: the last one of each object, which CONFIG_DEBUG_SLAB keeps, "
		  "is not read; allocation profiling (6.10 and later) keeps each call site",
		  no_callers && !has_tracks && has_last, .is_note = true },
		{ "no struct page in this dump for %s: any of them may be a slab page",
		  o->unreadable_pages, "page", "pages" },
		{ "%s corrupt, or not in this dump", o->bad_slabs, "slab is", "slabs are" },
		{ "it is unknown whether %s in use: left out", o->unsure, "object is",
		  "objects are" },
		GAP_WHY("some free objects may be shown as in use: %s", o->slabs.sheaves_problem),
		{ "%s not available: %s", o->bad_tracks, "track is", "tracks are",
		  o->track_problem },
		{ "the call site of %s is not in this dump", o->unknown_sites, "object",
		  "objects" },
		{ "%s a stack that is corrupt, or not in this dump", o->bad_stacks, "object has",
		  "objects have" },
	};

	if (!v->in->opts.json)
		put_text(r);
	if (r->holders)
		owner_holders_trust(v, r->holders);
	REPORT_GAPS(&v->report, gaps);
	if (r->memcgs.v)
		owner_tell_memcgs(v, KEY_OF_MEMCG);
	report_end(&v->report, NULL,
		   st == ST_OK && o->slabs.sheaves_complete && !v->owner.ram.derived);
}

/* Columns of tracks where there is none, and that of call sites, unless they were asked for. */
static void hide_empty(struct ranking *r)
{
	struct cmdline *in = r->v->in;

	if (!r->objects.tracked)
		rows_hide(in, (const enum column_id[]){ COLUMN_threads, COLUMN_age_max_ns,
							COLUMN_age_min_ns, COLUMN_handle,
							COLUMN_NONE });
	if (!r->objects.sited && !cmdline_groups_column(in, COLUMN_site))
		rows_hide(in, (const enum column_id[]){ COLUMN_site, COLUMN_NONE });
	if (!in->opts.json)
		cmdline_reselect(in);
}

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;

	v->shows_types = v->shows_sites = v->has_tracks = true;
	return memory_open(v, (uint64_t)wants(v->in, COLUMN_memcg) << KEY_MEMCG, why);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct ranking *r = dump_alloc(v->dump, sizeof(*r));
	enum status st;

	r->v = v;
	st = v->has_states ? objects_open(v, objects_want_free(v->in), &r->objects) : ST_UNKNOWN;
	if (st != ST_OK) {
		report_no_data(&v->report, UNKNOWN_LAYOUT);
		return ST_OK;
	}
	if (v->has_memcgs)
		object_memcgs_open(v, &r->objects.slabs, &r->memcgs);
	if (v->has_memcgs && !r->memcgs.is_known)
		report_unknown(&v->report, "cgroups of objects", UNKNOWN_LAYOUT,
			       "slabs have no struct obj_cgroup of each object");
	r->wants_types = wants(v->in, COLUMN_struct_type);
	if ((wants(v->in, COLUMN_holder) || r->wants_types) && find_holders(r) == ST_STOPPED)
		return ST_STOPPED;
	if (r->wants_types && find_types(r) == ST_STOPPED)
		return ST_STOPPED;
	open_groups(r);
	untyped_init(r->holders, v->dump->arena, &r->untyped);
	st = objects_walk(&r->objects, wants_cache, add_object, r);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	if (r->objects.unreadable_pages == v->owner.ram.pages) {
		dump_unreadable(v->dump,
				"no struct page in this dump: any page may be a slab page");
		report_no_data(&v->report, NOT_IN_DUMP);
		return ST_OK;
	}
	hash_bytes_for_each(const struct object_group, g, &r->groups)
		if (rows_keep_group(v->in, g, r))
			row_add(&v->in->table, g, r);
	rows_sort(v->in);
	hide_empty(r);
	rows_put(&v->report, v->in);
	put_end(r, st);
	return st;
}

const struct view owner_objects_view = {
	"objects",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(object_keys),
	.has_groups = true,
	.prepare = prepare,
	.open = open_view,
	.show = show,
	ROWS_ARE("group", "groups", "bytes", 10),
	MEMBERS_ARE("object of these caches", "objects of these caches"),
};
