// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_cgroups.h"

#include "cgroup/cgroup_tree.h"

#define HLIST_HEAD 8 /* bytes; a list_head has 16 */

/* A struct bpf_prog_list: prog or a link is 0. */
struct attached {
	uint64_t prog;
};

struct walk {
	struct dump *dump;
	struct structure attached;
	struct field bpf, progs, effective, node;
	uint64_t heads, stride; /* of cgroup_bpf.progs */
	struct cgroup_tree cgroups;
	enum status (*visit)(void *arg, uint64_t prog, uint64_t cgroup);
	void *arg;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, bpf, "struct cgroup", REQUIRED, "4.10", "bpf"),
	FINDS(struct walk, progs, "struct cgroup_bpf", OPTIONAL, "4.15", "progs"),
	FINDS(struct walk, effective, "struct cgroup_bpf", OPTIONAL, "all", "effective"),
	FINDS(struct walk, node, "struct bpf_prog_list", OPTIONAL, "4.15", "node"),
	STRUCTURE(struct walk, attached, "struct bpf_prog_list"),
	READS(struct attached, prog, OPTIONAL, "4.15", "prog"),
};

/* 6.0: bpf: replace list_head by hlist_head in struct cgroup_bpf */
static enum status walk_list(struct walk *w, uint64_t cgroup, uint64_t head)
{
	struct dump *d = w->dump;
	struct list_nodes l = w->stride == HLIST_HEAD ? hlist_of(d, head, "cgroup_bpf.progs")
						      : list_of(d, head, "cgroup_bpf.progs");
	uint64_t node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&l, &node)) {
		struct attached a = { 0 };

		st = struct_read(&w->attached, node - w->node.offset, &a);
		if (st == ST_OK && a.prog)
			st = w->visit(w->arg, a.prog, cgroup);
	}
	return st ?: list_end(&l);
}

enum status bpf_cgroups_walk(struct dump *d,
			     enum status (*visit)(void *arg, uint64_t prog, uint64_t cgroup),
			     void *arg)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	uint64_t cgroup;
	enum status st = dump_has_both(d, "cgrp_dfl_root", "struct bpf_prog_list");

	if (st == ST_ABSENT)
		return dump_fail(d, ST_ABSENT, "this kernel attaches no programs to cgroups");
	st = st ?: STRUCTS_OPEN(d, rows, w);
	if (st != ST_OK)
		return st;
	w->dump = d;
	w->visit = visit;
	w->arg = arg;
	w->heads = w->effective.size / 8;
	w->stride = w->heads ? w->progs.size / w->heads : 0;
	if (!w->node.present || !w->stride || !STRUCT_HAS(&w->attached, struct attached, prog))
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct cgroup_bpf");
	for (cgroup_tree_begin(&w->cgroups, d); cgroup_tree_next(&w->cgroups, &cgroup);)
		for (uint64_t i = 0; i < w->heads; i++)
			first_problem_keep(d, &w->cgroups.problem,
					   walk_list(w, cgroup,
						     cgroup + w->bpf.offset + w->progs.offset +
							     i * w->stride));
	return cgroup_tree_end(&w->cgroups);
}
