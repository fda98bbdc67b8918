// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory cgroups: reads them, and sums what is charged to each and its descendants. */
#include "cgroups.h"

#include "kernel/task.h"

/* As in memory_stats[] of mm/memcontrol.c. */
#define STAT_LIST(STAT)                                                           \
	STAT(STAT_ANON, "anon", NR_ANON_MAPPED, 0)                                \
	STAT(STAT_FILE, "file", NR_FILE_PAGES, 0)                                 \
	STAT(STAT_KERNEL, "kernel", MEMCG_KMEM, 0)                                \
	STAT(STAT_KERNEL_STACK, "kernel_stack", NR_KERNEL_STACK_KB, 1024)         \
	STAT(STAT_PAGETABLES, "pagetables", NR_PAGETABLE, 0)                      \
	STAT(STAT_SEC_PAGETABLES, "sec_pagetables", NR_SECONDARY_PAGETABLE, 0)    \
	STAT(STAT_PERCPU, "percpu", MEMCG_PERCPU_B, 1)                            \
	STAT(STAT_SOCK, "sock", MEMCG_SOCK, 0)                                    \
	STAT(STAT_VMALLOC, "vmalloc", MEMCG_VMALLOC, 0)                           \
	STAT(STAT_VMALLOC_NODE, "vmalloc", NR_VMALLOC, 0)                         \
	STAT(STAT_SHMEM, "shmem", NR_SHMEM, 0)                                    \
	STAT(STAT_ZSWAP, "zswap", MEMCG_ZSWAP_B, 1)                               \
	STAT(STAT_ZSWAPPED, "zswapped", MEMCG_ZSWAPPED, 0)                        \
	STAT(STAT_FILE_MAPPED, "file_mapped", NR_FILE_MAPPED, 0)                  \
	STAT(STAT_FILE_DIRTY, "file_dirty", NR_FILE_DIRTY, 0)                     \
	STAT(STAT_FILE_WRITEBACK, "file_writeback", NR_WRITEBACK, 0)              \
	STAT(STAT_SWAPCACHED, "swapcached", NR_SWAPCACHE, 0)                      \
	STAT(STAT_INACTIVE_ANON, "inactive_anon", NR_INACTIVE_ANON, 0)            \
	STAT(STAT_ACTIVE_ANON, "active_anon", NR_ACTIVE_ANON, 0)                  \
	STAT(STAT_INACTIVE_FILE, "inactive_file", NR_INACTIVE_FILE, 0)            \
	STAT(STAT_ACTIVE_FILE, "active_file", NR_ACTIVE_FILE, 0)                  \
	STAT(STAT_UNEVICTABLE, "unevictable", NR_UNEVICTABLE, 0)                  \
	STAT(STAT_SLAB_RECLAIMABLE, "slab_reclaimable", NR_SLAB_RECLAIMABLE_B, 1) \
	STAT(STAT_SLAB_UNRECLAIMABLE, "slab_unreclaimable", NR_SLAB_UNRECLAIMABLE_B, 1)

#define STAT_KIND(index, name, enumerator, unit) [index] = { name, unit },
#define STAT_COUNTER(index, name, enumerator, unit) [index] = { #enumerator, MEMCG_ALWAYS },
const struct cgroup_stat_kind cgroup_stats[CGROUP_STATS] = { STAT_LIST(STAT_KIND) };
static const struct memcg_counter counters[CGROUP_STATS] = { STAT_LIST(STAT_COUNTER) };

bool cgroup_stat_bytes(const struct cgroups_view *c, const struct cgroup *g, enum cgroup_stat stat,
		       uint64_t *ret)
{
	uint64_t unit = cgroup_stats[stat].unit;
	int64_t count = (int64_t)g->counts->counts[stat];

	if (!c->tree.counted[stat] || !g->counts->known[stat])
		return false;
	/* Deltas of CPUs may be negative together: the file shows 0 (memcg_page_state()). */
	*ret = count > 0 ? (uint64_t)count * (unit ? unit : 1ULL << c->v->page_shift) : 0;
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
	struct dump *d = c->v->dump;
	struct field f;

	if (d->ops->member(d->priv, "struct mem_cgroup", "zswap_max", &f) != ST_OK)
		c->tree.counted[STAT_ZSWAP] = c->tree.counted[STAT_ZSWAPPED] = false;
}

/* An array of the list; parents stay before their children. */
static enum status take_tree(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	struct cgroup **slot;
	bool is_new;

	for (const struct memcg_counts *m = c->tree.first; m; m = m->next)
		c->n++;
	c->cgroups = dump_alloc(d, c->n * sizeof(*c->cgroups));
	if (!c->cgroups)
		return ST_NOMEM;
	c->n = 0;
	for (const struct memcg_counts *m = c->tree.first; m; m = m->next) {
		struct cgroup *g = &c->cgroups[c->n++];

		g->counts = m;
		g->has_state = memcg_state_read(&c->states, m->address, &g->state) == ST_OK;
		slot = hash_u64_get(&c->by_address, m->address, &is_new);
		if (!slot)
			return dump_no_memory(d);
		*slot = g;
		g->parent = m->parent ? find(c, m->parent->address) : NULL;
		if (g->parent)
			g->parent->children++;
	}
	return ST_OK;
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
	to->spare_bytes += from->spare_bytes;
}

static void sum_up(struct cgroups_view *c)
{
	for (size_t i = 0; i < c->n; i++)
		c->cgroups[i].all = c->cgroups[i].own =
			memcg_charges_of(&c->charges, c->cgroups[i].counts->address);
	for (size_t i = c->n; i--;) {
		struct cgroup *g = &c->cgroups[i];

		if (!g->parent)
			continue;
		add_charged(&g->parent->all, &g->all);
		if (g->biggest.rss > g->parent->biggest.rss)
			g->parent->biggest = g->biggest;
	}
}

static enum status scan(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	struct slabs *slabs = dump_alloc(d, sizeof(*slabs));
	enum status st;

	if (!slabs)
		return ST_NOMEM;
	if (slabs_open(d, &c->v->owner.ext.memmap, slabs) != ST_OK) {
		report_warn(&c->v->report, "objects of slabs are unknown: %s", d->error);
		slabs = NULL;
	}
	st = memcg_charges_open(d, &c->memcgs, slabs, &c->charges);
	if (st == ST_OK)
		st = ram_walk(d, &c->v->owner.ram, add_page, c);
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
	struct cgroup *g;
	uint64_t css;

	if (task->pid != task->tgid)
		return ST_OK;
	if (!cgroups_memory_of_set(&c->memcgs.cgroups, task->css_set, &css)) {
		c->tasks_problem = "css_set is not in this dump";
		return ST_OK;
	}
	g = find(c, css);
	if (!g)
		return ST_OK;
	g->processes++;
	c->no_mm += task->mm_unreadable;
	if (task->has_mm && !task->mm_unreadable && task->rss > 0 &&
	    (uint64_t)task->rss > g->biggest.rss) {
		g->biggest.rss = task->rss;
		g->biggest.tgid = task->tgid;
		g->biggest.comm = arena_strdup(c->v->dump->arena, task->comm);
	}
	return ST_OK;
}

static enum status count_tasks(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	struct tasks *t = dump_alloc(d, sizeof(*t));
	enum status st;

	if (!t)
		return ST_NOMEM;
	st = tasks_open(d, t);
	if (st == ST_OK)
		st = tasks_walk(t, add_task, c);
	if (st == ST_NOMEM || st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		c->tasks_problem = arena_strdup(d->arena, d->error);
	return ST_OK;
}

static enum status read_log(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	struct oom_reports *reports = dump_alloc(d, sizeof(*reports));
	enum status st = reports ? kernel_log_read(d, &c->log) : ST_NOMEM;

	if (st == ST_NOMEM || st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		c->log_problem = arena_strdup(d->arena, d->error);
	else if (c->log.is_cut)
		c->log_problem = "a record of the log is not in this dump";
	else if (c->log.has_dropped)
		c->log_problem = "older records of the log were overwritten";
	st = oom_reports_read(d, &c->log, reports);
	for (unsigned int i = 0; st == ST_OK && i < reports->n; i++)
		if (reports->reports[i].kind == OOM_REPORT_OOM &&
		    reports->reports[i].scope == OOM_SCOPE_MEMCG)
			c->report = &reports->reports[i];
	return st == ST_NOMEM ? st : ST_OK;
}

enum status cgroups_collect(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	enum status st = memcg_counts_read(d, counters, CGROUP_STATS, &c->tree), scanned;

	hash_u64_init(&c->by_address, d->arena, sizeof(struct cgroup *));
	if (st == ST_OK)
		leave_out_zswap(c);
	if (st == ST_OK)
		st = memcg_states_open(d, &c->states);
	if (st == ST_OK)
		st = memcgs_open(d, &c->memcgs);
	if (st == ST_OK)
		st = take_tree(c);
	if (st == ST_OK)
		st = count_tasks(c);
	if (st == ST_OK)
		st = read_log(c);
	if (st != ST_OK)
		return st;
	if (c->pages_problem) {
		sum_up(c);
		return ST_OK;
	}
	scanned = scan(c);
	if (scanned == ST_OK || scanned == ST_STOPPED)
		sum_up(c);
	return scanned;
}
