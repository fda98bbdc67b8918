// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/pressure.h"

#include "cgroup/cgroup.h"
#include "kernel/dump_info.h"
#include "kernel/static_key.h"

struct collect {
	struct dump *dump;
	struct psi psi;
	struct cgroups cgroups;
	struct field group; /* of struct cgroup: a psi_group, or a pointer to one (6.1) */
	struct pressure *ret;
};

static struct pressure_line *add_line(struct collect *c)
{
	struct pressure *p = c->ret;

	p->lines = arena_more(c->dump->arena, p->lines, p->n, sizeof(*p->lines));
	return &p->lines[p->n++];
}

/* The kernel's averages are of up to two seconds before, of longer where no CPU switched tasks. */
static void note_age(struct pressure *p, const struct psi_state *s)
{
	if (!s->has_now || !s->has_age || !memcmp(s->now, s->recorded, sizeof(s->now)))
		return;
	if (!p->older || p->newest_ns > s->age_ns)
		p->newest_ns = s->age_ns;
	if (p->oldest_ns < s->age_ns)
		p->oldest_ns = s->age_ns;
	p->older++;
}

static void add_group(struct collect *c, uint64_t group, const char *path)
{
	struct psi_state s;
	bool is_short = false;
	enum status st = psi_read(&c->psi, group, &s);

	c->ret->unread += st != ST_OK;
	if (st != ST_OK)
		return;
	/* It has no files (cgroup_file_notify_show() of cgroup.pressure). */
	c->ret->turned_off += !s.is_on;
	if (!s.is_on)
		return;
	c->ret->uncounted += !s.has_now;
	note_age(c->ret, &s);
	for (unsigned int kind = 0; kind < PSI_KINDS; kind++)
		is_short |= s.now[kind].total_ns != s.recorded[kind].total_ns;
	c->ret->wrapped += s.has_now && s.has_age && s.age_ns > UINT32_MAX && is_short;
	for (unsigned int kind = 0; kind < PSI_KINDS; kind++)
		if (psi_has(&c->psi, kind))
			*add_line(c) = (struct pressure_line){
				.cgroup = path,
				.is_system = group == c->psi.system,
				.kind = kind,
				.has_age = s.has_age,
				.age_ns = s.age_ns,
				.has_now = s.has_now,
				.now = s.now[kind],
				.recorded = s.recorded[kind],
			};
}

static void add_cgroup(struct collect *c, uint64_t cgroup)
{
	uint64_t group = cgroup + c->group.offset;
	const char *path;

	if (c->group.kind == KIND_POINTER &&
	    dump_u64(c->dump, group, &group, "cgroup.psi") != ST_OK) {
		c->ret->unread++;
		return;
	}
	path = cgroups_path(&c->cgroups, cgroup);
	c->ret->unnamed += !path;
	add_group(c, group, path);
}

/* DEFINE_STATIC_KEY_TRUE(), 5.19: cgroup_disable=pressure. */
static bool is_off_for_cgroups(struct dump *d)
{
	bool on;

	return dump_knows_symbol(d, "psi_cgroups_enabled") &&
	       static_key_read(d, "psi_cgroups_enabled", &on) == ST_OK && !on;
}

static enum status add_cgroups(struct collect *c)
{
	static const struct layout_row row = {
		"struct cgroup", { "psi" }, REQUIRED, "4.20, CONFIG_PSI"
	};
	struct dump *d = c->dump;
	struct cgroup_tree *t = dump_alloc(d, sizeof(*t));
	uint64_t cgroup;
	enum status st;

	if (is_off_for_cgroups(d))
		return ST_OK;
	st = dump_has_both(d, "cgrp_dfl_root", "struct cgroup");
	if (st != ST_OK)
		return st == ST_ABSENT ? ST_OK : st;
	st = layout_resolve(d, &row, 1, &c->group) ?: cgroups_open(d, &c->cgroups);
	if (st != ST_OK)
		return st;
	cgroup_tree_begin(t, d);
	/* The files of the root are those of the machine. */
	for (cgroup_tree_next(t, &cgroup); cgroup_tree_next(t, &cgroup);)
		if (!t->is_removed)
			add_cgroup(c, cgroup);
	return cgroup_tree_end(t);
}

static void note_gaps(struct collect *c, enum status st)
{
	struct pressure *p = c->ret;

	if (st != ST_OK && st != ST_STOPPED)
		p->tree_ends = dump_why(c->dump);
	const struct gap gaps[] = {
		{ "the pressure of %s is not in this dump, or cannot be true", p->unread, "cgroup",
		  "cgroups" },
		{ "no name in this dump for %s", p->unnamed, "cgroup", "cgroups" },
		{ "what CPUs had not added to the figures of %s is unknown: those as of their last update are known",
		  p->uncounted, "group of tasks", "groups of tasks" },
		/* psi_group_cpu.times[] */
		{ "%s waited since the last update, more than 4.2s before the end: CPUs count that in 32 bits of nanoseconds, it may be more",
		  p->wrapped, "group of tasks", "groups of tasks", .is_note = true },
		GAP_WHY("cgroups are missing: %s", p->tree_ends),
	};

	p->gaps = GAPS_OF(c->dump, gaps);
}

/*
 * As a file would have shown it at the end.  What a CPU counted since the last update is in 32 bits of
 * nanoseconds: if that is long ago it may be more.
 */
bool pressure_is_of_end(const struct pressure_line *l)
{
	return l->has_now && l->has_age &&
	       (l->age_ns <= UINT32_MAX || l->now.total_ns == l->recorded.total_ns);
}

const struct psi_figures *pressure_told(const struct pressure_line *l)
{
	return pressure_is_of_end(l) && l->age_ns <= PRESSURE_OLD_NS ? &l->now : &l->recorded;
}

uint64_t pressure_avg10(const struct pressure_line *l)
{
	return pressure_is_of_end(l) ? l->now.avg[0] : l->recorded.avg[0];
}

const struct pressure_line *pressure_of(const struct pressure *p, const char *cgroup,
					const char *state)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct pressure_line *l = &p->lines[i];

		if (l->has_age && !strcmp(psi_kinds[l->kind].enumerator, state) &&
		    (cgroup ? l->cgroup && !strcmp(l->cgroup, cgroup) : l->is_system))
			return l;
	}
	return NULL;
}

const struct pressure_line *pressure_most(const struct pressure *p, uint64_t min, bool machine_too,
					  bool is_short)
{
	const struct pressure_line *most = NULL, *machine = NULL;

	for (const struct pressure_line *l = p->lines; l < p->lines + p->n; l++) {
		if (!l->has_age || strcmp(psi_kinds[l->kind].enumerator, "PSI_MEM_FULL") != 0)
			continue;
		machine = l->is_system ? l : machine;
		if (!most || most->is_system || pressure_avg10(l) > pressure_avg10(most))
			most = l;
	}
	if (machine && machine_too && pressure_avg10(machine) >= min &&
	    (is_short || pressure_avg10(most) >= min) &&
	    (is_short || pressure_avg10(machine) * 2 > pressure_avg10(most)))
		most = machine;
	return most && pressure_avg10(most) >= min ? most : NULL;
}

enum status pressure_collect(struct dump *d, struct pressure *ret)
{
	struct collect c = { .dump = d, .ret = ret };
	enum end_source source;
	uint64_t now_ns;
	bool is_whole;
	enum status st;

	*ret = (struct pressure){ 0 };
	st = psi_open(d, &c.psi, &ret->is_off);
	if (st != ST_OK)
		return st;
	if (end_time_read(d, &now_ns, &source, &is_whole) == ST_OK)
		psi_set_time(&c.psi, now_ns);
	add_group(&c, c.psi.system, NULL);
	st = add_cgroups(&c);
	note_gaps(&c, st);
	return st == ST_STOPPED ? st : ST_OK;
}
