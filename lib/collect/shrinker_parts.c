// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/shrinker_parts.h"

#define MAX_IDS 65536 /* shrinkers that are aware of cgroups */
#define UNIT 64	      /* SHRINKER_UNIT_BITS: bits of an unsigned long */

static const struct layout_row kmem_row = {
	"struct mem_cgroup", { "kmemcg_id" }, OPTIONAL, "all, CONFIG_MEMCG_KMEM"
};

static const struct layout_row info_rows[SHRINKER_INFO_FIELDS] = {
	[NODEINFO] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "all", "nodeinfo"),
	[INFO] = FIELD_ROW("struct mem_cgroup_per_node", OPTIONAL, "5.13", "shrinker_info"),
	/* 5.13: "mm: vmscan: add per memcg shrinker nr_deferred" */
	[INFO_DEFERRED] = FIELD_ROW("struct shrinker_info", OPTIONAL, "5.13 to 6.6", "nr_deferred"),
	/* 6.7: "mm: shrinker: add a secondary array for shrinker_info::{map, nr_deferred}" */
	[INFO_UNITS] = FIELD_ROW("struct shrinker_info", OPTIONAL, "6.7", "unit"),
	[INFO_MAX] = FIELD_ROW("struct shrinker_info", OPTIONAL, "6.4", "map_nr_max"),
	[UNIT_DEFERRED] = FIELD_ROW("struct shrinker_info_unit", OPTIONAL, "6.7", "nr_deferred"),
};

struct shrinker_part *shrinker_part_get(struct shrinker_search *x, struct shrinker *s, int node,
					const struct shrinker_memcg *memcg)
{
	bool is_new;
	struct shrinker_part **known =
		hash_u64_get(&s->by_place, (memcg->address << 11) + (uint64_t)(node + 1), &is_new);

	if (!is_new)
		return *known;
	*known = *s->last_part = dump_alloc(x->dump, sizeof(**known));
	**known = (struct shrinker_part){ .shrinker = s,
					  .has_node = node != SHRINKER_NO_NODE,
					  .node = node != SHRINKER_NO_NODE ? (unsigned int)node : 0,
					  .memcg = memcg->path };
	s->last_part = &(*known)->next;
	return *known;
}

/*
 * A cgroup that was removed has the number of its parent, which comes first
 * (memcg_reparent_list_lrus()).
 */
void shrinker_memcgs_open(struct shrinker_search *x)
{
	struct dump *d = x->dump;
	struct field kmem;
	uint32_t index;
	bool is_new;

	x->root = (struct shrinker_memcg){ 0, "/" };
	x->unknown = (struct shrinker_memcg){ 1, NULL };
	hash_u64_init(&x->by_index, d->arena, sizeof(struct shrinker_memcg));
	if (memcg_counts_read(d, NULL, 0, 0, &x->memcgs) != ST_OK ||
	    layout_resolve(d, &kmem_row, 1, &kmem) != ST_OK || !kmem.present || kmem.size != 4)
		return;
	for (const struct memcg_counts *c = x->memcgs.first; c; c = c->next) {
		struct shrinker_memcg *m;

		if (dump_u32(d, c->address + kmem.offset, &index, "mem_cgroup.kmemcg_id") !=
			    ST_OK ||
		    (int32_t)index < 0)
			continue;
		m = hash_u64_get(&x->by_index, index, &is_new);
		if (is_new)
			*m = c->parent ? (struct shrinker_memcg){ c->address, c->path } : x->root;
	}
}

/* n numbers by id, from first on. */
static enum status add_numbers(struct shrinker_search *x, uint64_t at, uint64_t first, size_t n,
			       unsigned int node, const struct shrinker_memcg *memcg)
{
	uint8_t raw[UNIT * 8];
	enum status st = dump_read(x->dump, at, raw, n * 8, "shrinker_info.nr_deferred");

	for (size_t i = 0; st == ST_OK && i < n; i++) {
		uint64_t left = le64(raw + i * 8);
		struct shrinker *const *s = hash_u64_find(&x->by_id, first + i);

		/* A shrinker that is gone may have left a number. */
		if (!left || !s)
			continue;
		if ((int64_t)left < 0)
			return dump_corrupt(x->dump, "shrinker_info.nr_deferred is %ld", left);
		(*s)->deferred += left;
		shrinker_part_get(x, *s, (int)node, memcg)->deferred += left;
	}
	return st;
}

static enum status read_info(struct shrinker_search *x, uint64_t info, uint64_t max,
			     unsigned int node, const struct shrinker_memcg *memcg)
{
	struct dump *d = x->dump;
	const struct field *f = x->f;
	uint64_t at;
	uint32_t own;
	enum status st = ST_OK;

	if (f[INFO_MAX].present) {
		st = dump_u32(d, info + f[INFO_MAX].offset, &own, "shrinker_info.map_nr_max");
		max = own;
	}
	if (st == ST_OK && max > MAX_IDS)
		st = dump_corrupt(d, "shrinkers of cgroups have numbers up to %lu", max);
	for (uint64_t first = 0; st == ST_OK && first < max; first += UNIT) {
		size_t n = max - first < UNIT ? max - first : UNIT;

		if (f[INFO_UNITS].present) {
			st = dump_u64(d, info + f[INFO_UNITS].offset + first / UNIT * 8, &at,
				      "shrinker_info.unit");
			at += f[UNIT_DEFERRED].offset;
		} else {
			st = dump_u64(d, info + f[INFO_DEFERRED].offset, &at,
				      "shrinker_info.nr_deferred");
			at += first * 8;
		}
		st = st ?: add_numbers(x, at, first, n, node, memcg);
	}
	return st;
}

static enum status read_memcg(struct shrinker_search *x, const struct memcg_counts *c, uint64_t max)
{
	struct dump *d = x->dump;
	const struct shrinker_memcg memcg = c->parent
						    ? (struct shrinker_memcg){ c->address, c->path }
						    : x->root;
	uint64_t of_node, info;
	enum status st = dump_stopped(d) ? ST_STOPPED : ST_OK;

	for (unsigned int node = 0; st == ST_OK && node < x->nodes; node++) {
		st = dump_u64(d, c->address + x->f[NODEINFO].offset + node * 8, &of_node,
			      "mem_cgroup.nodeinfo");
		if (st != ST_OK || !of_node)
			continue;
		st = dump_u64(d, of_node + x->f[INFO].offset, &info, "shrinker_info");
		if (st == ST_OK && info)
			st = read_info(x, info, max, node, &memcg);
	}
	return st;
}

/* Each shrinker that is aware of cgroups may have left something: none is known without all of them. */
static void forget(struct shrinker_search *x)
{
	for (struct shrinker *s = x->ret->first; s; s = s->next) {
		x->ret->unread_deferred += s->id >= 0 && s->has_deferred;
		s->has_deferred &= s->id < 0;
	}
}

enum status shrinker_deferred_read(struct shrinker_search *x)
{
	struct dump *d = x->dump;
	const struct field *f = x->f;
	uint64_t max = 0;
	enum status st = layout_resolve(d, info_rows, SHRINKER_INFO_FIELDS, x->f);

	/* Up to 5.12 all is in struct shrinker. */
	if (st != ST_OK || !x->by_id.n ||
	    (!f[INFO].present && dump_ask(d, type_size, "struct shrinker_info", &max) != ST_OK))
		return st;
	max = 0;
	if (!f[INFO].present || !f[NODEINFO].present ||
	    (!f[INFO_DEFERRED].present && !f[INFO_UNITS].present) ||
	    (f[INFO_UNITS].present && f[UNIT_DEFERRED].size != UNIT * 8))
		st = dump_unknown(d, "struct shrinker_info");
	if (st == ST_OK && !f[INFO_MAX].present)
		st = dump_value(d, "shrinker_nr_max", &max);
	if (st == ST_OK && (!x->memcgs.first || !x->memcgs.complete))
		st = ST_UNREADABLE;
	for (const struct memcg_counts *c = x->memcgs.first; st == ST_OK && c; c = c->next)
		st = read_memcg(x, c, max);
	if (st != ST_OK)
		forget(x);
	return st;
}
