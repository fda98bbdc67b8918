// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that are dying and still have memory: what of the tasks themselves says so, and what is told of them. */
#include "collect/stuck_tracers.h"
#include "collect/stuck_words.h"
#include "stub.h"
#include "test.h"

#define TASK(i) (0xffff888000100000ULL + (uint64_t)(i)*0x1000)

/* Members elsewhere than in any kernel: they are the dump's. */
static struct {
	uint64_t parent;
	uint32_t ptrace, unused;
} tasks[2];

static const struct stub_memory memory[] = {
	{ TASK(0), &tasks[0], sizeof(tasks[0]) },
	{ TASK(1), &tasks[1], sizeof(tasks[1]) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct task_struct", "parent", FIELD(0, 8) },
	{ "struct task_struct", "ptrace", FIELD(8, 4) },
	{ 0 },
};

static void fill(void)
{
	tasks[0].parent = TASK(1);
	tasks[0].ptrace = 1;
	tasks[1].parent = TASK(0);
	tasks[1].ptrace = 0;
}

static struct stuck_task s[2];

/* What is said of the first task, which the second one traces, with why its tracer is unknown. */
static const char *told(const struct stub_memory *in, uint64_t first)
{
	static char text[512];
	STUB(stub, in, NULL, members);
	struct stuck_tracers x = { 0 };
	struct strbuf b = { .buf = text, .size = sizeof(text) };
	static struct frame called = { .symbol = "wait_for_partner" };
	struct hash_u64 all;

	text[0] = '\0';
	hash_u64_init(&all, stub.dump.arena, sizeof(struct stuck_task *));
	for (unsigned int i = 0; i < 2; i++)
		*(struct stuck_task **)hash_u64_get(&all, TASK(i), NULL) = &s[i];
	s[0].task.address = first;
	s[1].task.address = TASK(1);
	s[1].waits_for = "other";
	s[1].caller = &called;
	for (unsigned int i = 0; i < 2; i++)
		stuck_find_tracer(&x, &stub.dump, &all, &s[i]);
	stuck_task_words(&s[0], &b);
	if (x.unknown)
		strbuf_add(&b, "; %zu: %s", x.unknown, x.why);
	return text;
}

static void ready(char first, char second)
{
	fill();
	s[0] = (struct stuck_task){ .task = { .pid = 96, .comm = "renderd", .state = first } };
	s[1] = (struct stuck_task){ .task = { .pid = 102, .comm = "crashmon", .state = second } };
}

static void in_a_ptrace_stop(void)
{
	ready('t', 'S');
	CHECK_TEXT(told(memory, TASK(0)), "renderd (96) stands in a ptrace stop of crashmon (102), "
					  "which is asleep in wait_for_partner");
	/* Each traces the other: it ends. */
	ready('t', 't');
	tasks[1].ptrace = 1;
	CHECK_TEXT(told(memory, TASK(0)), "renderd (96) stands in a ptrace stop of crashmon (102), "
					  "which stands in one itself");
}

/* Traced, and not stopped by that: whoever its parent is does not matter. */
static void not_stopped(void)
{
	ready('S', 'S');
	s[0].waits_for = "io";
	CHECK_TEXT(told(memory, TASK(0)), "renderd (96) waits for io");
	CHECK(!s[0].tracer && !s[0].is_traced);
}

static void tracer_unknown(void)
{
	ready('t', 'S');
	tasks[0].ptrace = 0;
	CHECK_TEXT(told(memory, TASK(0)),
		   "renderd (96) stands in a ptrace stop, its tracer is unknown; "
		   "1: no task traces it");
	ready('t', 'S');
	tasks[0].parent = 0;
	CHECK(strstr(told(memory, TASK(0)), "its tracer is unknown; 1: task_struct at"));
	ready('t', 'S');
	tasks[0].parent = 0x1234560;
	CHECK(strstr(told(memory, TASK(0)), "at 0x1234560 was not found"));
	ready('t', 'S');
	CHECK(strstr(told(&memory[1], TASK(0)), "its tracer is unknown; 1: "));
	CHECK(!s[0].tracer);
}

TESTS({ "in a ptrace stop", in_a_ptrace_stop }, { "traced and not stopped", not_stopped },
      { "the tracer is unknown", tracer_unknown })
