// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * type_truth VMCORE [VMLINUX [MODULES]]: what objects of caches of one structure are said to be when the cache is
 * taken for one of no single structure, as kmalloc-64 is: a line of JSON for each cache that is hidden, alone, and
 * one with all of them hidden together, which alone is there with TOGETHER=1.  HIST=1 prints what is wrong.
 */
#include "truth.h"

#include <string.h>

static uint16_t truth[65536]; /* by cache: what its objects are when nothing is hidden */

static bool hides(void *arg, const char *cache)
{
	const char *const *only = arg;

	for (uint32_t i = 0; i < h.graph.ncaches; i++)
		if (truth[i] && h.graph.caches[i]->name && !strcmp(h.graph.caches[i]->name, cache))
			return !*only || !strcmp(*only, cache);
	return false;
}

static const char *names[65536];

static void compare(const char *only)
{
	struct node_types x;
	uint64_t all = 0, right = 0, wrong = 0;
	uint64_t left = h.graph.budget.left;
	struct arena *arena = h.graph.arena;
	double t = now();

	h.graph.arena = arena_within(arena);
	TRY(node_types_find(&h, hides, &only, &x));
	t = now() - t;
	for (uint32_t i = 0; i < h.graph.spans.n; i++) {
		const struct span *s = graph_span(&h.graph, i);

		if (s->kind != NODE_OBJECT || !truth[s->group] ||
		    !hides(&only, h.graph.caches[s->group]->name))
			continue;
		for (uint32_t k = s->first; k < s->first + s->count; k++) {
			uint16_t confidence;
			const char *name = node_type_name(&x, k, &confidence);

			if (graph_is_dead(&h.graph, k))
				continue;
			all++;
			right += name && !strcmp(name, names[s->group]);
			wrong += name && strcmp(name, names[s->group]);
			if (getenv("HIST") && name && strcmp(name, names[s->group]))
				printf("HIST %s %s\n", h.graph.caches[s->group]->name, name);
			if (getenv("MISS") && !name)
				printf("MISS %s %s votes %u against %u fit %u state %u\n",
				       h.graph.caches[s->group]->name,
				       x.nodes[k].type ? x.types[x.nodes[k].type - 1].name : "-",
				       x.nodes[k].votes, x.nodes[k].against, x.nodes[k].fit,
				       x.nodes[k].state);
		}
	}
	printf("{\"hidden\":\"%s\",\"type\":\"%s\",\"objects\":%llu,\"right\":%llu,\"wrong\":%llu,\"ms\":%.0f}\n",
	       only ? only : "all", "", (unsigned long long)all, (unsigned long long)right,
	       (unsigned long long)wrong, t);
	arena_reset(h.graph.arena);
	h.graph.arena = arena;
	h.graph.budget.left = left;
}

/* What the seeds are, and how many objects of kmalloc have a type. */
static void learn(void)
{
	struct node_types x;
	uint64_t all = 0, typed = 0;

	TRY(node_types_find(&h, NULL, NULL, &x));
	for (uint32_t i = 0; i < h.graph.spans.n; i++) {
		const struct span *s = graph_span(&h.graph, i);

		for (uint32_t k = s->first; s->kind == NODE_OBJECT && k < s->first + s->count;
		     k++) {
			uint16_t confidence;

			if (graph_is_dead(&h.graph, k))
				continue;
			if (x.groups[s->group].is_mixed) {
				/* Not those of caches that others were merged into. */
				if (!strstr(h.graph.caches[s->group]->name ?: "", "kmalloc-"))
					continue;
				all++;
				typed += !!node_type_name(&x, k, &confidence);
			} else if (x.nodes[k].state == NODE_SEED) {
				truth[s->group] = x.nodes[k].type;
				names[s->group] = x.types[x.nodes[k].type - 1].name;
			}
		}
	}
	printf("{\"seeds\":%llu,\"kmalloc\":%llu,\"typed\":%llu}\n", (unsigned long long)x.seeds,
	       (unsigned long long)all, (unsigned long long)typed);
}

int main(int argc, char **argv)
{
	struct graph_sources sources;
	struct symbolizer symbols;

	open_all(argc > 1 ? argv[1] : "", argc > 2 && *argv[2] ? argv[2] : NULL);
	symbolizer_open(&d, &symbols);
	sources = (struct graph_sources){ &d, &ram, &memmap, &types, &classes, &slabs };
	TRY(holders_find(&sources, &symbols, &h));
	learn();
	for (uint32_t i = 0; i < h.graph.ncaches && !getenv("TOGETHER"); i++)
		if (truth[i])
			compare(h.graph.caches[i]->name);
	compare(NULL);
	return 0;
}
