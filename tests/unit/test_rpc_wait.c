// SPDX-License-Identifier: GPL-2.0-or-later
/* The server of the RPC that a task sleeps on, by the wait_bit_queue_entry on its stack. */
#include "tasks/lock_waiter.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (uint64_t)(i)*0x1000)
#define RPC AT(0)
#define TASK AT(6)
#define STACK 0xffffc90000000000ULL
#define SIZE 0x1000ULL
#define ENTRY 0x800ULL /* of the stack */

static struct {
	uint64_t state, client;
	int32_t status, unused;
} rpc;
static struct {
	uint64_t transport, program;
} client;
static uint64_t transport, program, queue[2];
static char server[RPC_NAME] = "files\n.example", name[RPC_NAME] = "nfs";
static uint8_t stack[SIZE];
static struct an_entry {
	uint64_t flags, unused, private, next, prev;
} *entry = (struct an_entry *)(stack + ENTRY);

static const struct stub_memory memory[] = {
	{ RPC, &rpc, sizeof(rpc) },
	{ AT(1), &client, sizeof(client) },
	{ AT(2), &transport, sizeof(transport) },
	{ AT(3), &program, sizeof(program) },
	{ AT(4), server, sizeof(server) },
	{ AT(5), name, sizeof(name) },
	{ AT(8), queue, sizeof(queue) },
	{ STACK, stack, sizeof(stack) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct wait_bit_queue_entry", "key.flags", FIELD(0, 8) },
	{ "struct wait_bit_queue_entry", "wq_entry.private", FIELD(16, 8) },
	{ "struct wait_bit_queue_entry", "wq_entry.entry", FIELD(24, 16) },
	{ "struct rpc_task", "tk_runstate", FIELD(0, 8) },
	{ "struct rpc_task", "tk_client", FIELD(8, 8) },
	{ "struct rpc_task", "tk_status", FIELD(16, 4) },
	{ "struct rpc_clnt", "cl_xprt", FIELD(0, 8) },
	{ "struct rpc_clnt", "cl_program", FIELD(8, 8) },
	{ "struct rpc_xprt", "servername", FIELD(0, 8) },
	{ "struct rpc_program", "name", FIELD(0, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = {
	{ "struct rpc_task", 24 },
	{ "struct rpc_clnt", 16 },
	{ "struct rpc_xprt", 8 },
	{ "struct rpc_program", 8 },
	{ 0 },
};

static enum status find(struct rpc_wait *ret)
{
	STUB(s, .memory = memory, .members = members, .sizes = sizes);
	const struct task_stack at = { .base = STACK, .size = SIZE, .bytes = stack };
	struct rpc_waits w;

	return rpc_waits_open(&s.dump, &w)
		       ?: rpc_wait_find(&w, TASK, &at, STACK + 0x700, STACK + 0x900, ret);
}

static void a_server(void)
{
	struct rpc_wait wait;

	rpc.client = AT(1);
	client.transport = AT(2);
	client.program = AT(3);
	transport = AT(4);
	program = AT(5);
	*entry = (struct an_entry){ RPC, 0, TASK, AT(8), AT(8) };
	queue[0] = queue[1] = STACK + ENTRY + 24;
	/* A name of the dump is no line of ours. */
	CHECK(find(&wait) == ST_OK && !strcmp(wait.server, "files?.example"));
	CHECK(!strcmp(wait.program, "nfs") && wait.client == AT(1));
}

static void no_server(void)
{
	struct rpc_wait wait;

	a_server();
	entry->private = AT(7);
	CHECK(find(&wait) == ST_ABSENT);
	entry->private = TASK;
	entry->flags = RPC + 1;
	CHECK(find(&wait) == ST_ABSENT);
	entry->flags = AT(9);
	CHECK(find(&wait) == ST_UNREADABLE);
	entry->flags = RPC;
	client.transport = AT(9);
	CHECK(find(&wait) == ST_UNREADABLE);
	/* A word that is the task, and in no queue. */
	a_server();
	queue[1] = 0;
	CHECK(find(&wait) == ST_ABSENT);
	/* Beyond the frames. */
	a_server();
	memmove(stack + 0xa00, entry, sizeof(*entry));
	memset(entry, 0, sizeof(*entry));
	CHECK(find(&wait) == ST_ABSENT);
}

/* Woken, it is in no queue: by its timer it has no answer, by the answer it has. */
static void is_woken(void)
{
	struct rpc_wait wait;

	a_server();
	CHECK(find(&wait) == ST_OK && !wait.has_timed_out);
	entry->next = entry->prev = STACK + ENTRY + 24;
	CHECK(find(&wait) == ST_OK && !wait.has_timed_out);
	rpc.status = -110;
	CHECK(find(&wait) == ST_OK && wait.has_timed_out);
	rpc.status = 0;
}

TESTS({ "a server, its program", a_server }, { "a task that its timer has woken", is_woken },
      { "no entry, or what leads nowhere", no_server })
