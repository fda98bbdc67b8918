// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/rpc_wait.h"

#include "modules/module_object.h"
#include "util/printable.h"

struct client {
	uint64_t transport, program, server, name;
};

static const struct layout_row rows[] = {
	FINDS(struct rpc_waits, flags, "struct wait_bit_queue_entry", REQUIRED, "4.13",
	      "key.flags"),
	FINDS(struct rpc_waits, private, "struct wait_bit_queue_entry", REQUIRED, "4.13",
	      "wq_entry.private"),
	FINDS(struct rpc_waits, entry, "struct wait_bit_queue_entry", REQUIRED, "4.13",
	      "wq_entry.entry"),
	FINDS(struct rpc_waits, state, "struct rpc_task", REQUIRED, "all", "tk_runstate"),
	FINDS(struct rpc_waits, task_client, "struct rpc_task", REQUIRED, "all", "tk_client"),
	STRUCTURE(struct rpc_waits, client, "struct rpc_clnt"),
	POINTS(struct client, transport, REQUIRED, "all", "cl_xprt"),
	POINTS(struct client, program, REQUIRED, "all", "cl_program"),
	STRUCTURE(struct rpc_waits, transport, "struct rpc_xprt"),
	POINTS(struct client, server, REQUIRED, "all", "servername"),
	STRUCTURE(struct rpc_waits, program, "struct rpc_program"),
	POINTS(struct client, name, REQUIRED, "all", "name"),
};

enum status rpc_waits_open(struct dump *d, struct rpc_waits *ret)
{
	enum status st = module_object_type(d, "sunrpc", "struct rpc_task");

	*ret = (struct rpc_waits){ .dump = d };
	return st ?: STRUCTS_OPEN(d, rows, ret);
}

/* A word that is the task is a wait_queue_entry where its list comes back to it. */
static bool is_in_queue(const struct rpc_waits *w, uint64_t node)
{
	uint8_t links[16], raw[8];

	return dump_try(w->dump, node, links, sizeof(links)) == ST_OK && !(le64(links) & 7) &&
	       dump_try(w->dump, le64(links) + 8, raw, 8) == ST_OK && le64(raw) == node &&
	       dump_try(w->dump, le64(links + 8), raw, 8) == ST_OK && le64(raw) == node;
}

static enum status read_client(const struct rpc_waits *w, uint64_t task, struct rpc_wait *ret)
{
	struct dump *d = w->dump;
	struct client c = { 0 };
	enum status st = dump_u64(d, task + w->task_client.offset, &ret->client, "rpc_task") ?:
		struct_read(&w->client, ret->client, &c) ?:
		struct_read(&w->transport, c.transport, &c) ?:
		struct_read(&w->program, c.program, &c) ?:
		dump_string(d, c.server, ret->server, RPC_NAME, "name of an RPC server") ?:
		dump_string(d, c.name, ret->program, RPC_NAME, "name of an RPC program");

	if (st == ST_OK) {
		printable(ret->server);
		printable(ret->program);
	}
	return st;
}

enum status rpc_wait_find(const struct rpc_waits *w, uint64_t task, const struct task_stack *s,
			  uint64_t from, uint64_t to, struct rpc_wait *ret)
{
	enum status st = dump_fail(w->dump, ST_ABSENT, "no wait for an RPC on the stack");
	struct rpc_wait found;
	uint64_t word, state;

	for (uint64_t at = from & ~7ULL; at < to; at += 8) {
		uint64_t entry = at - w->private.offset;

		if (!task_stack_word(s, at, &word) || word != task ||
		    !task_stack_word(s, entry + w->flags.offset, &state) || state & 7 ||
		    !is_in_queue(w, entry + w->entry.offset))
			continue;
		st = read_client(w, state - w->state.offset, &found);
		if (st == ST_OK) {
			*ret = found;
			return ST_OK;
		}
	}
	return st;
}
