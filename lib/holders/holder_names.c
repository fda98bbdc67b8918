// SPDX-License-Identifier: GPL-2.0-or-later
/* Holders and what they keep, in words. */

#include "holders/armed.h"
#include "slab/slab_caches.h"
#include "tasks/task.h"
#include "util/strbuf.h"
#include "util/units.h"
#include "vm/percpu_lists.h"

#define TOLD 4u /* of what leads to a node */
#define BOOT "memory of boot"

/* A page of boot, by what is known to be in it. */
static const char *boot_name(const struct graph *g, const struct span *s)
{
	uint64_t lists;

	return percpu_lists_find(g->dump, &lists) == ST_OK && lists >= s->start &&
			       lists - s->start < dump_page_size(g->dump)
		       ? HOLDER_PERCPU_LISTS
		       : BOOT;
}

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
	case NODE_VMAP:
		return "mapping of vmap()";
	case NODE_COPIES:
		return "per-CPU memory";
	default:
		return boot_name(&h->graph, s);
	}
}

/* NULL: no other cache was merged into that of an object; those of kmalloc have their sizes in common with all. */
static const char *merged_text(const struct holders *h, uint32_t node, bool by_name)
{
	const struct graph *g = &h->graph;
	const struct span *s = graph_span_of(g, node);

	if (s->kind != NODE_OBJECT || !strncmp(holder_group_name(h, node), "kmalloc-", 8))
		return NULL;
	return slab_merged_text(g->dump, g->caches[s->group], by_name);
}

const char *holder_cache_name(const struct holders *h, uint32_t node)
{
	const char *name = holder_group_name(h, node), *merged = merged_text(h, node, true);

	return merged ? arena_text(h->graph.arena, "%s %s", name, merged) : name;
}

const char *holder_typed_cache(const struct holders *h, uint32_t node)
{
	const char *name = holder_group_name(h, node), *merged = merged_text(h, node, false);

	return merged ? arena_text(h->graph.arena, "cache %s %s", name, merged) : name;
}

static enum status name_task(void *arg, const struct task *t)
{
	struct holders *h = arg;
	const char *name = arena_text(h->graph.arena, "%d(%s)", t->pid, t->comm);

	*(const char **)hash_u64_get(&h->tasks, t->address, NULL) = name;
	*(const char **)hash_u64_get(&h->tasks, t->stack, NULL) = name;
	return ST_OK;
}

/* "157(sessionwatch)", of a task_struct or a stack; NULL: of no task that is in the list. */
static const char *task_at(struct holders *h, uint64_t addr)
{
	struct dump *d = h->graph.dump;
	const char *const *name;

	if (!h->has_tasks) {
		struct tasks *tasks = dump_alloc(d, sizeof(*tasks));

		h->has_tasks = true;
		hash_u64_init(&h->tasks, h->graph.arena, sizeof(const char *));
		if (tasks_open(d, tasks) == ST_OK) {
			tasks->identity_only = true;
			tasks_walk(tasks, name_task, h);
		}
	}
	name = hash_u64_find(&h->tasks, addr);
	return name ? *name : NULL;
}

static const char *find_stack(struct holders *h, const struct span *s)
{
	uint16_t tag = h->graph.tags[s->first];
	const char *module = tag < OWNER_SHARED ? graph_owner_name(&h->graph, tag) : NULL;
	const char *task = task_at(h, s->start);

	return !task ? "stack of a task"
		     : arena_text(h->graph.arena, "stack of %s%s%s%s", task, module ? " [" : "",
				  module ?: "", module ? "]" : "");
}

/* "task 157(sessionwatch)", of a task_struct that is in the list; NULL: it is none. */
static const char *task_name(struct holders *h, uint32_t node)
{
	const struct span *s = graph_span_of(&h->graph, node);
	const char *kind = s->kind == NODE_OBJECT ? h->graph.caches[s->group]->kind : NULL;
	const char *task = kind && !strcmp(kind, "task_struct") ? task_at(h, span_address(s, node))
								: NULL;

	return task ? arena_text(h->graph.arena, "task %s", task) : NULL;
}

const char *holder_stack_name(struct holders *h, const struct span *s)
{
	bool is_new;
	const char **name = hash_u64_get(&h->stacks, s->start, &is_new);

	if (is_new)
		*name = find_stack(h, s);
	return *name;
}

/* Names of functions are known where those of variables are not. */
static bool is_function(struct holders *h, uint64_t addr)
{
	const struct span *s;
	uint32_t node, place;

	return graph_find(&h->graph, addr, &s, &node, &place) && s->kind == NODE_TEXT;
}

/* NULL: it has none. */
static const char *kernel_name(struct holders *h, uint64_t addr, uint16_t owner)
{
	struct symbol variable;

	if (!h->graph.no_data_symbols || is_function(h, addr))
		return symbolize(h->symbols, addr)->symbol;
	if (owner || !h->graph.vmlinux_names ||
	    dump_ask(h->graph.dump, closest, addr, &variable) != ST_OK)
		return NULL;
	return variable.name;
}

/* byte: NULL, or the text of "+0x10". */
static const char *symbol_at(struct holders *h, uint64_t addr, uint16_t owner, const char *byte)
{
	const char *symbol = kernel_name(h, addr, owner) ?: "data";
	struct module *m = graph_module(&h->graph, owner);
	struct symbol variable;

	/* Where data has no symbols the last function is in front of it. */
	if (m && modules_variable(&h->graph.modules, m, addr, &variable) == ST_OK &&
	    (is_function(h, addr) || !is_function(h, variable.address)))
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

	if (kallsyms_is_lost(h->kallsyms, i) || addr - g->percpu_start >= g->percpu_bytes)
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
	const struct first_chunk *f = hash_u64_find(&g->first_chunk, addr);
	struct module *m = graph_module(g, owner);
	struct symbol symbol;

	if (f && f->owner == owner && f->variable)
		return holder_symbol_name(h, f->variable, owner);
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

const char *const armed_words[ARMED_KINDS] = {
	[ARMED_TIMER] = "armed timer",
	[ARMED_HRTIMER] = "armed hrtimer",
	[ARMED_DELAYED] = "delayed work",
	[ARMED_WORK] = "pending work",
};

const char *armed_joint(const char *symbol)
{
	for (size_t i = ARMED_NONE + 1; i < ARMED_KINDS; i++)
		if (!strncmp(symbol, armed_words[i], strlen(armed_words[i])))
			return " with ";
	return " naming ";
}

const char *holder_objects_name(struct holders *h, const struct holder *row, const char *what)
{
	const struct graph *g = &h->graph;
	const char *owner = graph_owner_name(g, row->owner);

	if (hash_u64_has(&g->privates, row->root))
		return arena_text(g->arena, "%s [%s] reached from %s", what, owner,
				  holder_meet_sources(h, row->root, ROOT_NONE));
	return row->symbol
		       ? arena_text(g->arena, "%s%s%s", what, armed_joint(row->symbol), row->symbol)
		       : arena_text(g->arena, "%s [%s]", what, owner);
}

/* "vmap() by map_pages [vmapleak]" */
static const char *vmap_name(struct holders *h, const struct holder *row)
{
	const struct mapped_area *area = hash_u64_find(&h->graph.mapped, row->root);

	return arena_text(h->graph.arena, "vmap() by %s",
			  area ? holder_symbol_name(h, area->caller, row->owner) : "?");
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
		return boot_name(g, s);
	case HOLDER_STACK:
		return holder_stack_name(h, s);
	case HOLDER_OBJECTS:
		return holder_objects_name(h, row, holder_cache_name(h, row->root));
	case HOLDER_NONE:
		return arena_text(g->arena, "none: %s",
				  holder_objects_name(h, row, holder_cache_name(h, row->root)));
	case HOLDER_FILE:
		name = holder_file_name(h, row->root);
		return name ? arena_text(g->arena, "%s [%s]", name, owner)
			    : holder_objects_name(h, row, holder_cache_name(h, row->root));
	case HOLDER_VMAP:
		return vmap_name(h, row);
	case HOLDER_MEET:
		name = task_name(h, row->root) ?: h->step_type ? h->step_type(h, row->root) : NULL;
		return arena_text(g->arena, "%s reached from %s",
				  name ?: holder_cache_name(h, row->root),
				  holder_meet_sources(h, row->root, ROOT_NONE));
	default:
		return row->owner ? arena_text(g->arena, "several [%s]", owner)
				  : "several of vmlinux";
	}
}

static const char *source_name(struct holders *h, uint32_t node)
{
	const struct span *s = graph_span_of(&h->graph, node);
	struct holder row = { .kind = HOLDER_VARIABLE, .owner = s->group, .root = node };
	const char *name = holder_group_name(h, node);

	if (s->kind == NODE_STATIC)
		return holder_name(h, &row);
	if (s->kind == NODE_OBJECT && !strcmp(name, "filp"))
		return holder_file_name(h, node) ?: name;
	return name;
}

/* A word of a stack, or one that few have, says nothing; what one name has is told once. */
const char *holder_meet_sources(struct holders *h, uint32_t node, uint32_t but)
{
	const struct graph *g = &h->graph;
	const struct flow *f = &h->flow;
	struct strbuf b = STRBUF_OF(512);
	const char *names[TOLD];
	unsigned int n = 0;

	for (uint32_t k = f->in_at[node]; n < TOLD && k < f->in_at[node + 1]; k++) {
		uint32_t src = f->in[k] & ARC_NODE;
		bool is_told = src >= g->nodes || src == but || f->in[k] >> 30 > ARC_MIDDLE;

		if (is_told)
			continue;
		names[n] = source_name(h, src);
		for (unsigned int i = 0; i < n; i++)
			is_told |= !strcmp(names[i], names[n]);
		if (is_told)
			continue;
		strbuf_add(&b, "%s%s", strbuf_between(&b, ", "), names[n++]);
	}
	return *b.buf ? arena_strdup(g->arena, b.buf) : but == ROOT_NONE ? "several" : NULL;
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
		return boot_name(g, s);
	}
}

const char *holders_ends_text(struct arena *a, const struct holders *h, uint32_t node)
{
	const struct walk_end *e = &h->ends[node];
	const char *most = graph_owner_name(&h->graph, (uint16_t)e->names[0]),
		   *next = graph_owner_name(&h->graph, (uint16_t)e->names[1]);
	struct strbuf b = STRBUF_OF(256);

	if (!e->parts[0] || !most)
		return NULL;
	strbuf_add(&b, "%s%% of walks back end at %s",
		   PERCENT_TEXT(e->parts[0] * 1000ULL / WALK_WHOLE, 1000), most);
	if (e->parts[1] * 1000ULL / WALK_WHOLE && next)
		strbuf_add(&b, ", %s%% at %s",
			   PERCENT_TEXT(e->parts[1] * 1000ULL / WALK_WHOLE, 1000), next);
	return arena_strdup(a, b.buf);
}
