// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/sched_clock.h"

#include "dump/structure.h"
#include "kernel/percpu.h"
#include "kernel/static_key.h"

#define MAX_GAP \
	60000000000ULL /* of the latest tick of any CPU to the end: one second without load */

struct ticks {
	struct structure data;
};

struct tick {
	uint64_t raw, clock;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct ticks, data, "struct sched_clock_data"),
	READS(struct tick, raw, REQUIRED, "all", "tick_raw"),
	READS(struct tick, clock, REQUIRED, "all", "clock"),
};

/* By the latest tick. */
static enum status from_ticks(struct dump *d, uint64_t log_ns, struct sched_clock *ret)
{
	struct tick latest = { 0 }, t;
	struct ticks ticks;
	struct percpu cpus;
	uint64_t at;
	enum status st = STRUCTS_OPEN(d, rows, &ticks) ?: dump_symbol(d, "sched_clock_data", &at) ?:
		percpu_open(d, &cpus);

	ticks.data.may_be_blank = true;
	for (unsigned int i = 0; st == ST_OK && i < cpus.n; i++) {
		st = struct_read(&ticks.data, at + cpus.offset[i], &t);
		if (st == ST_OK && t.clock > latest.clock)
			latest = t;
	}
	if (st == ST_OK && (log_ns + MAX_GAP < latest.clock || latest.clock + MAX_GAP < log_ns))
		st = dump_fail(d, ST_UNKNOWN, "the last tick was at %lu ns, the end at %lu ns",
			       latest.clock, log_ns);
	if (st == ST_OK)
		*ret = (struct sched_clock){ latest.raw + (log_ns - latest.clock), latest.raw,
					     latest.clock };
	return st;
}

enum status sched_clock_at(struct dump *d, uint64_t log_ns, struct sched_clock *ret)
{
	uint64_t offset = 0;
	bool stable = true;
	enum status st = ST_OK;

	/* Of an architecture whose clock is always stable both are one. */
	if (dump_has_symbol(d, "__sched_clock_stable"))
		st = static_key_read(d, "__sched_clock_stable", &stable);
	if (st == ST_OK && !stable)
		return from_ticks(d, log_ns, ret);
	if (st == ST_OK && dump_has_symbol(d, "__sched_clock_offset"))
		st = dump_value(d, "__sched_clock_offset", &offset);
	if (st == ST_OK)
		*ret = (struct sched_clock){ log_ns - offset, 1, 1 };
	return st;
}

bool sched_clock_age(const struct sched_clock *c, uint64_t ns, uint64_t *ret)
{
	uint64_t ago = c->end > ns ? c->end - ns : 0;

	if (!c->ran || ago > c->end)
		return false;
	*ret = (uint64_t)((unsigned __int128)ago * c->passed / c->ran);
	return true;
}
