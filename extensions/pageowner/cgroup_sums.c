// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory cgroups: reads them, and sums what is charged to each and its descendants. */
#include "cgroups.h"

#include "tasks/task.h"

/*
 * As in memory_stats[] of mm/memcontrol.c. Up to 5.7 anonymous pages and those of the page cache
 * have counters of their own (5.8: "mm: memcontrol: switch to native NR_ANON_MAPPED counter"), up
 * to 5.8 slabs are counted by pages. Swap is in memory.stat of v1 alone; what v1 has of the swap
 * cache is never taken back, as mem_cgroup_swapout() has cleared the page's cgroup by then. Last: what
 * every kernel has that has none of the enumerators before it.
 */
#define BOTH MEMCG_VERSION_UNKNOWN
#define STAT_LIST(STAT)                                                                           \
	STAT(STAT_ANON, "anon", "MEMCG_RSS", "NR_ANON_MAPPED", PAGES, BOTH, "NR_ANON_MAPPED")     \
	STAT(STAT_FILE, "file", "MEMCG_CACHE", "NR_FILE_PAGES", PAGES, BOTH, "NR_FILE_PAGES")     \
	STAT(STAT_KERNEL, "kernel", "MEMCG_KMEM", NULL, PAGES, BOTH, NULL)                        \
	STAT(STAT_KERNEL_STACK, "kernel_stack", "MEMCG_KERNEL_STACK_KB", "NR_KERNEL_STACK_KB",    \
	     KIB, BOTH, "NR_KERNEL_STACK_KB")                                                     \
	STAT(STAT_PAGETABLES, "pagetables", "NR_PAGETABLE", NULL, PAGES, BOTH, "NR_PAGETABLE")    \
	STAT(STAT_SEC_PAGETABLES, "sec_pagetables", "NR_SECONDARY_PAGETABLE", NULL, PAGES, BOTH,  \
	     NULL)                                                                                \
	STAT(STAT_PERCPU, "percpu", "MEMCG_PERCPU_B", NULL, BYTES, BOTH, "NR_SLAB_RECLAIMABLE")   \
	STAT(STAT_SOCK, "sock", "MEMCG_SOCK", NULL, PAGES, BOTH, "MEMCG_SOCK")                    \
	STAT(STAT_VMALLOC, "vmalloc", "MEMCG_VMALLOC", "NR_VMALLOC", PAGES, BOTH, NULL)           \
	STAT(STAT_SHMEM, "shmem", "NR_SHMEM", NULL, PAGES, BOTH, "NR_SHMEM")                      \
	STAT(STAT_SWAP, "swap", "MEMCG_SWAP", NULL, PAGES, MEMCG_V1, NULL)                        \
	STAT(STAT_ZSWAP, "zswap", "MEMCG_ZSWAP_B", NULL, BYTES, BOTH, NULL)                       \
	STAT(STAT_ZSWAPPED, "zswapped", "MEMCG_ZSWAPPED", NULL, PAGES, BOTH, NULL)                \
	STAT(STAT_FILE_MAPPED, "file_mapped", "NR_FILE_MAPPED", NULL, PAGES, BOTH,                \
	     "NR_FILE_MAPPED")                                                                    \
	STAT(STAT_FILE_DIRTY, "file_dirty", "NR_FILE_DIRTY", NULL, PAGES, BOTH, "NR_FILE_DIRTY")  \
	STAT(STAT_FILE_WRITEBACK, "file_writeback", "NR_WRITEBACK", NULL, PAGES, BOTH,            \
	     "NR_WRITEBACK")                                                                      \
	STAT(STAT_SWAPCACHED, "swapcached", "NR_SWAPCACHE", NULL, PAGES, MEMCG_V2, NULL)          \
	STAT(STAT_INACTIVE_ANON, "inactive_anon", "NR_INACTIVE_ANON", NULL, PAGES, BOTH,          \
	     "NR_INACTIVE_ANON")                                                                  \
	STAT(STAT_ACTIVE_ANON, "active_anon", "NR_ACTIVE_ANON", NULL, PAGES, BOTH,                \
	     "NR_ACTIVE_ANON")                                                                    \
	STAT(STAT_INACTIVE_FILE, "inactive_file", "NR_INACTIVE_FILE", NULL, PAGES, BOTH,          \
	     "NR_INACTIVE_FILE")                                                                  \
	STAT(STAT_ACTIVE_FILE, "active_file", "NR_ACTIVE_FILE", NULL, PAGES, BOTH,                \
	     "NR_ACTIVE_FILE")                                                                    \
	STAT(STAT_UNEVICTABLE, "unevictable", "NR_UNEVICTABLE", NULL, PAGES, BOTH,                \
	     "NR_UNEVICTABLE")                                                                    \
	STAT(STAT_SLAB_RECLAIMABLE, "slab_reclaimable", "NR_SLAB_RECLAIMABLE_B", NULL, BYTES,     \
	     BOTH, "NR_SLAB_RECLAIMABLE")                                                         \
	STAT(STAT_SLAB_UNRECLAIMABLE, "slab_unreclaimable", "NR_SLAB_UNRECLAIMABLE_B", NULL,      \
	     BYTES, BOTH, "NR_SLAB_UNRECLAIMABLE")                                                \
	STAT(STAT_SLAB_RECLAIMABLE_PAGES, "slab_reclaimable", "NR_SLAB_RECLAIMABLE", NULL, PAGES, \
	     BOTH, "NR_SLAB_RECLAIMABLE_B")                                                       \
	STAT(STAT_SLAB_UNRECLAIMABLE_PAGES, "slab_unreclaimable", "NR_SLAB_UNRECLAIMABLE", NULL,  \
	     PAGES, BOTH, "NR_SLAB_UNRECLAIMABLE_B")

#define STAT_KIND(index, name, first, second, unit, only, always) \
	[index] = { name, MEMCG_##unit, only },
#define STAT_COUNTER(index, name, first, second, unit, only, always) \
	[index] = { { first, second }, MEMCG_ALWAYS, MEMCG_##unit, always },
const struct cgroup_stat_kind cgroup_stats[CGROUP_STATS] = { STAT_LIST(STAT_KIND) };
static const struct memcg_counter counters[CGROUP_STATS] = { STAT_LIST(STAT_COUNTER) };

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
	to->second_pages += from->second_pages;
	to->spare_bytes += from->spare_bytes;
}

static void sum_up(struct cgroups_view *c)
{
	for (size_t i = 0; i < c->n; i++)
		c->cgroups[i].all = c->cgroups[i].own =
			memcg_charges_of(&c->charges, c->cgroups[i].counts->address);
	for (size_t i = c->n; i--;) {
		struct cgroup *g = &c->cgroups[i], *up = g->parent;

		while (up && up->counts->is_flat)
			up = up->parent;
		if (up)
			add_charged(&up->all, &g->all);
		if (g->parent && g->biggest.rss > g->parent->biggest.rss)
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
	if (st == ST_OK)
		st = cgroups_add_directories(c);
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
	struct cgroup *g;
	uint64_t css;

	if (task->mm && !task->is_kthread && cgroups_note_mm(c, task->mm) != ST_OK)
		return ST_NOMEM;
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

/* More than this no counter of memory has; 0: unknown. */
static uint64_t memory_bytes(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	uint64_t swap = 0;

	enum status st = dump_has_both(d, "total_swap_pages", "struct swap_info_struct");

	if (st == ST_OK)
		st = dump_value(d, "total_swap_pages", &swap);
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

enum status cgroups_collect(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	enum status st = memcg_counts_read(d, counters, CGROUP_STATS, memory_bytes(c), &c->tree);
	enum status scanned;

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
