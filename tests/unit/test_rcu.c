// SPDX-License-Identifier: GPL-2.0-or-later
/* A grace period of RCU: whether it runs, the CPUs and tasks that it waits for, callbacks that wait or are ready. */
#include "kernel/rcu.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define STATE AT(0)
#define NODE_BYTES 64
#define LEAF (STATE + NODE_BYTES)
#define HEAD (LEAF + 32)
#define TASK(i) AT(20 + (i))
#define ENTRY 16 /* of a task_struct */
#define CALLBACK(i) AT(40 + (i))
#define FUNCTION 0xffffffff81000100ULL

struct links {
	uint64_t next, prev;
};
static struct {
	struct {
		uint64_t qsmask;
		int32_t first, last;
		uint32_t level, pad;
		uint64_t pad2;
		struct links blocked;
		uint64_t tasks, pad3;
	} nodes[2];
	uint64_t gp_seq, gp_start;
} state;
static struct links entries[3];
static struct {
	uint64_t head, tails[4];
	int64_t len;
	uint64_t bypass;
} data;
static struct {
	uint64_t next, func;
} callbacks[4];
static uint32_t levels[1] = { 2 }, nodes[1] = { 2 }, cpus[1] = { 1 };
static uint64_t offsets[1], possible[1] = { 1 };

#define CPUS                                                                                  \
	{ AT(1), levels, 4 }, { AT(2), nodes, 4 }, { AT(3), cpus, 4 }, { AT(4), offsets, 8 }, \
		{ AT(5), &data, sizeof(data) },                                               \
	{                                                                                     \
		AT(6), possible, 8                                                            \
	}
#define CALLBACKS                                                           \
	{ CALLBACK(0), callbacks, 16 }, { CALLBACK(1), callbacks + 1, 16 }, \
		{ CALLBACK(2), callbacks + 2, 16 },                         \
	{                                                                   \
		CALLBACK(3), callbacks + 3, 16                              \
	}

static const struct stub_memory memory[] = {
	{ STATE, &state, sizeof(state) },
	CPUS,
	{ TASK(0) + ENTRY, entries, 16 },
	{ TASK(1) + ENTRY, entries + 1, 16 },
	{ TASK(2) + ENTRY, entries + 2, 16 },
	CALLBACKS,
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "rcu_state", STATE, { 0 } },
					      { "rcu_data", AT(5), { 0 } },
					      { "rcu_num_lvls", AT(1), { 0 } },
					      { "rcu_num_nodes", AT(2), { 0 } },
					      { "__cpu_possible_mask", AT(6), { 0 } },
					      { "nr_cpu_ids", AT(3), FIELD(0, 4) },
					      { "__per_cpu_offset", AT(4),
						KINDED(KIND_ARRAY, 0, 8) },
					      { 0 } };
#define MEMBERS                                                                         \
	{ "struct rcu_state", "node", FIELD(0, 128) },                                  \
		{ "struct rcu_state", "gp_seq", FIELD(128, 8) },                        \
		{ "struct rcu_state", "gp_start", FIELD(136, 8) },                      \
		{ "struct rcu_node", "qsmask", FIELD(0, 8) },                           \
		{ "struct rcu_node", "grplo", FIELD(8, 4) },                            \
		{ "struct rcu_node", "grphi", FIELD(12, 4) },                           \
		{ "struct rcu_node", "level", FIELD(16, 1) },                           \
		{ "struct rcu_node", "blkd_tasks", FIELD(32, 16) },                     \
		{ "struct rcu_node", "gp_tasks", KINDED(KIND_POINTER, 48, 8) },         \
		{ "struct rcu_data", "cblist.head", KINDED(KIND_POINTER, 0, 8) },       \
		{ "struct rcu_data", "cblist.tails", FIELD(8, 32) },                    \
		{ "struct rcu_data", "cblist.len", FIELD(40, 8) },                      \
		{ "struct rcu_data", "nocb_bypass.head", KINDED(KIND_POINTER, 48, 8) }, \
		{ "struct callback_head", "next", KINDED(KIND_POINTER, 0, 8) },         \
	{                                                                               \
		"struct callback_head", "func", KINDED(KIND_POINTER, 8, 8)              \
	}
static const struct stub_member preemptible[] = {
	MEMBERS,
	{ "struct task_struct", "rcu_node_entry", FIELD(ENTRY, 16) },
	{ 0 },
};
static const struct stub_member not_preemptible[] = { MEMBERS, { 0 } };
static const struct stub_number sizes[] = { { "struct rcu_node", NODE_BYTES }, { 0 } };

struct sum {
	unsigned int n, cpus, tasks, ready, offsets;
	uint64_t cpu, task, function;
};

static enum status add_blocker(void *arg, const struct rcu_blocker *b)
{
	struct sum *sum = arg;

	sum->n++;
	sum->cpus += b->is_cpu;
	sum->tasks += !b->is_cpu;
	sum->cpu = b->is_cpu ? b->cpu : sum->cpu;
	sum->task = b->is_cpu ? sum->task : b->task;
	return ST_OK;
}

static enum status add_callback(void *arg, const struct rcu_callback *c)
{
	struct sum *sum = arg;

	sum->n++;
	sum->ready += c->is_ready;
	sum->offsets += c->is_offset;
	sum->function = c->function;
	return ST_OK;
}

static void set_up(void)
{
	uint64_t from = HEAD;

	memset(&state, 0, sizeof(state));
	state.nodes[0].qsmask = 1;
	state.nodes[1].level = 1;
	state.nodes[1].qsmask = 2;
	state.nodes[1].last = 3;
	for (unsigned int i = 0; i < 3; i++) {
		entries[i] = (struct links){ i < 2 ? TASK(i + 1) + ENTRY : HEAD, from };
		from = TASK(i) + ENTRY;
	}
	state.nodes[1].blocked = (struct links){ TASK(0) + ENTRY, from };
	state.nodes[1].tasks = TASK(2) + ENTRY;
	state.gp_seq = 4 * 77 + 1;
	state.gp_start = 1000;
	for (unsigned int i = 0; i < 4; i++) {
		callbacks[i].next = i == 0 || i == 1 ? CALLBACK(i + 1) : 0;
		callbacks[i].func = FUNCTION;
	}
	memset(&data, 0, sizeof(data));
	data.head = CALLBACK(0);
	data.tails[0] = CALLBACK(0); /* the next of the last one that is done */
	data.bypass = CALLBACK(3);
	data.len = 4;
}

static enum status walk(const struct stub_member *members, struct sum *blockers,
			struct sum *waiting, uint64_t *counted)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct rcu r;
	struct rcu_grace grace;
	enum status st;

	*blockers = *waiting = (struct sum){ 0 };
	CHECK(rcu_open(&s.dump, &r) == ST_OK);
	CHECK(rcu_grace_read(&r, &grace) == ST_OK && grace.is_running && grace.number == 77 &&
	      grace.start == 1000);
	st = rcu_blockers_walk(&r, add_blocker, blockers);
	return st ?: rcu_callbacks_walk(&r, add_callback, waiting, counted);
}

static void a_leaf_has_cpus_and_tasks(void)
{
	struct sum b, w;
	uint64_t counted;

	set_up();
	CHECK(walk(preemptible, &b, &w, &counted) == ST_OK);
	/* Those before gp_tasks came after the grace period began; the root has no CPUs. */
	CHECK(b.cpus == 1 && b.cpu == 1 && b.tasks == 1 && b.task == TASK(2));
	state.nodes[1].tasks = TASK(1) + ENTRY;
	CHECK(walk(preemptible, &b, &w, &counted) == ST_OK && b.tasks == 2);
	CHECK(walk(not_preemptible, &b, &w, &counted) == ST_OK && b.tasks == 0 && b.cpus == 1);
	state.nodes[1].tasks = AT(90);
	CHECK(walk(preemptible, &b, &w, &counted) == ST_CORRUPT);
}

/* Where the list is followed from its end, those up to gp_tasks block the grace period, none before it. */
static void tasks_from_the_end_of_the_list(void)
{
	struct sum b, w;
	uint64_t counted;

	set_up();
	state.nodes[1].tasks = TASK(1) + ENTRY;
	state.nodes[1].blocked.next = 0xdead000;
	CHECK(walk(preemptible, &b, &w, &counted) == ST_UNREADABLE);
	CHECK(b.tasks == 2 && b.task == TASK(1));
	/* Each is told once. */
	set_up();
	state.nodes[1].tasks = TASK(0) + ENTRY;
	entries[0].next = 0xdead000;
	CHECK(walk(preemptible, &b, &w, &counted) == ST_UNREADABLE);
	CHECK(b.tasks == 3 && b.task == TASK(1));
}

static void callbacks_wait_or_are_ready(void)
{
	struct sum b, w;
	uint64_t counted;

	set_up();
	CHECK(walk(preemptible, &b, &w, &counted) == ST_OK && counted == 4);
	CHECK(w.n == 4 && w.ready == 1 && w.function == FUNCTION);
	callbacks[3].func = 8; /* since 5.9 it is nothing */
	CHECK(walk(preemptible, &b, &w, &counted) == ST_OK && w.offsets == 0);
	callbacks[3].func = FUNCTION;
	data.tails[0] = AT(5); /* of the head: none is done */
	CHECK(walk(preemptible, &b, &w, &counted) == ST_OK && w.n == 4 && w.ready == 0);
}

/* Up to 4.19 each flavour has a state, and data of its own. */
#define FLAVOUR(i) AT(61 + (i))
static typeof(state) flavours[2];
static typeof(data) second;

static void set_up_flavours(void)
{
	set_up();
	data.bypass = 0;
	data.len = 3;
	second = (typeof(data)){ .head = CALLBACK(3), .tails[0] = AT(7), .len = 1 };
	flavours[0] = flavours[1] = state;
}

#define SYMBOLS_4_19                                                                           \
	{ "rcu_sched_state", FLAVOUR(0), { 0 } }, { "rcu_sched_data", AT(5), { 0 } },          \
		{ "rcu_bh_state", FLAVOUR(1), { 0 } }, { "rcu_bh_data", AT(7), { 0 } },        \
		{ "rcu_num_lvls", AT(1), { 0 } }, { "rcu_num_nodes", AT(2), { 0 } },           \
		{ "__cpu_possible_mask", AT(6), { 0 } }, { "nr_cpu_ids", AT(3), FIELD(0, 4) }, \
		{ "__per_cpu_offset", AT(4), KINDED(KIND_ARRAY, 0, 8) },                       \
	{                                                                                      \
		"kfree_call_rcu", FUNCTION,                                                    \
		{                                                                              \
			0                                                                      \
		}                                                                              \
	}
static const struct stub_symbol symbols_4_19[] = { SYMBOLS_4_19, { 0 } };
static const struct stub_symbol symbols_8_10[] = { SYMBOLS_4_19,
						   { "kvfree_call_rcu", FUNCTION, { 0 } },
						   { 0 } };

static enum status walk_flavours(const struct stub_symbol *has, struct rcu_grace *grace,
				 struct sum *blockers, struct sum *waiting)
{
	static const struct stub_memory memory_4_19[] = {
		{ FLAVOUR(0), flavours, sizeof(*flavours) },
		{ FLAVOUR(1), flavours + 1, sizeof(*flavours) },
		CPUS,
		{ AT(7), &second, sizeof(second) },
		CALLBACKS,
		{ 0 },
	};
	STUB(s, .memory = memory_4_19, .symbols = has, .members = not_preemptible, .sizes = sizes);
	struct rcu r;
	uint64_t counted;
	enum status st = rcu_open(&s.dump, &r);

	*blockers = *waiting = (struct sum){ 0 };
	st = st ?: rcu_grace_read(&r, grace) ?: rcu_blockers_walk(&r, add_blocker, blockers);
	return st ?: rcu_callbacks_walk(&r, add_callback, waiting, &counted);
}

static void flavours_up_to_4_19(void)
{
	struct rcu_grace grace;
	struct sum b, w;

	set_up_flavours();
	flavours[1].gp_start = 900;
	CHECK(walk_flavours(symbols_4_19, &grace, &b, &w) == ST_OK);
	CHECK(grace.is_running && grace.start == 900);
	/* A CPU that both wait for is told once. */
	CHECK(b.n == 1 && b.cpu == 1);
	CHECK(w.n == 4 && w.ready == 1 && !w.offsets);
	/* One that does not run has told what it waited for. */
	flavours[1].gp_seq = 4 * 77;
	flavours[1].nodes[1].qsmask = 0;
	CHECK(walk_flavours(symbols_4_19, &grace, &b, &w) == ST_OK && grace.start == 1000 &&
	      b.n == 1);
}

static void kfree_rcu_has_an_offset_for_a_function(void)
{
	struct rcu_grace grace;
	struct sum b, w;

	set_up_flavours();
	callbacks[0].func = 0;
	callbacks[1].func = RCU_OFFSETS - 1;
	callbacks[2].func = RCU_OFFSETS;
	CHECK(walk_flavours(symbols_4_19, &grace, &b, &w) == ST_OK && w.n == 4 && w.offsets == 2);
	/* Red Hat's 4.18 has the name alone. */
	CHECK(walk_flavours(symbols_8_10, &grace, &b, &w) == ST_OK && w.offsets == 0);
}

static void a_circle_ends(void)
{
	struct sum b, w;
	uint64_t counted;

	set_up();
	callbacks[2].next = CALLBACK(0);
	CHECK(walk(preemptible, &b, &w, &counted) == ST_CORRUPT && w.n > 4);
}

static void a_kernel_without_it_says_so(void)
{
	STUB(s, .members = preemptible);
	struct rcu r;

	CHECK(rcu_open(&s.dump, &r) == ST_ABSENT);
}

TESTS({ "a leaf has CPUs and tasks", a_leaf_has_cpus_and_tasks },
      { "tasks from the end of the list", tasks_from_the_end_of_the_list },
      { "callbacks wait or are ready", callbacks_wait_or_are_ready },
      { "flavours up to 4.19", flavours_up_to_4_19 },
      { "kfree_rcu has an offset for a function", kfree_rcu_has_an_offset_for_a_function },
      { "a circle ends", a_circle_ends },
      { "a kernel without it says so", a_kernel_without_it_says_so })
