// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/cpu_node.h"

#include "kernel/percpu.h"

enum status cpu_node_read(struct dump *d, uint64_t cpu, unsigned int *ret)
{
	struct percpu percpu;
	uint64_t address;
	uint32_t node;
	enum status st = dump_symbol(d, "numa_node", &address) ?: percpu_open(d, &percpu);

	if (st != ST_OK)
		return st;
	for (unsigned int i = 0; i < percpu.n; i++) {
		if (percpu.cpu[i] != cpu)
			continue;
		st = dump_u32(d, address + percpu.offset[i], &node, "numa_node");
		if (st == ST_OK)
			*ret = node;
		return st;
	}
	return dump_fail(d, ST_ABSENT, "there is no CPU %lu", cpu);
}
