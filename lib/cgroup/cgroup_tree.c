// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/cgroup_tree.h"

struct cgroup {
	uint64_t children, sibling, flags; /* addresses of list_heads */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct cgroup_tree, cgroup, "struct cgroup"),
	PLACES(struct cgroup, children, REQUIRED, "all", "self.children"),
	PLACES(struct cgroup, sibling, REQUIRED, "all", "self.sibling"),
	READS(struct cgroup, flags, REQUIRED, "all", "self.flags"),
	FINDS(struct cgroup_tree, first, "struct cgroup_root", REQUIRED, "all", "cgrp"),
};

void cgroup_tree_begin(struct cgroup_tree *t, struct dump *d)
{
	int64_t online = 0;
	uint64_t root = 0;
	enum status st;

	memset(t, 0, sizeof(*t));
	t->dump = d;
	hash_u64_init(&t->seen, d->arena, 0);
	st = STRUCTS_OPEN(d, rows, t) ?: dump_enumerator(d, "CSS_ONLINE", &online) ?:
		dump_symbol(d, "cgrp_dfl_root", &root);
	t->online = (uint64_t)online;
	t->root = st == ST_OK ? root + t->first.offset : 0;
	first_problem_keep(d, &t->problem, st);
}

/* The root, then what the innermost list has. */
static bool next_address(struct cgroup_tree *t, uint64_t *ret)
{
	uint64_t node;

	*ret = t->root;
	t->root = 0;
	while (!*ret && t->depth) {
		struct list_nodes *l = &t->children[t->depth - 1];

		if (list_next(l, &node)) {
			*ret = STRUCT_WITH(&t->cgroup, struct cgroup, sibling, node);
			break;
		}
		first_problem_keep(t->dump, &t->problem, list_end(l));
		t->depth--;
	}
	return *ret;
}

bool cgroup_tree_next(struct cgroup_tree *t, uint64_t *cgroup)
{
	struct dump *d = t->dump;
	struct cgroup c;
	bool is_new;

	while (!dump_stopped(d) && next_address(t, cgroup)) {
		enum status st = struct_read(&t->cgroup, *cgroup, &c);

		hash_u64_get(&t->seen, *cgroup, &is_new);
		if (st == ST_OK && (!is_new || t->depth == CGROUP_DEPTH))
			st = dump_fail(d, ST_CORRUPT, "the tree of cgroups has a loop at %#lx",
				       *cgroup);
		if (st != ST_OK) {
			first_problem_keep(d, &t->problem, st);
			continue;
		}
		t->is_removed = !(c.flags & t->online);
		t->children[t->depth++] = list_of(d, c.children, "cgroup.self.children");
		return true;
	}
	return false;
}

enum status cgroup_tree_end(const struct cgroup_tree *t)
{
	return dump_stopped(t->dump) ? ST_STOPPED : first_problem_end(t->dump, &t->problem);
}
