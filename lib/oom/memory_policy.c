// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/memory_policy.h"

#include "tasks/task.h"
#include "util/bits.h"

#define MAX_WORDS (1024 / 64) /* 1 << CONFIG_NODES_SHIFT, which is 10 at most */

struct policy {
	uint32_t mode;
};

struct policies {
	struct structure policy;
	struct field of_task, nodes;
};

static const struct layout_row rows[] = {
	FINDS(struct policies, of_task, "struct task_struct", OPTIONAL, "CONFIG_NUMA", "mempolicy"),
	STRUCTURE(struct policies, policy, "struct mempolicy"),
	READS(struct policy, mode, OPTIONAL, "CONFIG_NUMA", "mode"),
	FINDS(struct policies, nodes, "struct mempolicy", OPTIONAL, "5.14, to 5.13", "nodes",
	      "v.nodes"),
};

static enum status open_policies(struct dump *d, struct policies *p)
{
	enum status st = STRUCTS_OPEN(d, rows, p);

	if (st != ST_OK)
		return st;
	if (!p->of_task.present || !p->nodes.present || !struct_has_all(&p->policy))
		return dump_absent(d, "this kernel has no policies of memory");
	if (!p->nodes.size || p->nodes.size % 8 || p->nodes.size > MAX_WORDS * 8)
		return dump_unknown(d, "mempolicy.nodes has %u bytes", p->nodes.size);
	return ST_OK;
}

enum status memory_policy_read(struct dump *d, int32_t pid, char *text, size_t size)
{
	struct policies p = { 0 };
	struct policy policy = { 0 };
	struct tasks tasks;
	struct task task;
	uint64_t at = 0, bits[MAX_WORDS];
	char list[256];
	int64_t bind;
	enum status st = open_policies(d, &p) ?: dump_enumerator(d, "MPOL_BIND", &bind) ?:
			 tasks_open(d, &tasks);

	if (st != ST_OK)
		return st;
	tasks.identity_only = true;
	st = tasks_find(&tasks, pid, &task)
		     ?: dump_u64(d, task.address + p.of_task.offset, &at, "task_struct.mempolicy");
	*text = '\0';
	if (st != ST_OK || !at)
		return st;
	st = struct_read(&p.policy, at, &policy)
		     ?: dump_read(d, at + p.nodes.offset, bits, p.nodes.size, "mempolicy");
	if (st != ST_OK || policy.mode != bind)
		return st;
	if (!bits_print(bits, p.nodes.size / 8, list, sizeof(list)) ||
	    snprintf(text, size, "%s", list) >= (int)size)
		return dump_corrupt(d, "the mempolicy of task %d binds to no node", pid);
	return ST_OK;
}
