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

static const struct layout_row rows[PSI_FIELDS] = {
	[PSI_ENABLED] = { "struct psi_group", { "enabled" }, OPTIONAL, "6.1" },
	[PSI_PCPU] = { "struct psi_group", { "pcpu" }, REQUIRED, "all" },
	/* 5.2: "psi: split update_stats into parts", with the names of today */
	[PSI_AVG_TOTAL] = { "struct psi_group",
			    { "avg_total", "total_prev" },
			    REQUIRED,
			    "5.2, 4.20" },
	[PSI_LAST_UPDATE] = { "struct psi_group",
			      { "avg_last_update", "last_update" },
			      REQUIRED,
			      "5.2, 4.20" },
	[PSI_NEXT_UPDATE] = { "struct psi_group",
			      { "avg_next_update", "next_update" },
			      REQUIRED,
			      "5.2, 4.20" },
	[PSI_TOTAL] = { "struct psi_group", { "total" }, REQUIRED, "all" },
	[PSI_AVG] = { "struct psi_group", { "avg" }, REQUIRED, "all" },
	[PSI_CPU_MASK] = { "struct psi_group_cpu", { "state_mask" }, OPTIONAL, "5.2" },
	[PSI_CPU_TIMES] = { "struct psi_group_cpu", { "times" }, REQUIRED, "all" },
	[PSI_CPU_START] = { "struct psi_group_cpu", { "state_start" }, REQUIRED, "all" },
	[PSI_CPU_PREVIOUS] = { "struct psi_group_cpu", { "times_prev" }, REQUIRED, "all" },
};

static enum status find_states(struct psi *p)
{
	struct dump *d = p->dump;
	const struct field *f = p->f;
	unsigned int named = 0;
	int64_t nonidle;
	enum status st = dump_enumerator(d, "PSI_NONIDLE", &nonidle);

	if (st != ST_OK)
		return st;
	if (nonidle <= 0 || nonidle > PSI_MAX_STATES)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: PSI_NONIDLE is %ld", nonidle);
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
	if (f[PSI_AVG_TOTAL].size != p->states * 8 || f[PSI_TOTAL].size < p->states * 8 ||
	    f[PSI_AVG].size != p->states * 8 * PSI_AVERAGES ||
	    f[PSI_CPU_TIMES].size != (p->states + 1) * 4 ||
	    f[PSI_CPU_PREVIOUS].size < (p->states + 1) * 4)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct psi_group");
	return ST_OK;
}

/* Without what CPUs have not added the recorded figures are all that is known. */
static void open_cpus(struct psi *p)
{
	struct dump *d = p->dump;
	struct jiffies jiffies;

	jiffies_open(d, &jiffies);
	p->tick_ns = jiffies.tick_ns;
	p->has_cpus = p->f[PSI_CPU_MASK].present && p->tick_ns && percpu_open(d, &p->cpus) == ST_OK;
	/* PSI_FREQ is 2 * HZ + 1. */
	p->period_ns = 2000000000 + p->tick_ns;
}

enum status psi_open(struct dump *d, struct psi *ret, bool *off)
{
	struct psi p = { .dump = d };
	enum status st = dump_has_both(d, "psi_system", "struct psi_group_cpu");

	*off = false;
	if (st == ST_ABSENT)
		return dump_fail(d, st, "built without CONFIG_PSI");
	st = st ?: static_key_read(d, "psi_disabled", off);
	if (st == ST_OK && *off)
		return dump_fail(d, ST_ABSENT,
				 "pressure stall information was not turned on at boot");
	st = st ?: dump_symbol(d, "psi_system", &p.system) ?: layout_resolve(d, rows, PSI_FIELDS, p.f) ?:
		find_states(&p) ?:
		layout_buffer(d, "struct psi_group", layout_span(p.f, PSI_GROUP_FIELDS), &p.group) ?:
		layout_buffer(d, "struct psi_group_cpu",
			      layout_span(p.f + PSI_GROUP_FIELDS, PSI_FIELDS - PSI_GROUP_FIELDS),
			      &p.cpu);
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

/* Of a group, by enum psi_states; the averages in fixed point. */
struct totals {
	uint64_t total[PSI_MAX_STATES], avg_total[PSI_MAX_STATES];
	uint64_t avg[PSI_MAX_STATES][PSI_AVERAGES];
	uint64_t updated, next;
};

/* get_recent_times(): what a CPU has beside what was taken of it, by state. */
static enum status read_cpu(struct psi *p, uint64_t at, uint64_t now, uint32_t times[])
{
	const uint8_t *raw = p->cpu.raw;
	uint64_t mask, start;
	uint32_t open;
	enum status st = layout_read(p->dump, at, &p->cpu, "struct psi_group_cpu");

	if (st != ST_OK)
		return st;
	mask = field_get(&p->f[PSI_CPU_MASK], raw);
	start = field_get(&p->f[PSI_CPU_START], raw);
	open = now > start ? (uint32_t)(now - start) : 0;
	for (unsigned int i = 0; i <= p->states; i++)
		times[i] = le32(raw + p->f[PSI_CPU_TIMES].offset + i * 4) +
			   (mask >> i & 1 ? open : 0) -
			   le32(raw + p->f[PSI_CPU_PREVIOUS].offset + i * 4);
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

		sample = sample < period ? sample : period;
		for (size_t i = 0; i < PSI_AVERAGES; i++)
			t->avg[s][i] = mean(mean(t->avg[s][i], decay_of(decays[i], missed), 0),
					    decays[i], sample * 100 / period * ONE);
	}
}

static void take(const struct psi *p, const struct totals *t, struct psi_figures to[PSI_KINDS])
{
	for (size_t kind = 0; kind < PSI_KINDS; kind++) {
		int64_t s = p->index[kind];

		for (size_t i = 0; s >= 0 && i < PSI_AVERAGES; i++)
			to[kind].avg[i] = hundredths(t->avg[s][i]);
		if (s >= 0)
			to[kind].total_ns = t->total[s];
	}
}

static enum status check(struct psi *p, uint64_t group, const struct totals *t)
{
	for (unsigned int s = 0; s < p->states; s++)
		for (size_t i = 0; i < PSI_AVERAGES; i++)
			if (t->avg[s][i] > 100 * ONE)
				return dump_fail(p->dump, ST_CORRUPT,
						 "struct psi_group at %#lx: a share of %lu percent",
						 group, t->avg[s][i] >> SHIFT);
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
	const uint8_t *raw = p->group.raw;
	struct psi_state state = { .is_on = true };
	struct totals t = { 0 };
	enum status st = layout_read(p->dump, group, &p->group, "struct psi_group");

	if (st != ST_OK)
		return st;
	for (unsigned int s = 0; s < p->states; s++) {
		t.total[s] = le64(raw + p->f[PSI_TOTAL].offset + s * 8);
		t.avg_total[s] = le64(raw + p->f[PSI_AVG_TOTAL].offset + s * 8);
		for (size_t i = 0; i < PSI_AVERAGES; i++)
			t.avg[s][i] = le64(raw + p->f[PSI_AVG].offset + (s * PSI_AVERAGES + i) * 8);
	}
	t.updated = field_get(&p->f[PSI_LAST_UPDATE], raw);
	t.next = field_get(&p->f[PSI_NEXT_UPDATE], raw);
	if (p->f[PSI_ENABLED].present)
		state.is_on = field_get(&p->f[PSI_ENABLED], raw);
	read_age(p, &t, &state);
	st = check(p, group, &t);
	if (st != ST_OK)
		return st;
	take(p, &t, state.recorded);
	if (state.has_age && state.is_on && p->has_cpus &&
	    add_cpus(p, field_get(&p->f[PSI_PCPU], raw), p->log_ns, &t) == ST_OK) {
		if (p->clock.end >= t.next && t.next > t.updated)
			update(p, p->clock.end, &t);
		take(p, &t, state.now);
		state.has_now = true;
	}
	*ret = state;
	return ST_OK;
}
