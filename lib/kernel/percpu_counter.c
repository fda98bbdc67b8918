// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/percpu_counter.h"

struct counter {
	int64_t count;
	uint64_t counters;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct percpu_counters, counter, "struct percpu_counter"),
	READS(struct counter, count, REQUIRED, "all", "count"),
	READS(struct counter, counters, OPTIONAL, "CONFIG_SMP", "counters"),
};

enum status percpu_counters_open(struct dump *d, struct percpu_counters *ret)
{
	enum status st;

	*ret = (struct percpu_counters){ .dump = d };
	st = STRUCTS_OPEN(d, rows, ret);
	if (st != ST_OK)
		return st;
	ret->cpus_status = percpu_open(d, &ret->cpus);
	return ST_OK;
}

enum status percpu_counter_sum(const struct percpu_counters *c, uint64_t at, int64_t *ret)
{
	struct counter of = { 0 };
	enum status st = struct_read(&c->counter, at, &of);
	uint64_t sum = (uint64_t)of.count;

	if (st == ST_OK && of.counters)
		st = c->cpus_status;
	for (unsigned int i = 0; st == ST_OK && of.counters && i < c->cpus.n; i++) {
		const uint64_t part_at = of.counters + c->cpus.offset[i];
		uint32_t part = 0;

		st = dump_u32(c->dump, part_at, &part, "percpu_counter");
		/* A page of zeros may be one of parts of a CPU that counted nothing; a page of ones is none. */
		if (st == ST_OK && part == UINT32_MAX)
			st = dump_check(c->dump, part_at, &part, sizeof(part), "percpu_counter");
		sum += (uint64_t)(int32_t)part;
	}
	return RESULT(st, ret, (int64_t)sum);
}

enum status percpu_counter_positive(const struct percpu_counters *c, uint64_t at, uint64_t *ret)
{
	int64_t sum = 0;
	enum status st = percpu_counter_sum(c, at, &sum);

	return RESULT(st, ret, sum > 0 ? (uint64_t)sum : 0);
}

enum status percpu_counter_value(struct dump *d, const char *name, uint64_t *ret)
{
	struct percpu_counters c;
	uint64_t at;

	return percpu_counters_open(d, &c) ?: dump_symbol(d, name, &at)
					    ?: percpu_counter_positive(&c, at, ret);
}
