// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/memcg_state.h"

#define MAX_EVENTS 32 /* MEMCG_NR_MEMORY_EVENTS is 7 to 11 */

/* Low bits of percpu_ref.percpu_count_ptr (include/linux/percpu-refcount.h). */
#define REF_ATOMIC 1
#define REF_BIAS (1ULL << 63)

static const struct layout_row rows[STATE_FIELDS] = {
	[MEMCG_USAGE] = FIELD_ROW("struct mem_cgroup", REQUIRED, "4.0", "memory.usage"),
	[MEMCG_MIN] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.18", "memory.min"),
	[MEMCG_LOW_LIMIT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.18", "memory.low"),
	[MEMCG_HIGH_LIMIT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "5.8, all", "memory.high",
				       "high"),
	[MEMCG_MAX_LIMIT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.18", "memory.max"),
	[MEMCG_PEAK] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "all", "memory.watermark"),
	[MEMCG_FAILCNT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "all", "memory.failcnt"),
	[MEMCG_SOFT_LIMIT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "CONFIG_MEMCG_V1",
				       "soft_limit"),
	[MEMCG_SWAP_USAGE] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.5", "swap.usage"),
	[MEMCG_SWAP_HIGH_LIMIT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "5.8", "swap.high"),
	[MEMCG_SWAP_MAX_LIMIT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.18", "swap.max"),
	[MEMCG_SWAP_PEAK] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.5", "swap.watermark"),
	/*
	 * Apart from swap up to 5.9; 5.10: "mm/memcg: unify swap and memsw page counters". v1
	 * charges this one in both.
	 */
	[MEMCG_MEMSW_USAGE] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "all", "memsw.usage"),
	[MEMCG_MEMSW_LIMIT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.18", "memsw.max"),
	[MEMCG_KMEM_USAGE] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "CONFIG_MEMCG_V1",
				       "kmem.usage"),
	[MEMCG_KMEM_LIMIT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "CONFIG_MEMCG_V1",
				       "kmem.max"),
	[MEMCG_TCP_USAGE] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "CONFIG_MEMCG_V1",
				      "tcpmem.usage"),
	[MEMCG_TCP_LIMIT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "CONFIG_MEMCG_V1",
				      "tcpmem.max"),
	[MEMCG_EFFECTIVE_MIN] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.18", "memory.emin"),
	[MEMCG_EFFECTIVE_LOW] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.18", "memory.elow"),
	[MEMCG_CHILDREN_MIN] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.18",
					 "memory.children_min_usage"),
	[MEMCG_SWAPPINESS] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "all; CONFIG_MEMCG_V1 (7.3)",
				       "swappiness"),
	[MEMCG_OOM_GROUP] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.19", "oom_group"),
	[MEMCG_ID_REFS] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.8", "id.ref"),
	/* False for v2 (page_counter_init() and mem_cgroup_css_alloc()). */
	[STATE_TRACKS_FAILCNT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "6.19",
					   "memory.track_failcnt"),
	[STATE_EVENTS] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "4.16", "memory_events"),
	[STATE_EVENTS_LOCAL] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "5.2",
					 "memory_events_local"),
	[STATE_REF_COUNT] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "all",
				      "css.refcnt.percpu_count_ptr"),
	/* 5.10: percpu_ref: reduce memory footprint of percpu_ref in fast path */
	[STATE_REF_DATA] = FIELD_ROW("struct mem_cgroup", OPTIONAL, "5.10, all", "css.refcnt.data",
				     "css.refcnt.count"),
	[STATE_NODE_OBJCG] = FIELD_ROW("struct mem_cgroup_per_node", OPTIONAL, "7.1", "objcg"),
	[STATE_CGROUP] = FIELD_ROW("struct mem_cgroup", REQUIRED, "all", "css.cgroup"),
	[STATE_CGROUP_ROOT] = FIELD_ROW("struct cgroup", OPTIONAL, "all", "root"),
};

static const struct layout_row count_row = {
	"struct percpu_ref_data", { "count" }, OPTIONAL, "5.10"
};

/* As in __memory_events_show() and swap_events_show() of mm/memcontrol.c. */
#define EVENT_LIST(EVENT)                             \
	EVENT("low", MEMCG_LOW)                       \
	EVENT("high", MEMCG_HIGH)                     \
	EVENT("max", MEMCG_MAX)                       \
	EVENT("oom", MEMCG_OOM)                       \
	EVENT("oom_kill", MEMCG_OOM_KILL)             \
	EVENT("oom_group_kill", MEMCG_OOM_GROUP_KILL) \
	EVENT("sock_throttled", MEMCG_SOCK_THROTTLED) \
	EVENT("swap_high", MEMCG_SWAP_HIGH)           \
	EVENT("swap_max", MEMCG_SWAP_MAX)             \
	EVENT("swap_fail", MEMCG_SWAP_FAIL)

#define EVENT_NAME(name, enumerator) name,
#define EVENT_ENUMERATOR(name, enumerator) #enumerator,
const char *const memcg_event_names[MEMCG_EVENT_KINDS] = { EVENT_LIST(EVENT_NAME) };
static const char *const enumerators[MEMCG_EVENT_KINDS] = { EVENT_LIST(EVENT_ENUMERATOR) };

/* Where each event is in the arrays, and how many of them there are. */
static void place_events(struct memcg_states *s)
{
	const struct field *f = &s->f[STATE_EVENTS];
	struct dump *d = s->dump;
	size_t named = 0;

	s->nevents = f->present && f->kind == KIND_ARRAY ? f->size / 8 : 0;
	if (s->nevents > MAX_EVENTS ||
	    (s->f[STATE_EVENTS_LOCAL].present && s->f[STATE_EVENTS_LOCAL].size != f->size))
		s->nevents = 0;
	for (size_t i = 0; i < MEMCG_EVENT_KINDS; i++) {
		if (dump_ask(d, enumerator, enumerators[i], &s->event[i]) != ST_OK ||
		    s->event[i] < 0 || (uint64_t)s->event[i] >= s->nevents)
			s->event[i] = -1;
		named += s->event[i] >= 0;
	}
	if (named < s->nevents)
		dump_lacks(d, "events of cgroups", ST_UNKNOWN,
			   "unknown layout: %zu of the %zu in mem_cgroup.memory_events have an "
			   "enumerator that is known",
			   named, s->nevents);
}

enum status memcg_states_open(struct dump *d, struct memcg_states *ret)
{
	struct memcg_states s = { .dump = d };
	enum status st = layout_resolve(d, rows, STATE_FIELDS, s.f)
				 ?: layout_resolve(d, &count_row, 1, &s.count);

	if (st != ST_OK)
		return st;
	s.reparents_all = s.f[STATE_NODE_OBJCG].present;
	s.f[STATE_NODE_OBJCG].present = false; /* of another structure */
	st = layout_buffer(d, "struct mem_cgroup", layout_span(s.f, STATE_CGROUP_ROOT), &s.raw);
	if (st != ST_OK)
		return st;
	if (s.f[STATE_CGROUP_ROOT].present) {
		st = dump_symbol(d, "cgrp_dfl_root", &s.default_hierarchy);
		if (st != ST_OK)
			return st;
	}
	place_events(&s);
	*ret = s;
	return ST_OK;
}

static enum memcg_version read_version(struct memcg_states *s, const uint8_t *raw)
{
	uint64_t cgroup = field_get(&s->f[STATE_CGROUP], raw), root;

	if (!s->default_hierarchy || !cgroup ||
	    dump_u64(s->dump, cgroup + s->f[STATE_CGROUP_ROOT].offset, &root, "cgroup.root") !=
		    ST_OK)
		return MEMCG_VERSION_UNKNOWN;
	return root == s->default_hierarchy ? MEMCG_V2 : MEMCG_V1;
}

static bool take_events(const struct memcg_states *s, const struct field *f, const uint8_t *raw,
			uint64_t events[MEMCG_EVENT_KINDS])
{
	if (!s->nevents || !f->present)
		return false;
	for (size_t i = 0; i < MEMCG_EVENT_KINDS; i++)
		if (s->event[i] >= 0)
			events[i] = le64(raw + f->offset + s->event[i] * 8);
	return true;
}

/*
 * References are spread over the CPUs until the cgroup is removed; then they are one number
 * (percpu_ref_kill_and_confirm()).
 */
static void read_refs(struct memcg_states *s, const uint8_t *raw, struct memcg_state *ret)
{
	const struct field *data = &s->f[STATE_REF_DATA];
	uint64_t count;

	if (!data->present || !(field_get(&s->f[STATE_REF_COUNT], raw) & REF_ATOMIC))
		return;
	if (data->kind != KIND_POINTER)
		count = le64(raw + data->offset);
	else if (!s->count.present || dump_u64(s->dump, field_get(data, raw) + s->count.offset,
					       &count, "percpu_ref_data") != ST_OK)
		return;
	ret->has_refs = count < REF_BIAS / 2;
	ret->refs = count;
}

enum status memcg_state_read(struct memcg_states *s, uint64_t memcg, struct memcg_state *ret)
{
	const uint8_t *raw = s->raw.raw;
	struct memcg_state state = { 0 };
	enum status st = layout_read(s->dump, memcg, &s->raw, "struct mem_cgroup");

	if (st != ST_OK)
		return st;
	for (size_t i = 0; i < MEMCG_VALUES; i++) {
		state.has[i] = s->f[i].present && s->f[i].size && s->f[i].size <= 8;
		state.value[i] = field_get(&s->f[i], raw);
	}
	if (s->f[STATE_TRACKS_FAILCNT].present && !field_get(&s->f[STATE_TRACKS_FAILCNT], raw))
		state.has[MEMCG_FAILCNT] = false;
	state.version = read_version(s, raw);
	state.has_events = take_events(s, &s->f[STATE_EVENTS], raw, state.events);
	state.has_local = take_events(s, &s->f[STATE_EVENTS_LOCAL], raw, state.local);
	read_refs(s, raw, &state);
	*ret = state;
	return ST_OK;
}
