// SPDX-License-Identifier: GPL-2.0-or-later
/* Per-CPU variables, each CPU's copy. */
#include "graph/nodes.h"
#include "kernel/kallsyms.h"
#include "kernel/percpu.h"

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

		if (at < start || at >= end || next <= at)
			continue;
		if (next > end)
			next = end;
		graph_add(g, NODE_PERCPU, at + offset, (uint32_t)(next - at), 1, 0);
	}
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

	if (st == ST_OK && (end <= start || end - start > MAX_UNIT))
		st = dump_fail(d, ST_CORRUPT, "__per_cpu_end is at %#llx", (unsigned long long)end);
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
}
