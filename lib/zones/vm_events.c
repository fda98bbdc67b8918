// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/vm_events.h"

#include "dump/layout.h"
#include "kernel/percpu.h"

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
	enum status st;

	st = dump_has_both(d, "vm_event_states", "struct vm_event_state");
	if (st == ST_ABSENT)
		return dump_fail(d, ST_ABSENT,
				 "this kernel was built without CONFIG_VM_EVENT_COUNTERS");
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
	enum status st;

	st = sum_cpus(d, &sum, &nsum);
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
		return dump_fail(d, ST_ABSENT,
				 "this kernel was built without CONFIG_MEMORY_BALLOON");
	st = sum_cpus(d, &sum, &n);
	if (st != ST_OK)
		return st;
	if (in < 0 || out < 0 || (uint64_t)in >= n || (uint64_t)out >= n || sum[in] < sum[out])
		return dump_fail(d, ST_CORRUPT, "more pages left balloons than came");
	*ret = sum[in] - sum[out];
	return ST_OK;
}
