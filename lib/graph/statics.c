// SPDX-License-Identifier: GPL-2.0-or-later
/* Variables of vmlinux and of modules, each by its symbol. */

#include "graph/nodes.h"
#include "kernel/kallsyms.h"

#define MAX_VARIABLE (1u << 30) /* bytes; no variable has more */

struct image {
	uint64_t start, end;		 /* data and what lies behind it */
	uint64_t const_start, const_end; /* of constants: no source of references */
	uint64_t init_start, init_end;	 /* of the constants, what is set while booting */
	uint64_t percpu, percpu_end;	 /* what each CPU has a copy of */
};

static uint64_t symbol(struct dump *d, const char *name)
{
	uint64_t addr;

	return dump_has_symbol(d, name) && dump_symbol(d, name, &addr) == ST_OK ? addr : 0;
}

static bool in(uint64_t addr, uint64_t start, uint64_t end)
{
	return addr >= start && addr < end;
}

/* Parts of the image that are freed after boot are any memory since. */
static bool is_kept(struct graph *g, struct graph_sources *s, uint64_t addr, uint64_t *last,
		    bool *kept)
{
	struct dump *d = g->dump;
	uint64_t phys, page = addr >> d->page_shift;
	struct page_info info;

	if (*last == page)
		return *kept;
	*last = page;
	*kept = dump_phys(d, addr, &phys) == ST_OK &&
		page_type_at(s->types, phys >> d->page_shift, &info) == ST_OK &&
		info.flags & s->classes->reserved;
	if (*kept && phys >> d->page_shift < g->end)
		g->page_spans[phys >> d->page_shift] = PAGE_IN_RANGES;
	return *kept;
}

static bool is_variable(const struct image *m, uint64_t addr)
{
	if (!in(addr, m->start, m->end))
		return false;
	return !in(addr, m->const_start, m->const_end) || in(addr, m->init_start, m->init_end);
}

/* Every page of the image that is kept is out of the direct map. */
static void hide_image(struct graph *g, struct graph_sources *s, uint64_t start, uint64_t end)
{
	uint64_t last = UINT64_MAX, size = dump_page_size(g->dump);
	bool kept = false;

	if (end - start > MAX_VARIABLE)
		return;
	for (uint64_t at = start & ~(size - 1); at < end; at += size)
		is_kept(g, s, at, &last, &kept);
}

/* Without its pages that were freed, of what lies between the symbols at the end of one section and the next. */
static void add_variable(struct graph *g, struct graph_sources *s, uint64_t start, uint64_t end)
{
	uint64_t last = UINT64_MAX, size = dump_page_size(g->dump), from = start;
	bool kept = false;

	for (uint64_t at = start; at < end; at = (at | (size - 1)) + 1) {
		if (is_kept(g, s, at, &last, &kept))
			continue;
		if (at > from)
			graph_add(g, NODE_STATIC, from, (uint32_t)(at - from), 1, 0);
		from = (at | (size - 1)) + 1;
	}
	if (end > from)
		graph_add(g, NODE_STATIC, from, (uint32_t)(end - from), 1, 0);
}

/* Bytes up to the next symbol, by the symbols of a vmlinux; 0: unknown. */
static uint64_t bytes_by_vmlinux(struct dump *d, uint64_t at)
{
	struct symbol sym;

	if (dump_ask(d, closest, at, &sym) != ST_OK || at < sym.address ||
	    at - sym.address >= sym.size)
		return 0;
	return sym.size - (at - sym.address);
}

static bool vmlinux_has_data(struct dump *d)
{
	struct symbol sym;
	uint64_t at = symbol(d, "init_uts_ns");

	return at && dump_ask(d, closest, at, &sym) == ST_OK && sym.address == at && sym.size;
}

/* A symbol of the image, if it is a variable. */
static void try_variable(struct graph *g, struct graph_sources *s, const struct image *m,
			 uint64_t at, uint64_t next)
{
	if (next > m->end)
		next = m->end;
	if (next <= at || !is_variable(m, at) || next - at > MAX_VARIABLE ||
	    in(at, m->percpu, m->percpu_end))
		return;
	add_variable(g, s, at, next);
}

static void add_by_kallsyms(struct graph *g, struct graph_sources *s, const struct image *m,
			    const struct kallsyms *k)
{
	/* Between symbols whose addresses are lost nothing is known to be one variable. */
	if (k->missing_offsets) {
		dump_fail(g->dump, ST_UNREADABLE, "kallsyms_offsets is not all in this dump");
		graph_lacks(s, "variables of vmlinux");
	}
	for (uint32_t i = 0; i + 1 < k->n; i++)
		if (!kallsyms_is_lost(k, i) && !kallsyms_is_lost(k, i + 1))
			try_variable(g, s, m, kallsyms_address(k, i), kallsyms_address(k, i + 1));
}

static void add_by_vmlinux(struct graph *g, struct graph_sources *s, const struct image *m)
{
	uint64_t bytes;

	for (uint64_t at = m->start; at < m->end && !dump_stopped(g->dump); at += bytes) {
		bytes = bytes_by_vmlinux(g->dump, at);
		if (!bytes) {
			graph_lacks(s, "variables of vmlinux");
			return;
		}
		if (bytes > m->end - at)
			bytes = m->end - at;
		try_variable(g, s, m, at, at + bytes);
	}
}

static void add_image(struct graph *g, struct graph_sources *s)
{
	struct dump *d = g->dump;
	struct kallsyms k;
	struct image m = {
		.start = symbol(d, "_etext"),
		.end = symbol(d, "_end"),
		.const_start = symbol(d, "__start_rodata"),
		.const_end = symbol(d, "__end_rodata"),
		.init_start = symbol(d, "__start_ro_after_init"),
		.init_end = symbol(d, "__end_ro_after_init"),
		.percpu = symbol(d, "__per_cpu_start"),
		.percpu_end = symbol(d, "__per_cpu_end"),
	};
	uint32_t first = g->spans.n;

	if (!m.start || m.end <= m.start || kallsyms_open(d, &k) != ST_OK) {
		graph_lacks(s, "variables of vmlinux");
		return;
	}
	g->no_data_symbols = !kallsyms_has_data(&k);
	g->vmlinux_names = g->no_data_symbols && vmlinux_has_data(d);
	hide_image(g, s, symbol(d, "_stext"), m.end);
	if (g->vmlinux_names)
		add_by_vmlinux(g, s, &m);
	else
		add_by_kallsyms(g, s, &m, &k);
	graph_map(g, m.start, m.end, first, g->spans.n - first);
	decoder_trace(d, "decide %u variables of vmlinux", g->spans.n - first);
}

static enum node_kind kind_of(const struct module *mod, const struct module_range *r, uint64_t at)
{
	uint64_t end = mod->text_end[0];

	return end - r->base <= r->size && at >= r->base && at < end ? NODE_TEXT : NODE_STATIC;
}

static void add_range(struct graph *g, struct module *mod, const struct module_range *r,
		      uint16_t owner)
{
	uint64_t at = r->base, end = r->base + r->size;
	uint32_t first = g->spans.n;

	if (end < at || r->size > MAX_VARIABLE)
		return;
	for (uint32_t i = 0; i < mod->n; i++) {
		uint64_t next = mod->symbols[i].value;

		if (next <= at || next >= end)
			continue;
		graph_add(g, kind_of(mod, r, at), at, (uint32_t)(next - at), 1, owner);
		at = next;
	}
	graph_add(g, kind_of(mod, r, at), at, (uint32_t)(end - at), 1, owner);
	graph_map(g, r->base, end, first, g->spans.n - first);
}

static void add_modules(struct graph *g, struct graph_sources *s)
{
	struct dump *d = g->dump;
	enum status st = modules_open(d, &g->modules);
	uint16_t owner = 1;

	if (st == ST_ABSENT)
		return;
	if (st != ST_OK)
		graph_lacks(s, "modules");
	for (struct module *m = g->modules.first; m && owner < OWNER_SHARED; m = m->next, owner++) {
		struct symbol any;

		/* Loads its symbols. */
		modules_lookup(&g->modules, m, m->ranges[0].base, &any);
		for (unsigned int i = 0; i < m->nranges; i++)
			if (!m->ranges[i].is_init)
				add_range(g, m, &m->ranges[i], owner);
	}
}

/* A vmlinux has no symbols of modules, and those of per-CPU variables are no addresses. */
static void say_nameless(struct graph *g, struct graph_sources *s)
{
	if (!g->no_data_symbols)
		return;
	dump_fail(g->dump, ST_UNKNOWN, "this kernel was built without CONFIG_KALLSYMS_ALL");
	graph_lacks_names(s, g->vmlinux_names ? "names of variables of modules and of CPUs"
					      : "names of variables");
}

void graph_add_statics(struct graph *g, struct graph_sources *s)
{
	add_image(g, s);
	say_nameless(g, s);
	add_modules(g, s);
}
