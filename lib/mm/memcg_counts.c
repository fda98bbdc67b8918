// SPDX-License-Identifier: GPL-2.0-or-later
#include "mm/memcg_counts.h"

#include <stdio.h>
#include <string.h>

#include "util/endian.h"
#include "util/hash_u64.h"
#include "dump/layout.h"
#include "kernel/cgroup.h"
#include "kernel/percpu.h"

#define MAX_ARRAY_BYTES 4096
#define MAX_DEPTH 64

enum memcg_member {
	CSS_SUBSYSTEM,
	CSS_CGROUP_OF,
	CSS_FLAGS,
	CSS_CHILDREN,
	CSS_SIBLING,
	MEMCG_STATS,
	MEMCG_PERCPU,
	MEMCG_EVENTS,
	MEMBERS
};

static const struct layout_row rows[MEMBERS] = {
	[CSS_SUBSYSTEM] = { "struct mem_cgroup", { "css.ss" }, REQUIRED, "all" },
	[CSS_CGROUP_OF] = { "struct mem_cgroup", { "css.cgroup" }, REQUIRED, "all" },
	[CSS_FLAGS] = { "struct mem_cgroup", { "css.flags" }, REQUIRED, "all" },
	[CSS_CHILDREN] = { "struct mem_cgroup", { "css.children" }, REQUIRED, "all" },
	[CSS_SIBLING] = { "struct mem_cgroup", { "css.sibling" }, REQUIRED, "all" },
	/* An array in 5.10, a struct memcg_vmstats from 5.13, a pointer to one in 6.1. */
	[MEMCG_STATS] = { "struct mem_cgroup", { "vmstats" }, REQUIRED, "5.10" },
	[MEMCG_PERCPU] = { "struct mem_cgroup", { "vmstats_percpu" }, REQUIRED, "5.10" },
	[MEMCG_EVENTS] = { "struct mem_cgroup", { "vmevents" }, OPTIONAL, "5.10" },
};

/* A memory cgroup counts in two arrays: one for each enum that has an index. */
enum family { OF_NODE, OF_CPU, FAMILIES };

/* Where the parts of one array are; only the total where nothing is ever flushed (5.10). */
enum part { TOTAL, PENDING, NOW, BEFORE, PARTS };

static const struct layout_row parts[FAMILIES][PARTS] = {
	[OF_NODE] = {
		[TOTAL] = { "struct memcg_vmstats", { "state" }, REQUIRED, "5.13" },
		[PENDING] = { "struct memcg_vmstats", { "state_pending" }, REQUIRED, "5.13" },
		[NOW] = { "struct memcg_vmstats_percpu", { "state" }, REQUIRED, "5.13" },
		[BEFORE] = { "struct memcg_vmstats_percpu", { "state_prev" }, REQUIRED, "5.13" },
	},
	[OF_CPU] = {
		[TOTAL] = { "struct memcg_vmstats", { "events" }, REQUIRED, "5.13" },
		[PENDING] = { "struct memcg_vmstats", { "events_pending" }, REQUIRED, "5.13" },
		[NOW] = { "struct memcg_vmstats_percpu", { "events" }, REQUIRED, "5.13" },
		[BEFORE] = { "struct memcg_vmstats_percpu", { "events_prev" }, REQUIRED, "5.13" },
	},
};

/* From an enumerator to the index in the array; where there is none, the two are the same. */
static const char *const tables[FAMILIES] = { "mem_cgroup_stats_index", "mem_cgroup_events_index" };

/* An array in a copy: its values, and whether the dump has them. */
struct values {
	uint64_t v[MAX_ARRAY_BYTES / 8];
	bool known;
};

struct walk {
	struct dump *d;
	struct cgroups cgroups;
	struct field f[MEMBERS];
	struct field part[FAMILIES][PARTS];
	bool flushed; /* this kernel has parts beside the total */
	struct percpu cpus;
	uint64_t subsystem, online;
	const struct memcg_counter *kinds;
	size_t n; /* of them */
	bool counted[MEMCG_COUNTERS];
	enum family family[MEMCG_COUNTERS];
	size_t index[MEMCG_COUNTERS];
	struct hash_u64 seen; /* of memory cgroups */
	struct memcg_counts **last;
	bool complete;
	const char *why;
	uint8_t raw[2][MAX_ARRAY_BYTES];
};

/*
 * Entries of mem_cgroup_events_index and its sister are index plus 1 with 0 for none (6.1
 * to 6.11), or the index with 255 for none (mm/memcontrol.c of 6.12).  Neither table has the
 * mark of the other: the arrays are shorter than 254, and most entries are none.
 */
static enum status read_index(struct walk *w, const char *table, int64_t item, int64_t *ret)
{
	struct dump *d = w->d;
	struct field all, one;
	char name[64];
	bool marked = false;
	uint64_t addr, entry;

	if (!dump_has_symbol(d, table)) {
		*ret = item;
		return ST_OK;
	}
	snprintf(name, sizeof(name), "%s[0]", table);
	if (d->ops->variable(d->priv, table, &all) != ST_OK || all.kind != KIND_ARRAY ||
	    d->ops->variable(d->priv, name, &one) != ST_OK || !one.size || one.size > 4 ||
	    all.size > MAX_ARRAY_BYTES || (uint64_t)item >= all.size / one.size)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: %s", table);
	if (dump_symbol(d, table, &addr) != ST_OK ||
	    dump_read(d, addr, w->raw[0], all.size, table) != ST_OK)
		return ST_UNREADABLE;
	for (size_t i = 0; one.size == 1 && i < all.size; i++)
		marked |= w->raw[0][i] == UINT8_MAX;
	entry = le_bytes(w->raw[0] + item * one.size, one.size);
	if (marked)
		*ret = entry == UINT8_MAX ? -1 : (int64_t)entry;
	else
		*ret = (int64_t)entry - 1;
	return ST_OK;
}

static size_t array_length(const struct walk *w, enum family family)
{
	if (w->flushed)
		return w->part[family][TOTAL].size / 8;
	return w->f[family == OF_NODE ? MEMCG_STATS : MEMCG_EVENTS].size / 8;
}

/* The enum that has an enumerator tells which array has its counter. */
static enum family family_of(struct dump *d, const char *enumerator)
{
	static const struct {
		const char *type;
		enum family family;
	} types[] = {
		{ "enum node_stat_item", OF_NODE },
		{ "enum memcg_stat_item", OF_NODE },
		{ "enum vm_event_item", OF_CPU },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (d->ops->enumerates(d->priv, types[i].type, enumerator))
			return types[i].family;
	return FAMILIES;
}

/* Which counters this kernel has, and where. */
static enum status place_counters(struct walk *w)
{
	struct dump *d = w->d;

	for (size_t i = 0; i < w->n; i++) {
		const struct memcg_counter *kind = &w->kinds[i];
		enum family family;
		int64_t item, index = -1;
		enum status st;

		if (d->ops->enumerator(d->priv, kind->enumerator, &item) != ST_OK || item < 0)
			continue;
		family = family_of(d, kind->enumerator);
		if (family == FAMILIES || kind->of_memcg == MEMCG_NEVER ||
		    (kind->of_memcg == MEMCG_IN_TABLE && !dump_has_symbol(d, tables[family])))
			continue;
		st = read_index(w, tables[family], item, &index);
		if (st != ST_OK)
			return st;
		if (index < 0)
			continue;
		if ((uint64_t)index >= array_length(w, family))
			return dump_fail(d, ST_CORRUPT, "%s: no counter %lld", tables[family],
					 (long long)index);
		w->counted[i] = true;
		w->family[i] = family;
		w->index[i] = index;
		decoder_trace(d, "decide %s of a memory cgroup is number %lld", kind->enumerator,
			      (long long)index);
	}
	return ST_OK;
}

static enum status find_parts(struct walk *w)
{
	const struct field *stats = &w->f[MEMCG_STATS], *events = &w->f[MEMCG_EVENTS];
	struct dump *d = w->d;
	enum status st = ST_OK;

	if (stats->kind == KIND_ARRAY) {
		if (!events->present || events->kind != KIND_ARRAY ||
		    events->size > MAX_ARRAY_BYTES || stats->size > MAX_ARRAY_BYTES)
			st = dump_fail(d, ST_UNKNOWN, "unknown layout: mem_cgroup.vmevents");
		return st;
	}
	w->flushed = true;
	for (unsigned int i = 0; st == ST_OK && i < FAMILIES; i++) {
		st = layout_resolve(d, parts[i], PARTS, w->part[i]);
		for (unsigned int j = 0; st == ST_OK && j < PARTS; j++)
			if (w->part[i][j].size > MAX_ARRAY_BYTES ||
			    w->part[i][j].size != w->part[i][TOTAL].size)
				st = dump_fail(d, ST_UNKNOWN, "unknown layout: %s.%s",
					       parts[i][j].type, parts[i][j].names[0]);
	}
	return st;
}

static enum status open_walk(struct dump *d, struct walk *w)
{
	int64_t online;
	enum status st;

	w->d = d;
	w->complete = true;
	hash_u64_init(&w->seen, d->arena, 0);
	if (!dump_has_symbol(d, "memory_cgrp_subsys"))
		return dump_fail(d, ST_ABSENT, "this kernel was built without CONFIG_MEMCG");
	st = dump_symbol(d, "memory_cgrp_subsys", &w->subsystem);
	if (st == ST_OK)
		st = layout_resolve(d, rows, MEMBERS, w->f);
	if (st == ST_OK && (w->f[CSS_FLAGS].size > 8 ||
			    d->ops->enumerator(d->priv, "CSS_ONLINE", &online) != ST_OK))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: no CSS_ONLINE of css.flags");
	if (st == ST_OK)
		st = find_parts(w);
	if (st == ST_OK)
		st = place_counters(w);
	if (st == ST_OK)
		st = cgroups_open(d, &w->cgroups);
	if (st == ST_OK)
		st = percpu_open(d, &w->cpus);
	if (st == ST_OK)
		w->online = online;
	return st;
}

static bool follow(struct walk *w, uint64_t memcg, enum memcg_member member, uint64_t *ret)
{
	return dump_u64(w->d, memcg + w->f[member].offset, ret, "memory cgroup") == ST_OK;
}

/* The address of struct memcg_vmstats. */
static bool stats_of(struct walk *w, uint64_t memcg, uint64_t *ret)
{
	*ret = memcg + w->f[MEMCG_STATS].offset;
	return w->f[MEMCG_STATS].kind != KIND_POINTER || follow(w, memcg, MEMCG_STATS, ret);
}

static bool read_array(struct walk *w, uint64_t base, const struct field *f, unsigned int copy)
{
	return dump_read(w->d, base + f->offset, w->raw[copy], f->size,
			 "counters of a memory cgroup") == ST_OK;
}

/* What a memory cgroup has beside the totals of an array and its ancestors' do not have yet. */
static bool read_unflushed(struct walk *w, uint64_t memcg, enum family family, struct values *ret)
{
	const struct field *f = w->part[family];
	size_t n = array_length(w, family);
	uint64_t stats, percpu;

	if (!stats_of(w, memcg, &stats) || !follow(w, memcg, MEMCG_PERCPU, &percpu) ||
	    !read_array(w, stats, &f[PENDING], 0))
		return false;
	for (size_t i = 0; i < n; i++)
		ret->v[i] = le64(w->raw[0] + i * 8);
	for (unsigned int cpu = 0; cpu < w->cpus.n; cpu++) {
		uint64_t base = percpu + w->cpus.offset[cpu];

		if (!read_array(w, base, &f[NOW], 0) || !read_array(w, base, &f[BEFORE], 1))
			return false;
		for (size_t i = 0; i < n; i++)
			ret->v[i] += le64(w->raw[0] + i * 8) - le64(w->raw[1] + i * 8);
	}
	return true;
}

static bool read_totals(struct walk *w, uint64_t memcg, enum family family, struct values *ret)
{
	uint64_t base = memcg;
	const struct field *f = &w->part[family][TOTAL];

	if (!w->flushed)
		f = &w->f[family == OF_NODE ? MEMCG_STATS : MEMCG_EVENTS];
	else if (!stats_of(w, memcg, &base))
		return false;
	if (!read_array(w, base, f, 0))
		return false;
	for (size_t i = 0; i < array_length(w, family); i++)
		ret->v[i] = le64(w->raw[0] + i * 8);
	return true;
}

/* What a flush of a memory cgroup would still add to a counter. */
struct unflushed {
	uint64_t counts[MEMCG_COUNTERS];
	bool known[MEMCG_COUNTERS];
};

static void read_own(struct walk *w, uint64_t memcg, struct memcg_counts *c, struct unflushed *u)
{
	struct values total[FAMILIES] = { 0 }, more[FAMILIES] = { 0 };

	for (enum family i = OF_NODE; i < FAMILIES; i++) {
		total[i].known = read_totals(w, memcg, i, &total[i]);
		more[i].known = !w->flushed || read_unflushed(w, memcg, i, &more[i]);
	}
	for (size_t i = 0; i < w->n; i++) {
		enum family family = w->family[i];

		c->counts[i] = total[family].v[w->index[i]];
		c->known[i] = total[family].known;
		u->counts[i] = more[family].v[w->index[i]];
		u->known[i] = more[family].known;
	}
}

static void add_unflushed(struct unflushed *to, const struct unflushed *u)
{
	for (size_t i = 0; i < MEMCG_COUNTERS; i++) {
		to->counts[i] += u->counts[i];
		to->known[i] &= u->known[i];
	}
}

static enum status visit(struct walk *w, uint64_t memcg, struct memcg_counts *parent,
			 struct unflushed *ret);

/* A list that breaks off leaves the sum of its cgroup unknown, with those of all ancestors. */
static enum status visit_children(struct walk *w, struct memcg_counts *c, struct unflushed *sum)
{
	uint64_t head = c->address + w->f[CSS_CHILDREN].offset, entry;
	struct unflushed of_child;
	enum status st = dump_u64(w->d, head, &entry, "css.children");

	while (st == ST_OK && entry != head) {
		st = visit(w, entry - w->f[CSS_SIBLING].offset, c, &of_child);
		if (st == ST_OK)
			add_unflushed(sum, &of_child);
		if (st == ST_OK)
			st = dump_u64(w->d, entry, &entry, "css.sibling");
	}
	if (st == ST_OK || st == ST_NOMEM || st == ST_STOPPED)
		return st;
	w->complete = c->has_children = false;
	w->why = arena_strdup(w->d->arena, w->d->error);
	memset(sum->known, 0, sizeof(sum->known));
	return ST_OK;
}

static enum status check_memcg(struct walk *w, uint64_t memcg, unsigned int depth)
{
	struct dump *d = w->d;
	uint64_t subsystem;
	bool is_new;

	if (dump_stopped(d))
		return ST_STOPPED;
	if (!follow(w, memcg, CSS_SUBSYSTEM, &subsystem))
		return ST_UNREADABLE;
	if (subsystem != w->subsystem)
		return dump_fail(d, ST_CORRUPT, "%#llx is no memory cgroup",
				 (unsigned long long)memcg);
	if (!hash_u64_get(&w->seen, memcg, &is_new))
		return dump_no_memory(d);
	if (!is_new || depth > MAX_DEPTH)
		return dump_fail(d, ST_CORRUPT, "the tree of memory cgroups has a loop at %#llx",
				 (unsigned long long)memcg);
	return ST_OK;
}

/* Memory for one cgroup and its counters. */
static struct memcg_counts *add_counts(struct walk *w)
{
	struct memcg_counts *c = dump_alloc(w->d, sizeof(*c));

	if (!c)
		return NULL;
	c->counts = dump_alloc(w->d, w->n * sizeof(*c->counts));
	c->known = dump_alloc(w->d, w->n * sizeof(*c->known));
	return c->counts && c->known ? c : NULL;
}

static enum status visit(struct walk *w, uint64_t memcg, struct memcg_counts *parent,
			 struct unflushed *ret)
{
	unsigned int depth = parent ? parent->depth + 1 : 0;
	struct memcg_counts *c;
	struct unflushed sum = { 0 };
	uint8_t flags[8] = { 0 };
	enum status st = check_memcg(w, memcg, depth);

	if (st == ST_OK)
		st = dump_read(w->d, memcg + w->f[CSS_FLAGS].offset, flags, w->f[CSS_FLAGS].size,
			       "css.flags");
	if (st != ST_OK)
		return st;
	c = add_counts(w);
	if (!c)
		return ST_NOMEM;
	c->address = memcg;
	c->parent = parent;
	c->depth = depth;
	c->has_children = true;
	c->removed = !(le64(flags) & w->online);
	if (follow(w, memcg, CSS_CGROUP_OF, &c->cgroup))
		c->path = cgroups_path(&w->cgroups, c->cgroup);
	read_own(w, memcg, c, &sum);
	*w->last = c;
	w->last = &c->next;
	st = visit_children(w, c, &sum);
	if (st != ST_OK)
		return st;
	for (size_t i = 0; i < w->n; i++) {
		c->counts[i] += sum.counts[i];
		c->known[i] &= sum.known[i];
	}
	*ret = sum;
	return ST_OK;
}

enum status memcg_counts_read(struct dump *d, const struct memcg_counter *kinds, size_t n,
			      struct memcg_tree *ret)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	struct memcg_tree tree = { .counted = dump_alloc(d, n * sizeof(*tree.counted)) };
	struct unflushed all;
	uint64_t root;
	enum status st;

	if (!w || !tree.counted)
		return ST_NOMEM;
	w->last = &tree.first;
	w->kinds = kinds;
	w->n = n;
	st = open_walk(d, w);
	if (st == ST_OK)
		st = dump_value(d, "root_mem_cgroup", &root);
	if (st == ST_OK)
		st = visit(w, root, NULL, &all);
	if (st != ST_OK)
		return st;
	memcpy(tree.counted, w->counted, n * sizeof(*tree.counted));
	tree.batched = !w->flushed;
	tree.complete = w->complete;
	tree.why = w->why ? w->why : "";
	*ret = tree;
	return ST_OK;
}
