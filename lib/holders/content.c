// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/content.h"

#include <ctype.h>

#include "pages/kernel_map.h"
#include "util/strbuf.h"

#define MOST_BYTES 4096u /* of an object */
#define MOST_PERCENT 90	 /* of them have it in common */
#define TOLD 6u		 /* words */
#define NEAR_NODES 4096u /* behind a node, for the symbol of all */
#define START_BYTES 16u	 /* of what all begin with, that are shown */
#define START_LEAST 16u	 /* of a sample say something */
#define TEXT_LEAST 4u	 /* characters, of which as many as TELLING differ */
#define TELLING 3u

enum content_kind { CONTENT_NONE, CONTENT_SYMBOL, CONTENT_LINK, CONTENT_MEMORY, CONTENT_TEXT };

struct content_word {
	enum content_kind kind;
	uint16_t owner; /* of CONTENT_SYMBOL */
	uint64_t what;	/* of that an address, of CONTENT_MEMORY a node */
	uint32_t agree;
};

/* Four characters or more, and then nothing; what is one character again and again is a pattern. */
static bool is_text(const uint8_t *p)
{
	unsigned int n = 0;
	bool differs = false;

	for (; n < 8 && isprint(p[n]); n++)
		differs |= p[n] != p[0];
	for (unsigned int i = n; i < 8; i++)
		if (p[i])
			return false;
	return n >= 4 && differs;
}

static struct content_word symbol(uint16_t owner, uint64_t addr)
{
	return (struct content_word){ CONTENT_SYMBOL, owner, addr, 0 };
}

/* Functions and tables of vmlinux are no nodes. */
static struct content_word of_image(struct holders *h, uint64_t word)
{
	const struct symbolizer *s = h->symbols;
	const struct frame *f = s->start && word >= s->start && word < s->end
					? symbolize(h->symbols, word)
					: NULL;

	if (!f || !f->symbol || f->offset)
		return (struct content_word){ 0 };
	return symbol(0, word);
}

static struct content_word of_node(struct holders *h, const struct span *to, uint32_t dst,
				   uint64_t word)
{
	switch (to->kind) {
	case NODE_TEXT:
		return symbol(to->group, word);
	case NODE_STATIC:
		return symbol(to->group, to->start);
	case NODE_OBJECT:
	case NODE_DIRECT:
	case NODE_AREA:
	case NODE_VMAP:
		if (graph_is_dead(&h->graph, dst))
			break;
		return (struct content_word){ CONTENT_MEMORY, 0, dst, 0 };
	default:
		break;
	}
	return (struct content_word){ 0 };
}

static struct content_word word_at(struct holders *h, uint32_t node, uint32_t from,
				   const uint8_t *p)
{
	struct graph *g = &h->graph;
	uint64_t word = le64(p);
	const struct span *to;
	struct edge e;
	uint32_t dst, place, number;

	if (graph_word_at(g, node, from, &e, &number) &&
	    h->arcs.marks[number] & (EDGE_NEXT | EDGE_PREV))
		return (struct content_word){ .kind = CONTENT_LINK };
	if (graph_find(g, word, &to, &dst, &place)) {
		/* An empty list leads to itself. */
		if (dst == node && (place == from || place + 8 == from))
			return (struct content_word){ .kind = CONTENT_LINK };
		return of_node(h, to, dst, word);
	}
	if (graph_find_page(g, word, &to, &dst, &place))
		return of_node(h, to, dst, word);
	if (is_text(p))
		return (struct content_word){ .kind = CONTENT_TEXT };
	return of_image(h, word);
}

static bool is_same(const struct holders *h, const struct content_word *a,
		    const struct content_word *b)
{
	if (a->kind != b->kind || a->kind != CONTENT_MEMORY)
		return a->kind == b->kind && a->owner == b->owner && a->what == b->what;
	return span_group(graph_span_of(&h->graph, (uint32_t)a->what)) ==
	       span_group(graph_span_of(&h->graph, (uint32_t)b->what));
}

struct common {
	uint32_t looked, nwords;
	struct content_word words[MOST_BYTES / 8];
};

static void look_at(struct holders *h, struct common *c, uint32_t node)
{
	uint8_t bytes[MOST_BYTES];

	if (dump_try(h->graph.dump, span_address(graph_span_of(&h->graph, node), node), bytes,
		     c->nwords * 8ULL) != ST_OK)
		return;
	c->looked++;
	for (uint32_t i = 0; i < c->nwords; i++) {
		struct content_word w = word_at(h, node, 8 * i, bytes + 8 * i);

		if (!c->words[i].agree)
			c->words[i] = w;
		c->words[i].agree += w.kind && is_same(h, &c->words[i], &w);
	}
}

static struct common *look(struct holders *h, const struct content *c)
{
	struct common *ret = dump_alloc(h->graph.dump, sizeof(*ret));
	const struct span *s = graph_span_of(&h->graph, c->nodes[0]);
	uint32_t bytes = h->graph.caches[s->group]->bytes;

	bytes = bytes < s->stride ? bytes : s->stride;
	ret->nwords = (bytes < MOST_BYTES ? bytes : MOST_BYTES) / 8;
	for (uint32_t i = 0; i < c->seen && i < CONTENT_NODES; i++)
		look_at(h, ret, c->nodes[i]);
	return ret;
}

/* Each has the same chance to stay. */
void content_add(struct content *c, uint32_t node)
{
	uint32_t at = content_slot(c->seen++, CONTENT_NODES);

	if (at < CONTENT_NODES)
		c->nodes[at] = node;
}

static bool is_common(const struct common *c, uint32_t i, enum content_kind kind)
{
	return c->looked && c->words[i].kind == kind &&
	       c->words[i].agree * 100 >= c->looked * MOST_PERCENT;
}

/* Both words of a link, and all of a text, are one. */
static bool is_first(const struct common *c, uint32_t i, enum content_kind kind)
{
	return is_common(c, i, kind) &&
	       ((kind != CONTENT_LINK && kind != CONTENT_TEXT) || !i || !is_common(c, i - 1, kind));
}

static const char *word_name(struct holders *h, const struct content_word *w)
{
	switch (w->kind) {
	case CONTENT_SYMBOL:
		return holder_symbol_name(h, w->what, w->owner);
	case CONTENT_MEMORY:
		return holder_group_name(h, (uint32_t)w->what);
	case CONTENT_LINK:
		return "link";
	default:
		return "text";
	}
}

/* The start of a note, behind which lies what has no symbol, names nothing, nor does what the compiler made. */
static bool has_name(struct holders *h, const struct content_word *w)
{
	static const char *const none[] = { "_note_", "__func__", "__key.", "__UNIQUE_ID_" };

	for (size_t i = 0; w->kind == CONTENT_SYMBOL && i < ARRAY_SIZE(none); i++)
		if (!strncmp(word_name(h, w), none[i], strlen(none[i])))
			return false;
	return true;
}

static unsigned int different(const uint8_t *bytes, size_t n)
{
	unsigned int ret = 0;

	for (size_t i = 0; i < n; i++)
		ret += bytes[i] && !memchr(bytes, bytes[i], i);
	return ret;
}

/* Quotes and backslashes have one in front. */
const char *content_quoted(struct arena *arena, const uint8_t *bytes, size_t n)
{
	char text[2 * START_BYTES + 1];
	size_t len = 0, at = 0;

	while (len < n && len < START_BYTES && isprint(bytes[len]))
		len++;
	if (len < TEXT_LEAST || different(bytes, len) < TELLING)
		return NULL;
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '"' || bytes[i] == '\\')
			text[at++] = '\\';
		text[at++] = (char)bytes[i];
	}
	text[at] = '\0';
	return arena_text(arena, "\"%s\"", text);
}

/* The longest start that nearly all have; how many bytes. */
static size_t common_start(uint8_t (*starts)[START_BYTES], uint32_t n, uint32_t bytes, uint8_t *ret)
{
	bool differs[CONTENT_NODES] = { false };

	for (uint32_t at = 0; at < bytes; at++) {
		uint32_t counts[256] = { 0 }, most = 0;

		for (uint32_t i = 0; i < n; i++)
			if (!differs[i] && ++counts[starts[i][at]] > counts[most])
				most = starts[i][at];
		if (counts[most] * 100 < n * MOST_PERCENT)
			return at;
		for (uint32_t i = 0; i < n; i++)
			differs[i] |= starts[i][at] != most;
		ret[at] = (uint8_t)most;
	}
	return bytes;
}

/* What may be an address is none, nor what a count may be. */
static const char *magic(struct holders *h, const uint8_t *start, size_t n,
			 uint8_t (*starts)[START_BYTES])
{
	struct arena *arena = h->graph.arena;

	if (le64(starts[0]) >= kernel_half(h->graph.dump) || n < 4 || different(start, 4) < TELLING)
		return NULL;
	if (n >= 8 && le32(start + 4))
		return arena_text(arena, "0x%lx", le64(start));
	return arena_text(arena, "0x%x", le32(start));
}

const char *content_begins(struct holders *h, const struct content *c)
{
	const struct graph *g = &h->graph;
	uint8_t starts[CONTENT_NODES][START_BYTES], start[START_BYTES];
	uint32_t n = 0, bytes = START_BYTES;
	const char *text;
	size_t len;

	for (uint32_t i = 0; i < c->seen && i < CONTENT_NODES; i++) {
		const struct span *s = graph_span_of(g, c->nodes[i]);

		bytes = s->stride < bytes ? s->stride : bytes;
		if (s->stride >= 8)
			n += dump_try(g->dump, span_address(s, c->nodes[i]), starts[n], bytes) ==
			     ST_OK;
	}
	if (n < START_LEAST || bytes < 8)
		return NULL;
	len = common_start(starts, n, bytes, start);
	text = content_quoted(g->arena, start, len);
	return text ?: content_ethernet(g->arena, start, (1ULL << len) - 1, len)
	       ?: magic(h, start, len, starts);
}

const char *content_text(struct holders *h, const struct content *c)
{
	const char *cache = holder_group_name(h, c->nodes[0]);
	const struct common *found = look(h, c);
	const char *begins = content_begins(h, c);
	struct strbuf b = STRBUF_OF(512);
	unsigned int told = 0;

	if (begins) {
		strbuf_add(&b, "begins with %s", begins);
		told++;
	}

	for (enum content_kind kind = CONTENT_SYMBOL; kind <= CONTENT_TEXT; kind++)
		for (uint32_t i = 0; i < found->nwords && told < TOLD; i++)
			if (!(begins && !i && kind == CONTENT_TEXT) && is_first(found, i, kind) &&
			    has_name(h, &found->words[i]))
				strbuf_add(&b, "%s%s +0x%x", told++ ? ", " : "",
					   word_name(h, &found->words[i]), 8 * i);
	return told ? arena_text(h->graph.arena, "%s: %s", cache, b.buf) : NULL;
}

/* all: of few, nearly all are not enough. */
static const char *symbol_of(struct holders *h, const struct content *c, uint16_t owner, bool all)
{
	const struct common *found;

	if (!c->seen)
		return NULL;
	found = look(h, c);
	for (uint32_t i = 0; i < found->nwords; i++)
		if (is_common(found, i, CONTENT_SYMBOL) && found->words[i].owner == owner &&
		    (!all || found->words[i].agree == found->looked) &&
		    has_name(h, &found->words[i]))
			return word_name(h, &found->words[i]);
	return NULL;
}

const char *content_symbol(struct holders *h, uint32_t node, uint16_t owner)
{
	const struct graph *g = &h->graph;
	struct content c = { 0 };
	uint32_t group = span_group(graph_span_of(g, node));

	for (uint32_t i = node; i < g->nodes && i - node < NEAR_NODES; i++)
		if (g->tags[i] == owner && span_group(graph_span_of(g, i)) == group)
			content_add(&c, i);
	return symbol_of(h, &c, owner, false);
}

const char *content_symbol_of(struct holders *h, const uint32_t *nodes, uint32_t n, uint16_t owner)
{
	struct content c = { 0 };

	for (uint32_t i = 0; i < n; i++)
		if (h->graph.tags[nodes[i]] == owner)
			content_add(&c, nodes[i]);
	return symbol_of(h, &c, owner, true);
}
