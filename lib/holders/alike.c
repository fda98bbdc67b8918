// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/alike.h"

#include "holders/content.h"
#include "util/strbuf.h"
#include "util/units.h"

#define MOST_PERCENT 90 /* of a sample begin so */
#define LEAST 4u	/* nodes of an owner that say something */
#define TELLING 4u	/* different bytes, without which it is a pattern, or nothing at all */

struct sample {
	struct content of;
	uint16_t owner;
};

static bool is_lost(const struct holders *h, uint32_t node)
{
	return holders_owner(h, node) == OWNER_NOBODY && !holders_reach(h, node);
}

/* The size that most of the lost bytes have. */
static void find_size(struct holders *h, uint32_t group, struct alike *a)
{
	const struct graph *g = &h->graph;
	struct hash_u64 sizes;

	hash_u64_init(&sizes, g->arena, sizeof(uint64_t));
	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);
		uint64_t *n;

		if (graph_is_root(s) || span_group(s) != group)
			continue;
		n = hash_u64_get(&sizes, s->stride, NULL);
		for (uint32_t k = s->first; k < s->first + s->count; k++)
			*n += !graph_is_dead(g, k) && is_lost(h, k);
		if (*n * s->stride > a->bytes) {
			a->bytes = *n * s->stride;
			a->objects = *n;
			a->size = s->stride;
		}
	}
}

static void take_samples(struct holders *h, uint32_t group, const struct alike *a,
			 struct hash_u64 *samples)
{
	const struct graph *g = &h->graph;

	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);

		if (graph_is_root(s) || span_group(s) != group || s->stride != a->size)
			continue;
		for (uint32_t k = s->first; k < s->first + s->count; k++) {
			uint16_t owner = holders_owner(h, k);
			struct sample *of;

			if (graph_is_dead(g, k) || (owner == OWNER_NOBODY && !is_lost(h, k)))
				continue;
			of = hash_u64_get(samples, owner, NULL);
			of->owner = owner;
			content_add(&of->of, k);
		}
	}
}

/* The first bytes of each node of a sample; how many are in this dump. */
static uint32_t read_starts(const struct holders *h, const struct sample *of, uint32_t bytes,
			    uint8_t (*starts)[ALIKE_BYTES])
{
	const struct graph *g = &h->graph;
	uint32_t n = 0;

	for (uint32_t i = 0; i < of->of.seen && i < CONTENT_NODES; i++) {
		uint32_t node = of->of.nodes[i];

		n += dump_try(g->dump, span_address(graph_span_of(g, node), node), starts[n],
			      bytes) == ST_OK;
	}
	return n;
}

/* Of a byte: the value that most have; false: it is not that of nearly all. */
static bool find_common(uint8_t (*starts)[ALIKE_BYTES], uint32_t n, uint32_t at, uint8_t *ret)
{
	uint32_t counts[256] = { 0 }, most = 0;

	for (uint32_t i = 0; i < n; i++)
		if (++counts[starts[i][at]] > counts[most])
			most = starts[i][at];
	*ret = most;
	return n && counts[most] * 100 >= n * MOST_PERCENT;
}

static bool is_alike(const struct alike *a, const uint8_t *start)
{
	return !ANY_OF(i, a->n, a->same >> i & 1 && a->start[i] != start[i]);
}

static void find_start(struct alike *a, uint8_t (*starts)[ALIKE_BYTES], uint32_t n, uint32_t bytes)
{
	for (uint32_t i = 0; n >= LEAST && i < bytes; i++)
		if (find_common(starts, n, i, &a->start[i])) {
			a->same |= 1ULL << i;
			a->n = i + 1;
		}
}

static bool is_telling(const struct alike *a)
{
	bool seen[256] = { false };
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->n; i++) {
		bool is_new = a->same >> i & 1 && a->start[i] && !seen[a->start[i]];

		n += is_new;
		seen[a->start[i]] |= is_new;
	}
	return n >= TELLING;
}

/* vmlinux is one of those who may have such memory; a few that lie behind a stale word are not. */
static void find_owner(const struct holders *h, struct alike *a, const struct hash_u64 *samples,
		       uint8_t (*starts)[ALIKE_BYTES])
{
	uint32_t most = 0, all = 0;

	hash_u64_for_each(const struct sample, of, samples) {
		uint32_t n, alike = 0;

		if (of->owner == OWNER_NOBODY)
			continue;
		n = read_starts(h, of, a->n, starts);
		for (uint32_t i = 0; i < n; i++)
			alike += is_alike(a, starts[i]);
		all += alike;
		if (n < LEAST || alike * 100 < n * MOST_PERCENT || alike <= most)
			continue;
		most = alike;
		a->owner = of->owner;
	}
	if (most * 100 < all * MOST_PERCENT || !graph_module(&h->graph, a->owner))
		a->owner = OWNER_NOBODY;
}

void alike_find(struct holders *h, struct alike *ret)
{
	const uint32_t group = span_group(graph_span_of(&h->graph, h->sums.lost.node));
	uint8_t(*starts)[ALIKE_BYTES] = arena_alloc(h->graph.arena, CONTENT_NODES * ALIKE_BYTES);
	struct hash_u64 samples;
	const struct sample *lost;
	uint32_t bytes;

	*ret = (struct alike){ .owner = OWNER_NOBODY };
	hash_u64_init(&samples, h->graph.arena, sizeof(struct sample));
	find_size(h, group, ret);
	take_samples(h, group, ret, &samples);
	lost = hash_u64_find(&samples, OWNER_NOBODY);
	if (!lost)
		return;
	bytes = ret->size < ALIKE_BYTES ? ret->size : ALIKE_BYTES;
	find_start(ret, starts, read_starts(h, lost, bytes, starts), bytes);
	if (is_telling(ret))
		find_owner(h, ret, &samples, starts);
}

#define STARTS 16u /* bytes that are shown */

/* "ffffffffffff001b" */
static const char *start_text(struct holders *h, const struct alike *a)
{
	struct strbuf b = STRBUF_OF(4 * STARTS);
	uint32_t n = a->n < STARTS ? a->n : STARTS, first = 0;
	const char *text;

	while (a->same >> first & 1 && first < a->n)
		first++;
	text = content_quoted(h->graph.arena, a->start, first)
		       ?: content_ethernet(h->graph.arena, a->start, a->same, a->n);
	if (text)
		return text;
	for (uint32_t i = 0; i < n; i++)
		if (a->same >> i & 1)
			strbuf_add(&b, "%02x", a->start[i]);
		else
			strbuf_add(&b, "..");
	return arena_strdup(h->graph.arena, b.buf);
}

const char *holder_lost_text(struct holders *h, const struct holder_part *lost)
{
	const bool are_pages = graph_span_of(&h->graph, lost->node)->kind == NODE_DIRECT;

	return arena_text(h->graph.arena, "none: no root that is known leads to %s %s of %s",
			  COUNT_TEXT(lost->objects), are_pages ? "allocations" : "objects",
			  holder_cache_name(h, lost->node));
}

/* Zeros tell nothing: memory that was never written has them, too. */
static bool begins_with_zeros(const struct alike *a)
{
	return !ANY_OF(i, a->n, a->start[i] && (a->same >> i & 1));
}

const char *alike_text(struct holders *h, const struct alike *a)
{
	const struct holder_part *lost = &h->sums.lost;
	const bool is_cache = graph_span_of(&h->graph, lost->node)->kind == NODE_OBJECT;
	const char *none = holder_lost_text(h, lost);
	const char *module = a->owner == OWNER_NOBODY ? NULL
						      : graph_owner_name(&h->graph, a->owner);
	const bool has_start = a->n && (module || !begins_with_zeros(a));

	/* Objects of a cache have one size. */
	if (is_cache && !has_start && a->objects == lost->objects)
		return none;
	return arena_text(h->graph.arena, "%s; %s have %s each%s%s%s%s%s", none,
			  COUNT_TEXT(a->objects), SIZE_TEXT(a->size),
			  has_start ? " and begin with " : "", has_start ? start_text(h, a) : "",
			  module ? ", as those do that " : "", module ?: "",
			  module ? " keeps" : "");
}
