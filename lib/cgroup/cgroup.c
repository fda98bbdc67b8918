// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/cgroup.h"

#include "kernel/static_key.h"

#define MAX_DEPTH 64  /* cgroup.max.depth is not set by default; systemd nests some ten */
#define MAX_NAME 256  /* NAME_MAX is 255 */
#define MAX_PATH 4096 /* PATH_MAX */

struct kernfs_node {
	uint64_t parent, name;
};

/* What leads to the next one. */
struct link {
	uint64_t to;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct cgroups, cgroup, "struct cgroup"),
	READS(struct link, to, REQUIRED, "all", "kn"),
	STRUCTURE(struct cgroups, node, "struct kernfs_node"),
	READS(struct kernfs_node, parent, REQUIRED, "6.15, all", "__parent", "parent"),
	READS(struct kernfs_node, name, REQUIRED, "all", "name"),
	STRUCTURE(struct cgroups, css, "struct cgroup_subsys_state"),
	READS(struct link, to, OPTIONAL, "all", "cgroup"),
	STRUCTURE(struct cgroups, set, "struct css_set"),
	READS(struct link, to, OPTIONAL, "4.2", "dfl_cgrp"),
	FINDS(struct cgroups, subsys, "struct css_set", OPTIONAL, "all", "subsys"),
};

/* DEFINE_STATIC_KEY_TRUE() of each controller (kernel/cgroup/cgroup.c, 4.3 and later). */
bool cgroups_memory_is_off(struct dump *d)
{
	bool on;

	return static_key_read(d, "memory_cgrp_subsys_enabled_key", &on) == ST_OK && !on;
}

bool cgroups_memory_is_v1(struct dump *d)
{
	bool on;

	return static_key_read(d, "memory_cgrp_subsys_on_dfl_key", &on) == ST_OK && !on;
}

/* Without CONFIG_MEMCG struct mem_cgroup has no members. */
static void note_no_memory(struct dump *d, int64_t *ret)
{
	if (dump_type_bytes(d, "struct mem_cgroup"))
		dump_lacks(d, "memory cgroups of tasks", ST_UNKNOWN,
			   "unknown layout: no enumerator memory_cgrp_id");
	*ret = -1;
}

enum status cgroups_open(struct dump *d, struct cgroups *ret)
{
	enum status st;

	*ret = (struct cgroups){ .dump = d, .memory = -1 };
	hash_u64_init(&ret->paths, d->arena, sizeof(const char *));
	hash_u64_init(&ret->sets, d->arena, sizeof(struct css_set_paths));
	st = STRUCTS_OPEN(d, rows, ret);
	if (st == ST_UNKNOWN && !dump_has_symbol(d, "cgrp_dfl_root"))
		st = dump_absent(d, "this kernel was built without CONFIG_CGROUPS");
	if (st != ST_OK)
		return st;
	if (struct_has_all(&ret->css) && !cgroups_memory_is_off(d) &&
	    dump_ask(d, enumerator, "memory_cgrp_id", &ret->memory) != ST_OK)
		note_no_memory(d, &ret->memory);
	if (ret->memory < 0 || (uint64_t)ret->memory >= ret->subsys.size / 8)
		ret->memory = -1;
	return ST_OK;
}

/* False: it cannot be read, or this kernel has no such member. */
static bool follow(const struct structure *s, uint64_t from, uint64_t *ret)
{
	struct link link;

	if (!from || !struct_has_all(s) || struct_read(s, from, &link) != ST_OK)
		return false;
	*ret = link.to;
	return true;
}

static const char *lost_parent(struct cgroups *c, uint64_t node)
{
	dump_lacks(c->dump, "paths of cgroups", ST_CORRUPT,
		   "kernfs_node at %#lx has a name and no parent", node);
	return NULL;
}

/* Written from the end: the innermost name comes first. */
static const char *read_path(struct cgroups *c, uint64_t node)
{
	char path[MAX_PATH], name[MAX_NAME];
	size_t at = sizeof(path) - 1;

	path[at] = '\0';
	for (unsigned int depth = 0; depth < MAX_DEPTH; depth++) {
		struct kernfs_node n;
		size_t len;

		if (struct_read(&c->node, node, &n) != ST_OK)
			return NULL;
		*name = '\0';
		if ((n.parent || n.name) &&
		    dump_string(c->dump, n.name, name, sizeof(name), "name of a cgroup") != ST_OK)
			return NULL;
		len = strlen(name);
		/* kernfs_create_root() gives the root no name: what has one has lost its parent. */
		if (!n.parent && len)
			return lost_parent(c, node);
		if (!n.parent)
			return dump_strdup(c->dump, path[at] ? path + at : "/");
		/* No directory has such a name: another page is in place of this one. */
		if (!len || strchr(name, '/') || len + 1 > at)
			return NULL;
		at -= len;
		memcpy(path + at, name, len);
		path[--at] = '/';
		node = n.parent;
	}
	return NULL;
}

/* "/web", "/" for a root; NULL: it cannot be read.  node is a kernfs_node. */
static const char *cgroups_node_path(struct cgroups *c, uint64_t node)
{
	const char **path;
	bool is_new;

	if (!node)
		return NULL;
	path = hash_u64_get(&c->paths, node, &is_new);
	if (is_new)
		*path = read_path(c, node);
	return *path;
}

const char *cgroups_path(struct cgroups *c, uint64_t cgroup)
{
	uint64_t node;

	return follow(&c->cgroup, cgroup, &node) ? cgroups_node_path(c, node) : NULL;
}

enum status cgroups_check_sets(struct cgroups *c)
{
	if (c->subsys.present && struct_has_all(&c->css))
		return ST_OK;
	return dump_unknown(c->dump, "%s has no member %s",
			    c->subsys.present ? "struct cgroup_subsys_state" : "struct css_set",
			    c->subsys.present ? "cgroup" : "subsys");
}

bool cgroups_memory_of_set(struct cgroups *c, uint64_t css_set, uint64_t *ret)
{
	/* Of each controller there is one, of those that the kernel was told to turn off too: cgroup_init(). */
	return css_set && c->memory >= 0 && c->subsys.present &&
	       dump_u64(c->dump, css_set + c->subsys.offset + c->memory * 8, ret, "css_set") ==
		       ST_OK &&
	       *ret;
}

static struct css_set_paths read_set(struct cgroups *c, uint64_t css_set)
{
	struct css_set_paths paths = { NULL, NULL };
	uint64_t cgroup, css;

	if (follow(&c->set, css_set, &cgroup))
		paths.cgroup = cgroups_path(c, cgroup);
	if (cgroups_memory_of_set(c, css_set, &css) && follow(&c->css, css, &cgroup))
		paths.memcg = cgroups_path(c, cgroup);
	return paths;
}

struct css_set_paths cgroups_of_set(struct cgroups *c, uint64_t css_set)
{
	static const struct css_set_paths none;
	struct css_set_paths *paths;
	bool is_new;

	if (!css_set)
		return none;
	paths = hash_u64_get(&c->sets, css_set, &is_new);
	if (is_new)
		*paths = read_set(c, css_set);
	return *paths;
}

bool cgroup_is_below(const char *path, const char *top)
{
	size_t n = strcmp(top, "/") ? strlen(top) : 0;

	return !strncmp(path, top, n) && (!path[n] || path[n] == '/');
}

enum status css_states_open(struct dump *d, struct css_states *ret)
{
	int64_t online;

	*ret = (struct css_states){ .dump = d };
	if (dump_ask(d, enumerator, "CSS_ONLINE", &online) != ST_OK)
		return dump_unknown(d, "no CSS_ONLINE of css.flags");
	ret->online = (uint64_t)online;
	/* include/linux/percpu-refcount.h of all releases */
	ret->dead = (uint64_t)dump_enumerator_or(d, "__PERCPU_REF_DEAD", 2);
	return ST_OK;
}

bool css_is_removed(const struct css_states *s, const struct css_state *css, uint64_t address)
{
	if (css->flags & s->online)
		return false;
	if (!css->has_refs || css->refs & s->dead)
		return true;
	dump_lacks(
		s->dump, "state of cgroups", ST_CORRUPT,
		"css.flags at %#lx is without CSS_ONLINE, css.refcnt is not dead: told as online",
		address);
	return false;
}

struct cgroup {
	uint64_t children, sibling; /* addresses of list_heads */
	struct css_state state;
};

static const struct layout_row cgroup_tree_rows[] = {
	STRUCTURE(struct cgroup_tree, cgroup, "struct cgroup"),
	PLACES(struct cgroup, children, REQUIRED, "all", "self.children"),
	PLACES(struct cgroup, sibling, REQUIRED, "all", "self.sibling"),
	READS_CSS_STATE(struct cgroup, state, REQUIRED, "self"),
	FINDS(struct cgroup_tree, first, "struct cgroup_root", REQUIRED, "all", "cgrp"),
};

void cgroup_tree_begin(struct cgroup_tree *t, struct dump *d)
{
	uint64_t root = 0;
	enum status st;

	*t = (struct cgroup_tree){ .dump = d };
	hash_u64_init(&t->seen, d->arena, 0);
	st = STRUCTS_OPEN(d, cgroup_tree_rows, t) ?: css_states_open(d, &t->states) ?:
		dump_symbol(d, "cgrp_dfl_root", &root);
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
			st = dump_corrupt(d, "the tree of cgroups has a loop at %#lx", *cgroup);
		if (st != ST_OK) {
			first_problem_keep(d, &t->problem, st);
			continue;
		}
		t->is_removed = css_is_removed(&t->states, &c.state, *cgroup);
		t->children[t->depth++] = list_of(d, c.children, "cgroup.self.children");
		return true;
	}
	return false;
}

enum status cgroup_tree_end(const struct cgroup_tree *t)
{
	return dump_stopped(t->dump) ? ST_STOPPED : first_problem_end(t->dump, &t->problem);
}
