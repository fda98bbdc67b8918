/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The graph of pointers: what is memory of its own is a node, a word that leads from one node into
 * another is an edge.
 *
 * Nodes that lie behind each other in equal steps are one span: objects of a slab, single pages.  A node
 * is a number; spans are in the order of these, so the span of a node is found by a search.  Roots are
 * what exists without a pointer to it: variables, stacks of live tasks, memory of boot.
 */
#pragma once

#include "graph/chunks.h"
#include "modules/module.h"
#include "slab/slub.h"
#include "util/bits.h"

enum node_kind {
	NODE_TEXT,   /* of a module: names the module, holds no references */
	NODE_STATIC, /* a variable of vmlinux or of a module */
	NODE_PERCPU, /* a per-CPU variable of one CPU, or such an allocation of boot */
	NODE_BOOT,   /* a page that was taken before the page allocator was there */
	NODE_STACK,  /* of a task; those above and this one are roots */
	NODE_OBJECT, /* of a slab */
	NODE_DIRECT, /* pages of an allocation */
	NODE_AREA,   /* of vmalloc */
	NODE_COPIES, /* of a per-CPU allocation, of all CPUs behind each other */
	NODE_VMAP,   /* addresses that vmap() gave pages of others: no memory of its own */
	NODE_KINDS
};

#define LAST_ROOT NODE_STACK

struct span {
	uint64_t start;		/* virtual address of the first node; of NODE_COPIES: per-CPU */
	uint32_t stride, count; /* bytes from one node to the next, nodes */
	uint32_t first;		/* number of the first node */
	uint16_t group;		/* of NODE_OBJECT: cache; of variables: owner; of others: 0 */
	uint8_t kind;
};

/*
 * Where virtual addresses outside of the direct map lead: count spans from a number on.  Of the copies of a
 * CPU: what is to be taken from an address for the per-CPU one, and its number + 1.
 */
struct range {
	uint64_t start, end;
	uint32_t span, count;
	uint64_t shift;
	uint32_t copy; /* 0: no copies */
};

/*
 * A word of node src at byte from, which leads to byte to of node dst.  PLACE_PAGE: not of its memory
 * but of its struct page; with byte 0 the page is named by the address of that.
 */
struct edge {
	uint32_t src, dst;
	uint32_t from, to;
};

/*
 * The same as it is kept (words.c): those of a node follow each other, which tells src.  What has no place in the bits
 * of from or to stands in g->far.
 */
struct graph_word {
	uint64_t dst : 30, from : 17, to : 17;
};

struct far_word {
	uint32_t edge; /* its number */
	uint32_t from, to;
};

#define WORD_PAGE \
	0x18000u /* up to here a place is its own code, from here on it is of struct page */
#define WORD_FAR 0x1fffeu /* it is in g->far */
#define WORD_MAX 0x1ffffu /* PLACE_MAX */

/*
 * An allocation of the first per-CPU chunk, whose addresses are those of variables as well (7.2 and later) or
 * small numbers: the node of the first CPU. Of the latter (percpu.h): the node with the one word that has
 * the number, the place of this, the module whose it is by that, and the variable that has it or leads to what has it.
 */
struct first_chunk {
	uint32_t node, holder;
	uint32_t place;		    /* UINT32_MAX: several words of the holder have the number */
	bool has_holder, is_shared; /* another node has it as well */
	uint16_t owner;		    /* OWNER_NOBODY, OWNER_SHARED: unknown */
	uint64_t variable;	    /* 0: unknown */
};

/* Words of a cache that are as large as these addresses: those that are one, and others. */
struct first_numbers {
	uint32_t hits, others;
};

/* Page frame numbers that stand in a row (pfns.h): of g->pfns the first that one leads to, and how many. */
struct pfn_row {
	uint32_t src, from; /* the node that has them, and the byte of the first of these in it */
	uint32_t first, n;
	uint32_t breaks;     /* where numbers do not go on in equal steps */
	uint32_t begin, end; /* the first of them, and the last */
};
#define PLACE_PAGE 0x80000000u
#define PAGE_TAGS 7u	      /* low bits of an address of struct page that may be flags */
#define PLACE_MAX 0x7ffffff8u /* what lies further behind has this place */

/* Owners: 0 is vmlinux, i + 1 module i. */
#define OWNER_SHARED 0xfffeu
#define OWNER_NOBODY 0xffffu

/* Addresses of task_struct, and of the struct kthread of a kernel thread, else 0. */
struct graph_task {
	uint64_t address, kthread;
};

/* Where the per-CPU variables of a module are. */
struct percpu_area {
	uint64_t start, bytes;
};

#define TEXT_BYTES \
	2048u /* for names_text, at most: of an object in which functions are looked for */

#define SPAN_NODES 32u
#define EDGE_STEP 256u
#define FAR_STEP 32u

/* Who called vmap(), by the vm_struct: an address of text, 0 is unknown, and the module that it is of, else 0. */
struct mapped_area {
	uint64_t caller;
	uint16_t owner;
};

/* What an address outside of the direct map led to: objects of one kind have the same few. */
struct found_address {
	uint64_t address;
	const struct span *span;
	uint32_t node, place;
	bool is_found;
};
#define FOUND_ADDRESSES 512u

struct graph {
	struct dump *dump;
	struct arena *arena;
	struct budget budget;
	struct spill spill; /* what the budget has not */
	struct chunks spans, ranges;
	struct chunks edges,
		far; /* struct graph_word and struct far_word, in the order of src and from */
	struct chunks far_at; /* uint32_t: by FAR_STEP edges how many of g->far are before them */
	struct chunks dma;    /* edges that rows of DMA addresses are */
	struct chunks pfns,
		pfn_rows;	  /* nodes that rows of page frame numbers lead to, and the rows */
	struct chunks page_words; /* struct page_words, in the order of nodes (page_words.h) */
	bool lacks_page_words;	  /* there are more, for which there was no room */
	struct chunks dead;	  /* bytes: a bit for each node, a free object */
	uint32_t nodes;
	struct found_address found[FOUND_ADDRESSES]; /* by address, since it was sealed */
	uint32_t *span_at; /* by SPAN_NODES nodes: the span of the first; NULL: not sealed */
	uint8_t *roots;	   /* a bit for each node, since then: it is one */
	uint32_t *node_at; /* by EDGE_STEP edges: the node of the first; NULL: not known */
	uint32_t *first;   /* by node: its first edge; of node g->nodes: behind the last */
	uint16_t *tags; /* by node: the one owner whose text or data an object names, or several */
	/* Pages of the direct map. */
	uint64_t linear;      /* virtual address of physical 0 */
	uint64_t end;	      /* pfn */
	uint32_t *page_spans; /* by pfn: span + 1; 0: none; PAGE_IN_RANGES, PAGE_FREE */
	uint64_t pages,
		page_bytes; /* struct page of pfn 0, bytes of one; 0: they are not one table */
	uint64_t page_link; /* offset of page.lru */
	/* Groups of NODE_OBJECT. */
	const struct slab_cache **caches;
	uint32_t ncaches;
	struct modules modules;
	bool no_data_symbols; /* kallsyms has functions alone: variables have no names */
	bool vmlinux_names; /* but those of vmlinux, by the file that the reader of the dump was given */
	struct chunks tasks; /* struct graph_task, of the spans of stacks from first_stack on */
	uint32_t first_stack;
	struct percpu cpus;
	uint64_t percpu_start, percpu_bytes; /* of the variables of one CPU */
	struct percpu_area *module_percpu;   /* the same of each module, NULL: unknown */
	uint64_t copies, copies_bytes;	     /* where the per-CPU addresses of NODE_COPIES are */
	struct hash_u64 vms;	       /* addresses of vm_struct: words of these keep nothing */
	struct hash_u64 vmaps;	       /* of vmap_area: words of these keep no area */
	struct hash_u64 mapped;	       /* of struct mapped_area, by node of NODE_VMAP */
	struct hash_u64 percpu_chunks; /* of pcpu_chunk: words of these keep no per-CPU memory */
	struct hash_u64 vectors;     /* of slabobj_ext of the kernel, which name sites of modules */
	struct hash_u64 first_chunk; /* of struct first_chunk, by per-CPU address */
	struct hash_u64 first_numbers; /* of struct first_numbers, by cache */
	uint64_t boot, boot_bytes;     /* of these the addresses that are small numbers */
	struct hash_u64 privates; /* by node: uint16_t owner whose private data it is (private.c) */
	struct hash_u64 revived;  /* nodes that are free, and counted as in use */
	uint64_t free_pages, seen_pages; /* free ones, and those that words lead to nevertheless */
	uint64_t words, unreadable;	 /* that were looked at; pages that were not */
	uint32_t most_edges;		 /* 0: as many as there is room for */
	bool has_more;			 /* there are more, which ended it */
	const char *cut;		 /* NULL, or what the budget did not suffice for */
	/*
	 * NULL, or what is to be told as objects are read, once all nodes are there: the first bytes of one with a tag
	 * of a module that names text of modules.
	 */
	void (*names_text)(void *arg, uint32_t node, const uint8_t *bytes, uint32_t n);
	void *arg;
};
/* Found by its virtual address; free; free, and a word leads there. */
#define PAGE_IN_RANGES UINT32_MAX
#define PAGE_FREE (UINT32_MAX - 1)
#define PAGE_FREE_SEEN (UINT32_MAX - 2)
#define PAGE_LAST (UINT32_MAX - 3)

/* room: bytes that all of it may take in memory; file: and in a temporary file. *ret stays where it is. */
void graph_init(struct dump *d, struct arena *arena, uint64_t room, uint64_t file,
		struct graph *ret);

/* ST_NOMEM: there is no more room, for what: g->cut. */
enum status graph_is_full(struct graph *g, const char *what);

/* A span of nodes that follow those before; NULL: cut. */
struct span *graph_add(struct graph *g, enum node_kind kind, uint64_t start, uint32_t stride,
		       uint32_t count, uint16_t group);

/* The last of the spans; NULL: there is none. */
struct span *graph_last(const struct graph *g);

/* Addresses from start up to end lead to the count spans from span on. */
void graph_map(struct graph *g, uint64_t start, uint64_t end, uint32_t span, uint32_t count);

/* The same of copies: number copy, whose addresses are those of the spans and shift. */
void graph_map_copy(struct graph *g, uint64_t start, uint64_t end, uint32_t span, uint32_t count,
		    uint64_t shift, unsigned int copy);

/* After the last span: ranges in order, and room for what is known of each node. False: cut. */
bool graph_seal(struct graph *g);

static inline struct span *graph_span(const struct graph *g, uint32_t i)
{
	return chunks_at(&g->spans, i);
}

/* The span of a node, which is below g->nodes; it is sought if it is not that of the first of SPAN_NODES. */
const struct span *graph_seek_span(const struct graph *g, uint32_t node);

static inline const struct span *graph_span_of(const struct graph *g, uint32_t node)
{
	const struct span *s = g->span_at ? graph_span(g, g->span_at[node / SPAN_NODES]) : NULL;

	return s && node - s->first < s->count ? s : graph_seek_span(g, node);
}

/* Of a span of a stack, where its number is below g->first_stack + g->tasks.n. */
static inline const struct graph_task *graph_task(const struct graph *g, uint32_t span)
{
	return chunks_at(&g->tasks, span - g->first_stack);
}

static inline bool graph_is_root(const struct span *s)
{
	return s->kind <= LAST_ROOT;
}

/* The same of a node. */
static inline bool graph_node_is_root(const struct graph *g, uint32_t node)
{
	return g->roots ? bit_has(g->roots, node) : graph_is_root(graph_span_of(g, node));
}

/* Of a node the bytes of memory: what is mapped elsewhere is that of the pages. */
static inline uint64_t span_memory(const struct span *s)
{
	return s->kind == NODE_VMAP ? 0 : s->stride;
}

static inline uint64_t span_bytes(const struct span *s)
{
	return (uint64_t)s->stride * s->count;
}

/* Address of a node of a span. */
static inline uint64_t span_address(const struct span *s, uint32_t node)
{
	return s->start + (uint64_t)(node - s->first) * s->stride;
}

static inline bool graph_is_dead(const struct graph *g, uint32_t node)
{
	return *(const uint8_t *)chunks_at(&g->dead, node / 8) >> node % 8 & 1;
}

static inline void graph_kill(struct graph *g, uint32_t node)
{
	*(uint8_t *)chunks_at(&g->dead, node / 8) |= 1 << node % 8;
}

static inline void graph_revive(struct graph *g, uint32_t node)
{
	*(uint8_t *)chunks_at(&g->dead, node / 8) &= ~(1 << node % 8);
}

/* The node that has an address, and the byte of it; false: none has. */
bool graph_find(struct graph *g, uint64_t addr, const struct span **span, uint32_t *node,
		uint32_t *place);

/* The node whose page has its struct page there, with flags in the three low bits; place: PLACE_PAGE, or of page.lru. */
bool graph_find_page(const struct graph *g, uint64_t addr, const struct span **span, uint32_t *node,
		     uint32_t *place);

/* One more edge, behind those of the same node and of those before; false: cut. */
bool graph_add_edge(struct graph *g, uint32_t dst, uint32_t from, uint32_t to);

/* After the last edge: where their nodes are, for graph_edge(). False: cut. */
bool graph_index_edges(struct graph *g);

/* The place that a code other than WORD_FAR is of. */
static inline uint32_t graph_place(uint32_t code)
{
	if (code < WORD_PAGE)
		return code;
	return code == WORD_MAX ? PLACE_MAX : code - WORD_PAGE + PLACE_PAGE;
}

/* An edge of which a place stands in g->far. */
struct edge graph_far_edge(const struct graph *g, uint32_t src, uint32_t i);

/* The place of its word: its from. */
uint32_t graph_word_place(const struct graph *g, uint32_t i);

/* Edge i, which is of this node. */
static inline struct edge graph_edge_of(const struct graph *g, uint32_t src, uint32_t i)
{
	const struct graph_word *w = chunks_at(&g->edges, i);

	if (w->from == WORD_FAR || w->to == WORD_FAR)
		return graph_far_edge(g, src, i);
	return (struct edge){ src, w->dst, graph_place(w->from), graph_place(w->to) };
}

/* The same, where the node is one of those from *node on, which is told. */
static inline struct edge graph_edge_from(const struct graph *g, uint32_t *node, uint32_t i)
{
	while (g->first[*node + 1] <= i)
		++*node;
	return graph_edge_of(g, *node, i);
}

/* The same, where the node is to be looked for. */
struct edge graph_edge(const struct graph *g, uint32_t i);

/* Where it leads, without the rest. */
static inline uint32_t graph_edge_dst(const struct graph *g, uint32_t i)
{
	return ((const struct graph_word *)chunks_at(&g->edges, i))->dst;
}

/* The edge of the word at a byte of a node, and its number; false: that word leads nowhere. */
bool graph_word_at(const struct graph *g, uint32_t node, uint32_t from, struct edge *ret,
		   uint32_t *number);

/* The address of a per-CPU variable that its symbol has, of the copy of a CPU; 0: it is none. */
uint64_t graph_percpu_base(const struct graph *g, const struct span *copy);

/* Whether a word may lead to a node: half is where addresses of the kernel begin. */
static inline bool graph_may_lead(const struct graph *g, uint64_t half, uint64_t word)
{
	return word >= half || word - g->copies < g->copies_bytes;
}

/* Bytes of the copy of one CPU. */
static inline uint32_t graph_copy_bytes(const struct graph *g, const struct span *s)
{
	return s->stride / g->cpus.n;
}

/* The module that an owner is; NULL: it is none. */
struct module *graph_module(const struct graph *g, uint16_t owner);

/* Name of an owner, "vmlinux" or a module. */
const char *graph_owner_name(const struct graph *g, uint16_t owner);
