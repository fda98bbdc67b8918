// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/cgroup_tree.h"

#include "dump/structure.h"
#include "kernel/list.h"
#include "util/hash_u64.h"

#define MAX_DEPTH 64 /* as in cgroup.c */

struct walk {
	struct dump *dump;
	struct structure cgroup;
	struct field first; /* of struct cgroup_root */
	uint64_t online;
	struct hash_u64 seen;
	unsigned int depth;
	enum status (*visit)(void *arg, uint64_t cgroup);
	void *arg;
};

struct cgroup {
	uint64_t children, sibling, flags; /* addresses of list_heads */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, cgroup, "struct cgroup"),
	PLACES(struct cgroup, children, REQUIRED, "all", "self.children"),
	PLACES(struct cgroup, sibling, REQUIRED, "all", "self.sibling"),
	READS(struct cgroup, flags, REQUIRED, "all", "self.flags"),
	FINDS(struct walk, first, "struct cgroup_root", REQUIRED, "all", "cgrp"),
};

static enum status visit_cgroup(struct walk *w, uint64_t cgroup);

static enum status visit_child(void *arg, uint64_t node)
{
	struct walk *w = arg;

	return visit_cgroup(w, STRUCT_WITH(&w->cgroup, struct cgroup, sibling, node));
}

static enum status visit_cgroup(struct walk *w, uint64_t at)
{
	struct cgroup c;
	bool is_new;
	enum status st = struct_read(&w->cgroup, at, &c);

	if (st != ST_OK)
		return st;
	hash_u64_get(&w->seen, at, &is_new);
	if (!is_new || w->depth == MAX_DEPTH)
		return dump_fail(w->dump, ST_CORRUPT, "the tree of cgroups has a loop at %#lx", at);
	/* One that was removed has no children left that were not. */
	if (!(c.flags & w->online))
		return ST_OK;
	w->depth++;
	st = w->visit(w->arg, at)
		     ?: list_walk(w->dump, c.children, "cgroup.self.children", visit_child, w);
	w->depth--;
	return st;
}

enum status cgroup_tree_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t cgroup),
			     void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	int64_t online;
	uint64_t root;
	enum status st = STRUCTS_OPEN(d, rows, &w) ?: dump_enumerator(d, "CSS_ONLINE", &online) ?:
		dump_symbol(d, "cgrp_dfl_root", &root);

	if (st != ST_OK)
		return st;
	w.dump = d;
	w.visit = visit;
	w.arg = arg;
	w.online = (uint64_t)online;
	hash_u64_init(&w.seen, d->arena, 0);
	return visit_cgroup(&w, root + w.first.offset);
}
