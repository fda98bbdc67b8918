// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory cgroups, the largest first: their counters, limits and events, and beside them the
 * pages and objects that are charged to each.
 */
#include "cgroups.h"

#include "cli/command.h"
#include "cli/row_times.h"
#include "kernel/machine.h"

const char *const cgroup_states[] = { "online", "dying", NULL };
static const char *const protections[] = { "min", "low", "none", NULL };
static const char *const versions[] = { "v1", "v2", NULL };

#define ROW struct cgroup
#define VIEW const struct cgroups_view
#define NS_PER_S 1000000000ULL
/* Pages of a counter, a limit. */
#define COUNTER(VALUE) PAGES_IF(ROW, state.value[VALUE], state.has[VALUE])

struct cell cgroup_number_cell(const struct cgroups_view *c, const struct cgroup *g,
			       cgroup_bytes *of)
{
	uint64_t n = 0;
	bool known = !g->is_nested && of(c, g, &n);

	return g->is_nested ? cell_none() : cell_if(known, cell_uint(n));
}

struct cell cgroup_stat_cell(const void *record, void *view, unsigned int stat)
{
	const struct cgroup *g = record;
	uint64_t bytes = 0;
	bool known = !g->is_nested && cgroup_stat_bytes(view, g, stat, &bytes);

	return g->is_nested ? cell_none() : cell_if(known, cell_uint(bytes));
}

/* As memory.stat has it: both kinds, in bytes or, up to 5.8, in pages. */
static struct cell slab_cell(const void *record, void *view)
{
	static const enum cgroup_stat kinds[][2] = {
		{ STAT_SLAB_RECLAIMABLE, STAT_SLAB_UNRECLAIMABLE },
		{ STAT_SLAB_RECLAIMABLE_PAGES, STAT_SLAB_UNRECLAIMABLE_PAGES },
	};
	uint64_t bytes[2] = { 0 };
	bool known = false;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (cgroup_has_stat(view, record, kinds[i][0]))
			known = cgroup_stat_bytes(view, record, kinds[i][0], &bytes[0]) &&
				cgroup_stat_bytes(view, record, kinds[i][1], &bytes[1]);
	return cell_if(known, cell_uint(bytes[0] + bytes[1]));
}

/* An object of names and values. */
static const struct fields *make_fields(struct dump *d, unsigned int n, const char *const *names,
					const struct cell *values)
{
	struct fields *f = dump_alloc(d, sizeof(*f));
	const char **copy = dump_alloc(d, (n + 1) * sizeof(*copy));
	struct cell *cells = dump_alloc(d, (n + 1) * sizeof(*cells));

	memcpy(copy, names, n * sizeof(*copy));
	memcpy(cells, values, n * sizeof(*cells));
	f->n = n;
	f->names = copy;
	f->values = cells;
	return f;
}

static struct cell events_fields(const struct cgroups_view *c, bool has,
				 const uint64_t events[MEMCG_EVENT_KINDS])
{
	const char *names[MEMCG_EVENT_KINDS];
	struct cell values[MEMCG_EVENT_KINDS];
	unsigned int n = 0;

	for (size_t i = 0; i < MEMCG_EVENT_KINDS; i++) {
		if (c->states.event[i] < 0)
			continue;
		names[n] = memcg_event_names[i];
		values[n++] = cell_uint(events[i]);
	}
	return cell_if(has, cell_fields(make_fields(c->v->dump, n, names, values)));
}

static struct cell all_stats_cell(const void *record, void *view)
{
	const struct cgroups_view *c = view;
	const struct cgroup *g = record;
	const char *names[CGROUP_STATS];
	struct cell values[CGROUP_STATS];
	unsigned int n = 0;
	bool known = true;

	for (enum cgroup_stat i = 0; i < CGROUP_STATS; i++) {
		if (!cgroup_has_stat(c, g, i))
			continue;
		names[n] = cgroup_stats[i].name;
		values[n] = cgroup_stat_cell(g, view, i);
		known &= values[n++].kind != CELL_NULL;
	}
	return cell_if(n && known, cell_fields(make_fields(c->v->dump, n, names, values)));
}

/* What was found at pages and objects, of the cgroup alone. */
static struct cell charged_cell(const void *record, void *view)
{
	const struct cgroups_view *c = view;
	const struct cgroup *g = record;
	static const char *const names[] = { "anon",	"file",		"shmem",      "kernel",
					     "objects", "object_bytes", "stock_pages" };
	const struct memcg_charged *own = &g->own;
	uint64_t pages;
	bool all = cgroup_pages(c, g, &pages) && c->charges.slabs && !c->charges.unknown_slabs &&
		   !c->charges.stock_problem;
	const struct cell values[] = {
		cell_uint(own->pages[MEMCG_PAGES_ANON]),
		cell_uint(own->pages[MEMCG_PAGES_FILE]),
		cell_uint(own->pages[MEMCG_PAGES_SHMEM]),
		cell_uint(own->pages[MEMCG_PAGES_KERNEL]),
		cell_uint(own->objects),
		cell_uint(own->object_bytes),
		cell_uint(own->stock_pages),
	};

	return cell_if(all, cell_fields(make_fields(c->v->dump, ARRAY_SIZE(names), names, values)));
}

/* What was found at pages without what is counted. */
static struct cell difference_cell(const void *record, void *view)
{
	const struct cgroup *g = record;
	uint64_t pages;
	bool known = cgroup_pages(view, g, &pages);

	return cell_if(known && cgroup_has_usage(g),
		       cell_int((int64_t)(pages - g->state.value[MEMCG_USAGE])));
}

CELL_WITH(cause_cell, ROW, VIEW, cell_text(cgroup_cause(v, r)))

static bool has_member(const struct cgroups_view *c, const struct cgroup *g)
{
	return cgroups_have_members(c) && g->biggest.tgid;
}

/* Of what is charged; where RAM is not known neither is a share of it. */
static struct cell ram_cell(const void *record, void *view)
{
	const struct owner_view *v = ((const struct cgroups_view *)view)->v;
	uint64_t bytes = 0, ram = v->in->table.whole;
	bool known = cgroup_usage(view, record, &bytes) && ram;

	return cell_if(known, cell_uint(units_tenths(bytes >> v->page_shift, ram)));
}

CELL_WITH(exists_cell, ROW, VIEW, cgroup_exists_cell(v, r))
CELL_WITH(usage_cell, ROW, VIEW, cgroup_number_cell(v, r, cgroup_usage))
CELL_WITH(swap_cell, ROW, VIEW, cgroup_number_cell(v, r, cgroup_swap))
CELL_WITH(memsw_cell, ROW, VIEW, cgroup_number_cell(v, r, cgroup_memsw))
CELL_WITH(kernel_cell, ROW, VIEW, cgroup_number_cell(v, r, cgroup_kernel))
CELL_WITH(unmapped_cell, ROW, VIEW, cgroup_number_cell(v, r, cgroup_unmapped))
CELL_FROM(held_cell, ROW, cell_if(r->io, cell_uint(r->io_held)))
CELL_WITH(pages_cell, ROW, VIEW, cgroup_number_cell(v, r, cgroup_pages))
CELL_WITH(others_cell, ROW, VIEW,
	  cell_if(r->counts->removed, cgroup_number_cell(v, r, cgroup_other_references)))
CELL_WITH(kills_cell, ROW, VIEW,
	  cell_if(cgroup_has_events(r) && v->states.event[MEMCG_OOM_KILL_EVENT] >= 0,
		  cell_uint(r->state.events[MEMCG_OOM_KILL_EVENT])))
CELL_WITH(events_cell, ROW, VIEW, events_fields(v, cgroup_has_events(r), r->state.events))
CELL_WITH(local_cell, ROW, VIEW,
	  events_fields(v, cgroup_has_events(r) && r->state.has_local, r->state.local))
CELL_WITH(processes_cell, ROW, VIEW, cell_if(!v->tasks_problem, cell_uint(r->processes)))
CELL_WITH(all_processes_cell, ROW, VIEW, cell_if(!v->tasks_problem, cell_uint(r->all_processes)))
CELL_WITH(tgid_cell, ROW, VIEW, cell_if(has_member(v, r), cell_int(r->biggest.tgid)))
CELL_WITH(comm_cell, ROW, VIEW, cell_text(has_member(v, r) ? r->biggest.comm : NULL))
CELL_WITH(rss_cell, ROW, VIEW,
	  cell_if(has_member(v, r), cell_uint(r->biggest.rss << v->v->page_shift)))
/* mem_cgroup_below_min(), mem_cgroup_below_low(): what is granted is as of the last reclaim. */
static bool is_below(const struct cgroup *g, enum memcg_value granted)
{
	return g->state.value[granted] && g->state.value[granted] >= g->state.value[MEMCG_USAGE];
}

CELL_FROM(protected_cell, ROW,
	  cell_text(!r->state.has[MEMCG_EFFECTIVE_MIN] || !r->state.has[MEMCG_EFFECTIVE_LOW] ? NULL
		    : is_below(r, MEMCG_EFFECTIVE_MIN) ? protections[0]
		    : is_below(r, MEMCG_EFFECTIVE_LOW) ? protections[1]
						       : protections[2]))
/* mem_cgroup_swappiness() */
CELL_WITH(swappiness_cell, ROW, VIEW,
	  r->state.has[MEMCG_SWAPPINESS] && r->state.version == MEMCG_V1 && r->counts->parent
		  ? cell_uint(r->state.value[MEMCG_SWAPPINESS])
		  : cell_if(v->swappiness.known &&
				    (r->state.version != MEMCG_V1 ? r->state.version
								  : !r->counts->parent),
			    cell_uint(v->swappiness.n)))
CELL_FROM(counted_cell, ROW, cell_if(cgroup_has_usage(r), cell_uint(r->state.value[MEMCG_USAGE])))
CELL_FROM(version_cell, ROW,
	  cell_text(r->state.version ? versions[r->state.version - MEMCG_V1] : NULL))
CELL_FROM(references_cell, ROW,
	  cell_if(r->state.has_refs && r->counts->removed, cell_uint(r->state.refs)))

/* Whether a process of it or of its descendants meets a filter. */
static bool keeps_any(const struct filter *f, const void *record, const struct cgroups_view *c,
		      bool *unknown, bool by_comm)
{
	bool any = false, met = false;

	/* All of them: each of several values is asked of each. */
	for (struct cgroup *g = (struct cgroup *)record; g; g = cgroup_below(record, g))
		for (const struct cgroup_task *t = g->tasks; t; t = t->next) {
			bool keeps = by_comm ? filter_keeps_text(f, t->comm)
					     : filter_keeps_number(f, (uint64_t)t->tgid);

			any = true;
			met |= keeps != f->exclude;
		}
	if (met) {
		*unknown = false;
		return !f->exclude;
	}
	*unknown = c->tasks_problem || !c->tree.complete;
	return *unknown ? filter_keeps_unknown(f) : any ? f->exclude : filter_keeps_none(f);
}

static bool keeps_tgid(const struct filter *f, const void *record, void *view, bool *unknown)
{
	return keeps_any(f, record, view, unknown, false);
}

static bool keeps_comm(const struct filter *f, const void *record, void *view, bool *unknown)
{
	return keeps_any(f, record, view, unknown, true);
}

static struct cell entries_cell(const void *record, void *unused NOT_USED)
{
	uint64_t n = 0;
	bool known = cgroup_swap_entries(record, &n);

	return cell_if(known, cell_uint(n));
}

struct cell cgroup_exists_cell(const struct cgroups_view *c, const struct cgroup *g)
{
	uint64_t since = 0;
	bool known = c->end_s.known &&
		     cgroup_age_read(&c->ages, g->counts->address, &since) == ST_OK &&
		     since <= c->end_s.n;

	return cell_if(known, cell_uint(known ? (c->end_s.n - since) * NS_PER_S : 0));
}

/* Which control files a cgroup has: the root of v2 has few, and v1 and v2 have others. */
CAN_HAVE(is_limited, ROW, VIEW, r->counts->parent || r->state.version == MEMCG_V1)
CAN_HAVE(is_pids, ROW, VIEW, r->has_pids || (!r->knows_pids && r->counts->parent))
CAN_HAVE(has_pids_limit, ROW, VIEW, r->has_pids ? r->pids.has_limit : !r->knows_pids)
CAN_HAVE(has_cpu, ROW, VIEW, r->has_cpu || !r->knows_cpu)
CAN_HAVE(has_io, ROW, VIEW, r->io || !r->knows_io)
CAN_HAVE(is_v2, ROW, VIEW, r->state.version != MEMCG_V1 && r->counts->parent)
CAN_HAVE(is_v1, ROW, VIEW, r->state.version != MEMCG_V2)
CAN_HAVE(is_removed, ROW, VIEW, r->counts->removed)
CAN_HAVE(may_have_member, ROW, VIEW, !cgroups_have_members(v) || r->biggest.tgid)

const struct view_column cgroup_columns[CGROUP_COLUMNS] = {
	{ COLUMN_usage_bytes, IN_BOTH,
	  "null: the root of v2, which has no such counter; of the root of v1 anon and file of memory.stat",
	  .can_have = is_limited, CELL_BY(usage_cell) },
	{ COLUMN_ram_percent, IN_TEXT, "of usage_bytes", .can_have = is_limited,
	  CELL_BY(ram_cell) },
	{ COLUMN_max_limit, IN_BOTH, .can_have = is_limited, COUNTER(MEMCG_MAX_LIMIT) },
	{ COLUMN_anon_bytes, IN_BOTH, CELL_OF(cgroup_stat_cell, STAT_ANON) },
	{ COLUMN_unmapped_anon_bytes, IN_JSON, CELL_BY(unmapped_cell) },
	{ COLUMN_page_cache_bytes, IN_BOTH, CELL_OF(cgroup_stat_cell, STAT_FILE) },
	{ COLUMN_shmem_bytes, IN_BOTH, CELL_OF(cgroup_stat_cell, STAT_SHMEM) },
	{ COLUMN_kernel_bytes, IN_BOTH, CELL_BY(kernel_cell) },
	{ COLUMN_slab_bytes, IN_JSON, CELL_BY(slab_cell) },
	{ COLUMN_sock_bytes, IN_BOTH, CELL_OF(cgroup_stat_cell, STAT_SOCK) },
	{ COLUMN_swap_usage_bytes, IN_BOTH, .can_have = is_limited, CELL_BY(swap_cell) },
	{ COLUMN_oom_kills, IN_BOTH, .can_have = is_limited, CELL_BY(kills_cell) },
	{ COLUMN_all_processes, IN_BOTH, CELL_BY(all_processes_cell) },
	{ COLUMN_processes, IN_JSON, "itself, without its descendants", CELL_BY(processes_cell) },
	{ COLUMN_pids, IN_JSON, .can_have = is_pids, UINT_IF(ROW, pids.used, has_pids) },
	{ COLUMN_pids_limit, IN_JSON, .can_have = has_pids_limit,
	  UINT_IF(ROW, pids.limit, pids.has_limit) },
	{ COLUMN_memcg_state, IN_BOTH | KNOWN, .choices = cgroup_states,
	  VIA(NAME, ROW, counts, removed, .names = cgroup_states) },
	{ COLUMN_frozen, IN_JSON, BOOL_IF(ROW, is_frozen, knows_frozen) },
	{ COLUMN_cpu_quota_ns, IN_JSON, .can_have = has_cpu, UINT_IF(ROW, cpu.quota_ns, has_cpu) },
	{ COLUMN_cpu_period_ns, IN_JSON, .can_have = has_cpu,
	  UINT_IF(ROW, cpu.period_ns, has_cpu) },
	{ COLUMN_cpu_periods, IN_JSON, .can_have = has_cpu,
	  UINT_IF(ROW, cpu.periods, cpu.has_counts) },
	{ COLUMN_throttled_periods, IN_JSON, .can_have = has_cpu,
	  UINT_IF(ROW, cpu.throttled, cpu.has_counts) },
	{ COLUMN_throttled_ns, IN_JSON, .can_have = has_cpu,
	  UINT_IF(ROW, cpu.throttled_ns, cpu.has_counts) },
	{ COLUMN_io_max, IN_JSON, .can_have = has_io, TEXT_OF(ROW, io) },
	{ COLUMN_io_held, IN_JSON, .can_have = has_io, CELL_BY(held_cell) },
	{ COLUMN_memcg_version, IN_JSON, .choices = versions, CELL_BY(version_cell) },
	{ COLUMN_min_limit, IN_JSON, .can_have = is_v2, COUNTER(MEMCG_MIN) },
	{ COLUMN_low_limit, IN_JSON, .can_have = is_v2, COUNTER(MEMCG_LOW_LIMIT) },
	{ COLUMN_high_limit, IN_JSON, .can_have = is_v2, COUNTER(MEMCG_HIGH_LIMIT) },
	{ COLUMN_effective_min, IN_JSON, .can_have = is_v2, COUNTER(MEMCG_EFFECTIVE_MIN) },
	{ COLUMN_effective_low, IN_JSON, .can_have = is_v2, COUNTER(MEMCG_EFFECTIVE_LOW) },
	{ COLUMN_protected_by, IN_JSON, .can_have = is_v2, .choices = protections,
	  CELL_BY(protected_cell) },
	{ COLUMN_swappiness, IN_JSON, CELL_BY(swappiness_cell) },
	{ COLUMN_soft_limit, IN_JSON, .can_have = is_v1, COUNTER(MEMCG_SOFT_LIMIT) },
	{ COLUMN_peak_bytes, IN_JSON, .can_have = is_limited, COUNTER(MEMCG_PEAK) },
	{ COLUMN_failcnt, IN_JSON, .can_have = is_limited,
	  UINT_IF(ROW, state.value[MEMCG_FAILCNT], state.has[MEMCG_FAILCNT]) },
	{ COLUMN_swap_high_limit, IN_JSON, .can_have = is_v2, COUNTER(MEMCG_SWAP_HIGH_LIMIT) },
	{ COLUMN_swap_max_limit, IN_JSON, .can_have = is_v2, COUNTER(MEMCG_SWAP_MAX_LIMIT) },
	{ COLUMN_swap_peak_bytes, IN_JSON, .can_have = is_v2, COUNTER(MEMCG_SWAP_PEAK) },
	{ COLUMN_memsw_bytes, IN_JSON, "of the root anon, file and swap of memory.stat",
	  .can_have = is_v1, CELL_BY(memsw_cell) },
	{ COLUMN_memsw_limit, IN_JSON, .can_have = is_v1, COUNTER(MEMCG_MEMSW_LIMIT) },
	{ COLUMN_kmem_bytes, IN_JSON, .can_have = is_v1, COUNTER(MEMCG_KMEM_USAGE) },
	{ COLUMN_kmem_limit, IN_JSON, .can_have = is_v1, COUNTER(MEMCG_KMEM_LIMIT) },
	{ COLUMN_tcp_bytes, IN_JSON, .can_have = is_v1, COUNTER(MEMCG_TCP_USAGE) },
	{ COLUMN_tcp_limit, IN_JSON, .can_have = is_v1, COUNTER(MEMCG_TCP_LIMIT) },
	{ COLUMN_oom_group, IN_JSON, .can_have = is_v2,
	  BOOL_IF(ROW, state.value[MEMCG_OOM_GROUP], state.has[MEMCG_OOM_GROUP]) },
	{ COLUMN_memcg_events, IN_JSON, .can_have = is_limited, CELL_BY(events_cell) },
	{ COLUMN_memcg_local_events, IN_JSON, .can_have = is_limited, CELL_BY(local_cell) },
	{ COLUMN_memcg_stat, IN_JSON, CELL_BY(all_stats_cell) },
	{ COLUMN_memcg_charged, IN_JSON, CELL_BY(charged_cell) },
	{ COLUMN_pages, IN_JSON, "that were found to be charged, with descendants",
	  CELL_BY(pages_cell) },
	{ COLUMN_counted_pages, IN_JSON, "usage_bytes", .can_have = is_limited,
	  CELL_BY(counted_cell) },
	{ COLUMN_difference_pages, IN_JSON, .can_have = is_limited, CELL_BY(difference_cell) },
	{ COLUMN_cause, IN_JSON | OR_NONE, CELL_BY(cause_cell) },
	{ COLUMN_swap_entries, IN_JSON, CELL_BY(entries_cell) },
	{ COLUMN_exists_ns, IN_JSON | OR_NONE, CELL_BY(exists_cell) },
	{ COLUMN_references, IN_JSON, "null: not removed", .can_have = is_removed,
	  CELL_BY(references_cell) },
	{ COLUMN_other_references, IN_JSON, .can_have = is_removed, CELL_BY(others_cell) },
	{ COLUMN_tgid, IN_JSON,
	  "that has most memory resident, with descendants; -f and -X ask all processes",
	  .can_have = may_have_member, .keeps = keeps_tgid, CELL_BY(tgid_cell) },
	{ COLUMN_comm, IN_JSON, "of that process; -f and -X ask all", .can_have = may_have_member,
	  .keeps = keeps_comm, CELL_BY(comm_cell) },
	{ COLUMN_rss_bytes, IN_JSON, .can_have = may_have_member, CELL_BY(rss_cell) },
	{ COLUMN_address, IN_JSON, "of the struct mem_cgroup", VIA(HEX, ROW, counts, address) },
	{ COLUMN_memcg, IN_BOTH, "of a removed cgroup the former one",
	  VIA(TEXT, ROW, counts, path) },
	BASIS(derived),
};

/* Values that a version, or the root of v2, has no file of; swap, where it is not accounted. */
static void leave_out_values(const struct cgroups_view *c, struct memcg_state *s, bool is_root)
{
	static const struct {
		enum memcg_value value;
		enum memcg_version only;
		bool is_swap;
	} shown[] = {
		{ MEMCG_PEAK, MEMCG_VERSION_UNKNOWN, false },
		{ MEMCG_MAX_LIMIT, MEMCG_VERSION_UNKNOWN, false },
		{ MEMCG_FAILCNT, MEMCG_VERSION_UNKNOWN, false },
		{ MEMCG_MIN, MEMCG_V2, false },
		{ MEMCG_LOW_LIMIT, MEMCG_V2, false },
		{ MEMCG_HIGH_LIMIT, MEMCG_V2, false },
		{ MEMCG_EFFECTIVE_MIN, MEMCG_V2, false },
		{ MEMCG_EFFECTIVE_LOW, MEMCG_V2, false },
		{ MEMCG_SWAP_PEAK, MEMCG_V2, true },
		{ MEMCG_SWAP_HIGH_LIMIT, MEMCG_V2, true },
		{ MEMCG_SWAP_MAX_LIMIT, MEMCG_V2, true },
		{ MEMCG_OOM_GROUP, MEMCG_V2, false },
		{ MEMCG_SOFT_LIMIT, MEMCG_V1, false },
		{ MEMCG_MEMSW_LIMIT, MEMCG_V1, true },
		{ MEMCG_KMEM_USAGE, MEMCG_V1, false },
		{ MEMCG_KMEM_LIMIT, MEMCG_V1, false },
		{ MEMCG_TCP_USAGE, MEMCG_V1, false },
		{ MEMCG_TCP_LIMIT, MEMCG_V1, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(shown); i++)
		if ((is_root && s->version != MEMCG_V1) ||
		    (shown[i].only != MEMCG_VERSION_UNKNOWN && shown[i].only != s->version) ||
		    (shown[i].is_swap && c->no_swap))
			s->has[shown[i].value] = false;
}

static void add_row(struct cgroups_view *c, struct cgroup *g)
{
	struct cmdline *in = c->v->in;

	c->unnamed += !g->counts->path;
	c->flat += g->counts->is_flat && g->children;
	for (size_t i = 0; i < CGROUP_STATS; i++)
		if (!g->counts->doubted && c->tree.counted[i] && !g->counts->known[i]) {
			c->partial++;
			break;
		}
	leave_out_values(c, &g->state, !g->counts->parent);
	if (in->ngroups)
		cgroups_add_to_group(c, g);
	else if (rows_keep(in, g, c))
		g->is_kept = table_will_keep(&in->table, &in->filters, row_add(&in->table, g, c));
	c->moved += g->is_kept && g->counts->removed && c->states.reparents_all;
}

static void put_gaps(struct cgroups_view *c)
{
	const struct memcg_charges *m = &c->charges;
	const struct gap gaps[] = {
		GAP_WHY("counters of memory.stat are unknown: %s", c->tree.no_stats.text),
		{ "counters that exceed RAM and swap are unknown, with those of ancestors: %s",
		  c->tree.doubted, .why = c->tree.doubt },
		GAP_WHY("counters that contradict the pages found are unknown: %s", c->doubts),
		{ "use_hierarchy is off: sizes are without those of descendants for %s", c->flat,
		  "memory cgroup", "memory cgroups", .is_note = true },
		{ "counters of memory.stat may be up to %s for each CPU and cgroup, as in the file of this kernel",
		  c->tree.batched ? MEMCG_BATCH : 0, "off", "off", .is_note = true },
		{ "what was charged has moved to the parent, and is counted by it, of %s; its own counters still have that",
		  c->moved, "removed cgroup", "removed cgroups", .is_note = true },
		{ "%s of another hierarchy than that of memory: no row here has what it lets them do",
		  c->elsewhere, "cgroup with cpu.max or io.max is",
		  "cgroups with cpu.max or io.max are", .is_note = true },
		{ "the tree of memory cgroups is incomplete: %s", !c->tree.complete,
		  .why = c->tree.why },
		{ "counters are not all in this dump for %s", c->partial, "memory cgroup",
		  "memory cgroups" },
		{ "no name in this dump for %s", c->unnamed, "memory cgroup", "memory cgroups" },
		GAP_WHY("processes of cgroups are unknown: %s", c->tasks_problem),
		{ "the largest process of each cgroup is unknown: that of %s is not "
		  "in this dump, or damaged",
		  c->no_mm, "process", "processes" },
		GAP_WHY("charged pages are unknown: %s", c->pages_problem),
		GAP_WHY("%s", c->v->owner.ram.derived),
		{ "no struct page in this dump for %s: any cgroup may be charged", m->unreadable,
		  "page", "pages" },
		{ "the cgroup of %s cannot be read", m->unknown, "charged page", "charged pages" },
		{ m->by_cache ? "the cgroups of %s are unknown"
			      : "the cgroups of the objects of %s are unknown",
		  m->unknown_slabs, "slab", "slabs" },
		GAP_WHY("stocks of CPUs are unknown: %s", m->stock_problem),
		GAP_WHY("bytes charged for objects are unknown: %s", m->bytes_problem),
	};

	REPORT_GAPS(&c->v->report, gaps);
}

/* Of the pages that were seen each is charged, or its objects are, or neither. */
static void put_pages(const struct cgroups_view *c)
{
	const struct owner_view *v = c->v;
	const struct memcg_charges *m = &c->charges;
	uint64_t seen = c->seen - m->unreadable;

	/* A warning says why. */
	if (!seen)
		return;
	sink_printf(v->out, "of %s of %s pages of %s ", COUNT_TEXT(seen),
		    COUNT_TEXT(v->owner.ram.pages), v->owner.ram.name);
	sink_printf(v->out, "%s are charged and %s are not",
		    COUNT_TEXT(seen - m->uncharged - m->slab_pages), COUNT_TEXT(m->uncharged));
	if (m->slab_pages)
		sink_printf(v->out, "; %s are slabs of caches, of %s of them objects are charged",
			    COUNT_TEXT(m->slab_pages), COUNT_TEXT(m->charged_slabs));
	if (m->unsure_slabs)
		sink_printf(v->out, ", of %s that is unknown", COUNT_TEXT(m->unsure_slabs));
	sink_text(v->out, "\n");
}

static void put_end(struct cgroups_view *c, enum status st)
{
	struct owner_view *v = c->v;

	rows_put_kept(&v->report, v->in);
	if (v->in->ngroups)
		cgroups_put_group_gaps(c);
	put_gaps(c);
	if (!v->in->opts.json) {
		if (!v->in->ngroups)
			cgroups_put_answers(c);
		sink_text(v->out, "sizes of a cgroup include those of its descendants\n");
		if (cmdline_filters_column(v->in, COLUMN_tgid) ||
		    cmdline_filters_column(v->in, COLUMN_comm))
			sink_text(v->out, "TGID and COMM are of the process that has most, filters "
					  "ask all, those of descendants too\n");
		if (table_shows(&v->in->table, COLUMN_rss_bytes))
			sink_text(v->out, "RSS is of one process alone, the one of each that has "
					  "most; of all: ANON, or memowner processes -g cgroup\n");
	}
	if (!v->in->opts.json && !c->pages_problem)
		put_pages(c);
	report_end(&v->report, NULL, st == ST_OK);
}

/* Pages, where they are known. */
enum status cgroups_view_open(void *arg, enum availability *why NOT_USED)
{
	struct owner_view *v = arg;

	owner_view_init(v);
	if (owner_view_open_states(v) != ST_OK)
		v->owner_problem = dump_why(v->dump);
	return ST_OK;
}

static void read_swappiness(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	enum status st = dump_value(d, "vm_swappiness", &c->swappiness.n);

	c->swappiness.known = st == ST_OK;
	if (st != ST_OK)
		dump_lacks(d, "vm.swappiness", st, "%s", dump_why(d));
}

static struct maybe_u64 mapped_anon(struct dump *d)
{
	int64_t pages;
	enum status st = counter_ask(d, "nr_anon_pages", &pages);

	if (st != ST_OK)
		dump_lacks(d, "the kernel's counters", st, "%s", dump_why(d));
	return (struct maybe_u64){ st == ST_OK ? (uint64_t)pages : 0, st == ST_OK };
}

/* Columns of text of what a cgroup may have, where one has it. */
static void show_columns(struct cgroups_view *c)
{
	const bool is_frozen = ANY_OF(i, c->n, c->cgroups[i].is_frozen);
	const bool is_unmapped = ANY_OF(i, c->n, cgroup_has_unmapped(c, &c->cgroups[i]));
	const bool has_cpu = ANY_OF(i, c->n, c->cgroups[i].has_cpu);
	const bool has_io = ANY_OF(i, c->n, c->cgroups[i].io);
	const struct {
		bool has_any;
		unsigned int columns[4];
	} shown[] = {
		{ is_frozen, { COLUMN_frozen } },
		{ is_unmapped, { COLUMN_unmapped_anon_bytes } },
		{ has_cpu,
		  { COLUMN_cpu_quota_ns, COLUMN_cpu_period_ns, COLUMN_cpu_periods,
		    COLUMN_throttled_periods } },
		{ has_io, { COLUMN_io_max, COLUMN_io_held } },
	};
	struct cmdline *in = c->v->in;

	if (in->opts.json)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(shown); i++)
		for (size_t k = 0; shown[i].has_any && k < ARRAY_SIZE(shown[i].columns); k++)
			if (shown[i].columns[k])
				table_show(&in->table, shown[i].columns[k]);
	/* Its name stays the last. */
	table_show(&in->table, COLUMN_memcg);
	cmdline_reselect(in);
}

enum status cgroups_view_show(void *arg)
{
	struct owner_view *v = arg;
	struct cgroups_view *c = dump_alloc(v->dump, sizeof(*c));
	enum status st, filled;
	struct machine machine;

	c->v = v;
	c->pages_problem = v->owner_problem;
	st = cgroups_collect(c);
	if (st == ST_STOPPED && !c->is_partial)
		return st;
	/* The reason why there is none is that of the last call. */
	filled = c->is_partial ? ST_OK : st;
	if (!command_opened(&v->report, &v->in->opts, availability_of(filled), &filled))
		return filled;
	cgroups_find_limits(c);
	c->mapped_anon = mapped_anon(v->dump);
	cgroups_doubt(c);
	read_swappiness(c);
	cgroup_ages_open(v->dump, &c->ages);
	machine_read(v->dump, &v->report.info, &machine);
	c->end_s = machine.end_utc_s;
	if (!v->in->ngroups)
		show_columns(c);
	v->in->table.whole = ram_base(&v->owner.ram);
	rows_set_span(&v->report, &v->in->table);
	for (size_t i = 0; i < c->n; i++)
		add_row(c, &c->cgroups[i]);
	rows_show(&v->report, v->in);
	put_end(c, st);
	return st;
}
