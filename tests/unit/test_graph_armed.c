// SPDX-License-Identifier: GPL-2.0-or-later
/* Which objects a timer or work has until it calls a function of a module. */
#include <string.h>

#include "graph/edges.h"
#include "holders/armed.h"
#include "holders/holders.h"
#include "stub.h"
#include "test.h"

#define OBJECTS 0xffff888000100000ULL
#define TEXT 0xffffffffa0000000ULL
#define CPU 0xffff888000200000ULL
#define DELAYED_FN 0xffffffff81000100ULL
#define ROOM (16 << 20)

enum { TEXT_NODE, OTHER_TEXT, CPU_NODE, OBJECT, NODES = OBJECT + 16 };

static uint64_t memory[512];
static const struct stub_memory parts[] = { { OBJECTS, memory, sizeof(memory) }, { 0 } };
static const struct stub_symbol symbols[] = {
	{ .name = "delayed_work_timer_fn", .addr = DELAYED_FN }, { 0 }
};
static const struct stub_member members[] = {
	{ "struct timer_list", "entry", FIELD(0, 16) },
	{ "struct timer_list", "expires", FIELD(16, 8) },
	{ "struct timer_list", "function", FIELD(24, 8) },
	{ "struct hrtimer", "function", FIELD(40, 8) },
	{ "struct hrtimer", "base", FIELD(48, 8) },
	{ "struct hrtimer", "state", FIELD(56, 1) },
	{ "struct work_struct", "data", FIELD(0, 8) },
	{ "struct work_struct", "entry", FIELD(8, 16) },
	{ "struct work_struct", "func", FIELD(24, 8) },
	{ "struct delayed_work", "work", FIELD(0, 32) },
	{ "struct delayed_work", "timer", FIELD(32, 40) },
	{ 0 },
};
static const struct stub_number enumerators[] = { { "WORK_STRUCT_PENDING", 1 }, { 0 } };
static const struct slab_cache cache = { .name = "kmalloc-128", .kind = "kmalloc-128" };
static const struct slab_cache *all_caches[] = { &cache };

static struct stub stub;
static struct holders h;

static uint64_t address(uint32_t i)
{
	return OBJECTS + i * 128ULL;
}

static uint64_t *object(uint32_t i)
{
	return memory + 16UL * i;
}

static void open_holders(void)
{
	static struct module second, first = { .next = &second };
	struct graph *g = &h.graph;

	memset(memory, 0, sizeof(memory));
	memset(&h, 0, sizeof(h));
	STUB_OPEN(stub, .memory = parts, .symbols = symbols, .members = members,
		  .enumerators = enumerators);
	graph_init(&stub.dump, stub.dump.arena, ROOM, 0, g);
	g->caches = all_caches;
	g->ncaches = 1;
	g->modules.first = &first;
	graph_add(g, NODE_TEXT, TEXT, 4096, 1, 1);
	graph_map(g, TEXT, TEXT + 4096, 0, 1);
	graph_add(g, NODE_TEXT, TEXT + 4096, 4096, 1, 2);
	graph_map(g, TEXT + 4096, TEXT + 8192, 1, 1);
	graph_add(g, NODE_PERCPU, CPU, 4096, 1, 0);
	graph_map(g, CPU, CPU + 4096, 2, 1);
	graph_add(g, NODE_OBJECT, OBJECTS, 128, NODES - OBJECT, 0);
	graph_map(g, OBJECTS, OBJECTS + 4096, 3, 1);
	CHECK(graph_seal(g));
	for (uint32_t i = OBJECT; i < NODES; i++)
		g->tags[i] = 1;
	armed_open(&h);
}

/* A timer at a word of an object; object 15 is in front of it in its list. */
static void add_timer(uint32_t i, uint32_t at, uint64_t function)
{
	object(i)[at + 1] = address(15) + 8;
	object(15)[1] = address(i) + 8ULL * at;
	object(i)[at + 2] = 4294900000;
	object(i)[at + 3] = function;
}

static bool is(uint32_t i, enum armed_kind kind, uint64_t function)
{
	const struct armed *a = armed_of(&h, OBJECT + i);

	return a->kind == kind && a->function == function && !a->number == !kind;
}

static void test_timers(void)
{
	open_holders();
	add_timer(0, 3, TEXT + 0x40);
	CHECK(is(0, ARMED_TIMER, TEXT + 0x40));
	/* The list has none, as what was taken out of it; an address where the time is; a function of another module. */
	for (uint32_t i = 1; i <= 3; i++) {
		add_timer(i, 3, i == 3 ? TEXT + 4096 : TEXT + 0x40);
		object(15)[1] += i == 1 ? 8 : 0;
		object(i)[5] = i == 2 ? address(9) : 7;
		CHECK(is(i, ARMED_NONE, 0));
	}
	/* A list that is empty leads to itself, as the one in front of a function of a network device. */
	add_timer(7, 3, TEXT + 0x40);
	object(7)[3] = object(7)[4] = address(7) + 24;
	object(7)[5] = 1;
	CHECK(is(7, ARMED_NONE, 0));
	/* At the end of an object there is no room for one. */
	add_timer(4, 13, 0);
	CHECK(is(4, ARMED_NONE, 0));
	/* Delayed work is what the timer has. */
	add_timer(5, 4 + 2, DELAYED_FN);
	object(5)[2] = 1;
	object(5)[2 + 3] = TEXT + 0x80;
	CHECK(is(5, ARMED_DELAYED, TEXT + 0x80));
	/* One number for each function. */
	add_timer(6, 0, TEXT + 0x40);
	CHECK(is(6, ARMED_TIMER, TEXT + 0x40) &&
	      armed_of(&h, OBJECT + 6)->number == armed_of(&h, OBJECT)->number);
	CHECK(armed_of(&h, OBJECT + 5)->number != armed_of(&h, OBJECT)->number);
}

static void test_hrtimers(void)
{
	open_holders();
	for (uint32_t i = 0; i < 3; i++) {
		object(i)[1 + 5] = TEXT + 0x40;
		object(i)[1 + 6] = i == 1 ? address(9) : CPU + 64;
		object(i)[1 + 7] = i != 2;
		CHECK(is(i, i ? ARMED_NONE : ARMED_HRTIMER, i ? 0 : TEXT + 0x40));
	}
}

static void test_work(void)
{
	open_holders();
	for (uint32_t i = 0; i < 4; i++) {
		object(i)[1] = i == 1 ? 2 : 1;
		/* An entry of nothing leads to itself; of what is no memory that is known it is none. */
		object(i)[2] = i == 2 ? address(i) + 16 : i == 3 ? 0x1000 : address(9);
		object(i)[4] = TEXT + 0x40;
		CHECK(is(i, i ? ARMED_NONE : ARMED_WORK, i ? 0 : TEXT + 0x40));
	}
	/* Of several modules, or of none. */
	h.graph.tags[OBJECT + 4] = OWNER_SHARED;
	add_timer(4, 3, TEXT + 0x40);
	CHECK(is(4, ARMED_NONE, 0) && is(8, ARMED_NONE, 0) && is(CPU_NODE - OBJECT, ARMED_NONE, 0));
}

/* What is told as words are read is not read again. */
static void test_noted(void)
{
	struct graph *g = &h.graph;

	open_holders();
	add_timer(0, 3, TEXT + 0x40);
	g->tags[OBJECT] = OWNER_NOBODY;
	CHECK(graph_edges(g) == ST_OK && g->tags[OBJECT] == 1);
	memset(memory, 0, sizeof(memory));
	CHECK(is(0, ARMED_TIMER, TEXT + 0x40));
}

TESTS({ "timers, and work that one has", test_timers },
      { "timers of high resolution", test_hrtimers }, { "work", test_work },
      { "noted", test_noted })
