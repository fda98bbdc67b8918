// SPDX-License-Identifier: GPL-2.0-or-later
/* Holders and what they keep, in words. */

#include "graph/behind.h"
#include "graph/content.h"
#include "graph/holders.h"
#include "kernel/kallsyms.h"
#include "tasks/task.h"
#include "util/units.h"

#define WAY_STEPS 100
#define WAY_TEXT 400

const char *holder_group_name(const struct holders *h, uint32_t node)
{
	const struct span *s = graph_span_of(&h->graph, node);
	const char *name;

	switch (s->kind) {
	case NODE_OBJECT:
		name = h->graph.caches[s->group]->name;
		return name ? name : "objects of an unnamed cache";
	case NODE_DIRECT:
		return "direct pages";
	case NODE_AREA:
		return "vmalloc";
	case NODE_COPIES:
		return "per-CPU memory";
	default:
		return "memory of boot";
	}
}

struct finder {
	uint64_t stack;
	const struct task *found;
	struct task task;
};

static enum status ask_task(void *arg, const struct task *task)
{
	struct finder *f = arg;

	if (task->stack != f->stack)
		return ST_OK;
	f->task = *task;
	f->found = &f->task;
	return ST_STOPPED;
}

static const char *find_stack(struct holders *h, const struct span *s)
{
	struct dump *d = h->graph.dump;
	struct tasks *tasks = dump_alloc(d, sizeof(*tasks));
	struct finder *f = dump_alloc(d, sizeof(*f));
	uint16_t tag = h->graph.tags[s->first];
	const char *module = tag < OWNER_SHARED ? graph_owner_name(&h->graph, tag) : NULL;

	f->stack = s->start;
	if (tasks_open(d, tasks) == ST_OK) {
		tasks->identity_only = true;
		tasks_walk(tasks, ask_task, f);
	}
	if (!f->found)
		return "stack of a task";
	return arena_text(d->arena, "stack of %d(%s)%s%s%s", f->task.pid, f->task.comm,
			  module ? " [" : "", module ?: "", module ? "]" : "");
}

const char *holder_stack_name(struct holders *h, const struct span *s)
{
	bool is_new;
	const char **name = hash_u64_get(&h->stacks, s->start, &is_new);

	if (is_new)
		*name = find_stack(h, s);
	return *name;
}

/* byte: NULL, or the text of "+0x10". */
static const char *symbol_at(struct holders *h, uint64_t addr, uint16_t owner, const char *byte)
{
	const struct frame *f = symbolize(h->symbols, addr);
	const char *symbol = f->symbol && !h->graph.no_data_symbols ? f->symbol : "data";
	struct module *m = graph_module(&h->graph, owner);
	struct symbol variable;

	if (m && modules_variable(&h->graph.modules, m, addr, &variable) == ST_OK)
		symbol = variable.name;

	if (!owner)
		return byte ? arena_text(h->graph.arena, "%s%s", symbol, byte) : symbol;
	return arena_text(h->graph.arena, "%s%s [%s]", symbol, byte ? byte : "",
			  graph_owner_name(&h->graph, owner) ?: "?");
}

const char *holder_symbol_name(struct holders *h, uint64_t addr, uint16_t owner)
{
	return symbol_at(h, addr, owner, NULL);
}

static enum status keep_name(void *arg, uint32_t i, uint64_t at)
{
	struct holders *h = arg;
	struct graph *g = &h->graph;
	uint64_t addr = kallsyms_address(h->kallsyms, i);
	char buf[KALLSYMS_NAME_ROOM];
	const char **kept, *name;
	bool is_new;

	if (addr - g->percpu_start >= g->percpu_bytes)
		return ST_OK;
	name = kallsyms_name(h->kallsyms, at, buf);
	if (!name)
		return ST_OK;
	kept = hash_u64_get(&h->percpu_names, addr, &is_new);
	if (is_new)
		*kept = arena_strdup(g->arena, name);
	return dump_stopped(g->dump) ? ST_STOPPED : ST_OK;
}

/* No other table has the names of addresses that are small numbers. */
static void open_percpu_names(struct holders *h)
{
	struct dump *d = h->graph.dump;

	h->kallsyms = dump_alloc(d, sizeof(*h->kallsyms));
	hash_u64_init(&h->percpu_names, h->graph.arena, sizeof(const char *));
	if (kallsyms_open(d, h->kallsyms) == ST_OK)
		kallsyms_each(h->kallsyms, keep_name, h);
}

const char *holder_percpu_name(struct holders *h, uint64_t addr)
{
	const char *const *name;

	if (!h->kallsyms)
		open_percpu_names(h);
	name = hash_u64_find(&h->percpu_names, addr);
	return name ? *name : NULL;
}

static const char *module_percpu_name(struct holders *h, uint64_t addr, uint16_t owner)
{
	struct graph *g = &h->graph;
	struct module *m = graph_module(g, owner);
	struct symbol symbol;

	if (!m || modules_variable(&g->modules, m, addr, &symbol) != ST_OK)
		return NULL;
	return arena_text(g->arena, "%s [%s]", symbol.name, m->name);
}

/* addr: 0, or what the symbol of the variable has. */
static const char *percpu_name(struct holders *h, uint64_t addr, uint16_t owner)
{
	const char *name = NULL;

	if (addr && owner && owner != OWNER_SHARED)
		name = module_percpu_name(h, addr, owner);
	if (name)
		return name;
	if (owner && owner != OWNER_SHARED)
		addr = 0;
	if (!addr && owner && owner != OWNER_SHARED)
		return arena_text(h->graph.arena, "per-CPU variables [%s]",
				  graph_owner_name(&h->graph, owner) ?: "?");
	if (!addr)
		return "per-CPU memory of boot";
	return holder_percpu_name(h, addr) ?: "a per-CPU variable";
}

/* what: they are. */
static const char *objects_name(const struct holders *h, const struct holder *row, const char *what)
{
	const struct graph *g = &h->graph;

	return row->symbol ? arena_text(g->arena, "%s with %s", what, row->symbol)
			   : arena_text(g->arena, "%s [%s]", what, graph_owner_name(g, row->owner));
}

const char *holder_name(struct holders *h, const struct holder *row)
{
	const struct graph *g = &h->graph;
	const char *owner = graph_owner_name(g, row->owner), *name;
	const struct span *s = row->root < g->nodes ? graph_span_of(g, row->root) : NULL;

	switch (s ? row->kind : HOLDER_SEVERAL) {
	case HOLDER_VARIABLE:
		return holder_symbol_name(h, s->start, row->owner);
	case HOLDER_PERCPU:
		return percpu_name(h, graph_percpu_base(g, s), s->group);
	case HOLDER_BOOT:
		return "memory of boot";
	case HOLDER_STACK:
		return holder_stack_name(h, s);
	case HOLDER_OBJECTS:
		return objects_name(h, row, holder_group_name(h, row->root));
	case HOLDER_NONE:
		return arena_text(g->arena, "none: %s",
				  objects_name(h, row, holder_group_name(h, row->root)));
	case HOLDER_FILE:
		name = holder_file_name(h, row->root);
		return name ? arena_text(g->arena, "%s [%s]", name, owner)
			    : objects_name(h, row, holder_group_name(h, row->root));
	default:
		return row->owner ? arena_text(g->arena, "several [%s]", owner)
				  : "several of vmlinux";
	}
}

static unsigned int cpu_of(const struct graph *g, uint64_t addr, uint64_t base)
{
	for (unsigned int i = 0; i < g->cpus.n; i++)
		if (addr - g->cpus.offset[i] == base)
			return g->cpus.cpu[i];
	return 0;
}

const char *holder_root_name(struct holders *h, uint32_t node, uint32_t byte)
{
	const struct graph *g = &h->graph;
	const struct span *s = graph_span_of(g, node);
	const char *at = arena_text(g->arena, "+0x%x", byte);
	uint64_t base = s->kind == NODE_PERCPU ? graph_percpu_base(g, s) : 0;

	switch (s->kind) {
	case NODE_STATIC:
		return symbol_at(h, s->start, s->group, at);
	case NODE_PERCPU:
		if (!base)
			return percpu_name(h, base, s->group);
		return arena_text(g->arena, "%s%s of CPU %u", percpu_name(h, base, s->group), at,
				  cpu_of(g, s->start, base));
	case NODE_STACK:
		return arena_text(g->arena, "%s%s", holder_stack_name(h, s), at);
	default:
		return "memory of boot";
	}
}

static const char *type_of(const struct holders *h, uint32_t node)
{
	return h->step_type ? h->step_type(h, node) : NULL;
}

/* Objects of a cache into which others were merged may be of any of these. */
static const char *cache_text(const struct holders *h, uint32_t node)
{
	const struct graph *g = &h->graph;
	const struct span *s = graph_span_of(g, node);
	const char *name = holder_group_name(h, node), *type = type_of(h, node);
	uint32_t merged = s->kind == NODE_OBJECT ? g->caches[s->group]->aliases : 0;

	if (type)
		return type;
	if (!merged || !strncmp(name, "kmalloc-", 8))
		return name;
	return arena_text(g->arena, "%s (and %u merged)", name, merged);
}

struct way {
	struct holders *h;
	const struct holder *row;
	char text[WAY_TEXT];
	const char *last; /* that was added; names that repeat are one */
	bool in_list;
};

/* "kmalloc-2k with scan_work [mydrv]", of much memory, which is looked at. */
static const char *step_name(const struct way *w, uint32_t node)
{
	struct holders *h = w->h;
	const struct holder *row = w->row;
	bool is_much = row->bytes >> h->graph.dump->page_shift >= h->sources.ram->pages / 100;
	bool names = row->owner && h->graph.tags[node] == row->owner && is_much;
	const char *symbol = names ? content_symbol(h, node, row->owner) : NULL;
	const char *device = holder_device_name(h, node);

	/* The root itself says nothing more. */
	if (symbol && !strncmp(w->text, symbol, strlen(symbol)))
		symbol = NULL;
	return arena_text(h->graph.arena, "%s%s%s%s%s", cache_text(h, node), symbol ? " with " : "",
			  symbol ?: "", device ? " of device " : "", device ?: "");
}

static void put(struct way *w, const char *name)
{
	size_t n = strlen(w->text);

	if (!w->last || strcmp(w->last, name))
		snprintf(w->text + n, sizeof(w->text) - n, "%s%s%s", n ? " -> " : "",
			 n && w->in_list ? "list of " : "", name);
	w->in_list = false;
	w->last = name;
}

/* Where objects are the root, those of another one on the way are told already. */
static bool is_told(const struct way *w, uint32_t node)
{
	const struct graph *g = &w->h->graph;
	const struct span *s = graph_span_of(g, node);

	if (graph_is_root(s) || node == w->row->root)
		return true;
	return w->row->kind >= HOLDER_OBJECTS && w->row->root < g->nodes &&
	       w->h->flow.roots[node] != OWNER_NOBODY &&
	       span_group(s) == span_group(graph_span_of(g, w->row->root));
}

/* Steps that begin at the far end. */
static void put_steps(struct way *w, const uint32_t *steps, uint32_t n)
{
	while (n--) {
		if (steps[n] >= w->h->graph.nodes)
			w->in_list = true;
		else if (!is_told(w, steps[n]))
			put(w, step_name(w, steps[n]));
	}
}

/* "timer_bases -> list of ": what leads to objects that are the root. */
static void put_before(struct way *w)
{
	const struct holder *row = w->row;
	struct holder before = { .kind = HOLDER_VARIABLE, .root = row->before };
	uint32_t steps[WAY_STEPS], n;

	if (row->kind != HOLDER_OBJECTS || row->before == ROOT_NONE)
		return;
	if (graph_span_of(&w->h->graph, row->before)->kind == NODE_PERCPU)
		before.kind = HOLDER_PERCPU;
	n = behind_way(&w->h->flow, row->root, row->before, steps, WAY_STEPS);
	if (!n)
		return;
	put(w, holder_name(w->h, &before));
	put_steps(w, steps, n);
}

static const char *root_text(struct way *w, const char *type)
{
	const struct holder *row = w->row;
	const struct graph *g = &w->h->graph;
	const char *objects;
	bool is_part;

	if (!type && row->kind != HOLDER_NONE)
		return holder_name(w->h, row);
	objects = objects_name(w->h, row, type ?: holder_group_name(w->h, row->root));
	if (row->kind != HOLDER_NONE)
		return objects;
	is_part = row->part_objects && span_group(graph_span_of(g, row->part)) ==
					       span_group(graph_span_of(g, row->root));
	return arena_text(g->arena, "none: no root leads to %s%s%s",
			  is_part ? COUNT_TEXT(row->part_objects) : "", is_part ? " of " : "",
			  objects);
}

/* The steps from the part to the root, backwards. */
const char *holder_way(struct holders *h, const struct holder *row)
{
	struct way w = { .h = h, .row = row };
	bool are_objects = row->kind == HOLDER_OBJECTS || row->kind == HOLDER_NONE;
	const char *type = are_objects ? type_of(h, row->root) : NULL;
	uint32_t steps[WAY_STEPS], n = 0;

	put_before(&w);
	put(&w, root_text(&w, type));
	w.last = type;
	if (row->is_behind)
		n = behind_way(&h->flow, row->part, row->root, steps, WAY_STEPS);
	for (uint32_t at = n ? UINT32_MAX : row->part; n < WAY_STEPS && at != UINT32_MAX;
	     at = h->flow.parent[at])
		steps[n++] = at;
	put_steps(&w, steps, n);
	return arena_strdup(h->graph.arena, w.text);
}
