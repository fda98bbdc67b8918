// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks of threads: what is not found is told, and nothing else is taken for it. */
#include "vm/kstacks.h"
#include "task_stub.h"
#include "test.h"

#include <string.h>

#define INIT 0x10000ULL
#define SIGNAL 0x20000ULL
#define RUNQUEUES 0x30000ULL

static struct utask init_task = {
	.tasks = { INIT, INIT }, .node = { SIGNAL, SIGNAL }, .comm = "swapper/0", .signal = SIGNAL
};
static struct usignal init_signal = { .head = { INIT + 16, INIT + 16 } };
/* At the beginning something that is no task. */
static const uint64_t runqueues[] = { 0x7777, 0 };

static const struct stub_memory memory[] = {
	{ INIT, &init_task, sizeof(init_task) },
	{ SIGNAL, &init_signal, sizeof(init_signal) },
	{ RUNQUEUES, runqueues, sizeof(runqueues) },
	{ 0 },
};
static const struct stub_symbol symbols[] = {
	{ "init_task", INIT, FIELD(0, 128) },
	{ "runqueues", RUNQUEUES, FIELD(0, 16) },
	{ 0 },
};

static void no_idle_task(void)
{
	static const struct stub_member members[] = {
		TASK_MEMBERS,
		{ "struct task_struct", "stack", FIELD(120, 8) },
		{ 0 },
	};
	static const struct stub_number enumerators[] = { TASK_COUNTERS, { 0 } };
	STUB(s, .memory = memory, .symbols = symbols, .members = members,
	     .enumerators = enumerators);
	struct vm_layout l = { .dump = &s.dump };
	struct kstacks found;

	CHECK(kstacks_open(&l, NULL, &found) == ST_OK);
	CHECK(found.problem.status == ST_UNKNOWN &&
	      strstr(found.problem.text, "struct rq has no member idle"));
}

TESTS({ "where no idle task is known no other word is one", no_idle_task })
