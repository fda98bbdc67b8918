// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/psi.h"

#include "kernel/jiffies.h"
#include "kernel/static_key.h"

/* Fixed point, as of the load average (include/linux/sched/loadavg.h); EXP_10s etc. of psi.c. */
#define SHIFT 11
#define ONE (1UL << SHIFT)
static const uint64_t decays[PSI_AVERAGES] = { 1677, 1981, 2034 };

const struct psi_kind psi_kinds[PSI_KINDS] = {
	{ "memory", "some", "PSI_MEM_SOME" }, { "memory", "full", "PSI_MEM_FULL" },
	{ "io", "some", "PSI_IO_SOME" },      { "io", "full", "PSI_IO_FULL" },
	{ "cpu", "some", "PSI_CPU_SOME" },    { "cpu", "full", "PSI_CPU_FULL" },
	{ "irq", "full", "PSI_IRQ_FULL" },
};

/* Of a group, by enum psi_states; the averages of each in fixed point. */
struct totals {
	uint64_t total[PSI_MAX_STATES], avg_total[PSI_MAX_STATES];
	uint64_t avg[PSI_MAX_STATES * PSI_AVERAGES];
	uint64_t updated, next, pcpu;
	bool has_enabled, enabled;
};

struct group_cpu {
	uint64_t mask, start;
	uint32_t times[PSI_MAX_STATES + 1], previous[PSI_MAX_STATES + 1];
};

static const struct layout_row rows[] = {
	STRUCTURE(struct psi, group, "struct psi_group"),
	READS_IF(struct totals, enabled, has_enabled, OPTIONAL, "6.1", "enabled"),
	READS(struct totals, pcpu, REQUIRED, "all", "pcpu"),
	/* 5.2: "psi: split update_stats into parts", with the names of today */
	READS(struct totals, avg_total, REQUIRED, "5.2, 4.20", "avg_total", "total_prev"),
	READS(struct totals, updated, REQUIRED, "5.2, 4.20", "avg_last_update", "last_update"),
	READS(struct totals, next, REQUIRED, "5.2, 4.20", "avg_next_update", "next_update"),
	READS(struct totals, total, REQUIRED, "all", "total"),
	READS(struct totals, avg, REQUIRED, "all", "avg"),
	STRUCTURE(struct psi, cpu, "struct psi_group_cpu"),
	READS(struct group_cpu, mask, OPTIONAL, "5.2", "state_mask"),
	READS(struct group_cpu, times, REQUIRED, "all", "times"),
	READS(struct group_cpu, start, REQUIRED, "all", "state_start"),
	READS(struct group_cpu, previous, REQUIRED, "all", "times_prev"),
};

#define GROUP_BYTES(p, MEMBER) (STRUCT_FIELD(&(p)->group, struct totals, MEMBER)->size)
#define CPU_BYTES(p, MEMBER) (STRUCT_FIELD(&(p)->cpu, struct group_cpu, MEMBER)->size)

static enum status find_states(struct psi *p)
{
	struct dump *d = p->dump;
	unsigned int named = 0;
	int64_t nonidle;
	enum status st = dump_enumerator(d, "PSI_NONIDLE", &nonidle);

	if (st != ST_OK)
		return st;
	if (nonidle <= 0 || nonidle > PSI_MAX_STATES)
		return dump_unknown(d, "PSI_NONIDLE is %ld", nonidle);
	p->states = (unsigned int)nonidle;
	for (size_t i = 0; i < PSI_KINDS; i++)
		if (dump_ask(d, enumerator, psi_kinds[i].enumerator, &p->index[i]) != ST_OK ||
		    p->index[i] < 0 || p->index[i] >= nonidle)
			p->index[i] = -1;
	for (size_t i = 0; i < PSI_KINDS; i++)
		named += p->index[i] >= 0;
	if (named < p->states)
		dump_lacks(
			d, "some lines of pressure", ST_UNKNOWN,
			"unknown layout: %u of the %u states of PSI have an enumerator that is known",
			named, p->states);
	if (GROUP_BYTES(p, avg_total) != p->states * 8 || GROUP_BYTES(p, total) < p->states * 8 ||
	    GROUP_BYTES(p, avg) != p->states * 8 * PSI_AVERAGES ||
	    CPU_BYTES(p, times) != (p->states + 1) * 4 ||
	    CPU_BYTES(p, previous) < (p->states + 1) * 4)
		return dump_unknown(d, "struct psi_group");
	return ST_OK;
}

/* Without what CPUs have not added the recorded figures are all that is known. */
static void open_cpus(struct psi *p)
{
	struct dump *d = p->dump;
	struct jiffies jiffies;

	jiffies_open(d, &jiffies);
	p->tick_ns = jiffies.tick_ns;
	p->cpu.may_be_blank = true;
	p->has_cpus = STRUCT_HAS(&p->cpu, struct group_cpu, mask) && p->tick_ns &&
		      percpu_open(d, &p->cpus) == ST_OK;
	/* PSI_FREQ is 2 * HZ + 1. */
	p->period_ns = 2000000000 + p->tick_ns;
}

enum status psi_open(struct dump *d, struct psi *ret, bool *off)
{
	struct psi p = { .dump = d };
	enum status st = dump_built_with(d, "CONFIG_PSI", "psi_system", "struct psi_group_cpu");

	*off = false;
	st = st ?: static_key_read(d, "psi_disabled", off);
	if (st == ST_OK && *off)
		return dump_absent(d, "pressure stall information was not turned on at boot");
	st = st ?: dump_symbol(d, "psi_system", &p.system) ?: STRUCTS_OPEN(d, rows, &p) ?:
		find_states(&p);
	if (st != ST_OK)
		return st;
	*ret = p;
	open_cpus(ret);
	return ST_OK;
}

/* fixed_power_int() of kernel/sched/loadavg.c: what is left of a number after n decays by x. */
static uint64_t decay_of(uint64_t x, uint64_t n)
{
	uint64_t result = ONE;

	for (; n; n >>= 1) {
		if (n & 1)
			result = (result * x + ONE / 2) >> SHIFT;
		x = (x * x + ONE / 2) >> SHIFT;
	}
	return result;
}

/* calc_load() */
static uint64_t mean(uint64_t load, uint64_t decay, uint64_t active)
{
	uint64_t sum = load * decay + active * (ONE - decay);

	return (sum + (active >= load ? ONE - 1 : 0)) / ONE;
}

/* As the file prints it. */
static uint64_t hundredths(uint64_t load)
{
	return (load >> SHIFT) * 100 + (((load & (ONE - 1)) * 100) >> SHIFT);
}

/* get_recent_times(): what a CPU has beside what was taken of it, by state. */
static enum status read_cpu(struct psi *p, uint64_t at, uint64_t now, uint32_t times[])
{
	struct group_cpu c;
	uint32_t open;
	enum status st = struct_read(&p->cpu, at, &c);

	if (st != ST_OK)
		return st;
	open = now > c.start ? (uint32_t)(now - c.start) : 0;
	for (unsigned int i = 0; i <= p->states; i++)
		times[i] = c.times[i] + (c.mask >> i & 1 ? open : 0) - c.previous[i];
	return ST_OK;
}

/* collect_percpu_times(): each CPU weighs as much as it was not idle. */
static enum status add_cpus(struct psi *p, uint64_t pcpu, uint64_t now, struct totals *t)
{
	uint64_t deltas[PSI_MAX_STATES] = { 0 }, nonidle, all = 0;
	uint32_t times[PSI_MAX_STATES + 1];
	enum status st = ST_OK;

	for (unsigned int i = 0; st == ST_OK && i < p->cpus.n; i++) {
		st = read_cpu(p, pcpu + p->cpus.offset[i], now, times);
		if (st != ST_OK)
			return st;
		nonidle = times[p->states] / p->tick_ns;
		all += nonidle;
		for (unsigned int s = 0; s < p->states; s++)
			deltas[s] += times[s] * nonidle;
	}
	for (unsigned int s = 0; s < p->states; s++)
		t->total[s] += deltas[s] / (all ? all : 1);
	return st;
}

/* update_averages() */
static void update(const struct psi *p, uint64_t now, struct totals *t)
{
	uint64_t missed = (now - t->next) / p->period_ns;
	uint64_t period = now - (t->updated + missed * p->period_ns);

	for (unsigned int s = 0; s < p->states; s++) {
		uint64_t sample = (uint32_t)(t->total[s] - t->avg_total[s]);
		uint64_t *avg = t->avg + s * PSI_AVERAGES;

		sample = sample < period ? sample : period;
		for (size_t i = 0; i < PSI_AVERAGES; i++)
			avg[i] = mean(mean(avg[i], decay_of(decays[i], missed), 0), decays[i],
				      sample * 100 / period * ONE);
	}
}

/*
 * Full of the CPU is not defined of the system, and printed as 0 (5.18: "psi: report zeroes for CPU full at the
 * system level"; 5.13, which has it first, prints what was counted).
 */
static void take(const struct psi *p, uint64_t group, const struct totals *t,
		 struct psi_figures to[PSI_KINDS])
{
	for (size_t kind = 0; kind < PSI_KINDS; kind++) {
		int64_t s = p->index[kind];

		if (group == p->system && !strcmp(psi_kinds[kind].enumerator, "PSI_CPU_FULL"))
			continue;
		for (size_t i = 0; s >= 0 && i < PSI_AVERAGES; i++)
			to[kind].avg[i] = hundredths(t->avg[s * PSI_AVERAGES + i]);
		if (s >= 0)
			to[kind].total_ns = t->total[s];
	}
}

static enum status check(struct psi *p, uint64_t group, const struct totals *t)
{
	for (unsigned int i = 0; i < p->states * PSI_AVERAGES; i++)
		if (t->avg[i] > 100 * ONE)
			return dump_corrupt(p->dump,
					    "struct psi_group at %#lx: a share of %lu percent",
					    group, t->avg[i] >> SHIFT);
	return ST_OK;
}

void psi_set_time(struct psi *p, uint64_t log_ns)
{
	p->log_ns = log_ns;
	p->has_time = sched_clock_at(p->dump, log_ns, &p->clock) == ST_OK;
	if (p->has_time)
		decoder_trace(p->dump, "value  sched_clock() ran %lu ns in %lu ns", p->clock.ran,
			      p->clock.passed);
}

/* An update a little later than the time of the end is one of a CPU that went on. */
static void read_age(const struct psi *p, const struct totals *t, struct psi_state *state)
{
	state->has_age = p->has_time && t->updated < p->clock.end + p->period_ns &&
			 sched_clock_age(&p->clock, t->updated, &state->age_ns) &&
			 state->age_ns <= p->log_ns;
}

enum status psi_read(struct psi *p, uint64_t group, struct psi_state *ret)
{
	struct totals t;
	struct psi_state state = { 0 };
	enum status st = struct_read(&p->group, group, &t);

	if (st != ST_OK)
		return st;
	state.is_on = !t.has_enabled || t.enabled;
	read_age(p, &t, &state);
	st = check(p, group, &t);
	if (st != ST_OK)
		return st;
	take(p, group, &t, state.recorded);
	if (state.has_age && state.is_on && p->has_cpus &&
	    add_cpus(p, t.pcpu, p->log_ns, &t) == ST_OK) {
		if (p->clock.end >= t.next && t.next > t.updated)
			update(p, p->clock.end, &t);
		take(p, group, &t, state.now);
		state.has_now = true;
	}
	*ret = state;
	return ST_OK;
}

#define MAX_GAP \
	60000000000ULL /* of the latest tick of any CPU to the end: one second without load */

struct ticks {
	struct structure data;
};

struct tick {
	uint64_t raw, clock;
};

static const struct layout_row sched_clock_rows[] = {
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
	enum status st = STRUCTS_OPEN(d, sched_clock_rows, &ticks) ?: dump_symbol(d, "sched_clock_data", &at) ?:
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
	return RESULT(st, ret,
		      (struct sched_clock){ latest.raw + (log_ns - latest.clock), latest.raw,
					    latest.clock });
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
	return RESULT(st, ret, (struct sched_clock){ log_ns - offset, 1, 1 });
}

bool sched_clock_age(const struct sched_clock *c, uint64_t ns, uint64_t *ret)
{
	uint64_t ago = c->end > ns ? c->end - ns : 0;

	if (!c->ran || ago > c->end)
		return false;
	*ret = (uint64_t)((unsigned __int128)ago * c->passed / c->ran);
	return true;
}
