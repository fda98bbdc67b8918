// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_cgroups.h"

#include "dump/first_problem.h"
#include "dump/structure.h"
#include "kernel/list.h"

#define MAX_DEPTH 64	  /* as lib/cgroup/cgroup.c */
#define MAX_PROGRAMS 1024 /* of one kind, of one cgroup; BPF_CGROUP_MAX_PROGS is 64 */
#define HLIST_HEAD 8	  /* bytes; a list_head has 16 */

/* A struct bpf_prog_list: prog or a link is 0. */
struct attached {
	uint64_t prog;
};

struct walk {
	struct dump *dump;
	struct structure attached;
	struct field root, children, sibling, bpf, progs, effective, node, next;
	uint64_t heads, stride; /* of cgroup_bpf.progs */
	uint64_t cgroup;	/* that is visited */
	unsigned int depth;
	struct first_problem problem;
	enum status (*visit)(void *arg, uint64_t prog, uint64_t cgroup);
	void *arg;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, root, "struct cgroup_root", REQUIRED, "all", "cgrp"),
	FINDS(struct walk, children, "struct cgroup", REQUIRED, "all", "self.children"),
	FINDS(struct walk, sibling, "struct cgroup", REQUIRED, "all", "self.sibling"),
	FINDS(struct walk, bpf, "struct cgroup", REQUIRED, "4.10", "bpf"),
	FINDS(struct walk, progs, "struct cgroup_bpf", OPTIONAL, "4.15", "progs"),
	FINDS(struct walk, effective, "struct cgroup_bpf", OPTIONAL, "all", "effective"),
	FINDS(struct walk, node, "struct bpf_prog_list", OPTIONAL, "4.15", "node"),
	FINDS(struct walk, next, "struct hlist_node", REQUIRED, "all", "next"),
	STRUCTURE(struct walk, attached, "struct bpf_prog_list"),
	READS(struct attached, prog, OPTIONAL, "4.15", "prog"),
};

static enum status add(void *arg, uint64_t node)
{
	struct walk *w = arg;
	struct attached a = { 0 };
	enum status st = struct_read(&w->attached, node - w->node.offset, &a);

	return st != ST_OK || !a.prog ? st : w->visit(w->arg, a.prog, w->cgroup);
}

/* 6.0: bpf: replace list_head by hlist_head in struct cgroup_bpf */
static enum status walk_hlist(struct walk *w, uint64_t head)
{
	uint64_t node = 0;
	enum status st = dump_u64(w->dump, head, &node, "cgroup_bpf.progs");

	for (unsigned int i = 0; st == ST_OK && node; i++) {
		if (i == MAX_PROGRAMS)
			return dump_fail(w->dump, ST_CORRUPT, "programs of a cgroup loop at %#lx",
					 node);
		st = add(w, node)
			     ?: dump_u64(w->dump, node + w->next.offset, &node, "bpf_prog_list");
	}
	return st;
}

static enum status walk_programs(struct walk *w, uint64_t cgroup)
{
	const uint64_t first = cgroup + w->bpf.offset + w->progs.offset;
	enum status st = ST_OK;

	w->cgroup = cgroup;
	for (uint64_t i = 0; i < w->heads && st != ST_STOPPED; i++) {
		const uint64_t head = first + i * w->stride;

		st = w->stride == HLIST_HEAD ? walk_hlist(w, head)
					     : list_walk(w->dump, head, "cgroup_bpf.progs", add, w);
		st = first_problem_keep(w->dump, &w->problem, st);
	}
	return st;
}

static enum status walk_cgroup(struct walk *w, uint64_t cgroup);

static enum status walk_child(void *arg, uint64_t node)
{
	struct walk *w = arg;

	return walk_cgroup(w, node - w->sibling.offset);
}

static enum status walk_cgroup(struct walk *w, uint64_t cgroup)
{
	enum status st;

	if (dump_stopped(w->dump))
		return ST_STOPPED;
	if (w->depth == MAX_DEPTH)
		return dump_fail(w->dump, ST_CORRUPT, "cgroups are nested more than %d deep",
				 MAX_DEPTH);
	w->depth++;
	st = walk_programs(w, cgroup);
	if (st == ST_OK)
		st = list_walk(w->dump, cgroup + w->children.offset, "children of a cgroup",
			       walk_child, w);
	w->depth--;
	return first_problem_keep(w->dump, &w->problem, st);
}

enum status bpf_cgroups_walk(struct dump *d,
			     enum status (*visit)(void *arg, uint64_t prog, uint64_t cgroup),
			     void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	uint64_t root = 0;
	enum status st = dump_has_both(d, "cgrp_dfl_root", "struct bpf_prog_list");

	if (st == ST_ABSENT)
		return dump_fail(d, ST_ABSENT, "this kernel attaches no programs to cgroups");
	st = st ?: STRUCTS_OPEN(d, rows, &w) ?: dump_symbol(d, "cgrp_dfl_root", &root);
	if (st != ST_OK)
		return st;
	w.heads = w.effective.size / 8;
	w.stride = w.heads ? w.progs.size / w.heads : 0;
	if (!w.node.present || !w.stride || !STRUCT_HAS(&w.attached, struct attached, prog))
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct cgroup_bpf");
	return walk_cgroup(&w, root + w.root.offset) ?: first_problem_end(d, &w.problem);
}
