// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/shrinkers.h"

#include "collect/shrinker_parts.h"
#include "kernel/list.h"
#include "util/strbuf.h"

#define MAX_SHRINKERS 65536 /* one for each file system that is mounted, and some ten */
#define MAX_NAME 128	    /* "sb-" with a type and a device of 32 bytes */

/* Bits of shrinker.flags (include/linux/shrinker.h), which no enumerator names. */
enum flag { REGISTERED, NUMA_AWARE, MEMCG_AWARE, NONSLAB, FLAGS };

static const char *const flag_names[FLAGS] = { NULL, "numa_aware", "memcg_aware", "nonslab" };

static const struct fork forks[] = {
	{ .form = "registered, allocated, numa_aware, memcg_aware, nonslab",
	  .since = "6.7: \"mm: shrinker: add infrastructure for dynamically allocating shrinker\"",
	  .members = { { "struct shrinker", "private_data" } } },
	{ .form = "registered, numa_aware, memcg_aware, nonslab",
	  .since = "5.13: \"mm: vmscan: use a new flag to indicate shrinker is registered\"",
	  .members = { { "struct shrinker_info", "nr_deferred" } } },
	{ .form = "numa_aware, memcg_aware, nonslab", .since = "all others" },
};
enum { FORM_ALLOCATED, FORM_REGISTERED, FORM_OLD };
static const int8_t bits[][FLAGS] = { { 0, 2, 3, 4 }, { 0, 1, 2, 3 }, { -1, 0, 1, 2 } };

struct raw_shrinker {
	uint64_t count, deferred, name;
	int64_t batch;
	int32_t seeks, id;
	uint64_t flags; /* unsigned long up to 4.18, unsigned int since */
	bool has_id, has_name;
};

struct walk {
	struct shrinker_search x;
	struct structure shrinker;
	struct field list;
	size_t fork;
	bool knows_form;
	struct shrinker **last;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, shrinker, "struct shrinker"),
	POINTS(struct raw_shrinker, count, REQUIRED, "all", "count_objects"),
	POINTS(struct raw_shrinker, deferred, REQUIRED, "all", "nr_deferred"),
	READS(struct raw_shrinker, batch, REQUIRED, "all", "batch"),
	READS(struct raw_shrinker, seeks, REQUIRED, "all", "seeks"),
	READS(struct raw_shrinker, flags, REQUIRED, "all", "flags"),
	READS_IF(struct raw_shrinker, id, has_id, OPTIONAL, "4.19, CONFIG_MEMCG", "id"),
	READS_IF(struct raw_shrinker, name, has_name, OPTIONAL, "6.0, CONFIG_SHRINKER_DEBUG",
		 "name"),
	FINDS(struct walk, list, "struct shrinker", REQUIRED, "all", "list"),
};

static enum status read_name(struct walk *w, const struct raw_shrinker *raw, struct shrinker *s)
{
	char buf[MAX_NAME];
	enum status st;

	if (!raw->has_name || !raw->name)
		return ST_OK;
	st = dump_string(w->x.dump, raw->name, buf, sizeof(buf), "shrinker.name");
	return RESULT(st, &s->name, arena_strdup(w->x.dump->arena, buf));
}

static void read_function(struct walk *w, const struct raw_shrinker *raw, struct shrinker *s)
{
	const struct frame *f = symbolize(&w->x.symbols, raw->count);

	if (!f || !f->symbol || f->offset)
		return;
	s->function = f->symbol;
	s->module = f->module ?: "vmlinux";
}

/* All that are listed are registered. */
static void read_flags(struct walk *w, const struct raw_shrinker *raw, struct shrinker *s)
{
	const int8_t *bit = bits[w->fork];
	struct strbuf b = STRBUF_OF(64);

	if (!w->knows_form)
		return;
	if (bit[REGISTERED] >= 0 && !(raw->flags >> bit[REGISTERED] & 1))
		return;
	s->has_flags = true;
	s->is_numa_aware = raw->flags >> bit[NUMA_AWARE] & 1;
	s->is_memcg_aware = raw->flags >> bit[MEMCG_AWARE] & 1;
	for (enum flag i = NUMA_AWARE; i < FLAGS; i++)
		if (raw->flags >> bit[i] & 1)
			strbuf_add(&b, "%s%s", b.len ? "," : "", flag_names[i]);
	s->flags = arena_strdup(w->x.dump->arena, b.buf);
}

/* Of the whole machine, by node; what is kept by cgroup is in shrinker_deferred.c. */
static enum status read_deferred(struct walk *w, uint64_t at, struct shrinker *s)
{
	uint64_t nodes = s->is_numa_aware ? w->x.nodes : 1, n;
	enum status st = ST_OK;

	if (!s->has_flags)
		return ST_UNKNOWN;
	for (unsigned int node = 0; at && st == ST_OK && node < nodes; node++) {
		st = dump_u64(w->x.dump, at + node * 8, &n, "shrinker.nr_deferred");
		if (st == ST_OK && (int64_t)n < 0)
			st = dump_corrupt(w->x.dump, "shrinker.nr_deferred is %ld", n);
		if (st != ST_OK || !n)
			continue;
		s->deferred += n;
		shrinker_part_get(&w->x, s, s->is_numa_aware ? (int)node : SHRINKER_NO_NODE,
				  &w->x.root)
			->deferred += n;
	}
	s->has_deferred = st == ST_OK;
	return st;
}

static enum status add_shrinker(struct walk *w, uint64_t address)
{
	struct shrinkers *ret = w->x.ret;
	struct raw_shrinker raw;
	struct shrinker *s;
	enum status st;

	if (ret->n == MAX_SHRINKERS)
		return dump_corrupt(w->x.dump, "more than %d shrinkers", MAX_SHRINKERS);
	st = struct_read(&w->shrinker, address, &raw);
	if (st != ST_OK)
		return st;
	s = dump_alloc(w->x.dump, sizeof(*s));
	s->address = address;
	s->last_part = &s->parts;
	hash_u64_init(&s->by_place, w->x.dump->arena, sizeof(struct shrinker_part *));
	s->seeks = raw.seeks;
	s->batch = raw.batch;
	read_function(w, &raw, s);
	read_flags(w, &raw, s);
	s->id = raw.has_id && s->is_memcg_aware ? raw.id : -1;
	s->has_number = s->id >= 0;
	if (s->id >= 0)
		*(struct shrinker **)hash_u64_get(&w->x.by_id, (uint64_t)s->id, NULL) = s;
	st = read_name(w, &raw, s);
	s->is_unread = shrinker_objects_read(&w->x, s) != ST_OK;
	ret->unread_objects += s->is_unread;
	ret->unread_deferred += read_deferred(w, raw.deferred, s) != ST_OK;
	ret->uncounted += !s->has_objects && !s->is_unread;
	*w->last = s;
	w->last = &s->next;
	ret->n++;
	return ST_OK;
}

static enum status open_walk(struct dump *d, struct walk *w)
{
	enum status st = STRUCTS_OPEN(d, rows, w);

	if (st != ST_OK)
		return st;
	w->x.dump = d;
	w->fork = fork_find(d, "flags of struct shrinker", forks, ARRAY_SIZE(forks));
	st = node_ids_read(d, &w->x.nodes);
	hash_u64_init(&w->x.by_id, d->arena, sizeof(struct shrinker *));
	return st;
}

/*
 * Without CONFIG_MEMCG no type tells the second form from the third: all that are listed have the bit "registered", and
 * these know neither nodes nor cgroups. Without one of them in the list flags are unknown.
 */
static bool find_form(struct walk *w, uint64_t head)
{
	static const char *const plain[] = { "kfree_rcu_shrink_count", "zs_shrinker_count",
					     "shrink_huge_zero_page_count", "mb_cache_count" };
	struct list_nodes list = list_of(w->x.dump, head, "shrinker_list");
	bool is_registered = false;
	uint64_t node;

	while (list_next(&list, &node)) {
		struct raw_shrinker raw;
		const struct frame *f;

		if (struct_read(&w->shrinker, node - w->list.offset, &raw) != ST_OK)
			return false;
		if (!(raw.flags & 1))
			return true;
		f = symbolize(&w->x.symbols, raw.count);
		for (size_t i = 0; f && f->symbol && !f->offset && i < ARRAY_SIZE(plain); i++)
			is_registered |= !strcmp(f->symbol, plain[i]);
	}
	if (is_registered)
		w->fork = FORM_REGISTERED;
	return is_registered;
}

/*
 * What the shrinker has in no part up to now is one more; how much it is may be unknown.  A shrinker
 * without anything is a part of the root, so that groups count it.
 */
static void add_rest(struct shrinker_search *x, struct shrinker *s)
{
	uint64_t objects = 0;
	struct shrinker_part *rest;
	bool is_whole;

	for (struct shrinker_part *p = s->parts; p; p = p->next) {
		objects += p->objects;
		p->is_part_of_objects = s->is_unread;
		p->is_part_of_deferred = !s->has_deferred;
	}
	is_whole = s->has_objects && s->objects <= objects && s->has_deferred;
	if (is_whole && s->parts)
		return;
	rest = shrinker_part_get(x, s, SHRINKER_NO_NODE,
				 !is_whole && (s->is_memcg_aware || !s->has_flags) ? &x->unknown
										   : &x->root);
	rest->objects += s->objects > objects ? s->objects - objects : 0;
	rest->is_part_of_objects = !s->has_objects;
	rest->is_part_of_deferred = !s->has_deferred;
}

static void note_gaps(struct dump *d, struct shrinkers *s)
{
	const struct gap gaps[] = {
		GAP_WHY("shrinkers are missing: %s", s->list_ends),
		{ "how many objects there are is not in this dump for %s", s->unread_objects,
		  "shrinker", "shrinkers" },
		{ "what was left for later is not in this dump for %s", s->unread_deferred,
		  "shrinker", "shrinkers" },
	};

	s->gaps = GAPS_OF(d, gaps);
}

enum status shrinkers_collect(struct dump *d, struct shrinkers *ret)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	struct list_nodes list;
	uint64_t head, node;
	enum status st;

	*ret = (struct shrinkers){ 0 };
	w->x.ret = ret;
	w->last = &ret->first;
	st = open_walk(d, w) ?: dump_symbol(d, "shrinker_list", &head);
	if (st != ST_OK)
		return st;
	symbolizer_open(d, &w->x.symbols);
	shrinker_memcgs_open(&w->x);
	w->x.has_lrus = list_lrus_open(d, &w->x.lrus) == ST_OK;
	w->knows_form = w->fork != FORM_OLD || dump_type_bytes(d, "struct mem_cgroup_per_node") ||
			find_form(w, head);
	list = list_of(d, head, "shrinker_list");
	while (st == ST_OK && list_next(&list, &node))
		st = add_shrinker(w, node - w->list.offset);
	st = st ?: list_end(&list);
	if (st != ST_OK && st != ST_STOPPED && !ret->n)
		return st;
	if (st != ST_OK && st != ST_STOPPED)
		ret->list_ends = dump_why(d);
	if (st != ST_STOPPED)
		st = shrinker_deferred_read(&w->x);
	for (struct shrinker *s = ret->first; s; s = s->next)
		add_rest(&w->x, s);
	note_gaps(d, ret);
	return st == ST_STOPPED ? st : ST_OK;
}
