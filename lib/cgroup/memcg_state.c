// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/memcg_state.h"

#include "cgroup/memcg.h"

#define MAX_EVENTS 32 /* MEMCG_NR_MEMORY_EVENTS is 7 to 11 */

/* Low bits of percpu_ref.percpu_count_ptr (include/linux/percpu-refcount.h). */
#define REF_ATOMIC 1
#define REF_BIAS (1ULL << 63)

/* A struct mem_cgroup. */
struct memcg {
	struct memcg_state state;
	bool has_tracks_failcnt, tracks_failcnt, has_ref_data;
	uint64_t ref_count, ref_data, cgroup;
	uint64_t events[MAX_EVENTS], local[MAX_EVENTS];
};

#define VALUE(WHICH, NEED, SINCE, ...) \
	READS_IF(struct memcg, state.value[WHICH], state.has[WHICH], NEED, SINCE, __VA_ARGS__)

static const struct layout_row rows[] = {
	STRUCTURE(struct memcg_states, memcg, "struct mem_cgroup"),
	VALUE(MEMCG_USAGE, REQUIRED, "4.0", "memory.usage"),
	VALUE(MEMCG_MIN, OPTIONAL, "4.18", "memory.min"),
	VALUE(MEMCG_LOW_LIMIT, OPTIONAL, "4.18", "memory.low"),
	VALUE(MEMCG_HIGH_LIMIT, OPTIONAL, "5.8, all", "memory.high", "high"),
	VALUE(MEMCG_MAX_LIMIT, OPTIONAL, "4.18", "memory.max"),
	VALUE(MEMCG_PEAK, OPTIONAL, "all", "memory.watermark"),
	VALUE(MEMCG_FAILCNT, OPTIONAL, "all", "memory.failcnt"),
	VALUE(MEMCG_SOFT_LIMIT, OPTIONAL, "CONFIG_MEMCG_V1", "soft_limit"),
	VALUE(MEMCG_SWAP_USAGE, OPTIONAL, "4.5", "swap.usage"),
	VALUE(MEMCG_SWAP_HIGH_LIMIT, OPTIONAL, "5.8", "swap.high"),
	VALUE(MEMCG_SWAP_MAX_LIMIT, OPTIONAL, "4.18", "swap.max"),
	VALUE(MEMCG_SWAP_PEAK, OPTIONAL, "4.5", "swap.watermark"),
	/*
	 * Apart from swap up to 5.9; 5.10: "mm/memcg: unify swap and memsw page counters". v1
	 * charges this one in both.
	 */
	VALUE(MEMCG_MEMSW_USAGE, OPTIONAL, "all", "memsw.usage"),
	VALUE(MEMCG_MEMSW_LIMIT, OPTIONAL, "4.18", "memsw.max"),
	VALUE(MEMCG_KMEM_USAGE, OPTIONAL, "CONFIG_MEMCG_V1", "kmem.usage"),
	VALUE(MEMCG_KMEM_LIMIT, OPTIONAL, "CONFIG_MEMCG_V1", "kmem.max"),
	VALUE(MEMCG_TCP_USAGE, OPTIONAL, "CONFIG_MEMCG_V1", "tcpmem.usage"),
	VALUE(MEMCG_TCP_LIMIT, OPTIONAL, "CONFIG_MEMCG_V1", "tcpmem.max"),
	VALUE(MEMCG_EFFECTIVE_MIN, OPTIONAL, "4.18", "memory.emin"),
	VALUE(MEMCG_EFFECTIVE_LOW, OPTIONAL, "4.18", "memory.elow"),
	VALUE(MEMCG_CHILDREN_MIN, OPTIONAL, "4.18", "memory.children_min_usage"),
	VALUE(MEMCG_SWAPPINESS, OPTIONAL, "all; CONFIG_MEMCG_V1 (7.3)", "swappiness"),
	VALUE(MEMCG_OOM_GROUP, OPTIONAL, "4.19", "oom_group"),
	VALUE(MEMCG_OOM_KILL_DISABLE, OPTIONAL, "CONFIG_MEMCG_V1", "oom_kill_disable"),
	VALUE(MEMCG_UNDER_OOM, OPTIONAL, "CONFIG_MEMCG_V1", "under_oom"),
	VALUE(MEMCG_ID_REFS, OPTIONAL, "4.8", "id.ref"),
	READS_IF(struct memcg, events, state.has_events, OPTIONAL, "4.16", "memory_events"),
	/* False for v2 (page_counter_init() and mem_cgroup_css_alloc()). */
	READS_IF(struct memcg, tracks_failcnt, has_tracks_failcnt, OPTIONAL, "6.19",
		 "memory.track_failcnt"),
	READS_IF(struct memcg, local, state.has_local, OPTIONAL, "5.2", "memory_events_local"),
	READS(struct memcg, ref_count, OPTIONAL, "all", "css.refcnt.percpu_count_ptr"),
	/* 5.10: percpu_ref: reduce memory footprint of percpu_ref in fast path */
	READS_IF(struct memcg, ref_data, has_ref_data, OPTIONAL, "5.10, all", "css.refcnt.data",
		 "css.refcnt.count"),
	FINDS(struct memcg_states, node_objcg, "struct mem_cgroup_per_node", OPTIONAL, "7.1",
	      "objcg"),
	READS(struct memcg, cgroup, REQUIRED, "all", "css.cgroup"),
	FINDS(struct memcg_states, cgroup_root, "struct cgroup", OPTIONAL, "all", "root"),
	FINDS(struct memcg_states, count, "struct percpu_ref_data", OPTIONAL, "5.10", "count"),
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
	const struct field *f = STRUCT_FIELD(&s->memcg, struct memcg, events),
			   *local = STRUCT_FIELD(&s->memcg, struct memcg, local);
	struct dump *d = s->dump;
	size_t named = 0;

	s->nevents = f->present && f->kind == KIND_ARRAY ? f->size / 8 : 0;
	if (s->nevents > MAX_EVENTS || (local->present && local->size != f->size))
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

static enum memcg_version read_version(const struct memcg_states *s, uint64_t cgroup)
{
	uint64_t root;

	if (!s->default_hierarchy || !cgroup ||
	    dump_u64(s->dump, cgroup + s->cgroup_root.offset, &root, "cgroup.root") != ST_OK ||
	    dump_check(s->dump, cgroup + s->cgroup_root.offset, &root, sizeof(root),
		       "cgroup.root") != ST_OK)
		return MEMCG_VERSION_UNKNOWN;
	return root == s->default_hierarchy ? MEMCG_V2 : MEMCG_V1;
}

/* Where the pointer of one cgroup to its struct cgroup is damaged, the others tell. */
static enum memcg_version version_of_root(const struct memcg_states *s)
{
	struct memcg root = { 0 };
	uint64_t at;

	return dump_value(s->dump, "root_mem_cgroup", &at) == ST_OK &&
			       struct_read(&s->memcg, at, &root) == ST_OK
		       ? read_version(s, root.cgroup)
		       : MEMCG_VERSION_UNKNOWN;
}

enum status memcg_states_open(struct dump *d, struct memcg_states *ret)
{
	struct memcg_states s = { .dump = d };
	uint64_t subsystem;
	enum status st = memcgs_subsystem(d, &subsystem) ?: STRUCTS_OPEN(d, rows, &s);

	if (st == ST_OK && s.cgroup_root.present)
		st = dump_symbol(d, "cgrp_dfl_root", &s.default_hierarchy);
	if (st != ST_OK)
		return st;
	s.reparents_all = s.node_objcg.present;
	place_events(&s);
	s.of_root = version_of_root(&s);
	most_pages_read(d, &s.most);
	*ret = s;
	return ST_OK;
}

static bool take_events(const struct memcg_states *s, bool has, const uint64_t *all,
			uint64_t events[MEMCG_EVENT_KINDS])
{
	for (size_t i = 0; has && s->nevents && i < MEMCG_EVENT_KINDS; i++)
		if (s->event[i] >= 0)
			events[i] = all[s->event[i]];
	return has && s->nevents;
}

/*
 * References are spread over the CPUs until the cgroup is removed; then they are one number
 * (percpu_ref_kill_and_confirm()).
 */
static void read_refs(const struct memcg_states *s, const struct memcg *memcg,
		      struct memcg_state *ret)
{
	uint64_t count = memcg->ref_data;

	if (!memcg->has_ref_data || !(memcg->ref_count & REF_ATOMIC))
		return;
	if (STRUCT_FIELD(&s->memcg, struct memcg, ref_data)->kind == KIND_POINTER &&
	    (!s->count.present ||
	     dump_u64(s->dump, count + s->count.offset, &count, "percpu_ref_data") != ST_OK))
		return;
	ret->has_refs = count < REF_BIAS / 2;
	ret->refs = count;
}

/* The page counters of swap (v2) and of memory and swap (v1) are one in some kernels: what the other has is none. */
void memcg_state_keep_version(struct memcg_state *state, enum memcg_version version)
{
	static const struct {
		enum memcg_value value;
		enum memcg_version of;
	} of_one[] = {
		{ MEMCG_SWAP_USAGE, MEMCG_V2 },	    { MEMCG_SWAP_HIGH_LIMIT, MEMCG_V2 },
		{ MEMCG_SWAP_MAX_LIMIT, MEMCG_V2 }, { MEMCG_SWAP_PEAK, MEMCG_V2 },
		{ MEMCG_MEMSW_USAGE, MEMCG_V1 },    { MEMCG_MEMSW_LIMIT, MEMCG_V1 },
		{ MEMCG_UNDER_OOM, MEMCG_V1 },	    { MEMCG_OOM_KILL_DISABLE, MEMCG_V1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(of_one); i++)
		if (version != of_one[i].of)
			state->has[of_one[i].value] = false;
}

/* CPUs charge in advance, and sockets before they have packets: an eighth more is no damage. */
static bool exceeds(uint64_t most, uint64_t pages)
{
	return most_pages_exceeds(most, pages) && ((int64_t)pages < 0 || pages - most > most / 8);
}

/* Counters of pages that are charged, whose value no limit bounds: one that cannot be is unknown, and costs no other. */
static void check_charged(const struct memcg_states *s, uint64_t address, struct memcg_state *state)
{
	const struct {
		enum memcg_value value;
		const char *name;
		uint64_t most;
	} all[] = {
		{ MEMCG_USAGE, "memory", s->most.ram },
		{ MEMCG_KMEM_USAGE, "kmem", s->most.ram },
		{ MEMCG_SWAP_USAGE, "swap", s->most.both },
		{ MEMCG_MEMSW_USAGE, "memsw", s->most.both },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const enum memcg_value v = all[i].value;

		if (!state->has[v] || !exceeds(all[i].most, state->value[v]))
			continue;
		dump_lacks(s->dump, "counters of cgroups", ST_CORRUPT,
			   "%s.usage of the struct mem_cgroup at %#lx is %ld pages, which no "
			   "machine of this size can have",
			   all[i].name, address, (int64_t)state->value[v]);
		state->has[v] = false;
		state->value[v] = 0;
	}
}

enum status memcg_state_read(const struct memcg_states *s, uint64_t address,
			     struct memcg_state *ret)
{
	struct memcg memcg = { 0 };
	struct memcg_state *state = &memcg.state;
	enum status st = struct_read(&s->memcg, address, &memcg);

	if (st != ST_OK)
		return st;
	if (memcg.has_tracks_failcnt && !memcg.tracks_failcnt)
		state->has[MEMCG_FAILCNT] = false;
	state->version = read_version(s, memcg.cgroup);
	memcg_state_keep_version(state, state->version ?: s->of_root);
	state->has_events = take_events(s, state->has_events, memcg.events, state->events);
	state->has_local = take_events(s, state->has_local, memcg.local, state->local);
	read_refs(s, &memcg, state);
	check_charged(s, address, state);
	*ret = *state;
	return ST_OK;
}

void memcg_state_doubt_protection(struct memcg_state *state, const struct memcg_state *parent)
{
	static const struct {
		enum memcg_value setting, effective;
	} kinds[] = { { MEMCG_MIN, MEMCG_EFFECTIVE_MIN },
		      { MEMCG_LOW_LIMIT, MEMCG_EFFECTIVE_LOW } };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const enum memcg_value effective = kinds[i].effective;
		const bool asks = state->has[kinds[i].setting] && state->value[kinds[i].setting] &&
				  state->has[MEMCG_USAGE] && state->value[MEMCG_USAGE];

		if (asks && !state->value[effective] &&
		    (!parent || !parent->has[effective] || parent->value[effective]))
			state->has[effective] = false;
	}
}
