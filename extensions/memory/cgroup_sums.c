// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory cgroups: reads them, and sums what is charged to each and its descendants. */
#include "cgroups.h"

#include "cgroup/frozen_cgroups.h"

#define STAT_KIND(index, name, first, second, unit, only, always) \
	[index] = { name, MEMCG_##unit, only },
#define STAT_COUNTER(index, name, first, second, unit, only, always) \
	[index] = { { first, second }, MEMCG_ALWAYS, MEMCG_##unit, always, name },
const struct cgroup_stat_kind cgroup_stats[CGROUP_STATS] = { STAT_LIST(STAT_KIND) };
const struct memcg_counter cgroup_counters[CGROUP_STATS] = { STAT_LIST(STAT_COUNTER) };

bool cgroup_has_stat(const struct cgroups_view *c, const struct cgroup *g, enum cgroup_stat stat)
{
	enum memcg_version only = cgroup_stats[stat].only;

	return c->tree.counted[stat] &&
	       (only == BOTH || (g->has_state && g->state.version == only));
}

bool cgroup_stat_bytes(const struct cgroups_view *c, const struct cgroup *g, enum cgroup_stat stat,
		       uint64_t *ret)
{
	int64_t count = (int64_t)g->counts->counts[stat];

	if (!cgroup_has_stat(c, g, stat) || !g->counts->known[stat] || c->doubt[stat])
		return false;
	/* Deltas of CPUs may be negative together: the file shows 0 (memcg_page_state()). */
	*ret = count > 0 ? count : 0;
	if (cgroup_stats[stat].unit == MEMCG_PAGES)
		*ret <<= c->v->page_shift;
	else if (cgroup_stats[stat].unit == MEMCG_KIB)
		*ret <<= 10;
	return true;
}

static struct cgroup *find(struct cgroups_view *c, uint64_t memcg)
{
	struct cgroup *const *g = hash_u64_find(&c->by_address, memcg);

	return g ? *g : NULL;
}

/* The counters of zswap have enumerators in kernels that are built without it, but no line. */
static void leave_out_zswap(struct cgroups_view *c)
{
	struct field f;

	if (dump_ask(c->v->dump, member, "struct mem_cgroup", "zswap_max", &f) != ST_OK)
		c->tree.counted[STAT_ZSWAP] = c->tree.counted[STAT_ZSWAPPED] = false;
}

/* An array of the list; parents stay before their children. */
static void take_tree(struct cgroups_view *c)
{
	struct cgroup **slot;

	for (const struct memcg_counts *m = c->tree.first; m; m = m->next)
		c->n++;
	c->cgroups = dump_alloc(c->v->dump, c->n * sizeof(*c->cgroups));
	c->n = 0;
	for (const struct memcg_counts *m = c->tree.first; m; m = m->next) {
		struct cgroup *g = &c->cgroups[c->n++];

		g->counts = m;
		g->has_state = memcg_state_read(&c->states, m->address, &g->state) == ST_OK;
		slot = hash_u64_get(&c->by_address, m->address, NULL);
		*slot = g;
		g->parent = m->parent ? find(c, m->parent->address) : NULL;
		if (!g->parent)
			continue;
		g->parent->children++;
		g->sibling = g->parent->child;
		g->parent->child = g;
		memcg_state_doubt_protection(&g->state,
					     g->parent->parent ? &g->parent->state : NULL);
	}
}

struct cgroup *cgroup_below(const struct cgroup *top, struct cgroup *g)
{
	if (g->child)
		return g->child;
	while (g != top && !g->sibling)
		g = g->parent;
	return g == top ? NULL : g->sibling;
}

static enum status add_page(void *arg, uint64_t pfn)
{
	struct cgroups_view *c = arg;
	struct page_info info;
	enum status st = page_type_at(&c->v->states, pfn, &info);

	c->seen++;
	if (st == ST_ABSENT)
		return ST_OK;
	return memcg_charges_add(&c->charges, pfn, st == ST_OK ? &info : NULL);
}

static void add_charged(struct memcg_charged *to, const struct memcg_charged *from)
{
	for (size_t i = 0; i < MEMCG_PAGE_KINDS; i++)
		to->pages[i] += from->pages[i];
	to->direct += from->direct;
	to->objects += from->objects;
	to->object_bytes += from->object_bytes;
	to->stock_pages += from->stock_pages;
	to->stocks += from->stocks;
	to->second_pages += from->second_pages;
	to->spare_bytes += from->spare_bytes;
}

static void sum_up(struct cgroups_view *c)
{
	for (size_t i = 0; i < c->n; i++) {
		c->cgroups[i].all = c->cgroups[i].own =
			memcg_charges_of(&c->charges, c->cgroups[i].counts->address);
		c->cgroups[i].all_processes = c->cgroups[i].processes;
	}
	for (size_t i = c->n; i--;) {
		struct cgroup *g = &c->cgroups[i], *up = g->parent;

		while (up && up->counts->is_flat)
			up = up->parent;
		if (up)
			add_charged(&up->all, &g->all);
		if (g->parent)
			g->parent->all_processes += g->all_processes;
		if (g->parent && g->biggest.rss > g->parent->biggest.rss)
			g->parent->biggest = g->biggest;
	}
}

static void add_directory(struct cgroups_view *c, uint64_t pgd)
{
	struct page_info first, second;
	uint64_t phys, pfn;

	if (dump_phys(c->v->dump, pgd, &phys) != ST_OK)
		return;
	pfn = phys >> c->v->page_shift;
	if (page_type_at(&c->v->states, pfn, &first) == ST_OK &&
	    page_type_at(&c->v->states, pfn + 1, &second) == ST_OK)
		memcg_charges_add_directory(&c->charges, pfn, &first, &second);
}

/* Page directories of processes, whose second page does not say that it is charged. */
static void add_directories(struct cgroups_view *c)
{
	struct hash_u64 seen;
	struct mm_structs mms;
	struct mm_struct mm;

	hash_u64_init(&seen, c->v->dump->arena, 0);
	if (mm_structs_open(c->v->dump, &mms) != ST_OK || !c->v->dump->ops->virt_to_phys)
		return;
	for (const struct hash_u64_entry *e = c->mms.first; e; e = e->next) {
		if (mm_struct_read(&mms, e->key, &mm) != ST_OK)
			continue;
		if (hash_u64_add(&seen, mm.pgd))
			add_directory(c, mm.pgd);
	}
}

static enum status scan(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	struct slabs *slabs = dump_alloc(d, sizeof(*slabs));
	enum status st;

	if (slabs_open(d, &c->v->owner.ext.memmap, slabs) != ST_OK) {
		report_warn(&c->v->report, "objects of slabs are unknown: %s", d->error);
		slabs = NULL;
	}
	st = memcg_charges_open(d, &c->memcgs, slabs, &c->charges)
		     ?: ram_walk(d, &c->v->owner.ram, add_page, c);
	if (st == ST_OK)
		add_directories(c);
	for (size_t i = 0; st == ST_OK && i < c->n; i++)
		if (!c->cgroups[i].counts->removed)
			st = memcg_charges_add_memcg(&c->charges, c->cgroups[i].counts->address);
	c->is_partial = st == ST_STOPPED;
	if (st == ST_OK || st == ST_STOPPED) {
		enum status end = memcg_charges_end(&c->charges);

		st = end == ST_OK ? st : end;
	}
	return st;
}

static enum status add_task(void *arg, const struct task *task)
{
	struct cgroups_view *c = arg;
	struct cgroup_task *t;
	struct cgroup *g;
	uint64_t css;

	if (task->mm && !task->is_kthread)
		hash_u64_get(&c->mms, task->mm, NULL);
	if (task->pid != task->tgid && !task->has_memory)
		return ST_OK;
	if (!cgroups_memory_of_set(&c->memcgs.cgroups, task->css_set, &css)) {
		c->tasks_problem = "css_set is not in this dump";
		return ST_OK;
	}
	g = find(c, css);
	if (!g)
		return ST_OK;
	c->no_mm += task->has_memory && task->mm_unreadable;
	if (task->has_memory && task->has_mm && task->rss > 0 &&
	    (uint64_t)task->rss > g->biggest.rss) {
		g->biggest.rss = task->rss;
		g->biggest.tgid = task->tgid;
		g->biggest.comm = dump_strdup(c->v->dump, task->comm);
	}
	if (task->pid != task->tgid)
		return ST_OK;
	g->processes++;
	t = dump_alloc(c->v->dump, sizeof(*t));
	t->tgid = task->tgid;
	memcpy(t->comm, task->comm, sizeof(t->comm));
	t->next = g->tasks;
	g->tasks = t;
	return ST_OK;
}

static enum status count_tasks(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	struct tasks *t = dump_alloc(d, sizeof(*t));
	enum status st = tasks_open(d, t) ?: tasks_walk(t, add_task, c);

	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		c->tasks_problem = dump_why(d);
	return ST_OK;
}

static enum status read_log(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	struct oom_reports *reports = dump_alloc(d, sizeof(*reports));
	enum status st = kernel_log_read(d, &c->log);

	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		c->log_problem = dump_why(d);
	else if (c->log.is_cut)
		c->log_problem = "a record of the log is not in this dump";
	else if (c->log.misses_processes)
		c->log_problem = "older records of the log were overwritten";
	st = oom_reports_read(d, &c->log, reports);
	for (unsigned int i = 0; st == ST_OK && i < reports->n; i++)
		if (reports->reports[i].kind == OOM_REPORT_OOM &&
		    reports->reports[i].scope == OOM_SCOPE_MEMCG)
			c->report = &reports->reports[i];
	return ST_OK;
}

/* More than this no counter of memory has; 0: unknown. */
static uint64_t memory_bytes(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	uint64_t swap = 0;

	enum status st = dump_has_both(d, "total_swap_pages", "union swap_header")
				 ?: dump_value(d, "total_swap_pages", &swap);

	if (c->pages_problem || (st != ST_OK && st != ST_ABSENT))
		return 0;
	return (c->v->owner.ram.pages + swap) << d->page_shift;
}

/*
 * swapaccount=0: do_swap_account up to 5.7, cgroup_memory_noswap to 6.0; later it is always on.  Where it
 * cannot be read, no figure of swap is one.
 */
static bool has_no_swap(struct owner_view *v)
{
	static const char *const names[] = { "do_swap_account", "cgroup_memory_noswap" };
	uint64_t value;

	for (unsigned int i = 0; i < 2; i++) {
		if (!dump_has_symbol(v->dump, names[i]))
			continue;
		if (dump_value(v->dump, names[i], &value) == ST_OK)
			return i ? value : !value;
		report_unknown(&v->report, "swap of cgroups", NOT_IN_DUMP, "%s", v->dump->error);
		return true;
	}
	return false;
}

/* Where the tree breaks off those that were found are frozen all the same. */
static void find_frozen(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	struct frozen_cgroups f;
	enum status st = frozen_cgroups_find(d, &f);

	if (st != ST_OK && st != ST_ABSENT)
		dump_lacks(d, "cgroups that are frozen", st, "%s", dump_why(d));
	for (size_t i = 0; i < c->n; i++) {
		struct cgroup *g = &c->cgroups[i];

		g->is_frozen = g->counts->cgroup && st != ST_ABSENT &&
			       hash_u64_find(&f.all, g->counts->cgroup);
		g->knows_frozen = g->is_frozen || (g->counts->cgroup && st == ST_OK);
	}
}

static void find_pids(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	struct pids_groups x;
	struct first_problem problem = { 0 };
	const enum status st = pids_groups_open(d, &x);
	enum status one;

	first_problem_keep(d, &problem, st);
	for (size_t i = 0; i < c->n; i++) {
		struct cgroup *g = &c->cgroups[i];

		one = st == ST_OK && g->counts->cgroup
			      ? pids_group_read(&x, g->counts->cgroup, &g->pids)
			      : ST_ABSENT;
		first_problem_keep(d, &problem, one);
		/* The root has no such file, and is not counted. */
		g->has_pids = one == ST_OK && g->pids.address && g->counts->parent;
		g->knows_pids = one == ST_OK || st == ST_ABSENT;
	}
	one = first_problem_end(d, &problem);
	if (one != ST_OK && one != ST_ABSENT && one != ST_STOPPED)
		dump_lacks(d, "processes and threads that pids.max counts", one, "%s", dump_why(d));
}

enum status cgroups_collect(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	enum status st = memcg_counts_read(d, cgroup_counters, CGROUP_STATS, memory_bytes(c),
					   &c->tree);
	enum status scanned;

	hash_u64_init(&c->by_address, d->arena, sizeof(struct cgroup *));
	hash_u64_init(&c->mms, d->arena, 0);
	if (st == ST_OK)
		leave_out_zswap(c);
	st = st ?: memcg_states_open(d, &c->states) ?: memcgs_open(d, &c->memcgs);
	if (st == ST_OK)
		take_tree(c);
	if (st == ST_OK)
		find_frozen(c);
	find_pids(c);
	st = st ?: count_tasks(c) ?: read_log(c);
	if (st != ST_OK)
		return st;
	c->no_swap = has_no_swap(c->v);
	if (c->pages_problem) {
		sum_up(c);
		return ST_OK;
	}
	scanned = scan(c);
	if (scanned == ST_OK || scanned == ST_STOPPED)
		sum_up(c);
	return scanned;
}

/* Memory cgroups by the values of keys, -g: a sum is of cgroups of which none is below another. */

static bool is_key(const struct cmdline *in, enum column_id id)
{
	return ANY_OF(i, in->ngroups, in->keys[in->groups[i]].column == id);
}

/* Whether each key has a value, which may be unknown. */
static bool has_values(struct cgroups_view *c, const struct cgroup *g)
{
	const struct cmdline *in = c->v->in;
	const struct view *v = in->shown;
	const struct table t = { .dump = in->table.dump,
				 .columns = v->member_columns,
				 .ncolumns = v->nmember_columns };

	for (size_t i = 0; i < in->ngroups; i++) {
		const size_t column = table_index(&t, in->keys[in->groups[i]].column);
		const struct cell cell = row_cell(&t, &t.columns[column], g, c);

		if (cell.kind == CELL_NULL && g->counts->path)
			return false;
	}
	return true;
}

/* Counters of a cgroup have those of its descendants, unless use_hierarchy is off (is_flat). */
static void find_above(struct cgroups_view *c, struct cgroup *g)
{
	const struct cmdline *in = c->v->in;
	const struct view *v = in->shown;
	bool is_shared = false;

	for (const struct cgroup *above = g->parent; above && !g->is_nested;
	     above = above->parent) {
		if (!above->is_member || above->counts->is_flat)
			continue;
		if (rows_same_group(in, v->member_columns, v->nmember_columns, above, g, c))
			g->is_nested = true;
		else
			is_shared = true;
	}
	c->shared += is_shared && !g->is_nested;
}

void cgroups_add_to_group(struct cgroups_view *c, struct cgroup *g)
{
	struct cmdline *in = c->v->in;
	const struct view *v = in->shown;
	/* Each path is a group of its own, with what it has. */
	const bool is_by_path = is_key(in, COLUMN_memcg);

	g->is_kept = rows_keep_member(in, v->member_columns, v->nmember_columns, g, c);
	if (!g->is_kept)
		return;
	/* The root is all there is: no group is beside it. */
	if (!is_by_path && !g->counts->parent)
		return;
	if (!is_by_path && !has_values(c, g)) {
		c->without++;
		return;
	}
	if (!is_by_path)
		find_above(c, g);
	g->is_member = true;
	rows_add_member(in, g, c);
}

void cgroups_put_group_gaps(struct cgroups_view *c)
{
	const struct gap gaps[] = {
		{ "%s no value of a key of -g: what is charged to them alone is in no row",
		  c->without, "cgroup below the root has", "cgroups below the root have",
		  .is_note = true },
		{ "%s below one of another row: the memory is in both rows", c->shared, "cgroup is",
		  "cgroups are", .is_note = true },
	};

	REPORT_GAPS(&c->v->report, gaps);
	if (!c->v->in->opts.json && !is_key(c->v->in, COLUMN_memcg))
		sink_text(c->v->out, "the root, which has the memory of all, is in no row\n");
}
