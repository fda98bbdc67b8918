// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * graph_truth VMCORE [VMLINUX [LEDGER]]: what the graph of pointers says of direct pages, beside the module of the
 * caller that page_owner recorded and the graph was not told, as one line of JSON. Without page_owner it has times and
 * memory alone.  HIST=1 prints each page that is not right: the module, the caller, the answer.  LEDGER
 * is what the guest's driver "keeper" said of the pages that it keeps, as "WAY ROOT PFN": for each way how many
 * these are, to how many the root was told, and how many were given to somebody else than the driver.
 */
#include "truth.h"

#include <string.h>

#include "alloctag/site_index.h"
#include "holders/holders.h"
#include "page_owner/page_owner.h"
#include "symbols/symbolize.h"

#define MAX_MODULES 64
#define MAX_WAYS 16

/* Pages of one module, as page_owner has it. */
struct module_truth {
	const char *name;
	uint64_t pages, right, wrong;
};

static struct stack_cache stacks;
static struct page_owner owner;
static struct module_truth modules[MAX_MODULES];
static unsigned int nmodules;

static struct module_truth *module_at(const char *name)
{
	unsigned int i = 0;

	while (i < nmodules && strcmp(modules[i].name, name))
		i++;
	if (i == nmodules && nmodules < MAX_MODULES)
		modules[nmodules++].name = name;
	return i < MAX_MODULES ? &modules[i] : NULL;
}

/* The module that page_owner says; NULL: the page is not one of class direct. */
static const char *recorded(const struct owner_page *page, const struct stack **stack)
{
	struct cached_stack *c;
	struct page_info info;

	if (!page->allocated || page_type_at(&types, page->pfn, &info) != ST_OK ||
	    page_class_at(&classes, &info, page->pfn, RECORD_LIVE, page->handle) != CLASS_DIRECT)
		return NULL;
	c = stack_cache_get(&stacks, page->handle);
	*stack = c && c->decoded ? stack_cache_frames(&stacks, c) : NULL;
	return *stack ? stack_module(*stack) : NULL;
}

static enum status compare(void *arg, const struct owner_page *page)
{
	const struct stack *stack = NULL;
	const char *module = recorded(page, &stack), *said = NULL;
	struct module_truth *m = module ? module_at(module) : NULL;
	const struct span *s;
	uint32_t node, place;

	(void)arg;
	if (!m)
		return ST_OK;
	m->pages++;
	if (graph_find(&h.graph, h.graph.linear + (page->pfn << d.page_shift), &s, &node, &place) &&
	    s->kind == NODE_DIRECT && holders_owner(&h, node) != OWNER_NOBODY)
		said = graph_owner_name(&h.graph, holders_owner(&h, node));
	m->right += said && !strcmp(said, module);
	m->wrong += said && strcmp(said, module);
	if (getenv("HIST") && (!said || strcmp(said, module))) {
		const struct frame *f = stack_caller(stack);

		printf("HIST %s %s %s\n", module, f && f->symbol ? f->symbol : "?",
		       said ? said : "-");
	}
	return ST_OK;
}

/* Objects of kmalloc caches, by the module of the call site that their allocation tags name. */
struct object_truth {
	uint64_t objects, right, wrong;
} of_modules, of_vmlinux;

static void compare_object(uint32_t node, const struct site *site)
{
	struct object_truth *t = site->in_module ? &of_modules : &of_vmlinux;
	uint16_t found = holders_owner(&h, node);
	const char *said = found == OWNER_NOBODY ? NULL : graph_owner_name(&h.graph, found);

	if (!site->module)
		return;
	t->objects++;
	t->right += said && !strcmp(said, site->module);
	t->wrong += said && strcmp(said, site->module);
	if (getenv("HIST") && said && strcmp(said, site->module))
		printf("HIST object %s %s %s\n", site->module,
		       site->function ? site->function : "?", said);
}

static void compare_slab(const struct span *s, const struct site_index *sites)
{
	const char *cache = h.graph.caches[s->group]->name;
	struct slab slab;

	if (!cache || strncmp(cache, "kmalloc-", 8) ||
	    slab_at(&slabs, (s->start - h.graph.linear) >> d.page_shift, &slab) != ST_OK)
		return;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct site *site;
		uint64_t tag;

		if (graph_is_dead(&h.graph, s->first + i) ||
		    slab_tag(&slabs, &slab, i, &tag) != ST_OK || !tag)
			continue;
		site = site_of_tag(sites, tag);
		if (site)
			compare_object(s->first + i, site);
	}
}

static void compare_objects(void)
{
	static struct codetags tags;
	static struct site_index sites;
	enum availability why;

	if (codetags_open(&d, &tags, &why) != ST_OK || site_index_open(&d, &tags, &sites) != ST_OK)
		return;
	for (uint32_t i = 0; i < h.graph.spans.n; i++)
		if (graph_span(&h.graph, i)->kind == NODE_OBJECT)
			compare_slab(graph_span(&h.graph, i), &sites);
	printf(",\"objects_of_modules\":[%llu,%llu,%llu],\"objects_of_vmlinux\":[%llu,%llu,%llu]",
	       (unsigned long long)of_modules.objects, (unsigned long long)of_modules.right,
	       (unsigned long long)of_modules.wrong, (unsigned long long)of_vmlinux.objects,
	       (unsigned long long)of_vmlinux.right, (unsigned long long)of_vmlinux.wrong);
}

/* Pages that the driver keeps in one way, below one variable or stack. */
struct way {
	char name[32];
	uint64_t pages, right, wrong;
};

static struct way *way_named(struct way *ways, unsigned int *n, const char *name)
{
	for (unsigned int i = 0; i < *n; i++)
		if (!strcmp(ways[i].name, name))
			return &ways[i];
	if (*n == MAX_WAYS)
		return NULL;
	snprintf(ways[*n].name, sizeof(ways[*n].name), "%s", name);
	return &ways[(*n)++];
}

/* The root that is told of a page, and whether its owner is the driver; NULL: none is. */
static const char *told_root(uint64_t pfn, bool *of_driver)
{
	const struct span *s;
	struct holder row;
	uint32_t node, place;
	const char *name;

	if (!graph_find(&h.graph, h.graph.linear + (pfn << d.page_shift), &s, &node, &place) ||
	    holders_owner(&h, node) == OWNER_NOBODY)
		return NULL;
	row = holders_row_of(&h, node);
	name = graph_owner_name(&h.graph, row.owner);
	*of_driver = name && !strcmp(name, "keeper");
	return holder_name(&h, &row);
}

static void compare_ways(FILE *ledger)
{
	struct way ways[MAX_WAYS] = { 0 }, *w;
	char way[32], root[64];
	unsigned long pfn;
	unsigned int n = 0;

	while (fscanf(ledger, "%31s %63s %lx", way, root, &pfn) == 3) {
		bool of_driver = false;
		const char *told = told_root(pfn, &of_driver);
		bool right = told && strstr(told, root);

		w = way_named(ways, &n, way);
		if (!w)
			break;
		w->pages++;
		w->right += right;
		w->wrong += told && !right && !of_driver;
		if (getenv("HIST") && !right)
			printf("HIST %s %s 0x%lx %s\n", way, root, pfn, told ? told : "-");
	}
	for (unsigned int i = 0; i < n; i++)
		printf("%s\"%s\":[%llu,%llu,%llu]", i ? "," : ",\"ways\":{", ways[i].name,
		       (unsigned long long)ways[i].pages, (unsigned long long)ways[i].right,
		       (unsigned long long)ways[i].wrong);
	printf("%s", n ? "}" : "");
}

/* Pages of variables of vmlinux that the kernel gave to its page allocator: what lies there is of anybody. */
static unsigned int freed_pages(void)
{
	uint64_t size = dump_page_size(&d), phys;
	unsigned int n = 0;

	for (uint32_t i = 0; i < h.graph.spans.n; i++) {
		const struct span *s = graph_span(&h.graph, i);
		uint64_t end = s->start + span_bytes(s);

		for (uint64_t at = s->start & ~(size - 1);
		     s->kind == NODE_STATIC && !s->group && at < end; at += size) {
			struct page_info info;

			n += dump_phys(&d, at, &phys) == ST_OK &&
			     page_type_at(&types, phys >> d.page_shift, &info) == ST_OK &&
			     !(info.flags & classes.reserved);
		}
	}
	return n;
}

/* All pages of the nodes once more, as fast as they can be read: what the graph takes is a part of that. */
static double reading(void)
{
	static uint8_t buf[65536];
	const struct graph *g = &h.graph;
	double t = now();

	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);

		for (uint64_t at = 0; s->kind >= NODE_BOOT && at < span_bytes(s);) {
			uint64_t n = span_bytes(s) - at;

			n = n < sizeof(buf) ? n : sizeof(buf);
			if (dump_try(&d, s->start + at, buf, n) != ST_OK)
				break;
			at += n;
		}
	}
	return now() - t;
}

int main(int argc, char **argv)
{
	struct module_truth all = { 0 }, *vmlinux;
	static struct scan_stats stats;
	struct graph_sources sources;
	struct symbolizer symbols;
	enum availability why;
	size_t before;
	double t;

	open_all(argc > 1 ? argv[1] : "", argc > 2 && *argv[2] ? argv[2] : NULL);
	symbolizer_open(&d, &symbols);
	sources = (struct graph_sources){ &d, &ram, &memmap, &types, &classes, &slabs };
	before = d.arena->bytes;
	t = now();
	TRY(holders_find(&sources, &symbols, &h));
	t = now() - t;
	printf("{\"ms\":%.0f,\"reading_ms\":%.0f,\"room_bytes\":%llu,\"arena_bytes\":%zu,"
	       "\"nodes\":%u,\"edges\":%u,\"arcs\":%u,\"freed_pages\":%u",
	       t, reading(), (unsigned long long)(h.graph.budget.total - h.graph.budget.left),
	       d.arena->bytes - before, h.graph.nodes, h.graph.edges.n, h.flow.out_at[h.flow.n],
	       freed_pages());
	if (page_owner_open(&d, &owner, &why) == ST_OK && stack_cache_open(&d, &stacks) == ST_OK) {
		TRY(page_owner_scan(&owner, SCAN_ALL, &stats, compare, NULL));
		for (unsigned int i = 0; i < nmodules; i++) {
			all.pages += modules[i].pages;
			all.right += modules[i].right;
			all.wrong += modules[i].wrong;
		}
		vmlinux = module_at("vmlinux");
		printf(",\"pages\":%llu,\"right\":%llu,\"wrong\":%llu,\"always_vmlinux\":%llu",
		       (unsigned long long)all.pages, (unsigned long long)all.right,
		       (unsigned long long)all.wrong,
		       (unsigned long long)(vmlinux ? vmlinux->pages : 0));
		for (unsigned int i = 0; i < nmodules; i++)
			printf(",\"%s\":[%llu,%llu,%llu]", modules[i].name,
			       (unsigned long long)modules[i].pages,
			       (unsigned long long)modules[i].right,
			       (unsigned long long)modules[i].wrong);
	}
	compare_objects();
	if (argc > 3) {
		FILE *ledger = fopen(argv[3], "r");

		if (ledger)
			compare_ways(ledger);
	}
	printf("}\n");
	return 0;
}
