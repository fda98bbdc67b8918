// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * graph VMCORE [VMLINUX]: what the graph of pointers says of direct pages, beside what page_owner recorded
 * and the graph was not told.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "door.h"
#include "graph/edges.h"
#include "graph/nodes.h"
#include "graph/retained.h"
#include "graph/walk.h"
#include "page_owner/page_owner.h"
#include "symbols/stack_cache.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static struct dump d;
static struct graph g;
static struct arcs arcs;
static struct flow flow;
static struct retained kept;
static struct walk_end *by_owner, *by_root;
static struct graph_sources sources;
static struct ram ram;
static struct memmap memmap;
static struct page_types types;
static struct page_classes classes;
static struct slabs slabs;
static struct stack_cache stacks;
static struct symbolizer symbols;

#define TRY(what) try((what), #what)
static void try(enum status st, const char *what)
{
	if (st == ST_OK)
		return;
	fprintf(stderr, "graph: %s: %s\n", what, d.error);
	exit(1);
}

static bool is_hub(void *arg, const struct span *s)
{
	(void)arg;
	(void)s;
	return false;
}

static const char *name_of(uint32_t node)
{
	static char text[300];
	const struct span *s;

	if (node >= g.nodes)
		return "list";
	s = graph_span_of(&g, node);
	if (s->kind <= NODE_STATIC) {
		const struct frame *f = symbolize(&symbols, s->start);

		snprintf(text, sizeof(text), "%s [%s]", f->symbol ? f->symbol : "?",
			 graph_owner_name(&g, s->group));
	} else if (s->kind == NODE_OBJECT) {
		snprintf(text, sizeof(text), "%s@%llx", g.caches[s->group]->name,
			 (unsigned long long)span_address(s, node));
	} else
		snprintf(text, sizeof(text), "%s@%llx",
			 (const char *[]){ "text", "static", "percpu", "boot", "stack", "object",
					   "direct", "area" }[s->kind],
			 (unsigned long long)span_address(s, node));
	return text;
}

static uint64_t truth[4], vmlinux_right, total;
static int verbose;

static enum status compare(void *arg, const struct owner_page *page)
{
	const struct span *s;
	uint32_t node, place;
	struct cached_stack *c;
	const char *module, *owner;
	uint16_t o;

	(void)arg;
	if (!page->allocated)
		return ST_OK;
	if (!graph_find(&g, g.linear + (page->pfn << d.page_shift), &s, &node, &place) ||
	    s->kind != NODE_DIRECT)
		return ST_OK;
	c = stack_cache_get(&stacks, page->handle);
	module = c && c->decoded ? stack_module(stack_cache_frames(&stacks, c)) : NULL;
	if (!module)
		return ST_OK;
	total++;
	vmlinux_right += !strcmp(module, "vmlinux");
	o = kept.owners[node];
	owner = o == OWNER_SHARED || o == OWNER_NOBODY ? NULL : graph_owner_name(&g, o);
	truth[0] += owner && !strcmp(owner, module);
	truth[1] += owner && strcmp(owner, module);
	if (!owner || by_owner[node].names[0] != o || by_owner[node].parts[0] < WALK_WHOLE / 2)
		owner = NULL;
	truth[2] += owner && !strcmp(owner, module);
	truth[3] += owner && strcmp(owner, module);
	if (verbose && (!owner || strcmp(owner, module)) && verbose-- > 0) {
		const struct stack *st = stack_cache_frames(&stacks, c);
		const struct frame *f = stack_caller(st);

		printf("pfn %#llx of %s (%s): kept %x by %x", (unsigned long long)page->pfn, module,
		       f ? f->symbol : "?", o, kept.roots[node]);
		printf(" walk %x %u.. path:", by_owner[node].names[0], by_owner[node].parts[0]);
		for (uint32_t at = node, n = 0; at != UINT32_MAX && n < 12;
		     at = flow.parent[at], n++)
			printf(" <- %s", name_of(at));
		printf("\n");
	}
	return ST_OK;
}

struct row {
	uint32_t root;
	uint64_t bytes, n;
};
static int by_bytes(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

static void top(void)
{
	struct row *rows = calloc(g.nodes, sizeof(*rows));
	uint64_t own[4] = { 0 };

	for (uint32_t i = 0; i < g.nodes; i++)
		rows[i].root = i;
	for (uint32_t i = 0; i < g.spans.n; i++) {
		const struct span *s = graph_span(&g, i);

		if (s->kind < NODE_OBJECT)
			continue;
		for (uint32_t k = s->first; k < s->first + s->count; k++) {
			if (graph_is_dead(&g, k))
				continue;
			own[kept.owners[k] == OWNER_NOBODY   ? 0
			    : kept.owners[k] == OWNER_SHARED ? 1
			    : kept.owners[k]		     ? 3
							     : 2] += s->stride;
			if (kept.roots[k] < g.nodes) {
				rows[kept.roots[k]].bytes += s->stride;
				rows[kept.roots[k]].n++;
			}
		}
	}
	printf("bytes: nobody %llu shared %llu vmlinux %llu modules %llu\n",
	       (unsigned long long)own[0], (unsigned long long)own[1], (unsigned long long)own[2],
	       (unsigned long long)own[3]);
	qsort(rows, g.nodes, sizeof(*rows), by_bytes);
	for (int i = 0; i < 25 && rows[i].bytes; i++)
		printf("%12llu bytes %8llu nodes %s\n", (unsigned long long)rows[i].bytes,
		       (unsigned long long)rows[i].n, name_of(rows[i].root));
}

int main(int argc, char **argv)
{
	static const struct door_user nobody;
	static struct arena arena, own;
	static struct page_owner owner;
	static struct scan_stats stats;
	const char *file = argc > 1 ? argv[1] : "";
	struct door_request r = { .files = &file, .n = 1, .vmlinux = argc > 2 ? argv[2] : NULL };
	struct dump session;
	struct door *door;
	enum availability why;
	double t0, t1;

	verbose = argc > 3 ? atoi(argv[3]) : 0;
	dump_init(&session, NULL, NULL, &arena);
	if (door_open(&session, &r, &nobody, &door) != ST_OK) {
		fprintf(stderr, "graph: %s\n", session.error);
		return 1;
	}
	door_dump(door, &d, &own);
	t0 = now();
	TRY(ram_open(&d, &ram));
	TRY(memmap_open(&d, &memmap));
	TRY(page_types_open(&d, &memmap, &types));
	TRY(page_classes_open(&d, &types, &ram, &classes));
	TRY(slabs_open(&d, &memmap, &slabs));
	sources = (struct graph_sources){ &d, &ram, &memmap, &types, &classes, &slabs };
	printf("open %.0f ms\n", now() - t0);
	graph_init(&d, d.arena,
		   ram.pages * 4096 * 3 / 100 < (64 << 20) ? 64 << 20 : ram.pages * 4096 * 3 / 100,
		   &g);
	t1 = now();
	TRY(graph_nodes(&g, &sources));
	printf("nodes %u spans %u ranges %u caches %u: %.0f ms\n", g.nodes, g.spans.n, g.ranges.n,
	       g.ncaches, now() - t1);
	t1 = now();
	TRY(graph_edges(&g));
	printf("words %llu edges %u unreadable %llu: %.0f ms\n", (unsigned long long)g.words,
	       g.edges.n, (unsigned long long)g.unreadable, now() - t1);
	printf("free pages %llu, referred to %llu; bad slabs %llu; problem %s\n",
	       (unsigned long long)g.free_pages, (unsigned long long)g.seen_pages,
	       (unsigned long long)sources.bad_slabs, sources.problem ? sources.problem : "-");
	t1 = now();
	TRY(graph_arcs(&g, is_hub, NULL, &arcs));
	printf("links %llu lists %u pairs %llu backs %llu arcs %u: %.0f ms\n",
	       (unsigned long long)arcs.links, arcs.lists.n, (unsigned long long)arcs.chains,
	       (unsigned long long)arcs.backs, arcs.arcs.n, now() - t1);
	t1 = now();
	TRY(flow_open(&arcs, &flow));
	TRY(retained_find(&flow, &kept));
	printf("reached %u; retained: %.0f ms\n", flow.reached, now() - t1);
	t1 = now();
	TRY(walk_find(&flow, true, &by_owner));
	TRY(walk_find(&flow, false, &by_root));
	printf("walks: %.0f ms; budget %.1f of %.1f MiB; arena %.1f MiB; all %.0f ms\n", now() - t1,
	       (g.budget.total - g.budget.left) / 1048576., g.budget.total / 1048576.,
	       d.arena->bytes / 1048576., now() - t0);
	symbolizer_open(&d, &symbols);
	top();
	if (page_owner_open(&d, &owner, &why) != ST_OK || stack_cache_open(&d, &stacks) != ST_OK)
		return 0;
	TRY(page_owner_scan(&owner, SCAN_ALL, &stats, compare, NULL));
	printf("truth: %llu direct pages; vmlinux always %.1f %%; retained right %.2f %% wrong "
	       "%.2f %%; both right %.2f %% wrong %.2f %%\n",
	       (unsigned long long)total, 100. * vmlinux_right / total, 100. * truth[0] / total,
	       100. * truth[1] / total, 100. * truth[2] / total, 100. * truth[3] / total);
	return 0;
}
