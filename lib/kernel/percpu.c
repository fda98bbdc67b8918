// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/percpu.h"

#define MAX_CPUS 8192 /* CONFIG_NR_CPUS goes no higher */

enum status percpu_ids(struct dump *d, uint64_t *ret)
{
	struct field table;
	uint64_t n;

	*ret = 1;
	if (!dump_has_symbol(d, "__per_cpu_offset")) /* built without SMP */
		return ST_OK;
	if (dump_ask(d, variable, "__per_cpu_offset", &table) != ST_OK || table.kind != KIND_ARRAY)
		return dump_unknown(d, "__per_cpu_offset is no array");
	*ret = table.size / 8;
	if (dump_has_symbol(d, "nr_cpu_ids") && dump_value(d, "nr_cpu_ids", &n) == ST_OK &&
	    n < *ret)
		*ret = n;
	if (!*ret || *ret > MAX_CPUS)
		return dump_corrupt(d, "%lu possible CPUs", *ret);
	return ST_OK;
}

static void one_cpu(struct dump *d, struct percpu *p)
{
	p->n = 1;
	p->cpu = dump_alloc(d, sizeof(*p->cpu));
	p->offset = dump_alloc(d, sizeof(*p->offset));
}

static bool mask_has(const uint8_t *mask, unsigned int cpu)
{
	return mask[cpu / 8] >> cpu % 8 & 1;
}

enum status cpumask_read(struct dump *d, const char *name, uint64_t ids, void *ret)
{
	const size_t bytes = (ids + 63) / 64 * 8;
	uint64_t at;

	return dump_symbol(d, name, &at) ?: dump_read(d, at, ret, bytes, name) ?:
		dump_check(d, at, ret, bytes, name);
}

/* 5.4: "cpu/hotplug: Cache number of online CPUs": the count beside the mask, which changes with it. */
static enum status check_online(struct dump *d, unsigned int n)
{
	uint32_t counted;

	if (!dump_has_symbol(d, "__num_online_cpus") ||
	    dump_symbol_u32(d, "__num_online_cpus", &counted) != ST_OK) {
		d->error[0] = '\0';
		return ST_OK;
	}
	return counted == n ? ST_OK
			    : dump_corrupt(d, "%s has %u CPUs, __num_online_cpus is %u",
					   CPUS_ONLINE, n, counted);
}

enum status cpus_in(struct dump *d, const char *mask, unsigned int *ret)
{
	uint8_t present[MAX_CPUS / 8], possible[MAX_CPUS / 8];
	uint64_t ids = 0;
	unsigned int n = 0;
	enum status st = ST_OK;

	if (dump_has_symbol(d, "__per_cpu_offset"))
		st = percpu_ids(d, &ids) ?: cpumask_read(d, mask, ids, present) ?:
			cpumask_read(d, "__cpu_possible_mask", ids, possible);
	else
		n = 1; /* built without SMP */
	/* Whole words were read: cpumask_check() keeps those behind the last number from having a bit. */
	for (unsigned int cpu = 0; st == ST_OK && cpu < (ids + 63) / 64 * 64; cpu++) {
		if (!mask_has(present, cpu))
			continue;
		n++;
		if (cpu >= ids || !mask_has(possible, cpu))
			st = dump_corrupt(d, "CPU %u is in %s, and not possible", cpu, mask);
	}
	if (st == ST_OK && !n)
		st = dump_corrupt(d, "%s has no CPU", mask);
	if (st == ST_OK && !strcmp(mask, CPUS_ONLINE))
		st = check_online(d, n);
	return RESULT(st, ret, n);
}

enum status percpu_open(struct dump *d, struct percpu *ret)
{
	struct percpu p = { 0 };
	uint8_t mask[MAX_CPUS / 8];
	uint64_t ids = 0, offsets;
	enum status st;

	if (!dump_has_symbol(d, "__per_cpu_offset")) {
		/* Built without SMP. */
		one_cpu(d, &p);
		*ret = p;
		return ST_OK;
	}
	st = percpu_ids(d, &ids) ?: dump_symbol(d, "__per_cpu_offset", &offsets) ?:
		cpumask_read(d, "__cpu_possible_mask", ids, mask);
	if (st != ST_OK)
		return st;
	p.cpu = dump_alloc(d, ids * sizeof(*p.cpu));
	p.offset = dump_alloc(d, ids * sizeof(*p.offset));
	for (unsigned int cpu = 0; cpu < ids; cpu++) {
		if (!mask_has(mask, cpu))
			continue;
		st = dump_u64(d, offsets + cpu * 8, &p.offset[p.n], "__per_cpu_offset")
			     ?: dump_check(d, offsets + cpu * 8, &p.offset[p.n], 8,
					   "__per_cpu_offset");
		if (st != ST_OK)
			return st;
		p.cpu[p.n++] = cpu;
	}
	decoder_trace(d, "decide %u possible CPUs of %lu", p.n, ids);
	if (!p.n)
		return dump_corrupt(
			d,
			"__cpu_possible_mask has no CPU: it is corrupt, or vmlinux is of another kernel");
	*ret = p;
	return ST_OK;
}

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
		return RESULT(dump_u32(d, address + percpu.offset[i], &node, "numa_node"), ret,
			      node);
	}
	return dump_absent(d, "there is no CPU %lu", cpu);
}

#define MAX_NODES 1024 /* CONFIG_NODES_SHIFT goes to 10 */

enum status node_ids_read(struct dump *d, uint64_t *ret)
{
	uint64_t n;
	enum status st;

	*ret = 1;
	/* With more than one node both are variables (include/linux/nodemask.h, mmzone.h). */
	if (!dump_has_symbol(d, "nr_node_ids") && !dump_has_symbol(d, "node_data"))
		return ST_OK;
	st = dump_value(d, "nr_node_ids", &n);
	if (st == ST_OK && (!n || n > MAX_NODES))
		st = dump_corrupt(d, "nr_node_ids is %lu", n);
	return RESULT(st, ret, n);
}
