// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/memcg_counts.h"

#include "cgroup/memcg.h"

#define MAX_DEPTH 64 /* as in cgroup.c */

struct walk {
	struct dump *d;
	struct cgroups cgroups;
	struct structure memcg;
	uint64_t subsystem;
	struct css_states states;
	const struct memcg_counter *kinds;
	size_t room, n; /* of them; n: 0, none can be read */
	struct memcg_stats stats;
	struct memcg_tree tree;
	uint64_t bytes;	      /* of RAM and swap; 0: unknown */
	struct hash_u64 seen; /* of memory cgroups */
	struct memcg_counts **last;
};

struct memcg {
	uint64_t subsystem, cgroup;
	struct css_state state;
	uint64_t children, sibling; /* addresses of list_heads */
	bool has_use, use_hierarchy;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, memcg, "struct mem_cgroup"),
	READS(struct memcg, subsystem, REQUIRED, "all", "css.ss"),
	READS(struct memcg, cgroup, REQUIRED, "all", "css.cgroup"),
	READS_CSS_STATE(struct memcg, state, REQUIRED, "css"),
	PLACES(struct memcg, children, REQUIRED, "all", "css.children"),
	PLACES(struct memcg, sibling, REQUIRED, "all", "css.sibling"),
	/* 5.11: "mm: memcontrol: deprecate the non-hierarchical mode" */
	READS_IF(struct memcg, use_hierarchy, has_use, OPTIONAL, "all to 5.10", "use_hierarchy"),
};

static enum status open_walk(struct dump *d, struct walk *w)
{
	enum status st;

	w->d = d;
	w->tree.complete = true;
	hash_u64_init(&w->seen, d->arena, 0);
	st = memcgs_subsystem(d, &w->subsystem);
	if (st == ST_OK && cgroups_memory_is_off(d))
		st = dump_absent(d, "memory cgroups are off: cgroup_disable=memory");
	st = st ?: STRUCTS_OPEN(d, rows, w);
	return st ?: css_states_open(d, &w->states) ?: cgroups_open(d, &w->cgroups);
}

/* The tree, limits and events are known without any counter. */
static void open_stats(struct walk *w)
{
	struct memcg_tree *t = &w->tree;

	t->counted = dump_alloc(w->d, w->n * sizeof(*t->counted));
	if (w->n)
		t->no_stats = problem_of_part(w->d,
					      memcg_stats_open(w->d, w->kinds, w->n, &w->stats));
	if (t->no_stats.text) {
		w->n = 0;
		return;
	}
	for (size_t i = 0; i < w->n; i++)
		t->counted[i] = w->stats.names[i];
	t->cpus = w->stats.cpus.n;
	t->batched = w->n && w->stats.form != MEMCG_FLUSHED;
}

/* More than the machine has, or an event that happened a negative number of times. */
static bool is_impossible(const struct walk *w, size_t i, uint64_t count)
{
	uint64_t n = (int64_t)count < 0 ? -count : count;

	switch (w->kinds[i].unit) {
	case MEMCG_PAGES:
		return w->bytes && n > w->bytes >> w->d->page_shift;
	case MEMCG_BYTES:
		return w->bytes && n > w->bytes;
	case MEMCG_KIB:
		return w->bytes && n > w->bytes >> 10;
	case MEMCG_TIMES:
		break;
	}
	return n != count;
}

static void doubt(struct walk *w, struct memcg_counts *c, size_t i, uint64_t count)
{
	w->tree.doubted += !c->doubted;
	c->doubted = true;
	if (!w->tree.doubt)
		w->tree.doubt = dump_text(w->d, "%s of %s would be %ld", w->stats.names[i],
					  c->path ? c->path : "a cgroup", count);
}

/*
 * Reads what the cgroup has; sum[] takes what a flush of it adds to its counters and to those of
 * its ancestors.  *keeps: as memcg_stats_read().
 */
static void read_own(struct walk *w, struct memcg_counts *c, struct memcg_stat *sum, bool *keeps)
{
	memcg_stats_read(&w->stats, c->address, sum, keeps);
	for (size_t i = 0; i < w->n; i++) {
		if (!w->tree.counted[i])
			continue;
		c->counts[i] = sum[i].total;
		c->known[i] = sum[i].has_total;
		if (sum[i].has_total && is_impossible(w, i, sum[i].total)) {
			doubt(w, c, i, sum[i].total);
			c->known[i] = false;
		}
		if (sum[i].has_more && is_impossible(w, i, sum[i].more)) {
			doubt(w, c, i, sum[i].more);
			sum[i].has_more = false;
		}
	}
}

static void add_sum(struct memcg_stat *to, const struct memcg_stat *sum, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		to[i].more += sum[i].more;
		to[i].has_more &= sum[i].has_more;
	}
}

static enum status visit(struct walk *w, uint64_t address, struct memcg_counts *parent,
			 struct memcg_stat *sum, struct memcg_counts **ret);

/* A list that breaks off leaves the sum of its cgroup unknown, with those of all ancestors. */
static enum status visit_children(struct walk *w, uint64_t list, struct memcg_counts *c,
				  struct memcg_stat *sum)
{
	struct list_nodes l = list_of(w->d, list, "css.children");
	struct memcg_stat *of_child = NULL;
	struct memcg_counts *child;
	uint64_t node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&l, &node)) {
		of_child = of_child ?: dump_alloc(w->d, w->n * sizeof(*of_child));
		st = visit(w, STRUCT_WITH(&w->memcg, struct memcg, sibling, node), c, of_child,
			   &child);
		if (st == ST_OK) {
			add_sum(sum, of_child, w->n);
			c->doubted |= child->doubted;
		}
	}
	st = st ?: list_end(&l);
	if (st == ST_OK || st == ST_STOPPED)
		return st;
	w->tree.complete = c->has_children = false;
	w->tree.why = dump_why(w->d);
	for (size_t i = 0; i < w->n; i++)
		sum[i].has_more = false;
	return ST_OK;
}

static enum status read_memcg(struct walk *w, uint64_t address, unsigned int depth,
			      struct memcg *ret)
{
	struct dump *d = w->d;
	enum status st = struct_read(&w->memcg, address, ret);

	if (st != ST_OK)
		return st;
	if (ret->subsystem != w->subsystem)
		return dump_corrupt(d, "%#lx is no memory cgroup", address);
	if (!hash_u64_add(&w->seen, address) || depth > MAX_DEPTH)
		return dump_corrupt(d, "the tree of memory cgroups has a loop at %#lx", address);
	return ST_OK;
}

/* Memory for one cgroup and its counters. */
static struct memcg_counts *add_counts(struct walk *w)
{
	struct memcg_counts *c = dump_alloc(w->d, sizeof(*c));

	c->counts = dump_alloc(w->d, w->room * sizeof(*c->counts));
	c->known = dump_alloc(w->d, w->room * sizeof(*c->known));
	return c;
}

/* Counts with what a flush adds; what cannot be true is unknown. */
static void finish_counts(struct walk *w, struct memcg_counts *c, const struct memcg_stat *sum)
{
	for (size_t i = 0; i < w->n; i++) {
		c->counts[i] += sum[i].more;
		c->known[i] &= sum[i].has_more;
		if (w->tree.counted[i] && c->known[i] && is_impossible(w, i, c->counts[i])) {
			doubt(w, c, i, c->counts[i]);
			c->known[i] = false;
		}
	}
}

static enum status visit(struct walk *w, uint64_t address, struct memcg_counts *parent,
			 struct memcg_stat *sum, struct memcg_counts **ret)
{
	unsigned int depth = parent ? parent->depth + 1 : 0;
	struct memcg memcg;
	struct memcg_counts *c;
	bool keeps = false;
	enum status st = read_memcg(w, address, depth, &memcg);

	if (st != ST_OK)
		return st;
	c = add_counts(w);
	c->address = address;
	c->parent = parent;
	c->depth = depth;
	c->has_children = true;
	/*
	 * Page counters and arrays of such a cgroup do not get what its children are charged for
	 * (mem_cgroup_css_alloc()). Where arrays are of one cgroup alone, the root adds up all
	 * (mem_cgroup_iter()).
	 */
	c->is_flat = memcg.has_use && !memcg.use_hierarchy &&
		     (parent || !w->n || w->stats.form != MEMCG_ALONE);
	c->removed = css_is_removed(&w->states, &memcg.state, address);
	c->cgroup = memcg.cgroup;
	c->path = cgroups_path(&w->cgroups, c->cgroup);
	if (w->n)
		read_own(w, c, sum, &keeps);
	*w->last = c;
	w->last = &c->next;
	if (c->is_flat)
		finish_counts(w, c, sum);
	st = visit_children(w, memcg.children, c, sum);
	if (st != ST_OK)
		return st;
	for (size_t i = 0; keeps && i < w->n; i++)
		sum[i] = (struct memcg_stat){ .has_more = true };
	if (!c->is_flat)
		finish_counts(w, c, sum);
	*ret = c;
	return ST_OK;
}

enum status memcg_counts_read(struct dump *d, const struct memcg_counter *kinds, size_t n,
			      uint64_t bytes, struct memcg_tree *ret)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	struct memcg_stat *all = dump_alloc(d, n * sizeof(*all));
	struct memcg_counts *top;
	uint64_t root;
	enum status st;

	w->last = &w->tree.first;
	w->kinds = kinds;
	w->room = w->n = n;
	w->bytes = bytes;
	st = open_walk(d, w);
	if (st == ST_OK)
		open_stats(w);
	st = st ?: dump_value(d, "root_mem_cgroup", &root);
	/* Until cgroup_init(). */
	if (st == ST_OK && !root)
		st = dump_absent(d, "the kernel had made no memory cgroup yet");
	st = st ?: visit(w, root, NULL, all, &top);
	if (st != ST_OK)
		return st;
	if (!w->tree.why)
		w->tree.why = "";
	*ret = w->tree;
	return ST_OK;
}

enum status memcg_events_read(struct dump *d, struct memcg_tree *ret)
{
	struct memcg_counter kinds[VM_EVENTS];
	struct memcg_tree tree;
	enum status st;

	for (size_t i = 0; i < VM_EVENTS; i++)
		kinds[i] = (struct memcg_counter){
			{ vm_event_kinds[i].enumerator },
			vm_event_kinds[i].of_memcg,
			MEMCG_TIMES,
			vm_event_kinds[i].instead ? vm_event_kinds[i].instead
						  : vm_event_kinds[i].enumerator,
		};
	st = memcg_counts_read(d, kinds, VM_EVENTS, 0, &tree);
	return RESULT(st ?: first_problem_end(d, &tree.no_stats), ret, tree);
}
