// SPDX-License-Identifier: GPL-2.0-or-later
#include "objects.h"

#define MAX_NODES 1024 /* MAX_NUMNODES of any configuration */

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

enum { BY_HANDLE, BY_FRAMES, BY_TAG };

/* By the handle of a track, or by its frames (to 5.17), whose first is the address of the call. */
static struct object_owner *track_owner(struct objects *o, const struct slub_track *t)
{
	uint64_t key[2 + TRACK_FRAMES] = { t->handle ? BY_HANDLE : BY_FRAMES, t->handle };
	struct slub_track alone = *t;
	struct object_owner *owner;
	bool is_new;

	if (!alone.handle && !alone.n)
		alone.frames[alone.n++] = t->addr;
	for (unsigned int i = 0; !alone.handle && i < alone.n; i++)
		key[2 + i] = alone.frames[i];
	owner = hash_bytes_get(&o->owners, key, sizeof(key), &is_new)->value;
	if (!is_new)
		return owner;
	owner->handle = t->handle;
	if (!t->handle)
		owner->stack = symbolize_stack(&o->v->stacks.symbols, alone.frames, alone.n);
	else if (o->v->has_depot)
		owner->stack = owner_stack(o->v, t->handle);
	owner_stack_values(o->v, owner->stack, &owner->values);
	return owner;
}

/* NULL: the site of the tag is unknown. */
static struct object_owner *site_owner(struct objects *o, uint64_t tag)
{
	const uint64_t key[2] = { BY_TAG, tag };
	const char *site = tag_names_object(o->v->tags, tag);
	struct object_owner *owner;

	if (!site)
		return NULL;
	owner = hash_bytes_get(&o->owners, key, sizeof(key), NULL)->value;
	owner->site = site;
	owner_site_values(o->v, tag_names_object_site(o->v->tags, tag), &owner->values);
	return owner;
}

/* True: the object has a track. */
static bool find_track(struct objects *o, const struct slub_object *object, struct slub_track *t)
{
	const struct slab *slab = object->slab;
	enum status st = ST_ABSENT;

	if (o->has_tracks && slab->cache->has_tracks)
		st = slub_track_at(&o->tracks, slab, object->index, o->freed, t);
	if ((st == ST_UNREADABLE || st == ST_CORRUPT) && !o->bad_tracks++)
		o->track_problem = dump_why(o->v->dump);
	return st == ST_OK;
}

static void find_owner(struct objects *o, struct slab_object *s)
{
	const struct slub_object *object = s->object;
	bool knows_tag = object->knows_tag && object->tag;
	struct slub_track t;

	if (!o->freed && o->v->tags && knows_tag)
		s->site = tag_names_object(o->v->tags, object->tag);
	if (find_track(o, object, &t)) {
		s->has_pid = true;
		s->pid = t.pid;
		s->has_age = t.has_age;
		s->age_ns = t.age_ns;
		s->owner = track_owner(o, &t);
		o->tracked++;
		o->bad_stacks += !s->owner->stack;
	} else if (!o->freed && o->v->tags && knows_tag) {
		bool known = tag_names_knows(o->v->tags, object->tag);

		s->owner = site_owner(o, object->tag);
		o->sited += s->owner && known;
		o->unknown_sites += s->owner && !known;
		o->unowned += !s->owner;
	} else if (!o->freed && (object->tag || (o->v->tags && !object->knows_tag))) {
		o->unknown_sites++;
	} else {
		o->unowned++;
	}
}

struct walk {
	struct objects *o;
	bool (*wants)(void *arg, const struct slab_cache *c);
	void (*visit)(void *arg, const struct slab_object *object);
	void *arg;
	uint64_t head; /* pfn of the slab that was walked last; 0 is none */
};

static enum status add_object(void *arg, const struct slub_object *object)
{
	struct walk *w = arg;
	struct slab_object s = { .object = object };

	if (!object->knows_free) {
		w->o->unsure++;
	} else if (object->is_free == w->o->freed) {
		find_owner(w->o, &s);
		w->o->object_bytes += object->slab->cache->size;
		w->visit(w->arg, &s);
	}
	return ST_OK;
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
	if (info.state == PAGE_TYPE_SLAB && info.head != pfn && info.head == w->head)
		o->slab_pages++;
	if (info.state != PAGE_TYPE_SLAB || info.head != pfn)
		return ST_OK;
	w->head = 0;
	if (slab_cache_at(&o->slabs, pfn, &cache) == ST_OK && !w->wants(w->arg, cache))
		return ST_OK;
	o->slabs_seen++;
	o->slab_pages++;
	w->head = pfn;
	st = slub_walk(&o->slabs, pfn, true, add_object, w, &gaps);
	o->bad_slabs += gaps.slab;
	return st;
}

enum status objects_walk(struct objects *o, bool (*wants)(void *arg, const struct slab_cache *c),
			 void (*visit)(void *arg, const struct slab_object *object), void *arg)
{
	struct walk w = { o, wants, visit, arg, 0 };

	return ram_walk(o->v->dump, &o->v->owner.ram, add_page, &w);
}

void object_memcgs_open(struct owner_view *v, struct slabs *slabs, struct object_memcgs *ret)
{
	static const struct layout_row rows[] = {
		FIELD_ROW("struct mem_cgroup", OPTIONAL, "5.9 to 7.0", "objcg"),
		/* 6.7: mm: kmem: make memcg keep a reference to the original objcg */
		FIELD_ROW("struct mem_cgroup", OPTIONAL, "6.7 to 7.0", "orig_objcg"),
		FIELD_ROW("struct mem_cgroup", OPTIONAL, "all", "nodeinfo"),
		FIELD_ROW("struct mem_cgroup_per_node", OPTIONAL, "7.1", "objcg"),
		FIELD_ROW("struct mem_cgroup_per_node", OPTIONAL, "7.1", "orig_objcg"),
	};
	struct field *const fields[] = { &ret->own, &ret->first, &ret->nodes, &ret->node_own,
					 &ret->node_first };
	uint32_t nodes = 1;
	uint64_t variable;

	*ret = (struct object_memcgs){ .v = v, .slabs = slabs, .is_known = slabs->has_objcgs };
	hash_u64_init(&ret->states, v->dump->arena, sizeof(enum obj_cgroup_state));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		layout_resolve(v->dump, &rows[i], 1, fields[i]);
	/* A kernel for one node has a macro instead. */
	if (dump_symbol(v->dump, "nr_node_ids", &variable) == ST_OK &&
	    dump_u32(v->dump, variable, &nodes, "nr_node_ids") != ST_OK)
		nodes = 0;
	ret->nnodes = nodes <= MAX_NODES ? nodes : 0;
}

/* The obj_cgroup of an object, 0: none; false: unknown. */
static bool read_objcg(struct object_memcgs *m, const struct slab_object *o, uint64_t *ret)
{
	const struct slab *slab = o->object->slab;

	if (slab->address != m->slab) {
		m->slab = slab->address;
		m->status = slab_objcgs(m->slabs, slab, &m->objcgs);
	}
	*ret = m->status == ST_OK ? m->objcgs[o->object->index] : 0;
	return m->status == ST_OK || m->status == ST_ABSENT;
}

const char *object_memcg(struct object_memcgs *m, const struct slab_object *o)
{
	const char *path;
	uint64_t objcg;

	if (!m->v || !m->is_known || !read_objcg(m, o, &objcg))
		return NULL;
	path = objcg ? memcgs_path(&m->v->memcgs, objcg) : MEMCG_NOT_CHARGED;
	return path ? intern(&m->v->texts, path) : NULL;
}

/* Whether one of two pointers leads there; false, too: one cannot be read (*st). */
static bool has_pointer(struct dump *d, uint64_t at, const struct field *own,
			const struct field *first, uint64_t objcg, enum status *st)
{
	const struct field *const fields[] = { own, first };
	uint64_t found = 0;

	for (size_t i = 0; i < ARRAY_SIZE(fields) && *st == ST_OK && found != objcg; i++)
		if (fields[i]->present)
			*st = dump_u64(d, at + fields[i]->offset, &found, "obj_cgroup of a cgroup");
	return *st == ST_OK && found == objcg;
}

/* 7.1: each node has its own (struct mem_cgroup_per_node). */
static bool node_has(struct object_memcgs *m, const struct memcg_owner *owner, enum status *st)
{
	struct dump *d = m->v->dump;
	bool has = false;

	for (uint64_t i = 0; i < m->nnodes && !has && *st == ST_OK; i++) {
		uint64_t node;

		*st = dump_u64(d, owner->memcg + m->nodes.offset + i * 8, &node,
			       "mem_cgroup.nodeinfo");
		if (*st == ST_OK && node)
			has = has_pointer(d, node, &m->node_own, &m->node_first, owner->objcg, st);
	}
	return has;
}

static enum obj_cgroup_state find_state(struct object_memcgs *m, uint64_t objcg)
{
	struct memcg_owner owner;
	enum status st = memcgs_owner(&m->v->memcgs, objcg, &owner);
	bool by_node = m->nodes.present && m->node_own.present && m->nnodes, has;

	if (st != ST_OK || !owner.objcg || !(m->own.present || by_node))
		return OBJCG_UNKNOWN;
	has = m->own.present
		      ? has_pointer(m->v->dump, owner.memcg, &m->own, &m->first, owner.objcg, &st)
		      : node_has(m, &owner, &st);
	return st != ST_OK ? OBJCG_UNKNOWN : has ? OBJCG_OWN : OBJCG_TAKEN;
}

enum obj_cgroup_state object_memcg_state(struct object_memcgs *m, const struct slab_object *o)
{
	enum obj_cgroup_state *state;
	uint64_t objcg;
	bool is_new;

	if (!m->v || !m->is_known)
		return OBJCG_UNKNOWN;
	if (!read_objcg(m, o, &objcg)) {
		m->unknown++;
		return OBJCG_UNKNOWN;
	}
	if (!objcg)
		return OBJCG_UNTRIED;
	state = hash_u64_get(&m->states, objcg, &is_new);
	if (is_new)
		*state = find_state(m, objcg);
	m->unknown += *state == OBJCG_UNKNOWN && !memcgs_path(&m->v->memcgs, objcg);
	return *state;
}

static void put_inodes(const struct owner_view *v)
{
	const struct opts *o = &v->in->opts;

	if (cmdline_groups_column(v->in, COLUMN_holder) &&
	    ANY_OF(i, o->nfilters,
		   strstr(o->filters[i].text, "inode_cache") ||
			   strstr(o->filters[i].text, "dentry")))
		sink_text(v->out,
			  "inodes by file system, and what keeps them: memowner filesystems\n");
}

static void put_merged(const struct owner_view *v, const struct slabs *slabs)
{
	size_t n = 0;

	if (!table_shows(&v->in->table, COLUMN_cache) &&
	    !cmdline_groups_column(v->in, COLUMN_cache))
		return;
	hash_u64_for_each(const struct slab_cache, c, &slabs->caches)
		n += c->has_aliases && c->aliases;
	if (n)
		sink_printf(v->out,
			    "objects of %s with others merged into %s may be theirs: memowner "
			    "caches -o +alias_names, or -g type here\n",
			    PLURAL_TEXT(n, "cache", "caches"), n == 1 ? "it" : "them");
}

void objects_put_beside(const struct owner_view *v, const struct slabs *slabs)
{
	put_inodes(v);
	put_merged(v, slabs);
}

bool objects_want_free(const struct cmdline *in)
{
	bool live = true;

	for (unsigned int i = 0; i < in->filters.n; i++)
		if (in->keys[in->filters.filters[i].key].column == COLUMN_state)
			live &= filter_keeps_text(&in->filters.filters[i], "live");
	return !live;
}

void objects_put_slabs(const struct owner_view *v, const struct objects *o)
{
	const uint64_t bytes = o->slab_pages << v->page_shift;

	if (bytes > o->object_bytes + o->object_bytes / 10)
		sink_printf(v->out,
			    "slabs of the caches that were looked at have %s, of it %s %s: %s\n",
			    SIZE_TEXT(bytes), SIZE_TEXT(o->object_bytes),
			    o->freed ? "free objects" : "objects in use",
			    "memowner caches has all");
}
