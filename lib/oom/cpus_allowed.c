// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/cpus_allowed.h"

#include "cgroup/cgroup.h"
#include "util/bits.h"
#include "util/units.h"

#define MOST_MASKS 256u /* that differ: of threads that can run at one time */
#define WAITING 3u /* beside one for each CPU: of fewer the scheduler may be about to move them */
#define CGROUP_LEVELS 64u /* of cgroups below each other */

struct cpu_bound_list {
	struct cpu_bound_list *next;
	struct cpu_bound bound;
};

struct css {
	uint64_t cgroup, parent;
};

static const struct layout_row rows[] = {
	FINDS(struct cpusets, mask, "struct task_struct", REQUIRED, "5.3, before 5.3", "cpus_mask",
	      "cpus_allowed"),
	FINDS(struct cpusets, effective, "struct cpuset", OPTIONAL, "CONFIG_CPUSETS",
	      "effective_cpus"),
	STRUCTURE(struct cpusets, css, "struct cgroup_subsys_state"),
	POINTS(struct css, cgroup, OPTIONAL, "all", "cgroup"),
	POINTS(struct css, parent, OPTIONAL, "4.2", "parent"),
};

enum status cpusets_open(struct dump *d, struct cpusets *ret)
{
	struct cpusets x = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &x);

	if (st == ST_OK && (!x.mask.size || x.mask.size % 8))
		st = dump_unknown(d, "cpus_mask");
	return RESULT(st, ret, x);
}

static unsigned int count_bits(const uint64_t *mask)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < CPU_BOUND_WORDS; i++)
		n += (unsigned int)__builtin_popcountll(mask[i]);
	return n;
}

static bool has_any(const uint64_t *mask, const uint64_t *of)
{
	return ANY_OF(i, CPU_BOUND_WORDS, mask[i] & of[i]);
}

/* What is beyond the words that are kept is of CPUs that no such machine has. */
static enum status read_mask(struct dump *d, uint64_t at, unsigned int bytes, uint64_t *ret)
{
	unsigned int n = bytes / 8 < CPU_BOUND_WORDS ? bytes / 8 : CPU_BOUND_WORDS;

	memset(ret, 0, CPU_BOUND_WORDS * sizeof(*ret));
	return dump_read(d, at, ret, n * sizeof(*ret), "cpumask");
}

/* A mask that was allocated has no more (cpumask_size()). */
static enum status cpumask_bytes(struct dump *d, unsigned int *ret)
{
	uint64_t ids;
	enum status st = percpu_ids(d, &ids);

	return RESULT(st, ret, (unsigned int)((ids + 63) / 64 * 8));
}

static struct cpu_bound *find_bound(struct cpu_bounds *b, const uint64_t *mask)
{
	struct cpu_bound_list *l = b->first;

	while (l && memcmp(l->bound.mask, mask, sizeof(l->bound.mask)) != 0)
		l = l->next;
	if (l || b->n == MOST_MASKS)
		return l ? &l->bound : NULL;
	l = dump_alloc(b->dump, sizeof(*l));
	*l = (struct cpu_bound_list){ .next = b->first };
	memcpy(l->bound.mask, mask, sizeof(l->bound.mask));
	b->first = l;
	b->n++;
	return &l->bound;
}

static void add_name(struct cpu_bound *of, const struct task *t)
{
	unsigned int i = 0;

	while (i < of->nnames && strcmp(of->names[i].comm, t->comm) != 0)
		i++;
	if (i == CPU_BOUND_NAMES)
		return;
	if (i == of->nnames) {
		memcpy(of->names[i].comm, t->comm, sizeof(of->names[i].comm));
		of->names[i].pid = t->pid;
		of->nnames++;
	}
	of->names[i].threads++;
}

void cpu_bound_add(struct cpu_bounds *b, struct dump *d, const struct task *t)
{
	uint64_t mask[CPU_BOUND_WORDS];
	struct cpu_bound *of;

	if (t->state != 'R' || !t->mm)
		return;
	if (!b->is_open) {
		*b = (struct cpu_bounds){ .dump = d, .is_open = true };
		b->status = cpusets_open(d, &b->sets);
		b->why = b->status == ST_OK ? NULL : dump_why(d);
	}
	if (b->status != ST_OK)
		return;
	b->status = read_mask(d, t->address + b->sets.mask.offset, b->sets.mask.size, mask);
	b->why = b->status == ST_OK ? NULL : dump_why(d);
	of = b->status == ST_OK ? find_bound(b, mask) : NULL;
	if (!of)
		return;
	if (!of->threads++)
		of->css_set = t->css_set;
	add_name(of, t);
}

/* The CPUs that are online, and those of them that ran nothing at the end. */
static enum status read_cpus(struct dump *d, uint64_t *online, uint64_t *idle)
{
	struct percpu cpus;
	struct cpu_task task;
	uint64_t ids;
	enum status st = percpu_open(d, &cpus) ?: percpu_ids(d, &ids);

	memset(idle, 0, CPU_BOUND_WORDS * sizeof(*idle));
	memset(online, 0, CPU_BOUND_WORDS * sizeof(*online));
	if (st == ST_OK && cpus.n < 2)
		return dump_absent(d, "there is no other CPU");
	st = st ?: cpumask_read(d, "__cpu_online_mask", ids, online);
	for (unsigned int i = 0; st == ST_OK && i < cpus.n; i++) {
		const unsigned int cpu = cpus.cpu[i];

		if (!(online[cpu / 64] >> (cpu % 64) & 1))
			continue;
		st = cpu_task_read(d, cpu, &task);
		if (st == ST_OK && !task.pid)
			idle[cpu / 64] |= 1ULL << (cpu % 64);
	}
	return st;
}

/* cpumask_var_t: an array of one, with CONFIG_CPUMASK_OFFSTACK a pointer, which is smaller than what it points to. */
static enum status read_effective(const struct cpusets *x, uint64_t cpuset, uint64_t *ret)
{
	uint64_t at = cpuset + x->effective.offset;
	unsigned int bytes;
	enum status st = cpumask_bytes(x->dump, &bytes);

	if (st == ST_OK && x->effective.size == 8 && x->mask.size > 8)
		st = dump_u64(x->dump, at, &at, "cpuset");
	return st ?: read_mask(x->dump, at, bytes, ret);
}

/* The css is the first member of struct cpuset. */
static enum status find_cpuset(struct cpu_bounds *b, struct cpu_bound *of)
{
	const struct cpusets *x = &b->sets;
	struct cgroups cgroups;
	uint64_t css, mask[CPU_BOUND_WORDS];
	struct css link = { 0 };
	uint64_t cgroup = 0;
	int64_t index;
	enum status st = cgroups_open(b->dump, &cgroups) ?: cgroups_check_sets(&cgroups) ?:
			 dump_ask(b->dump, enumerator, "cpuset_cgrp_id", &index);

	if (st != ST_OK)
		return st;
	if (!x->effective.present || !struct_has_all(&x->css) || index < 0 ||
	    (uint64_t)index >= cgroups.subsys.size / 8)
		return dump_unknown(b->dump, "struct cpuset");
	st = dump_u64(b->dump, of->css_set + cgroups.subsys.offset + 8 * (uint64_t)index, &css,
		      "css_set");
	for (unsigned int i = 0; st == ST_OK && css && i < CGROUP_LEVELS; i++) {
		st = read_effective(x, css, mask) ?: struct_read(&x->css, css, &link);
		if (st != ST_OK || memcmp(mask, of->mask, sizeof(mask)) != 0)
			break;
		/* The root has what is online. */
		cgroup = link.parent ? link.cgroup : cgroup;
		css = link.parent;
	}
	of->cgroup = st == ST_OK && cgroup ? cgroups_path(&cgroups, cgroup) : NULL;
	if (st == ST_OK && cgroup && !of->cgroup)
		st = dump_unreadable(b->dump, "the path of a cgroup is not in this dump");
	return st;
}

enum status cpu_bound_find(struct cpu_bounds *b, struct cpu_bound *ret)
{
	uint64_t online[CPU_BOUND_WORDS], idle[CPU_BOUND_WORDS];
	struct cpu_bound *most = NULL;
	enum status st;

	if (!b->is_open)
		return ST_ABSENT;
	st = b->status != ST_OK ? dump_fail(b->dump, b->status, "%s", b->why)
				: read_cpus(b->dump, online, idle);
	if (st != ST_OK)
		return st;
	for (struct cpu_bound_list *l = b->first; l; l = l->next) {
		struct cpu_bound *of = &l->bound;

		for (unsigned int i = 0; i < CPU_BOUND_WORDS; i++)
			of->mask[i] &= online[i];
		of->cpus = count_bits(of->mask);
		if (of->cpus && of->threads >= of->cpus + WAITING && has_any(online, idle) &&
		    !has_any(of->mask, idle) &&
		    (!most || of->threads - of->cpus > most->threads - most->cpus))
			most = of;
	}
	if (!most)
		return dump_absent(b->dump, "no threads are kept from CPUs that are idle");
	most->idle = count_bits(idle);
	while (!(idle[most->first_idle / 64] >> (most->first_idle % 64) & 1))
		most->first_idle++;
	most->is_unknown = find_cpuset(b, most) != ST_OK;
	*ret = *most;
	return ST_OK;
}

void cpu_bound_text(const struct cpu_bound *b, struct strbuf *to)
{
	unsigned int most = 0;
	char cpus[256];

	if (!bits_print(b->mask, CPU_BOUND_WORDS, cpus, sizeof(cpus)))
		snprintf(cpus, sizeof(cpus), "many");
	for (unsigned int i = 1; i < b->nnames; i++)
		most = b->names[i].threads > b->names[most].threads ? i : most;
	strbuf_add(to, "%s that could run share CPU%s %s (%s (%d)", COUNT_OF(b->threads, "thread"),
		   b->cpus > 1 ? "s" : "", cpus, b->names[most].comm, b->names[most].pid);
	if (b->names[most].threads > 1)
		strbuf_add(to, " and %s of its name", COUNT_TEXT(b->names[most].threads - 1));
	if (b->names[most].threads < b->threads)
		strbuf_add(to, ", %s", COUNT_OF(b->threads - b->names[most].threads, "other"));
	strbuf_add(to, "); CPU %u", b->first_idle);
	if (b->idle > 1)
		strbuf_add(to, " and %s", COUNT_OF(b->idle - 1, "other CPU"));
	strbuf_add(to, " %s idle, where ", b->idle > 1 ? "are" : "is");
	if (b->cgroup)
		strbuf_add(to, "the cpuset of cgroup %s does not let them run (cpuset.cpus %s)",
			   b->cgroup, cpus);
	else
		strbuf_add(to, "their affinity does not let them run%s",
			   b->is_unknown ? ", whether by a cpuset is unknown" : "");
}
