// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/holders.h"

#include <fnmatch.h>

#include "holders/armed.h"
#include "holders/behind.h"
#include "holders/content.h"
#include "graph/edges.h"
#include "graph/meets.h"
#include "holders/references.h"
#include "util/bits.h"

/* In memory and in a file: of the RAM of the machine of the dump, and what small ones may take nevertheless. */
#define ROOM_PERCENT 3
#define FILE_PERCENT 25
#define FILE_LEAST (1024ULL << 20)
#define ROOM_LEAST (64ULL << 20)
#define FILES_OF(owner) ((uint64_t)(owner) << 32) /* key of what all files of a module keep */

const char *const holder_kind_names[HOLDER_KINDS + 1] = {
	[HOLDER_VARIABLE] = "variable", [HOLDER_PERCPU] = "per-CPU",  [HOLDER_BOOT] = "boot",
	[HOLDER_STACK] = "stack",	[HOLDER_OBJECTS] = "objects", [HOLDER_FILE] = "file",
	[HOLDER_NONE] = "none",		[HOLDER_SEVERAL] = "several", [HOLDER_MEET] = "meet",
	[HOLDER_VMAP] = "vmap",
};

/*
 * Variables at which everybody registers: what is in their lists belongs to who registered it.  Names are
 * of kernels 5.10 to 7.3.
 */
static const char *const hubs[] = {
	"cpuhp_hp_states", "modules",	       "shrinker_list",	   "slab_caches",
	"pernet_list",	   "syscore_ops_list", "clocksource_list", "dpm_list",
	"bus_kset",	   "class_kset",       "*notifier*",	   "*_chain",
};

/* Batches of pages for the LRU lists: what lies behind their end is stale; and stacks of interrupts. */
static const char *const leftovers[] = {
	"irq_stack_backing_store",
	"exception_stacks",
	"lru_pvecs",
	"lru_add_pvec",
	"lru_rotate*",
	"cpu_fbatches",
	"mlock_pvec",
	"mlock_fbatch",
	"napi_alloc_cache",
};

static bool is_one_of(const char *const *names, size_t n, const char *name)
{
	return name && ANY_OF(i, n, !fnmatch(names[i], name, 0));
}

static const char *name_in_vmlinux(struct holders *h, const struct span *s)
{
	if (s->kind == NODE_STATIC && !s->group)
		return symbolize(h->symbols, s->start)->symbol;
	if (s->kind == NODE_PERCPU && !s->group)
		return holder_percpu_name(h, graph_percpu_base(&h->graph, s));
	return NULL;
}

static bool has_leftovers(struct holders *h, const struct span *s)
{
	return is_one_of(leftovers, ARRAY_SIZE(leftovers), name_in_vmlinux(h, s));
}

static bool is_hub(void *arg, const struct span *s)
{
	struct holders *h = arg;

	return is_one_of(hubs, ARRAY_SIZE(hubs), name_in_vmlinux(h, s)) || has_leftovers(h, s);
}

uint32_t holders_variable(const struct holders *h, uint32_t node, bool alone)
{
	const struct flow *f = &h->flow;
	uint32_t ret = ROOT_NONE;

	for (uint32_t k = f->in_at[node]; k < f->in_at[node + 1]; k++) {
		uint32_t src = f->in[k] & ARC_NODE;
		const struct span *s = src < h->graph.nodes && f->in[k] >> 30 <= ARC_MIDDLE
					       ? graph_span_of(&h->graph, src)
					       : NULL;

		if (!s || (s->kind != NODE_STATIC && s->kind != NODE_PERCPU) ||
		    (!s->group && !alone))
			continue;
		if (!s->group || s->group >= OWNER_SHARED ||
		    (ret != ROOT_NONE && graph_span_of(&h->graph, ret)->group != s->group))
			return ROOT_NONE;
		ret = ret == ROOT_NONE ? src : ret;
	}
	return ret;
}

/* Of a node that several roots reach: where they meet; NULL: that is not worth a row. */
static struct met *met_of(const struct holders *h, uint32_t node)
{
	struct met *m = h->meets ? (struct met *)hash_u64_find(&h->met, h->meets[node]) : NULL;

	if (!m)
		return NULL;
	if (!m->is_tried)
		m->variable = holders_variable(h, h->meets[node], true);
	m->is_tried = true;
	return m;
}

/* The module whose variable points to where they meet; OWNER_NOBODY: none. */
static uint16_t met_owner(const struct holders *h, uint32_t node)
{
	const struct met *m = h->retained.owners[node] == OWNER_SHARED ? met_of(h, node) : NULL;

	return m && m->variable != ROOT_NONE ? graph_span_of(&h->graph, m->variable)->group
					     : OWNER_NOBODY;
}

uint32_t holders_meet(const struct holders *h, uint32_t node)
{
	return met_owner(h, node) == OWNER_NOBODY ? ROOT_NONE : h->meets[node];
}

bool holders_reach(const struct holders *h, uint32_t node)
{
	return bit_has(h->retained.reached, node);
}

bool holders_lack(const struct holders *h)
{
	const struct graph_sources *s = &h->sources;

	return s->lacks_roots || s->unreadable || s->unknown || s->bad_slabs || h->graph.unreadable;
}

uint16_t holders_owner(const struct holders *h, uint32_t node)
{
	const struct walk_end *e = &h->ends[node];
	uint16_t owner = h->retained.owners[node];

	if (owner == OWNER_NOBODY || owner == OWNER_SHARED)
		return OWNER_NOBODY;
	return e->names[0] == owner && e->parts[0] >= WALK_WHOLE / 2 ? owner : OWNER_NOBODY;
}

static uint64_t key_of(enum holder_kind kind, uint64_t what)
{
	return (uint64_t)kind << 56 | what;
}

static uint64_t mapped_by(const struct graph *g, uint32_t node)
{
	const struct mapped_area *area = hash_u64_find(&g->mapped, node);

	return area ? area->caller : 0;
}

/* Roots that are one row have one key; fills in the kind and the root. */
static uint64_t root_key(const struct holders *h, uint32_t node, struct holder *row)
{
	const struct graph *g = &h->graph;
	const struct span *s;

	row->kind = HOLDER_SEVERAL;
	row->root = h->retained.roots[node];
	if (row->root == ROOT_SHARED || row->root == ROOT_NONE || row->root >= g->nodes)
		return (uint64_t)HOLDER_SEVERAL << 56 | row->owner;
	s = graph_span_of(g, row->root);
	switch (s->kind) {
	case NODE_PERCPU:
		row->kind = HOLDER_PERCPU;
		/* Of boot, all of one owner. */
		return (uint64_t)HOLDER_PERCPU << 56 |
		       ((graph_percpu_base(g, s) ?: 1ULL << 55 | s->group) & ~(0xffULL << 56));
	case NODE_BOOT:
		row->kind = HOLDER_BOOT;
		return (uint64_t)HOLDER_BOOT << 56;
	case NODE_STACK:
		row->kind = HOLDER_STACK;
		return (uint64_t)HOLDER_STACK << 56 | row->root;
	case NODE_OBJECT:
		row->kind = HOLDER_OBJECTS;
		if (hash_u64_has(&g->privates, row->root))
			return (uint64_t)HOLDER_OBJECTS << 56 | 1ULL << 55 | row->root;
		return (uint64_t)HOLDER_OBJECTS << 56 | (uint64_t)row->owner << 32 |
		       (uint64_t)armed_of(h, row->root)->number << 16 | s->group;
	case NODE_VMAP:
		row->kind = HOLDER_VMAP;
		return key_of(HOLDER_VMAP, mapped_by(g, row->root) & ~(0xffULL << 56));
	default:
		row->kind = HOLDER_VARIABLE;
		return (uint64_t)HOLDER_VARIABLE << 56 | row->root;
	}
}

const char *holders_word(struct holders *h, uint64_t address, uint16_t *confidence)
{
	const struct span *span;
	uint32_t node, place;
	uint16_t owner;

	*confidence = 0;
	if (!graph_find(&h->graph, address, &span, &node, &place) || graph_is_root(span))
		return NULL;
	owner = holders_owner(h, node);
	if (owner != OWNER_NOBODY) {
		struct holder row = { .owner = owner };

		*confidence = h->ends[node].parts[0];
		root_key(h, node, &row);
		if (!owner && row.kind == HOLDER_STACK)
			return holder_stack_name(h, graph_span_of(&h->graph, row.root));
		return graph_owner_name(&h->graph, owner);
	}
	owner = met_owner(h, node);
	if (owner != OWNER_NOBODY) {
		*confidence = WALK_WHOLE;
		return graph_owner_name(&h->graph, owner);
	}
	if (!holders_reach(h, node))
		return holders_lack(h) ? "unknown" : "none";
	return h->retained.owners[node] == OWNER_SHARED ? "several" : "unknown";
}

/* Of the cache of an object; NULL: it is none, or has no name in this dump. */
static const char *kind_of(const struct holders *h, const struct span *s)
{
	return s->kind == NODE_OBJECT ? h->graph.caches[s->group]->kind : NULL;
}

static bool is_file(const struct holders *h, uint32_t node)
{
	const char *kind = kind_of(h, graph_span_of(&h->graph, node));

	return kind && !strcmp(kind, "filp");
}

/* A tenth of what files of its module keep is worth a row. */
static bool keeps_much(const struct holders *h, const struct holder *row)
{
	const uint64_t *bytes = hash_u64_find(&h->files, row->root);
	const uint64_t *all = hash_u64_find(&h->files, FILES_OF(row->owner));

	return bytes && all && *bytes * 10 >= *all;
}

/* The same, with the variable behind it. */
static uint64_t row_key(const struct holders *h, uint32_t node, struct holder *row)
{
	uint64_t key = root_key(h, node, row);
	const struct behind *b;
	const struct met *met;

	row->before = ROOT_NONE;
	if (row->kind == HOLDER_OBJECTS && row->owner && !bit_has(h->led_to, row->root) &&
	    !holders_lack(h) && !armed_of(h, row->root)->kind) {
		row->kind = HOLDER_NONE;
		return key ^ key_of(HOLDER_OBJECTS, 0) ^ key_of(HOLDER_NONE, 0);
	}
	b = hash_u64_find(&h->behind, key);
	if (!b || b->variable == ROOT_NONE) {
		if (row->kind == HOLDER_OBJECTS && keeps_much(h, row)) {
			row->kind = HOLDER_FILE;
			return key_of(HOLDER_FILE, row->root);
		}
		if (row->kind == HOLDER_SEVERAL && (met = met_of(h, node))) {
			row->is_met = met->variable != ROOT_NONE;
			row->kind = row->is_met ? HOLDER_VARIABLE : HOLDER_MEET;
			row->root = row->is_met ? met->variable : h->meets[node];
			if (row->is_met)
				row->owner = graph_span_of(&h->graph, row->root)->group;
			return key_of(row->kind, row->root);
		}
		if (b && row->kind == HOLDER_OBJECTS)
			row->before = b->before;
		return key;
	}
	row->kind = HOLDER_VARIABLE;
	row->root = b->variable;
	row->is_behind = true;
	return (uint64_t)HOLDER_VARIABLE << 56 | b->variable;
}

/* The same, or several where what they reach hangs on one node. */
static uint16_t row_owner(const struct holders *h, uint32_t node)
{
	bool is_shared = h->retained.owners[node] == OWNER_SHARED;

	return is_shared && met_of(h, node) ? OWNER_SHARED : holders_owner(h, node);
}

const struct holder *holders_row(const struct holders *h, uint32_t node)
{
	struct holder row = { .owner = row_owner(h, node) };

	return row.owner == OWNER_NOBODY ? NULL : hash_u64_find(&h->rows, row_key(h, node, &row));
}

struct holder holders_row_of(const struct holders *h, uint32_t node)
{
	struct holder row = { .owner = holders_owner(h, node), .part = node };
	const struct holder *known = hash_u64_find(&h->rows, row_key(h, node, &row));

	row.symbol = known ? known->symbol : NULL;
	return row;
}

static void add_file(struct holders *h, const struct holder *row, uint64_t bytes)
{
	*(uint64_t *)hash_u64_get(&h->files, row->root, NULL) += bytes;
	*(uint64_t *)hash_u64_get(&h->files, FILES_OF(row->owner), NULL) += bytes;
}

/* Whether the bytes of what roots meet at are worth a row. */
static bool is_much(const struct holders *h, uint64_t bytes)
{
	return bytes >> h->graph.dump->page_shift >= h->sources.ram->pages / 100;
}

/* Nodes at which roots meet that reach what is not theirs alone; a list is none. */
static void find_met(struct holders *h)
{
	const struct graph *g = &h->graph;
	struct arena *arena = arena_within(g->arena);
	uint64_t *bytes = arena_alloc(arena, g->nodes * sizeof(*bytes) + 1);

	for (uint32_t i = 0; i < g->nodes; i++) {
		const struct span *s = graph_span_of(g, i);
		uint32_t meet = h->meets ? h->meets[i] : MEET_NONE;

		if (meet < g->nodes && h->retained.roots[i] == ROOT_SHARED &&
		    !graph_is_dead(g, i) && !graph_is_root(s))
			bytes[meet] += span_memory(s);
	}
	for (uint32_t i = 0; i < g->nodes; i++)
		if (bytes[i] && is_much(h, bytes[i]))
			((struct met *)hash_u64_get(&h->met, i, NULL))->bytes = bytes[i];
	arena_reset(arena);
}

/* Objects of a module that are roots themselves, and several roots of one: there may be one variable behind. */
static void find_behind(struct holders *h)
{
	const struct graph *g = &h->graph;
	struct arena *arena = arena_within(g->arena);
	struct behind_search room;

	for (uint32_t i = 0; i < g->nodes; i++) {
		struct holder row = { .owner = holders_owner(h, i) };
		bool is_new;
		uint64_t key;

		if (graph_is_dead(g, i) || graph_node_is_root(g, i))
			continue;
		if (!row.owner || row.owner == OWNER_NOBODY)
			continue;
		key = root_key(h, i, &row);
		if (row.kind == HOLDER_OBJECTS && is_file(h, row.root))
			add_file(h, &row, span_memory(graph_span_of(g, i)));
		if (row.kind == HOLDER_SEVERAL ||
		    (row.kind == HOLDER_OBJECTS && bit_has(h->led_to, row.root)))
			behind_add(hash_u64_get(&h->behind, key, &is_new), i, row.owner);
	}
	behind_open(&h->flow, arena, &room);
	hash_u64_for_each(struct behind, b, &h->behind) {
		behind_find(&room, b);
		if (b->before != ROOT_NONE && has_leftovers(h, graph_span_of(g, b->before)))
			b->before = ROOT_NONE;
	}
	arena_reset(arena);
}

/* One more of a group: each has the same chance to stay. */
static void keep_node(struct holder_part *part, uint32_t node)
{
	uint32_t at = content_slot((uint32_t)part->objects++, HOLDER_NODES);

	if (at < HOLDER_NODES)
		part->nodes[at] = node;
}

/* A group of the memory of a row; NULL: of what no root leads to. */
static const struct holder_part *add_part(struct hash_u64 *parts, const struct holder *row,
					  const struct span *s, uint32_t node)
{
	bool is_new;
	struct holder_part *part =
		hash_u64_get(parts, (uint64_t)(uintptr_t)row << 20 ^ span_group(s), &is_new);

	if (is_new)
		part->node = node;
	part->bytes += s->stride;
	keep_node(part, node);
	return part;
}

static void add_known(struct holders *h, struct hash_u64 *parts, const struct span *s,
		      uint32_t node, uint16_t owner)
{
	struct holder of = { .owner = owner };
	uint64_t key = row_key(h, node, &of);
	bool is_new;
	struct holder *row = hash_u64_get(&h->rows, key, &is_new);
	const struct holder_part *part;

	if (is_new)
		*row = of;
	h->sums.known += owner == OWNER_SHARED ? 0 : s->stride;
	h->sums.by_stacks += of.kind == HOLDER_STACK ? s->stride : 0;
	h->sums.of_none += of.kind == HOLDER_NONE ? s->stride : 0;
	row->bytes += s->stride;
	row->objects++;
	/* What is at which node is told by all ways, not by where walks end. */
	row->walks += (uint64_t)(of.kind == HOLDER_MEET || of.is_met ? WALK_WHOLE
								     : h->ends[node].parts[0]) *
		      s->stride;
	part = add_part(parts, row, s, node);
	if (part->bytes < row->part_bytes)
		return;
	/* The way is that of most. */
	row->is_behind = of.is_behind;
	row->is_met = of.is_met;
	if (!row->part || span_group(graph_span_of(&h->graph, row->part)) != span_group(s))
		row->part = node;
	row->part_bytes = part->bytes;
	row->part_objects = part->objects;
	row->largest = part;
}

/* Caches of what a list of the kernel has as long as it is in use. */
static bool is_alive(const struct holders *h, const struct span *s)
{
	static const char *const names[] = { "task_struct", "vm_area_struct", "dentry",
					     "filp",	    "inode_cache",    "mm_struct",
					     "files_cache", "sighand_cache",  "signal_cache" };
	const char *kind = kind_of(h, s);

	return kind && ANY_OF(i, ARRAY_SIZE(names), !strcmp(kind, names[i]));
}

static void add_unreached(struct holders *h, struct hash_u64 *parts, const struct span *s,
			  uint32_t node)
{
	const struct holder_part *part = add_part(parts, NULL, s, node);

	h->sums.unreached += s->stride;
	if (part->node == node)
		*(const struct holder_part **)hash_u64_get(&h->lost, span_group(s), NULL) = part;
	if (part->bytes > h->sums.lost.bytes)
		h->sums.lost = *part;
}

static void add_node(struct holders *h, struct hash_u64 *parts, const struct span *s, uint32_t node,
		     bool alive)
{
	uint16_t owner = holders_owner(h, node);
	bool reached = holders_reach(h, node);
	bool is_shared = h->retained.owners[node] == OWNER_SHARED;

	h->sums.all += s->stride;
	h->sums.alive += alive;
	h->sums.alive_unreached += alive && !reached;
	h->sums.shared += owner == OWNER_NOBODY && reached && is_shared ? s->stride : 0;
	h->sums.differs += owner == OWNER_NOBODY && reached && !is_shared ? s->stride : 0;
	owner = row_owner(h, node);
	if (owner != OWNER_NOBODY)
		add_known(h, parts, s, node, owner);
	else if (!reached)
		add_unreached(h, parts, s, node);
}

static void add_rows(struct holders *h)
{
	const struct graph *g = &h->graph;
	struct hash_u64 parts;

	hash_u64_init(&parts, g->arena, sizeof(struct holder_part));
	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);
		bool alive = is_alive(h, s);

		for (uint32_t k = 0; span_memory(s) && !graph_is_root(s) && k < s->count; k++)
			if (!graph_is_dead(g, s->first + k))
				add_node(h, &parts, s, s->first + k, alive);
	}
}

/* What some of all of them have in common, where they are most of the row; else those near the root. */
static const char *symbol_of(struct holders *h, const struct holder *row)
{
	const struct holder_part *part = row->largest;
	const char *armed = armed_text(h, row->root);

	if (armed || !part || part->objects < HOLDER_NODES ||
	    span_group(graph_span_of(&h->graph, row->root)) !=
		    span_group(graph_span_of(&h->graph, part->node)))
		return armed ?: content_symbol(h, row->root, row->owner);
	return content_symbol_of(h, part->nodes, HOLDER_NODES, row->owner);
}

static void find_symbols(struct holders *h)
{
	hash_u64_for_each(struct holder, row, &h->rows)
		if (row->owner && (row->kind == HOLDER_OBJECTS || row->kind == HOLDER_NONE))
			row->symbol = symbol_of(h, row);
}

enum status holders_find(const struct graph_sources *sources, struct symbolizer *symbols,
			 struct holders *ret)
{
	struct dump *d = sources->dump;
	struct holders *h = ret;
	const uint64_t percent = (sources->ram->pages << d->page_shift) / 100;
	const uint64_t room = percent * ROOM_PERCENT, file = percent * FILE_PERCENT;
	enum status st;

	memset(h, 0, sizeof(*h));
	h->sources = *sources;
	h->symbols = symbols;
	hash_u64_init(&h->rows, d->arena, sizeof(struct holder));
	hash_u64_init(&h->behind, d->arena, sizeof(struct behind));
	hash_u64_init(&h->lost, d->arena, sizeof(const struct holder_part *));
	hash_u64_init(&h->met, d->arena, sizeof(struct met));
	hash_u64_init(&h->files, d->arena, sizeof(uint64_t));
	hash_u64_init(&h->stacks, d->arena, sizeof(const char *));
	graph_init(d, d->arena, room < ROOM_LEAST ? ROOM_LEAST : room,
		   file < FILE_LEAST ? FILE_LEAST : file, &h->graph);
	h->graph.most_edges = sources->most_edges;
	armed_open(h);
	st = graph_nodes(&h->graph, &h->sources) ?: graph_edges(&h->graph) ?:
		graph_arcs(&h->graph, is_hub, h, &h->arcs) ?: flow_arcs(&h->arcs, &h->flow);
	if (st == ST_OK)
		arcs_done(&h->arcs);
	st = st ?: flow_order(&h->flow) ?: retained_find(&h->flow, &h->retained) ?: walk_find(&h->flow, true, &h->ends) ?:
		references_reach(&h->graph, &h->led_to) ?: meets_find(&h->flow, &h->meets);
	if (st == ST_OK) {
		find_met(h);
		find_behind(h);
		add_rows(h);
		find_symbols(h);
	}
	decoder_trace(
		d,
		"decide the graph of pointers: %lu of %lu KiB of its room, %lu of %lu of its file",
		(h->graph.budget.total - h->graph.budget.left) >> 10, h->graph.budget.total >> 10,
		h->graph.spill.used >> 10, h->graph.spill.limit >> 10);
	return st;
}
