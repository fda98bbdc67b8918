// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects of a module that no typed pointer leads to: of one cache and several structures, by the part that each has. */
#include <stdlib.h>

#include "holders/steps.h"
#include "holders/types.h"
#include "holders/way_root.h"
#include "stub.h"
#include "symbols/symbolize.h"
#include "test.h"

#include "graph_edge.h"

#define OBJECTS 0xffff888000100000ULL
#define PAGES 0xffff888000200000ULL
#define HEADS 0xffffffffa0000000ULL
#define TEXT 0xffffffffa0010000ULL
#define COPIES 0xffff888000300000ULL
#define NUMBER 0x39040
#define ROOM (16 << 20)
#define EACH 10u

enum {
	KERNEL,
	HEAD,
	FUNCTIONS,
	COPY,
	OBJECT = COPY + 2,
	PAGE = OBJECT + 2 * EACH,
	COPIED = PAGE + 2 * EACH, /* per-CPU memory that is no root */
	NODES
};
enum { READS = NODES, WRITES }; /* lists */
enum { READ = 1, WRITE, LINK, SLOT, LINE, BIG, TYPES, HOOKS = TYPES };

static uint64_t shown; /* of these */
static bool hooks_alone;

static const struct type_word read_words[] = {
	{ 0, 0, WORD_LINK }, { 0, 8, WORD_LINK }, { 0, 24, WORD_ANY }, { WRITE, 32, WORD_TYPED }
};
static const struct type_word read_inner[] = { { LINK, 0, WORD_LINK } };
static const struct type_word write_words[] = {
	{ 0, 0, WORD_ANY }, { 0, 8, WORD_LONG }, { 16, 16, WORD_LINK }, { 16, 24, WORD_LINK }
};
static const struct type_word write_inner[] = { { LINK, 16, WORD_LINK } };
static const struct type_word link_words[] = { { 0, 0, WORD_LINK }, { 0, 8, WORD_LINK } };
static const struct type_word slot_words[] = { { 0, 0, WORD_LONG } };

static const struct type_word big_words[] = { { 0, 0, WORD_LINK }, { 0, 8, WORD_LINK },
					      { 0, 16, WORD_ANY }, { 0, 24, WORD_ANY },
					      { 0, 32, WORD_ANY }, { 0, 40, WORD_ANY },
					      { 0, 48, WORD_ANY }, { 0, 56, WORD_ANY } };

static const struct type_word hook_words[] = {
	{ 0, 0, WORD_CODE }, { 0, 8, WORD_CODE }, { 0, 16, WORD_CODE }, { 0, 24, WORD_CODE }
};

static const struct typed types[HOOKS + 1] = {
	[HOOKS] = { .number = HOOKS,
		    .name = "struct hooks",
		    .module = "leaky",
		    .bytes = 64,
		    .words = hook_words,
		    .nwords = 4 },
	[BIG] = { .number = BIG,
		  .name = "struct big",
		  .module = "leaky",
		  .bytes = 64,
		  .words = big_words,
		  .nwords = 8,
		  .inner = read_inner,
		  .ninner = 1 },
	[LINE] = { .number = LINE,
		   .name = "struct line",
		   .module = "leaky",
		   .bytes = 20,
		   .is_open = true,
		   .words = link_words,
		   .nwords = 2,
		   .inner = read_inner,
		   .ninner = 1 },
	[READ] = { .number = READ,
		   .name = "struct read",
		   .module = "leaky",
		   .bytes = 56,
		   .words = read_words,
		   .nwords = 4,
		   .inner = read_inner,
		   .ninner = 1 },
	[WRITE] = { .number = WRITE,
		    .name = "struct write",
		    .module = "leaky",
		    .bytes = 64,
		    .words = write_words,
		    .nwords = 4,
		    .inner = write_inner,
		    .ninner = 1 },
	[LINK] = { .number = LINK,
		   .name = "struct list_head",
		   .bytes = 16,
		   .words = link_words,
		   .nwords = 2 },
	[SLOT] = { .number = SLOT,
		   .name = "struct slot",
		   .module = "leaky",
		   .bytes = 16,
		   .words = slot_words,
		   .nwords = 1 },
};

static enum status typed(void *priv NOT_USED, const struct type_query *q, struct typed *ret)
{
	uint64_t number = q->by == TYPE_BY_NUMBER ? q->number : q->number + 1;

	if (hooks_alone)
		number = q->by == TYPE_BY_ORDER ? HOOKS : number;
	if ((q->by != TYPE_BY_NUMBER && q->by != TYPE_BY_ORDER) || !number || number >= shown)
		return ST_ABSENT;
	*ret = types[number];
	ret->next = number + 1 < shown ? number : 0;
	ret->member = !q->has_at ? NULL : q->at == 32 ? ".copies" : q->at ? ".other" : ".page";
	return ST_OK;
}

static uint64_t memory[2 * EACH][8];
static const struct stub_memory parts[] = { { OBJECTS, memory, sizeof(memory) }, { 0 } };
static struct slab_cache cache = { .name = "kmalloc-64", .bytes = 64 };
static const struct slab_cache *caches[] = { &cache };
static struct module module = { .name = "leaky" };
static struct stub stub;
static struct symbolizer symbols;
static struct holders h;
static uint8_t marks[16 * EACH];

/* Edges of the graph, in any order. */
static struct word {
	struct edge edge;
	uint8_t mark;
} words[16 * EACH];
static uint32_t nwords;

static void edge(uint32_t src, uint32_t from, uint32_t dst, uint32_t to, uint8_t mark)
{
	words[nwords++] = (struct word){ { src, dst, from, to }, mark };
	memory[src - OBJECT][from / 8] = dst < OBJECT ? HEADS
					 : dst < PAGE ? OBJECTS + 64ULL * (dst - OBJECT) + to
						      : PAGES + 4096ULL * (dst - PAGE);
}

/* Of memory that the dump has not. */
static void edge_of_copy(uint32_t src, uint32_t from)
{
	words[nwords++] = (struct word){ { .src = src, .from = from, .dst = PAGE }, 0 };
}

static void open_graph(void)
{
	struct graph *g = &h.graph;

	memset(memory, 0, sizeof(memory));
	nwords = 0;
	shown = SLOT + 1;
	h = (struct holders){ .symbols = &symbols };
	STUB_OPEN(stub, .memory = parts, .ops.typed = typed);
	symbolizer_open(&stub.dump, &symbols);
	graph_init(&stub.dump, stub.dump.arena, ROOM, 0, g);
	g->modules.first = &module;
	g->modules.dump = &stub.dump;
	g->caches = caches;
	g->ncaches = 1;
	graph_add(g, NODE_STATIC, 0xffffffff81000000, 256, 1, 0);
	graph_add(g, NODE_STATIC, HEADS, 64, 1, 1);
	graph_add(g, NODE_TEXT, TEXT, 256, 1, 1);
	graph_map(g, TEXT, TEXT + 256, 2, 1);
	graph_add(g, NODE_PERCPU, COPIES, 64, 1, 1);
	graph_add(g, NODE_PERCPU, COPIES + 4096, 64, 1, 1);
	graph_add(g, NODE_OBJECT, OBJECTS, 64, 2 * EACH, 0);
	graph_add(g, NODE_DIRECT, PAGES, 4096, 2 * EACH, 0);
	graph_add(g, NODE_COPIES, 0x100000, 2 * 64, 1, 0);
	CHECK(graph_seal(g));
	h.arcs = (struct arcs){ .g = g, .nodes = NODES + 2, .marks = marks };
	chunks_init(&h.arcs.arcs, g->arena, &g->budget, sizeof(struct arc));
	chunks_init(&h.arcs.lists, g->arena, &g->budget, sizeof(struct list));
	g->first = dump_alloc(&stub.dump, (NODES + 1) * sizeof(*g->first));
}

static int by_place(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	return COMPARE(x->edge.src, y->edge.src) ?: COMPARE(x->edge.from, y->edge.from);
}

static bool find(struct node_types *x)
{
	struct graph *g = &h.graph;

	qsort(words, nwords, sizeof(*words), by_place);
	for (uint32_t i = 0; i < nwords; i++) {
		put_edge(g, words[i].edge);
		marks[i] = words[i].mark;
	}
	CHECK(flow_open(&h.arcs, &h.flow) == ST_OK);
	CHECK(retained_find(&h.flow, &h.retained) == ST_OK);
	CHECK(walk_find(&h.flow, true, &h.ends) == ST_OK);
	return node_types_find(&h, NULL, NULL, x) == ST_OK;
}

/* Links of lists are no arcs. */
static void mark_links(void)
{
	for (uint32_t i = 0; i < nwords; i++)
		words[i].mark = words[i].edge.dst >= OBJECT && words[i].edge.dst < PAGE
					? EDGE_NEXT | EDGE_CUT
					: 0;
}

static void arc(uint32_t src, uint32_t dst)
{
	CHECK(arcs_add(&h.arcs, src, dst, ARC_START));
}

static bool is(const struct node_types *x, uint32_t node, const char *name)
{
	uint16_t confidence;
	const char *found = node_type_name(x, node, &confidence);

	if (found && confidence > 10 * SHAPE_PERCENT)
		return false;
	return found && name ? !strcmp(found, name) : found == name;
}

/* Two lists of one variable with objects of one cache; of n in front the link is left out. */
static void add_lists(bool one_ended)
{
	const uint8_t link = EDGE_NEXT | EDGE_CUT;

	*(struct list *)chunks_add(&h.arcs.lists) =
		(struct list){ .entries = EACH, .heads = 1, .head = HEAD };
	*(struct list *)chunks_add(&h.arcs.lists) = (struct list){
		.entries = EACH, .heads = 1, .head = HEAD, .place = 16, .entry = 16
	};
	arc(HEAD, READS);
	arc(HEAD, WRITES);
	for (uint32_t i = 0; i < EACH; i++) {
		uint32_t node = OBJECT + i, next = OBJECT + (i + 1) % EACH;

		arc(READS, node);
		arc(node, PAGE + i);
		edge(node, 0, next, 0, link);
		if (!one_ended)
			edge(node, 8, OBJECT + (i + EACH - 1) % EACH, 0, link);
		edge(node, 24, PAGE + i, 0, 0);
	}
	for (uint32_t i = 0; i < EACH; i++) {
		uint32_t node = OBJECT + EACH + i;

		arc(WRITES, node);
		arc(node, PAGE + EACH + i);
		edge(node, 0, PAGE + EACH + i, 0, 0);
		memory[EACH + i][1] = 7;
		edge(node, 16, OBJECT + EACH + (i + 1) % EACH, 16, link);
		edge(node, 24, OBJECT + EACH + (i + EACH - 1) % EACH, 16, link);
	}
}

static void test_parts(void)
{
	struct node_types x;

	open_graph();
	add_lists(false);
	CHECK(find(&x));
	for (uint32_t i = 0; i < EACH; i++)
		CHECK(is(&x, OBJECT + i, "struct read [leaky]") &&
		      is(&x, OBJECT + EACH + i, "struct write [leaky]"));
}

/* Of a cache whose structure is known by its name, and has not its type in this dump, no other one is. */
static void test_listed(void)
{
	for (unsigned int i = 0; i < 3; i++) {
		struct node_types x;

		cache.name = cache.kind = i ? "nf_conntrack" : "leaky_entry";
		cache.has_aliases = true;
		cache.aliases = i == 2 ? 1 : 0; /* others are merged into it */
		open_graph();
		add_lists(false);
		CHECK(find(&x));
		CHECK(is(&x, OBJECT + EACH, i == 1 ? NULL : "struct write [leaky]"));
		stub_close(&stub);
	}
	cache.name = "kmalloc-64";
	cache.kind = NULL;
	cache.has_aliases = false;
	cache.aliases = 0;
}

/* What has twice the pointers, of which no more are set, is not what they are; nor is what may be of any size. */
static void test_rivals(void)
{
	for (shown = LINE + 1; shown <= TYPES; shown++) {
		const uint64_t n = shown;
		struct node_types x;

		open_graph();
		shown = n;
		add_lists(false);
		CHECK(find(&x));
		CHECK(is(&x, OBJECT + 1, "struct read [leaky]") &&
		      is(&x, OBJECT + EACH, "struct write [leaky]"));
	}
}

/* Lines of text behind the links of a list: what is in the text is no matter. */
static void test_open(void)
{
	struct node_types x;

	open_graph();
	shown = LINE + 1;
	add_lists(false);
	for (uint32_t i = 0; i < EACH; i++)
		edge(OBJECT + i, 40, PAGE + i, 0, 0);
	mark_links();
	CHECK(find(&x));
	CHECK(is(&x, OBJECT + 1, "struct line [leaky]"));
}

/* A pointer to the copies of all CPUs, which are as large as its structure, and to larger ones. */
static void test_copies(void)
{
	uint64_t none[2] = { 0, 0 };

	for (unsigned int n = 2; n >= 1; n--) {
		struct node_types x;

		open_graph();
		h.graph.cpus.n = n;
		h.graph.cpus.offset = none;
		add_lists(false);
		edge(OBJECT + EACH - 1, 32, COPIED, 0, 0);
		arc(OBJECT + EACH - 1, COPIED);
		mark_links();
		edge_of_copy(COPIED, 64);
		CHECK(find(&x));
		CHECK(is(&x, COPIED, n == 2 ? "struct write [leaky]" : NULL));
	}
}

/* A list has two ends: what has the one word alone is of another structure. */
static void test_ends(void)
{
	struct node_types x;

	open_graph();
	add_lists(true);
	CHECK(find(&x));
	CHECK(is(&x, OBJECT, NULL) && is(&x, OBJECT + EACH, "struct write [leaky]"));
}

/* Per-CPU memory of boot is what the pointer is of that has its number: in which word it is, and who has it as well. */
static const struct {
	uint32_t place;
	bool is_shared, other_size;
	const char *type;
} numbers[] = { { 32, false, false, "struct write [leaky]" },
		{ 40, false, false, NULL },
		{ UINT32_MAX, false, false, NULL },
		{ 32, true, false, NULL },
		{ 32, false, true, NULL } };

static const char *step_type(const struct holders *of NOT_USED, uint32_t node)
{
	return node == OBJECT ? "struct read (kmalloc-64)" : NULL;
}

static void check_texts(const struct first_chunk *f)
{
	static const struct ram ram = { .pages = 1000 };
	struct holder row = { .kind = HOLDER_PERCPU, .owner = 1, .root = COPY, .part = PAGE };

	CHECK(node_types_number_word(h.types, f)->offset == 32);
	CHECK(!strcmp(holder_number_member(&h, f), ".copies"));
	CHECK(!strcmp(holder_copy_type(&h, 1, f), "struct write (per-CPU, type 90%)"));
	CHECK(!strcmp(holder_copy_type(&h, 0, f), "struct write [leaky] (per-CPU, type 90%)"));
	h.sources.ram = &ram;
	h.step_type = step_type;
	hash_u64_init(&h.steps, h.graph.arena, 8);
	CHECK(!strcmp(
		holder_way(&h, &row),
		"data [leaky] -> struct read.copies (kmalloc-64) -> struct write.page (per-CPU, type 90%) -> "
		"direct pages"));
}

/* What a first screen has room for. */
static void test_brief_way(void)
{
	struct strbuf list = STRBUF_OF(256);
	size_t len;

	STUB_OPEN(stub);
	CHECK(!way_list_text("a [m] -> b -> c", &list));
	CHECK(way_list_text("dev [m] -> kmalloc-4k naming ops [m] of device agg0 -> list of "
			    "skbuff_head_cache -> kmalloc-2k",
			    &list));
	CHECK_TEXT(list.buf, "a list of network packets (struct sk_buff) of device agg0");
	list.len = 0;
	CHECK(way_list_text(
		"wq [m] -> list of x -> list of kmalloc-4k with pending work f [m]; and", &list));
	CHECK_TEXT(list.buf, "a list of kmalloc-4k with pending work f [m]");
	CHECK(!way_list_text("a [m] -> list of kmalloc-2k naming done [m] -> c", &list));
	list.len = 0;
	CHECK(way_list_text("audit_hold_queue -> list of skbuff_head_cache -> c", &list));
	CHECK_TEXT(list.buf, "audit records that no audit daemon has taken");
	list.len = 0;
	CHECK(way_list_text("struct Qdisc (c) naming f [m] -> struct sk_buff (d) -> e", &list));
	CHECK_TEXT(list.buf, "network packets (struct sk_buff)");
	list.len = 0;
	CHECK(way_list_text(
		"struct Qdisc (c) naming f [m] of device wan0 -> struct sk_buff (d) -> e", &list));
	CHECK_TEXT(list.buf,
		   "network packets (struct sk_buff) to be sent, in the queue of device wan0");
	list.len = 0;
	CHECK(way_list_text("kmalloc-8k naming f [m] of configfs item a, configfs item b -> c",
			    &list));
	CHECK_TEXT(list.buf, "configfs item a, configfs item b");
	list.len = 0;
	CHECK(way_list_text("init_net -> list of xfrm_state -> kmalloc-1k", &list));
	CHECK_TEXT(list.buf, "a list of states of IPsec (struct xfrm_state)");
	CHECK(way_root("kmalloc-8k naming f [m] of configfs item a -> c", "m", &len) && len == 23);
	CHECK(!holder_way_brief(stub.dump.arena, "a [m] -> b -> c -> d -> e -> f; and by x -> y"));
	CHECK_TEXT(
		holder_way_brief(stub.dump.arena, "a [m] -> b -> c -> d -> e -> f -> g; and by x"),
		"a [m] -> b -> 2 more -> e -> f -> g");
	/* What the objects are stands at its end. */
	CHECK_TEXT(
		holder_way_brief(stub.dump.arena,
				 "task 290(a) -> files_cache -> kmalloc-cg-64 -> direct pages -> "
				 "filp -> seq_file -> kmalloc-cg-4k"),
		"task 290(a) -> files_cache -> 2 more -> filp -> seq_file -> kmalloc-cg-4k");
	CHECK_TEXT(holder_way_brief(stub.dump.arena,
				    "a -> b -> c -> struct s (x) -> d -> e -> f -> g"),
		   "a -> b -> 1 more -> struct s (x) -> 1 more -> e -> f -> g");
	CHECK_TEXT(holder_way_brief(stub.dump.arena,
				    "a -> b -> list of struct l -> c -> d -> struct s -> e -> f"),
		   "a -> b -> list of struct l -> 2 more -> struct s -> e -> f");
}

static void test_numbers(void)
{
	static uint64_t offsets[] = { COPIES - NUMBER, COPIES + 4096 - NUMBER };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct node_types x;

		open_graph();
		h.graph.cpus.n = 2;
		h.graph.cpus.offset = offsets;
		h.graph.boot = NUMBER;
		h.graph.boot_bytes = 1;
		edge_of_copy(COPY, 0);
		arc(COPY, PAGE);
		add_lists(false);
		memory[0][4] = NUMBER;
		if (numbers[i].other_size)
			((struct span *)graph_span_of(&h.graph, COPY + 1))->stride = 72;
		*(struct first_chunk *)hash_u64_get(&h.graph.first_chunk, NUMBER, NULL) =
			(struct first_chunk){ .node = COPY,
					      .holder = OBJECT,
					      .place = numbers[i].place,
					      .has_holder = true,
					      .is_shared = numbers[i].is_shared,
					      .owner = 1,
					      .variable = HEADS };
		CHECK(find(&x));
		CHECK(is(&x, COPY, numbers[i].type) && is(&x, COPY + 1, numbers[i].type));
		if (numbers[i].type) {
			h.types = &x;
			check_texts(hash_u64_find(&h.graph.first_chunk, NUMBER));
		}
	}
}

/* Objects without a word that leads to memory, which name a function of the module where the structure has a pointer. */
static void test_lost(void)
{
	struct node_types x;

	for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
		open_graph();
		for (uint32_t i = 0; i < EACH; i++) {
			memory[i][elsewhere ? 4 : 3] = TEXT + 16;
			h.graph.tags[OBJECT + i] = 1;
		}
		CHECK(find(&x));
		CHECK(is(&x, OBJECT + 3, elsewhere ? NULL : "struct read [leaky]"));
		CHECK(is(&x, OBJECT + EACH, NULL));
	}
}

/* A structure of functions alone: objects that have data there are none, and those that have functions are. */
static void test_hooks(void)
{
	for (int has_functions = 0; has_functions < 2; has_functions++) {
		struct node_types x;

		open_graph();
		shown = HOOKS + 1;
		hooks_alone = true;
		if (!has_functions)
			add_lists(false);
		for (uint32_t i = 0; has_functions && i < EACH; i++) {
			memory[i][1] = TEXT + 16;
			memory[i][3] = TEXT + 32;
			h.graph.tags[OBJECT + i] = 1;
		}
		CHECK(find(&x));
		CHECK(is(&x, OBJECT + 3, has_functions ? "struct hooks [leaky]" : NULL));
		CHECK(is(&x, OBJECT + EACH + 3, NULL));
		hooks_alone = false;
	}
}

/* Records without a pointer, of which one has a type: they are the same if nothing else of the module has that size. */
static void test_sizes(void)
{
	for (int rivals = 0; rivals < 2; rivals++) {
		struct node_types x;

		open_graph();
		hooks_alone = !rivals;
		shown = HOOKS + 1;
		for (uint32_t i = 0; i < EACH; i++)
			arc(HEAD, OBJECT + i);
		CHECK(find(&x));
		CHECK(is(&x, OBJECT + 3, NULL));
		x.nodes[OBJECT] = (struct node_type){
			.type = node_types_get(
				&x, &(struct type_query){ .by = TYPE_BY_NUMBER, .number = HOOKS }),
			.votes = 1,
			.fit = SHAPE_PERCENT,
			.state = NODE_TYPED
		};
		node_types_by_size(&x);
		CHECK(is(&x, OBJECT + 3, rivals ? NULL : "struct hooks [leaky]"));
		CHECK(rivals || x.nodes[OBJECT + 3].fit == FEW_PERCENT);
		CHECK(is(&x, OBJECT + EACH + 3, NULL));
		hooks_alone = false;
	}
}

/* Words of three elements, all at the same byte of these. */
static void test_array(void)
{
	static const uint32_t places[3][3] = { { 0, 16, 48 }, { 0, 16, 24 }, { 0, 16, 16 } };
	const struct type_query q = { .by = TYPE_BY_NUMBER, .number = SLOT };

	for (int i = 0; i < 3; i++) {
		struct node_types x;
		uint16_t array;

		open_graph();
		for (int k = 0; k < (i == 2 ? 2 : 3); k++)
			edge(OBJECT, places[i][k], PAGE + k, 0, 0);
		CHECK(find(&x));
		CHECK(node_types_may_be_array(&x, OBJECT, node_types_get(&x, &q)));
		array = node_types_array(&x, node_types_get(&x, &q));
		CHECK(!strcmp(x.types[array - 1].name, "struct slot[] [leaky]"));
		CHECK((node_types_array_fit(&x, OBJECT, array) >= TYPE_FIT_PERCENT) == !i);
		CHECK(!node_types_may_be_array(&x, OBJECT, array));
	}
}

TESTS({ "a way on the first screen", test_brief_way }, { "by the part", test_parts },
      { "of a cache with a known name", test_listed }, { "rivals", test_rivals },
      { "an open end", test_open }, { "copies of all CPUs", test_copies },
      { "both ends of a list", test_ends }, { "what is lost names functions", test_lost },
      { "a table of functions", test_hooks }, { "records by their size", test_sizes },
      { "arrays of structures", test_array }, { "per-CPU memory by its number", test_numbers })
