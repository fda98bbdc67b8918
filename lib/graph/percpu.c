// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Per-CPU variables, and what the per-CPU allocator gave out.  An allocation is one node, whatever the
 * number of CPUs is: a word that has its per-CPU address leads to it, and one with that of a copy.  Those of
 * boot have small numbers as addresses, on kernels whose per-CPU variables begin at 0: they are roots, of
 * the one node that has the number (percpu.h), or without a known owner.
 */
#include "graph/percpu.h"

#include "graph/nodes.h"
#include "kernel/kallsyms.h"
#include "pages/kernel_map.h"
#include "vm/percpu_allocations.h"

#define LEAST_ADDRESSES 8   /* in objects of a cache, for each number that is none */
#define MAX_UNIT (1u << 26) /* bytes of per-CPU memory of one CPU: 64 MiB */

/* Pages of the copies are found by their addresses, not as pages of boot. */
static void hide(struct graph *g, uint64_t start, uint64_t end)
{
	uint64_t size = dump_page_size(g->dump);

	for (uint64_t at = start & ~(size - 1); at < end; at += size) {
		uint64_t pfn = (at - g->linear) >> g->dump->page_shift;

		if (pfn < g->end)
			g->page_spans[pfn] = PAGE_IN_RANGES;
	}
}

static void add_symbols(struct graph *g, const struct kallsyms *k, uint64_t start, uint64_t end,
			uint64_t offset)
{
	for (uint32_t i = 0; i + 1 < k->n; i++) {
		uint64_t at = kallsyms_address(k, i), next = kallsyms_address(k, i + 1);

		if (at < start || at >= end || next <= at || kallsyms_is_lost(k, i) ||
		    kallsyms_is_lost(k, i + 1))
			continue;
		if (next > end)
			next = end;
		graph_add(g, NODE_PERCPU, at + offset, (uint32_t)(next - at), 1, 0);
	}
}

struct allocations {
	struct graph *g;
	uint64_t half; /* addresses of the kernel begin here */
	uint64_t chunk;
	uint32_t spans;	     /* of the chunk that are not mapped yet, up to the last one */
	uint64_t start, end; /* per-CPU addresses of these */
	uint32_t n, of_boot;
};

/* By module, in their order. */
static struct percpu_area *module_areas(struct graph *g)
{
	static const struct layout_row rows[] = {
		{ "struct module", { "percpu" }, REQUIRED, "CONFIG_SMP" },
		{ "struct module", { "percpu_size" }, REQUIRED, "CONFIG_SMP" },
	};
	struct percpu_area *areas = dump_alloc(g->dump, g->modules.n * sizeof(*areas) + 1),
			   *a = areas;
	struct dump *d = g->dump;
	struct field f[2];

	if (layout_resolve(d, rows, 2, f) != ST_OK)
		return areas;
	for (const struct module *m = g->modules.first; m; m = m->next, a++) {
		uint32_t bytes;
		uint64_t start;

		if (dump_u64(d, m->address + f[0].offset, &start, "module") == ST_OK &&
		    dump_u32(d, m->address + f[1].offset, &bytes, "module") == ST_OK &&
		    bytes <= MAX_UNIT)
			*a = (struct percpu_area){ start, bytes };
	}
	return areas;
}

static uint16_t owner_at(const struct allocations *x, uint64_t addr)
{
	for (unsigned int i = 0; i < x->g->modules.n; i++)
		if (addr - x->g->module_percpu[i].start < x->g->module_percpu[i].bytes)
			return (uint16_t)(i + 1);
	return OWNER_SHARED;
}

/* The nodes of a chunk are one range for each CPU, and one of per-CPU addresses. */
static void map_copies(struct allocations *x)
{
	struct graph *g = x->g;
	uint32_t first = g->spans.n - x->spans;
	uint64_t low = g->copies_bytes && g->copies < x->start ? g->copies : x->start;
	uint64_t high = g->copies_bytes && g->copies + g->copies_bytes > x->end
				? g->copies + g->copies_bytes
				: x->end;

	if (!x->spans)
		return;
	for (unsigned int cpu = 0; cpu < g->cpus.n; cpu++)
		graph_map_copy(g, x->start + g->cpus.offset[cpu], x->end + g->cpus.offset[cpu],
			       first, x->spans, g->cpus.offset[cpu], cpu);
	graph_map_copy(g, x->start, x->end, first, x->spans, 0, 0);
	g->copies = low;
	g->copies_bytes = high - low;
	x->spans = 0;
}

/* The copy of a CPU: of a module each variable by its symbol, else one node. */
static void add_copy(struct graph *g, const struct percpu_allocation *a, uint64_t shift,
		     uint16_t owner)
{
	const struct module *m = graph_module(g, owner);
	uint64_t at = a->address, end = a->address + a->bytes;
	uint32_t first = g->spans.n;

	for (uint32_t i = 0; m && i < m->n; i++) {
		uint64_t next = m->symbols[i].value;

		if (next <= at || next >= end)
			continue;
		graph_add(g, NODE_PERCPU, at + shift, (uint32_t)(next - at), 1, owner);
		at = next;
	}
	graph_add(g, NODE_PERCPU, at + shift, (uint32_t)(end - at), 1, owner);
	graph_map(g, a->address + shift, end + shift, first, g->spans.n - first);
	hide(g, a->address + shift, end + shift);
}

static void add_first(struct graph *g, const struct percpu_allocation *a, uint32_t node)
{
	*(struct first_chunk *)hash_u64_get(&g->first_chunk, a->address, NULL) =
		(struct first_chunk){ .node = node, .owner = OWNER_NOBODY };
}

/* A copy for each CPU, found by its own address alone; which module has it, what has its number tells. */
static void add_of_boot(struct allocations *x, const struct percpu_allocation *a, uint16_t owner)
{
	struct graph *g = x->g;

	map_copies(x);
	x->of_boot++;
	if (owner == OWNER_SHARED) {
		add_first(g, a, g->nodes);
		if (!g->boot_bytes)
			g->boot = a->address;
		if (a->address >= g->boot + g->boot_bytes)
			g->boot_bytes = a->address - g->boot + 1;
	}
	for (unsigned int cpu = 0; cpu < x->g->cpus.n; cpu++)
		add_copy(x->g, a, x->g->cpus.offset[cpu], owner);
}

static enum status add_allocation(void *arg, const struct percpu_allocation *a)
{
	struct allocations *x = arg;
	struct graph *g = x->g;
	uint16_t owner;
	bool is_new;

	if (a->bytes > PLACE_MAX / g->cpus.n)
		return dump_corrupt(g->dump, "a per-CPU allocation of %lu bytes", a->bytes);
	/* A module's variables are its own where words may lead to them, too (7.2 and later). */
	owner = a->is_first ? owner_at(x, a->address) : OWNER_SHARED;
	if (a->is_first && (a->address < x->half || owner != OWNER_SHARED)) {
		add_of_boot(x, a, owner);
		return ST_OK;
	}
	if (a->chunk != x->chunk) {
		map_copies(x);
		hash_u64_get(&g->percpu_chunks, a->chunk, &is_new);
	}
	x->chunk = a->chunk;
	if (!graph_add(g, NODE_COPIES, a->address, (uint32_t)a->bytes * g->cpus.n, 1, 0))
		return ST_OK;
	if (a->is_first)
		add_first(g, a, g->nodes - 1);
	if (!x->spans++)
		x->start = a->address;
	x->end = a->address + a->bytes;
	x->n++;
	/* Without SMP all chunks are of the direct map (mm/percpu-km.c). */
	for (unsigned int cpu = 0; (a->is_first || !g->percpu_bytes) && cpu < g->cpus.n; cpu++)
		hide(g, a->address + g->cpus.offset[cpu], x->end + g->cpus.offset[cpu]);
	return dump_stopped(g->dump) ? ST_STOPPED : ST_OK;
}

static void add_allocations(struct graph *g, struct graph_sources *s)
{
	struct allocations x = { .g = g, .half = kernel_half(g->dump) };

	g->module_percpu = module_areas(g);
	if (percpu_allocations_walk(g->dump, add_allocation, &x) != ST_OK)
		graph_lacks(s, "allocations of per-CPU memory");
	map_copies(&x);
	decoder_trace(g->dump, "decide %u per-CPU allocations, and %u of boot", x.n, x.of_boot);
}

void graph_add_percpu(struct graph *g, struct graph_sources *s)
{
	struct dump *d = g->dump;
	uint32_t all = g->spans.n;
	uint64_t start, end;
	struct kallsyms k;
	struct percpu cpus;
	enum status st = percpu_open(d, &cpus) ?: dump_symbol(d, "__per_cpu_start", &start) ?:
		dump_symbol(d, "__per_cpu_end", &end) ?: kallsyms_open(d, &k);

	/* Without SMP they are among the variables of vmlinux, and the section is empty. */
	if (st == ST_OK && (end < start || end - start > MAX_UNIT))
		st = dump_corrupt(d, "__per_cpu_end is at %#lx", end);
	if (st != ST_OK) {
		graph_lacks(s, "per-CPU variables");
		return;
	}
	g->cpus = cpus;
	g->percpu_start = start;
	g->percpu_bytes = end - start;
	for (unsigned int cpu = 0; cpu < cpus.n; cpu++) {
		uint64_t from = start + cpus.offset[cpu];
		uint32_t first = g->spans.n;

		add_symbols(g, &k, start, end, cpus.offset[cpu]);
		graph_map(g, from, from + (end - start), first, g->spans.n - first);
		hide(g, from, from + (end - start));
	}
	decoder_trace(d, "decide %u per-CPU variables", g->spans.n - all);
	add_allocations(g, s);
}

static bool is_counted(const struct span *from)
{
	return from->kind != NODE_DIRECT && from->kind != NODE_STACK && from->kind != NODE_BOOT;
}

static struct first_numbers *numbers_of(struct graph *g, uint16_t cache)
{
	return (struct first_numbers *)hash_u64_get(&g->first_numbers, cache, NULL);
}

void first_chunk_note(struct graph *g, const struct span *from, uint32_t node, uint32_t place,
		      uint64_t word)
{
	struct first_chunk *f = (struct first_chunk *)hash_u64_find(&g->first_chunk, word);

	if (!is_counted(from))
		return;
	if (from->kind == NODE_OBJECT && f)
		numbers_of(g, from->group)->hits++;
	else if (from->kind == NODE_OBJECT)
		numbers_of(g, from->group)->others++;
	if (!f)
		return;
	if (f->has_holder && f->holder != node)
		f->is_shared = true;
	f->place = f->has_holder ? UINT32_MAX : place;
	f->has_holder = true;
	f->holder = node;
}

/* An object that any code may have made, and whose cache's numbers are addresses. */
static bool is_trusted(struct graph *g, const struct span *s)
{
	const struct first_numbers *n;

	if (s->kind != NODE_OBJECT || !g->caches[s->group]->kind ||
	    !strstr(g->caches[s->group]->kind, "kmalloc-"))
		return false;
	n = numbers_of(g, s->group);
	return n->others * LEAST_ADDRESSES <= n->hits;
}

struct variable {
	uint16_t owner; /* of the one module whose variables lead to an object */
	uint64_t address;
};

static void note_variable(struct graph *g, struct hash_u64 *behind, const struct span *s)
{
	uint32_t node = s->first;

	for (uint32_t i = g->first[node]; i < g->first[s->first + s->count]; i++) {
		const struct edge e = graph_edge_from(g, &node, i);
		struct variable *v = (struct variable *)hash_u64_find(behind, e.dst);

		if (!v)
			continue;
		v->address = v->owner == OWNER_NOBODY ? span_address(s, e.src) : v->address;
		v->owner = v->owner == OWNER_NOBODY || v->owner == s->group ? s->group
									    : OWNER_SHARED;
	}
}

/* The variables that lead to what has the numbers. */
static void find_variables(struct graph *g, struct hash_u64 *behind)
{
	hash_u64_for_each(const struct first_chunk, f, &g->first_chunk)
		if (f->has_holder && !f->is_shared)
			*(struct variable *)hash_u64_get(behind, f->holder, NULL) =
				(struct variable){ .owner = OWNER_NOBODY };
	for (uint32_t k = 0; k < g->spans.n; k++) {
		const struct span *s = graph_span(g, k);

		if (s->kind == NODE_STATIC && s->group)
			note_variable(g, behind, s);
	}
}

static void find_owner(struct graph *g, const struct hash_u64 *behind, struct first_chunk *f)
{
	const struct span *s = graph_span_of(g, f->holder);
	const struct variable *v = hash_u64_find(behind, f->holder);
	uint16_t tag = g->tags[f->holder];

	if (s->kind == NODE_STATIC && s->group) {
		f->owner = s->group;
		f->variable = span_address(s, f->holder);
		return;
	}
	if (!is_trusted(g, s))
		return;
	f->owner = tag && tag < OWNER_SHARED ? tag : v->owner;
	f->variable = f->owner == v->owner ? v->address : 0;
}

void first_chunk_own(struct graph *g)
{
	struct hash_u64 behind;

	hash_u64_init(&behind, g->arena, sizeof(struct variable));
	find_variables(g, &behind);
	hash_u64_for_each(struct first_chunk, f, &g->first_chunk) {
		if (!f->has_holder || f->is_shared)
			continue;
		find_owner(g, &behind, f);
		for (uint32_t i = 0; f->owner < OWNER_SHARED && i < g->cpus.n; i++)
			((struct span *)graph_span_of(g, f->node + i))->group = f->owner;
	}
}
