// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/vmstat.h"

#include <ctype.h>

#include "kernel/percpu.h"
#include "zones/free_witness.h"
#include "zones/zones.h"

#define MAX_NAME 64 /* of a line of /proc/vmstat */
#define MAX_ZONES 8 /* MAX_NR_ZONES is 6 at most */

struct counter_reader {
	struct dump *dump;
	struct field zones, node_stat, node_cpus, node_diff;
	struct field present, zone_stat, zone_cpus, old_cpus, zone_diff, old_diff;
	uint64_t zone_bytes;
	struct percpu cpus;
	uint64_t boot; /* boot_nodestats: of nodes that are not online yet */
	bool shown;    /* as /proc/vmstat: without what CPUs have not added yet */
	struct counters *c;
	struct free_witness free;
	int64_t free_index, unaccepted_index; /* of NR_FREE_PAGES, NR_UNACCEPTED; below 0: none */
};

static const struct layout_row rows[] = {
	FINDS(struct counter_reader, zones, "struct pglist_data", REQUIRED, "all", "node_zones"),
	FINDS(struct counter_reader, node_stat, "struct pglist_data", REQUIRED, "4.8", "vm_stat"),
	FINDS(struct counter_reader, node_cpus, "struct pglist_data", REQUIRED, "4.8",
	      "per_cpu_nodestats"),
	FINDS(struct counter_reader, node_diff, "struct per_cpu_nodestat", OPTIONAL, "CONFIG_SMP",
	      "vm_node_stat_diff"),
	FINDS(struct counter_reader, present, "struct zone", REQUIRED, "all", "present_pages"),
	FINDS(struct counter_reader, zone_stat, "struct zone", REQUIRED, "all", "vm_stat"),
	FINDS(struct counter_reader, zone_cpus, "struct zone", OPTIONAL, "5.14",
	      "per_cpu_zonestats"),
	FINDS(struct counter_reader, old_cpus, "struct zone", OPTIONAL, "to 5.13", "pageset"),
	FINDS(struct counter_reader, zone_diff, "struct per_cpu_zonestat", OPTIONAL,
	      "5.14, CONFIG_SMP", "vm_stat_diff"),
	FINDS(struct counter_reader, old_diff, "struct per_cpu_pageset", OPTIONAL,
	      "to 5.13, CONFIG_SMP", "vm_stat_diff"),
};

/* Where /proc/vmstat has another name than the enumerator in small letters (mm/vmstat.c). */
static const struct {
	const char *name, *enumerator;
} renamed[] = {
	{ "nr_anon_pages", "NR_ANON_MAPPED" },
	{ "nr_mapped", "NR_FILE_MAPPED" },
	{ "nr_dirty", "NR_FILE_DIRTY" },
	{ "nr_page_table_pages", "NR_PAGETABLE" },
	{ "nr_sec_page_table_pages", "NR_SECONDARY_PAGETABLE" },
	{ "nr_shadow_call_stack", "NR_KERNEL_SCS_KB" },
	{ "nr_free_cma", "NR_FREE_CMA_PAGES" },
	{ "nr_swapcached", "NR_SWAPCACHE" },
	{ "nr_shmem_hugepages", "NR_SHMEM_THPS" },
	{ "nr_file_hugepages", "NR_FILE_THPS" },
	{ "nr_anon_transparent_hugepages", "NR_ANON_THPS" },
	{ "nr_vmscan_immediate_reclaim", "NR_VMSCAN_IMMEDIATE" },
};

/* One array of atomic_long_t, and for each CPU one of signed bytes. */
static enum status add(struct counter_reader *r, struct counter_group *g, uint64_t stat,
		       const struct field *array, uint64_t percpu, const struct field *diff)
{
	struct dump *d = r->dump;
	uint8_t raw[MAX_COUNTERS * 8];
	size_t n = array->size / 8, ndiff = diff->present ? diff->size : 0;
	enum status st = dump_read(d, stat + array->offset, raw, n * 8, "vm_stat");

	/* Those of a zone without pages are zeros, and so may be all of their page. */
	if (st == ST_OK && n && (diff->present || raw[0]))
		st = dump_check(d, stat + array->offset, raw, n * 8, "vm_stat");
	if (st != ST_OK)
		return st;
	g->n = n;
	for (size_t i = 0; i < n; i++)
		g->sum[i] += le64(raw + i * 8);
	for (size_t i = 0; i < n; i++)
		g->shown[i] += le64(raw + i * 8);
	for (unsigned int cpu = 0; ndiff && !r->shown && cpu < r->cpus.n; cpu++) {
		const uint64_t at = percpu + r->cpus.offset[cpu] + diff->offset;

		st = dump_read(d, at, raw, ndiff, "vm_stat_diff");
		/* Those of a CPU that never ran are zeros, and so may be all of their page. */
		if (st == ST_OK && raw[0])
			st = dump_check(d, at, raw, ndiff, "vm_stat_diff");
		for (size_t i = 0; st == ST_OK && i < ndiff && i < n; i++)
			g->sum[i] += (uint64_t)(int8_t)raw[i];
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

static const struct field no_diff = { 0 };

static uint64_t sum_at(const struct counter_reader *r, int64_t index)
{
	return index >= 0 ? r->c->zone.sum[index] : 0;
}

static int64_t index_of(struct dump *d, const char *enumerator)
{
	int64_t i = dump_enumerator_or(d, enumerator, -1);

	return i < MAX_COUNTERS ? i : -1;
}

/* A zone without present pages, such as Device, shares boot_zonestats with others: no CPU holds any of its own. */
static enum status add_zone(struct counter_reader *r, uint64_t zone)
{
	const uint64_t free = sum_at(r, r->free_index), unaccepted = sum_at(r, r->unaccepted_index);
	bool is_new = r->zone_cpus.present;
	uint64_t present, percpu;
	enum status st = dump_u64(r->dump, zone + r->present.offset, &present, "struct zone");

	if (st == ST_OK)
		st = dump_u64(r->dump, zone + (is_new ? r->zone_cpus : r->old_cpus).offset, &percpu,
			      "struct zone");
	if (st != ST_OK)
		return st;
	st = add(r, &r->c->zone, zone, &r->zone_stat, percpu,
		 !present ? &no_diff
		 : is_new ? &r->zone_diff
			  : &r->old_diff);
	if (st == ST_OK && r->free_index >= 0 && present && !r->c->free_damage)
		r->c->free_damage = free_witness_damage(
			&r->free, zone, present, (int64_t)(sum_at(r, r->free_index) - free),
			sum_at(r, r->unaccepted_index) - unaccepted);
	return st;
}

/* The counters that a node has besides those of its zones. */
static enum status add_node_stat(struct counter_reader *r, uint64_t pgdat)
{
	uint64_t percpu;
	enum status st = dump_u64(r->dump, pgdat + r->node_cpus.offset, &percpu,
				  "struct pglist_data");

	return st
		       ?: add(r, &r->c->node, pgdat, &r->node_stat, percpu,
			      percpu && percpu != r->boot ? &r->node_diff : &no_diff);
}

static enum status add_node(struct counter_reader *r, uint64_t pgdat)
{
	enum status st = add_node_stat(r, pgdat);

	for (uint64_t at = 0; st == ST_OK && at + r->zone_bytes <= r->zones.size;
	     at += r->zone_bytes)
		st = add_zone(r, pgdat + r->zones.offset + at);
	return st;
}

static enum status open_reader(struct dump *d, struct counter_reader *r)
{
	enum status st = STRUCTS_OPEN(d, rows, r);

	r->dump = d;
	if (st == ST_OK &&
	    (dump_ask(d, type_size, "struct zone", &r->zone_bytes) != ST_OK || !r->zone_bytes ||
	     r->zones.size / r->zone_bytes > MAX_ZONES || r->node_stat.size > MAX_COUNTERS * 8 ||
	     r->zone_stat.size > MAX_COUNTERS * 8 ||
	     (r->node_diff.present && r->node_diff.size > MAX_COUNTERS) ||
	     (r->zone_diff.present && r->zone_diff.size > MAX_COUNTERS) ||
	     (r->old_diff.present && r->old_diff.size > MAX_COUNTERS) ||
	     (!r->zone_cpus.present && !r->old_cpus.present)))
		st = dump_unknown(d, "vm_stat");
	st = st ?: percpu_open(d, &r->cpus);
	/* Without what the CPUs have not added yet the sums are those of no moment. */
	if (st == ST_OK && r->cpus.n > 1 &&
	    (!r->node_diff.present || !(r->zone_cpus.present ? r->zone_diff : r->old_diff).present))
		st = dump_unknown(d, "no vm_stat_diff of each CPU");
	if (st == ST_OK && dump_has_symbol(d, "boot_nodestats"))
		dump_symbol(d, "boot_nodestats", &r->boot);
	if (st == ST_OK)
		free_witness_open(d, r->cpus.n, &r->free);
	r->free_index = index_of(d, "NR_FREE_PAGES");
	r->unaccepted_index = index_of(d, "NR_UNACCEPTED");
	return st;
}

static const struct counters no_counters = { .zone.items = "enum zone_stat_item",
					     .zone.all = "vm_zone_stat",
					     .node.items = "enum node_stat_item",
					     .node.all = "vm_node_stat" };

#define BETWEEN \
	256 /* pages, more than a CPU adds at once: it may have added them to one of the two alone */

/* What CPUs add goes to the zone or node, and to the whole machine (zone_page_state_add(), node_page_state_add()). */
static void compare_with_all(struct dump *d, unsigned int cpus, struct counter_group *g)
{
	uint8_t raw[MAX_COUNTERS * 8];
	uint64_t at;

	if (dump_symbol(d, g->all, &at) != ST_OK ||
	    dump_read(d, at, raw, g->n * 8, g->all) != ST_OK ||
	    dump_check(d, at, raw, g->n * 8, g->all) != ST_OK) {
		d->error[0] = '\0';
		return;
	}
	for (size_t i = 0; i < g->n; i++) {
		const uint64_t all = le64(raw + i * 8), differ = g->shown[i] - all;

		g->of_all[i] = (int64_t)all;
		g->differs[i] = differ + (uint64_t)BETWEEN * cpus > 2ULL * BETWEEN * cpus;
	}
}

enum status counters_open(struct dump *d, struct counters *ret)
{
	struct counters c = no_counters;
	struct counter_reader r = { .c = &c };
	struct nodes nodes;
	enum status st = open_reader(d, &r);

	c.dump = d;
	st = st ?: nodes_open(d, &nodes);
	for (size_t i = 0; st == ST_OK && i < nodes.n; i++)
		st = add_node(&r, nodes.pgdat[i]);
	if (st == ST_OK) {
		compare_with_all(d, r.cpus.n, &c.zone);
		compare_with_all(d, r.cpus.n, &c.node);
	}
	return RESULT(st, ret, c);
}

enum status counter_reader_open(struct dump *d, struct counter_reader **ret)
{
	struct counter_reader *r = dump_alloc(d, sizeof(*r));

	return RESULT(open_reader(d, r), ret, r);
}

/* Either of the two is 0. */
static enum status read_part(struct counter_reader *r, uint64_t zone, uint64_t pgdat, bool shown,
			     struct counters *ret)
{
	struct counters c = no_counters;
	struct counter_reader of = *r;

	c.dump = r->dump;
	of.c = &c;
	of.shown = shown;
	r = &of;
	return RESULT(zone ? add_zone(r, zone) : add_node_stat(r, pgdat), ret, c);
}

enum status counters_of_zone(struct counter_reader *r, uint64_t zone, bool shown,
			     struct counters *ret)
{
	return read_part(r, zone, 0, shown, ret);
}

enum status counters_of_node(struct counter_reader *r, uint64_t pgdat, bool shown,
			     struct counters *ret)
{
	return read_part(r, 0, pgdat, shown, ret);
}

static bool find(const struct counter_group *g, struct dump *d, const char *enumerator,
		 int64_t *ret, const char **why)
{
	int64_t i;

	*why = NULL;
	if (!d->ops->enumerates || !dump_ask(d, enumerates, g->items, enumerator) ||
	    dump_ask(d, enumerator, enumerator, &i) != ST_OK || i < 0 || (size_t)i >= g->n)
		return false;
	*ret = (int64_t)g->sum[i] < 0 ? 0 : (int64_t)g->sum[i];
	if (g->differs[i])
		*why = dump_text(d, "%s is %ld, and %s has %ld", enumerator, (int64_t)g->shown[i],
				 g->all, g->of_all[i]);
	return true;
}

/* Not all of these have had the suffix in every release. */
static bool every_kernel_has(const char *enumerator)
{
	static const char *const names[] = {
		"NR_FREE_PAGES",
		"NR_FREE_CMA_PAGES",
		"NR_MLOCK",
		"NR_ZONE_UNEVICTABLE",
		"NR_ANON_MAPPED",
		"NR_FILE_PAGES",
		"NR_SHMEM",
		"NR_FILE_DIRTY",
		"NR_WRITEBACK",
		"NR_UNEVICTABLE",
		"NR_SLAB_RECLAIMABLE",
		"NR_SLAB_UNRECLAIMABLE",
		"NR_KERNEL_STACK",
		"NR_PAGETABLE",
	};

	return ANY_OF(i, ARRAY_SIZE(names), !strcmp(names[i], enumerator));
}

enum status counter_read(const struct counters *c, const char *name, int64_t *ret)
{
	/* Counters in bytes of objects and in KiB have a suffix that /proc/vmstat drops. */
	static const char *const suffixes[] = { "", "_B", "_KB" };
	char buf[MAX_NAME], upper[MAX_NAME];
	const char *why;
	size_t len = 0;
	int64_t n;

	for (size_t i = 0; i < ARRAY_SIZE(renamed); i++)
		if (!strcmp(name, renamed[i].name))
			name = renamed[i].enumerator;
	for (; name[len] && len < sizeof(upper) - 1; len++)
		upper[len] = toupper((unsigned char)name[len]);
	upper[len] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		if (snprintf(buf, sizeof(buf), "%s%s", upper, suffixes[i]) >= (int)sizeof(buf))
			break;
		if (!find(&c->zone, c->dump, buf, &n, &why) &&
		    !find(&c->node, c->dump, buf, &n, &why))
			continue;
		if (c->free_damage && !strcmp(buf, "NR_FREE_PAGES"))
			return dump_corrupt(c->dump, "%s", c->free_damage);
		if (why) {
			dump_lacks(c->dump, "counters of pages", ST_CORRUPT, "%s", why);
			return dump_corrupt(c->dump, "%s", why);
		}
		if (n > MOST_COUNTED)
			return dump_corrupt(c->dump, "the counter %s is %ld", name, n);
		*ret = n;
		return ST_OK;
	}
	if (!every_kernel_has(upper))
		return dump_absent(c->dump, "this kernel has no counter %s", name);
	dump_lacks(c->dump, "counters of pages", ST_UNKNOWN, "unknown layout: no enumerator %s",
		   upper);
	return dump_unknown(c->dump, "no enumerator %s", upper);
}

enum status counter_ask(struct dump *d, const char *name, int64_t *ret)
{
	struct counters *c = dump_alloc(d, sizeof(*c));

	return counters_open(d, c) ?: counter_read(c, name, ret);
}

/* Where a counter is kept moves between releases: the enum that has its index tells. */
#define PER_CPU "enum vm_event_item"   /* vm_event_states, summed over possible CPUs */
#define PER_NODE "enum node_stat_item" /* vm_node_stat; what CPUs hold back is left out */

const struct vm_event_kind vm_event_kinds[VM_EVENTS] = {
	{ "pgfault", "PGFAULT", "page faults, minor and major" },
	{ "pgmajfault", "PGMAJFAULT", "faults that waited for a device" },
	{ "pswpin", "PSWPIN", "pages read from swap", MEMCG_IN_TABLE },
	{ "pswpout", "PSWPOUT", "pages written to swap", MEMCG_IN_TABLE },
	/* 5.9: mm/workingset: prepare the workingset detection infrastructure for anon LRU */
	{ "workingset_refault_anon", "WORKINGSET_REFAULT_ANON",
	  "reclaimed anonymous pages that were needed again", .instead = "WORKINGSET_REFAULT" },
	{ "workingset_refault_file", "WORKINGSET_REFAULT_FILE",
	  "reclaimed file pages that were needed again", .instead = "WORKINGSET_REFAULT" },
	{ "pgscan_kswapd", "PGSCAN_KSWAPD", "pages that kswapd looked at" },
	{ "pgscan_direct", "PGSCAN_DIRECT", "pages that allocating tasks looked at" },
	{ "pgsteal_kswapd", "PGSTEAL_KSWAPD", "pages that kswapd reclaimed" },
	{ "pgsteal_direct", "PGSTEAL_DIRECT", "pages that allocating tasks reclaimed" },
	{ "oom_kill", "OOM_KILL", "tasks killed for want of memory", MEMCG_NEVER },
};

/* Adds up event[] of every possible CPU, n numbers. */
static enum status sum_cpus(struct dump *d, uint64_t **ret, size_t *n)
{
	static const struct layout_row row = {
		"struct vm_event_state", { "event" }, REQUIRED, "CONFIG_VM_EVENT_COUNTERS"
	};
	struct layout_buffer copy = { 0 };
	struct percpu cpus;
	struct field event;
	uint64_t states, *sum = NULL;
	enum status st = dump_built_with(d, "CONFIG_VM_EVENT_COUNTERS", "vm_event_states",
					 "struct vm_event_state");

	st = st ?: layout_resolve(d, &row, 1, &event) ?:
			layout_buffer(d, "struct vm_event_state", event.size, &copy);
	if (st == ST_OK)
		sum = dump_alloc(d, event.size + 8);
	st = st ?: dump_symbol(d, "vm_event_states", &states) ?: percpu_open(d, &cpus);
	*n = st == ST_OK ? event.size / 8 : 0;
	for (unsigned int cpu = 0; st == ST_OK && cpu < cpus.n; cpu++) {
		st = layout_read(d, states + cpus.offset[cpu] + event.offset, &copy,
				 "vm_event_states");
		for (size_t i = 0; st == ST_OK && i < *n; i++)
			sum[i] += le64(copy.raw + i * 8);
	}
	*ret = sum;
	return st;
}

static bool node_counter(struct dump *d, int64_t index, uint64_t *ret)
{
	struct field var;
	uint64_t addr;

	return dump_ask(d, variable, "vm_node_stat", &var) == ST_OK && var.kind == KIND_ARRAY &&
	       (uint64_t)index < var.size / 8 && dump_symbol(d, "vm_node_stat", &addr) == ST_OK &&
	       dump_u64(d, addr + index * 8, ret, "vm_node_stat") == ST_OK;
}

enum status vm_events_read(struct dump *d, struct vm_event **ret, size_t *n)
{
	struct vm_event *e = dump_alloc(d, VM_EVENTS * sizeof(*e));
	uint64_t *sum;
	size_t nsum;
	enum status st = sum_cpus(d, &sum, &nsum);

	if (st != ST_OK)
		return st;
	for (size_t i = 0; i < VM_EVENTS; i++) {
		int64_t index;

		dump_expects(d, "counts of events", vm_event_kinds[i].enumerator,
			     vm_event_kinds[i].instead);
		e[i].name = vm_event_kinds[i].name;
		e[i].meaning = vm_event_kinds[i].meaning;
		if (dump_ask(d, enumerator, vm_event_kinds[i].enumerator, &index) != ST_OK ||
		    index < 0)
			continue;
		if (dump_ask(d, enumerates, PER_NODE, vm_event_kinds[i].enumerator)) {
			e[i].known = node_counter(d, index, &e[i].count);
			if (!e[i].known)
				dump_lacks(d, "events that nodes count", ST_UNKNOWN,
					   "vm_node_stat was not found, or is not in this dump");
		} else if ((size_t)index < nsum &&
			   dump_ask(d, enumerates, PER_CPU, vm_event_kinds[i].enumerator)) {
			e[i].known = true;
			e[i].count = sum[index];
		}
	}
	*ret = e;
	*n = VM_EVENTS;
	return ST_OK;
}

enum status balloon_events_pages(struct dump *d, uint64_t *ret)
{
	uint64_t *sum;
	int64_t in, out;
	size_t n;
	enum status st;

	if (dump_ask(d, enumerator, "BALLOON_INFLATE", &in) != ST_OK ||
	    dump_ask(d, enumerator, "BALLOON_DEFLATE", &out) != ST_OK)
		return dump_absent(d, "this kernel was built without CONFIG_MEMORY_BALLOON");
	st = sum_cpus(d, &sum, &n);
	if (st != ST_OK)
		return st;
	if (in < 0 || out < 0 || (uint64_t)in >= n || (uint64_t)out >= n || sum[in] < sum[out])
		return dump_corrupt(d, "more pages left balloons than came");
	*ret = sum[in] - sum[out];
	return ST_OK;
}
