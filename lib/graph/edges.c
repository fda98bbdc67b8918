// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/edges.h"

#include "graph/dma.h"
#include "graph/page_words.h"
#include "graph/percpu.h"
#include "graph/pfns.h"
#include "pages/kernel_map.h"
#include "tasks/task_stack.h"

#define POLL_NODES 65536
#define NO_CACHE UINT32_MAX

struct scan {
	struct graph *g;
	struct read_window words, pages;
	uint64_t limit; /* of the table of words */
	struct task_stacks stacks;
	bool has_stacks;
	uint64_t half; /* no pointer is below */
	/* Caches whose objects are book-keeping. */
	uint32_t caches, nodes, vmap_areas;
	struct field sheaf_cache; /* of struct slab_sheaf */
	uint64_t module_bytes;	  /* of struct module */
	uint32_t numbers; /* of the words that were looked at last, as large as addresses of RAM */
	const struct span *span; /* the source, and the node of it */
	uint32_t node;
	bool may_have_pfns; /* the source */
	bool names_text;    /* the node, whatever the module */
};

/* Words that name the module itself, THIS_MODULE, are of anybody who counts references to it. */
static bool is_struct_module(const struct scan *s, uint16_t owner, uint64_t word)
{
	const struct module *m = graph_module(s->g, owner);

	return m && word - m->address < s->module_bytes;
}

/* Up to 5.1 it is an object of kmalloc(). */
static bool is_vmap_area(const struct scan *s)
{
	return s->span->group == s->vmap_areas ||
	       hash_u64_has(&s->g->vmaps, span_address(s->span, s->node));
}

/*
 * Structures of the kernel that have a cache of their own name modules as well, and are not theirs: an inode
 * its operations, an mm_struct what is beside it in a list. What an open file alone leads to is its driver's.
 */
static bool is_of_anybody(const struct scan *s)
{
	const char *kind = s->g->caches[s->span->group]->kind;

	return kind && (strstr(kind, "kmalloc-") || !strcmp(kind, "filp"));
}

/* Behind the last variable of a module are its symbols, which have addresses of functions as well. */
static bool is_of_variable(const struct scan *s, uint32_t from)
{
	const struct module *m = graph_module(s->g, s->span->group);

	return m && from < module_symbol_bytes(m, s->span->start);
}

static void tag(struct scan *s, const struct span *to, uint64_t word, uint32_t from)
{
	uint16_t *tag = &s->g->tags[s->node], owner = to->group;
	bool is_text = to->kind == NODE_TEXT, names = false;

	/* Of a stack return addresses alone, of a variable the functions that the kernel calls by it. */
	if (s->span->kind == NODE_STACK)
		names = is_text;
	else if (s->span->kind == NODE_STATIC)
		names = is_text && s->span->group == owner && *tag != owner &&
			is_of_variable(s, from);
	else
		names = s->span->kind == NODE_OBJECT && is_of_anybody(s) && !is_vmap_area(s);

	if (!names || !owner || *tag == owner || is_struct_module(s, owner, word))
		return;
	*tag = *tag == OWNER_NOBODY ? owner : OWNER_SHARED;
}

static bool add(struct scan *s, uint32_t from, uint32_t dst, uint32_t to)
{
	struct graph *g = s->g;

	g->has_more = g->most_edges && g->edges.n == g->most_edges;
	if (!g->has_more && graph_add_edge(g, dst, from, to))
		return true;
	g->cut = "edges";
	return false;
}

/* Where the allocators themselves have the areas and chunks that they gave out. */
static bool is_of_allocator(const struct scan *s, const struct span *to)
{
	if (s->span->kind != NODE_OBJECT || to->kind < NODE_AREA)
		return false;
	return is_vmap_area(s) ||
	       (to->kind == NODE_COPIES &&
		hash_u64_has(&s->g->percpu_chunks, span_address(s->span, s->node)));
}

/* Of words that lead to variables those matter that may be a link of a list: there is a word as well. */
static bool is_wanted(const struct scan *s, const struct span *to, uint32_t dst, uint32_t place)
{
	const struct graph *g = s->g;
	struct edge back;
	uint32_t number;

	if (dst == s->node || graph_is_dead(g, dst))
		return false;
	if (is_of_allocator(s, to))
		return false;
	/* A cache has its nodes, and nothing else that its words name. */
	if (s->span->kind == NODE_OBJECT && s->span->group == s->caches)
		return to->kind == NODE_OBJECT && to->group == s->nodes;
	if (to->kind == NODE_TEXT)
		return false;
	if (to->kind > NODE_PERCPU || s->span->kind <= NODE_PERCPU)
		return true;
	return graph_word_at(g, dst, place, &back, &number);
}

/*
 * Addresses of the first per-CPU chunk are those of variables, too (7.2 and later): a word that has that of an allocation
 * leads there, if no variable begins at it.
 */
static void prefer_percpu(const struct graph *g, uint64_t word, const struct span **to,
			  uint32_t *dst, uint32_t *place)
{
	const struct first_chunk *f = (*to)->kind == NODE_STATIC && !(*to)->group && *place
					      ? hash_u64_find(&g->first_chunk, word)
					      : NULL;

	if (!f)
		return;
	*to = graph_span_of(g, f->node);
	*dst = f->node;
	*place = 0;
}

/* False: cut. */
static bool add_word(struct scan *s, uint64_t word, uint32_t from)
{
	struct graph *g = s->g;
	const struct span *to;
	uint32_t dst, place;

	if (!graph_find(g, word, &to, &dst, &place) &&
	    !graph_find_page(g, word, &to, &dst, &place)) {
		page_words_note(g, s->node, word);
		return true;
	}
	prefer_percpu(g, word, &to, &dst, &place);
	s->names_text |= to->kind == NODE_TEXT;
	if (to->kind <= NODE_STATIC)
		tag(s, to, word, from);
	return !is_wanted(s, to, dst, place) || add(s, from, dst, place);
}

static uint32_t place_behind(uint32_t from, size_t i)
{
	return from & PLACE_PAGE || from + i < PLACE_MAX ? from + (uint32_t)i : PLACE_MAX;
}

static bool add_words(struct scan *s, const uint8_t *bytes, size_t n, uint32_t from)
{
	uint64_t least = DMA_LEAST, most = s->g->end << s->g->dump->page_shift;

	s->numbers = 0;
	for (size_t i = 0; i + 8 <= n; i += 8) {
		uint64_t word = le64(bytes + i);

		s->numbers += word - least < most;
		if (!graph_may_lead(s->g, s->half, word)) {
			if (word - s->g->boot < s->g->boot_bytes)
				first_chunk_note(s->g, s->span, s->node, place_behind(from, i),
						 word);
			continue;
		}
		if (!add_word(s, word, place_behind(from, i)))
			return false;
	}
	s->g->words += n / 8;
	return true;
}

/* len bytes, at most up to the end of a page. */
static const uint8_t *read_part(struct scan *s, uint64_t addr, size_t len)
{
	const uint8_t *p = read_window_at(&s->words, addr, len);

	s->g->unreadable += !p && s->span->kind != NODE_BOOT;
	return p;
}

/* The window goes on where the next node lies in what it may read. */
static void aim(struct scan *s, uint64_t start, uint64_t end)
{
	uint64_t mask = dump_page_size(s->g->dump) - 1;

	if (start >= s->words.base && end <= s->limit && s->words.base)
		return;
	s->limit = (end + mask) & ~mask;
	read_window_table(&s->words, s->limit);
}

/* Numbers that lead to memory as words do, where enough of them stand together. */
static bool add_numbers(struct scan *s, const uint8_t *p, size_t len, uint32_t from)
{
	if (s->numbers >= DMA_ROW && !dma_rows(s->g, p, len, s->node, from))
		return false;
	return !s->may_have_pfns || pfns_count(s->g, p, len) < PFN_ROW ||
	       pfn_rows(s->g, p, len, s->node, from);
}

/* place: of the first byte in the node. */
static bool scan_part(struct scan *s, uint64_t addr, uint64_t bytes, uint64_t place)
{
	uint64_t size = dump_page_size(s->g->dump), done = 0;

	while (done < bytes) {
		size_t len = size - ((addr + done) & (size - 1));
		const uint8_t *p;
		uint32_t from;

		if (len > bytes - done)
			len = bytes - done;
		from = place + done < PLACE_MAX ? (uint32_t)(place + done) : PLACE_MAX;
		p = read_part(s, addr + done, len);
		if (p && (!add_words(s, p, len, from) || !add_numbers(s, p, len, from)))
			return false;
		done += len;
	}
	return true;
}

static bool scan_bytes(struct scan *s, uint64_t addr, uint64_t bytes)
{
	return scan_part(s, addr, bytes, 0);
}

static bool scan_copies(struct scan *s, uint64_t addr)
{
	const struct graph *g = s->g;
	uint32_t bytes = graph_copy_bytes(g, s->span);
	bool fits = true;

	for (unsigned int cpu = 0; cpu < g->cpus.n && fits; cpu++) {
		uint64_t at = addr + g->cpus.offset[cpu];

		aim(s, at, at + bytes);
		fits = scan_part(s, at, bytes & ~7u, (uint64_t)cpu * bytes);
	}
	return fits;
}

static bool is_sheaf(struct scan *s, uint64_t addr, uint64_t bytes)
{
	const struct field *f = &s->sheaf_cache;
	const struct span *to;
	uint32_t node, place;
	const uint8_t *p;

	if (!f->present || f->offset > bytes || bytes - f->offset < 8 || s->caches == NO_CACHE)
		return false;
	p = read_window_at(&s->words, addr + f->offset, 8);
	return p && le64(p) >= s->half && graph_find(s->g, le64(p), &to, &node, &place) &&
	       to->kind == NODE_OBJECT && to->group == s->caches && !place;
}

static bool is_bookkeeping(struct scan *s, uint64_t addr, uint64_t bytes)
{
	if (s->span->group == s->nodes)
		return true;
	return hash_u64_has(&s->g->vms, addr) || is_sheaf(s, addr, bytes);
}

/* Where all of it was looked at and is still at hand: who needs others reads them. */
static void tell_text(struct scan *s, uint64_t addr, uint64_t bytes)
{
	const uint32_t stride = s->span->stride & ~7u;
	const uint32_t n = stride < TEXT_BYTES ? stride : TEXT_BYTES;
	struct graph *g = s->g;
	const uint8_t *p;

	if (!s->names_text || !g->names_text || bytes < stride ||
	    !graph_module(g, g->tags[s->node]) || addr < s->words.base || addr + n > s->words.end)
		return;
	p = read_window_at(&s->words, addr, n);
	if (p)
		g->names_text(g->arg, s->node, p, n);
}

static bool scan_object(struct scan *s, uint64_t addr)
{
	const struct slab_cache *c = s->g->caches[s->span->group];
	uint64_t bytes = c->bytes && c->bytes < s->span->stride ? c->bytes : s->span->stride;

	if (graph_is_dead(s->g, s->node) || is_bookkeeping(s, addr, bytes))
		return true;
	if (hash_u64_has(&s->g->vectors, addr)) {
		s->g->tags[s->node] = 0;
		return true;
	}
	s->names_text = false;
	if (!scan_bytes(s, addr, bytes & ~7ULL))
		return false;
	tell_text(s, addr, bytes);
	return true;
}

/* Pages of a list that runs through struct page are linked there. */
static bool scan_page_link(struct scan *s, uint64_t addr)
{
	const struct graph *g = s->g;
	uint64_t pfn = (addr - g->linear) >> g->dump->page_shift, at;
	const uint8_t *p;

	if (!g->page_bytes || g->page_link > g->page_bytes - 16)
		return true;
	at = g->pages + pfn * g->page_bytes + g->page_link;
	p = read_window_at(&s->pages, at, 16);
	return !p || add_words(s, p, 16, PLACE_PAGE | (uint32_t)g->page_link);
}

/* What lies below the stack pointer of a task that sleeps is of calls that returned. */
static bool scan_stack(struct scan *s, uint64_t task)
{
	struct task_stack stack;
	uint64_t from = 0;
	bool fits;

	if (!s->has_stacks || task_stack_read(&s->stacks, task, &stack) != ST_OK ||
	    stack.base != s->span->start || stack.size > s->span->stride)
		return true;
	if (!stack.on_cpu && stack.sp > stack.base && stack.sp - stack.base < stack.size)
		from = (stack.sp - stack.base) & ~7ULL;
	fits = add_words(s, stack.bytes + from, stack.size - from, (uint32_t)from);
	/* Of a task that runs it is unknown where these begin. */
	if (stack.on_cpu)
		s->g->tags[s->node] = OWNER_NOBODY;
	return fits;
}

/* Its words are those of the pages: what it leads to are these. */
static bool scan_mapped(struct scan *s, uint64_t addr)
{
	struct graph *g = s->g;
	const uint64_t size = dump_page_size(g->dump);
	const struct span *to;
	uint32_t dst, place;
	uint64_t phys;

	for (uint64_t at = 0; at < s->span->stride; at += size) {
		enum status st = dump_phys(g->dump, addr + at, &phys);

		g->unreadable += st == ST_UNREADABLE;
		if (st == ST_OK && graph_find(g, g->linear + phys, &to, &dst, &place) &&
		    to->kind == NODE_DIRECT && !add(s, (uint32_t)at, dst, place))
			return false;
	}
	return true;
}

static bool scan_node(struct scan *s, uint32_t span)
{
	struct graph *g = s->g;
	uint64_t addr = span_address(s->span, s->node);

	switch (s->span->kind) {
	case NODE_TEXT:
		return true;
	case NODE_STACK:
		return span - g->first_stack >= g->tasks.n ||
		       scan_stack(s, graph_task(g, span)->address);
	case NODE_OBJECT:
		return scan_object(s, addr);
	case NODE_DIRECT:
		return scan_bytes(s, addr, s->span->stride) && scan_page_link(s, addr);
	case NODE_COPIES:
		return scan_copies(s, addr);
	case NODE_VMAP:
		return scan_mapped(s, addr);
	default:
		return scan_bytes(s, addr, s->span->stride & ~7u);
	}
}

static bool scan_span(struct scan *s, uint32_t span)
{
	struct graph *g = s->g;

	s->span = graph_span(g, span);
	s->may_have_pfns = pfns_may_be_in(g, s->span);
	if (s->span->kind != NODE_TEXT && s->span->kind != NODE_STACK &&
	    s->span->kind < NODE_COPIES)
		aim(s, s->span->start, s->span->start + span_bytes(s->span));
	for (uint32_t i = 0; i < s->span->count; i++) {
		s->node = s->span->first + i;
		g->first[s->node] = g->edges.n;
		/* For what asks for words of a node while it is scanned. */
		g->first[s->node + 1] = g->edges.n;
		if (!scan_node(s, span))
			return false;
		g->first[s->node + 1] = g->edges.n;
	}
	return true;
}

static uint32_t cache_named(const struct graph *g, const char *name)
{
	for (uint32_t i = 0; i < g->ncaches; i++)
		if (g->caches[i]->name && !strcmp(g->caches[i]->name, name))
			return i;
	return NO_CACHE;
}

static void open_scan(struct graph *g, struct scan *s)
{
	struct dump *d = g->dump;

	s->g = g;
	s->half = kernel_half(d);
	s->caches = cache_named(g, "kmem_cache");
	s->nodes = cache_named(g, "kmem_cache_node");
	s->vmap_areas = cache_named(g, "vmap_area");
	if (dump_ask(d, member, "struct slab_sheaf", "cache", &s->sheaf_cache) != ST_OK)
		s->sheaf_cache.present = false;
	if (dump_ask(d, type_size, "struct module", &s->module_bytes) != ST_OK)
		s->module_bytes = 0;
	s->has_stacks = task_stacks_open(d, &s->stacks) == ST_OK;
	read_window_init(&s->words, d);
	read_window_init(&s->pages, d);
	read_window_table(&s->pages, UINT64_MAX & ~(dump_page_size(d) - 1));
}

enum status graph_has_more(struct dump *d, uint32_t most)
{
	return dump_fail(d, ST_NOMEM, "more than %u pointers lead to memory of the kernel", most);
}

enum status graph_edges(struct graph *g)
{
	struct scan *s = dump_alloc(g->dump, sizeof(*s));
	uint32_t polled = 0;

	open_scan(g, s);
	g->first = budget_alloc(&g->budget, g->arena, (g->nodes + 1ULL) * sizeof(*g->first));
	if (!g->first)
		g->cut = "edges";
	for (uint32_t i = 0; i < g->spans.n && !g->cut; i++) {
		if (!scan_span(s, i))
			break;
		if (g->edges.n + s->node - polled < POLL_NODES)
			continue;
		polled = g->edges.n + s->node;
		if (dump_stopped(g->dump))
			return ST_STOPPED;
	}
	if (g->has_more)
		return graph_has_more(g->dump, g->most_edges);
	if (g->cut || !graph_index_edges(g))
		return graph_is_full(g, g->cut ?: "edges");
	graph_tag_threads(g);
	graph_tag_own_caches(g);
	graph_find_private(g);
	first_chunk_own(g);
	graph_own_mapped(g);
	return ST_OK;
}
