// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/mems_allowed.h"

#include <stdlib.h>

#include "tasks/task.h"
#include "util/bits.h"

/* MAX_NUMNODES is at most 1 << 10: CONFIG_NODES_SHIFT in each arch/, 5.10 to 7.3. */
#define MAX_WORDS (1024 / 64)

static const struct layout_row rows[] = {
	{ "struct task_struct", { "mems_allowed" }, OPTIONAL, "CONFIG_CPUSETS" },
};

enum status mems_allowed_read(struct dump *d, int32_t pid, char *text, size_t size)
{
	struct tasks tasks;
	struct task task;
	struct field mems;
	uint64_t bits[MAX_WORDS];
	char list[256];
	enum status st = layout_resolve(d, rows, 1, &mems);

	if (st != ST_OK)
		return st;
	if (!mems.present && dump_type_bytes(d, "struct task_struct"))
		return dump_absent(d, "this kernel has no cpusets");
	if (!mems.present)
		return dump_unknown(d, "no struct task_struct");
	if (!mems.size || mems.size % 8 || mems.size > sizeof(bits))
		return dump_fail(d, ST_UNKNOWN, "task_struct.mems_allowed has %u bytes", mems.size);
	st = tasks_open(d, &tasks);
	tasks.identity_only = true;
	st = st ?: tasks_find(&tasks, pid, &task) ?:
			dump_read(d, task.address + mems.offset, bits, mems.size, "mems_allowed");
	if (st != ST_OK)
		return st;
	if (!bits_print(bits, mems.size / 8, list, sizeof(list)) ||
	    snprintf(text, size, "%s", list) >= (int)size) {
		*text = '\0';
		return dump_corrupt(d, "mems_allowed of the task with pid %d", pid);
	}
	return ST_OK;
}

bool mems_allowed_have(const char *list, uint64_t node, bool *bad)
{
	while (*list) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		*bad |= end == list;
		if (*end == '-') {
			list = end + 1;
			last = strtoul(list, &end, 10);
			*bad |= end == list;
		}
		*bad |= *end && *end != ',';
		if (*bad)
			return false;
		if (node >= first && node <= last)
			return true;
		list = end + (*end == ',');
	}
	return false;
}
