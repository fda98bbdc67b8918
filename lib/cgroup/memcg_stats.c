// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/memcg_stats.h"

/* Its end has no mark: 7.3 has 51 lines. */
#define MAX_LINES 128
#define MAX_NAME 48 /* of a line of memory.stat; the longest has 24 */

/* Whether the list has that name; false where the list is not known. */
static bool memcg_lines_have(struct dump *d, const char *name)
{
	char line[MAX_NAME];
	uint64_t addr, bytes, text;
	struct field f;

	if (!dump_knows_symbol(d, "memory_stats") ||
	    dump_symbol(d, "memory_stats", &addr) != ST_OK ||
	    dump_ask(d, member, "struct memory_stat", "name", &f) != ST_OK ||
	    dump_ask(d, type_size, "struct memory_stat", &bytes) != ST_OK || !bytes)
		return false;
	for (unsigned int i = 0; i < MAX_LINES; i++) {
		if (dump_u64(d, addr + i * bytes + f.offset, &text, "memory_stats") != ST_OK ||
		    dump_string(d, text, line, sizeof(line), "memory_stats") != ST_OK)
			return false;
		if (!strcmp(line, name))
			return true;
	}
	return false;
}

/*
 * 5.2: "mm: memcontrol: fix recursive statistics correctness & scalabilty" renamed the arrays as
 * it made them count descendants: an array of the former name has those of the cgroup alone.
 */
static const struct {
	enum memcg_stats_form form;
	struct layout_row stats, events;
} forms[] = {
	/* An array in 5.2, a struct memcg_vmstats from 5.13, a pointer to one in 6.1. */
	{ MEMCG_BATCHED,
	  { "struct mem_cgroup", { "vmstats" }, OPTIONAL, "5.2" },
	  { "struct mem_cgroup", { "vmevents" }, OPTIONAL, "5.2 to 5.12" } },
	{ MEMCG_ALONE,
	  { "struct mem_cgroup", { "stat" }, OPTIONAL, "4.15 to 5.1" },
	  { "struct mem_cgroup", { "events" }, OPTIONAL, "4.16 to 5.1" } },
};

static const struct layout_row percpu_rows[] = {
	FINDS(struct memcg_stats, percpu, "struct mem_cgroup", OPTIONAL, "5.2", "vmstats_percpu"),
	/*
	 * Only in Red Hat's kernels (8.6 to 8.10, 9.3 to 9.6, 10.0), which free the counters of
	 * CPUs when a cgroup is removed: percpu_stats_free_rwork_fn() in mm/memcontrol.c.
	 */
	FINDS(struct memcg_stats, no_percpu, "struct mem_cgroup", OPTIONAL, "4.18.0-372.el8",
	      "percpu_stats_disabled"),
};

/*
 * From which value of percpu_stats_disabled on mem_cgroup_css_rstat_flush() leaves the cgroup
 * out. The number is 2 in 8.6 and 8.8, 3 in the others.
 */
static const char *const freed_names[] = { "MEMCG_PERCPU_VMSTATS_FLUSHED",
					   "MEMCG_PERCPU_STATS_FLUSHED", "PERCPU_STATS_FLUSHED" };

static const struct layout_row parts[MEMCG_FAMILIES][MEMCG_PARTS] = {
	[MEMCG_OF_NODE] = {
		[MEMCG_TOTAL] = { "struct memcg_vmstats", { "state" }, REQUIRED, "5.13" },
		[MEMCG_PENDING] = { "struct memcg_vmstats", { "state_pending" }, REQUIRED, "5.13" },
		[MEMCG_NOW] = { "struct memcg_vmstats_percpu", { "state" }, REQUIRED, "5.13" },
		[MEMCG_BEFORE] = { "struct memcg_vmstats_percpu", { "state_prev" }, REQUIRED, "5.13" },
	},
	[MEMCG_OF_CPU] = {
		[MEMCG_TOTAL] = { "struct memcg_vmstats", { "events" }, REQUIRED, "5.13" },
		[MEMCG_PENDING] = { "struct memcg_vmstats", { "events_pending" }, REQUIRED, "5.13" },
		[MEMCG_NOW] = { "struct memcg_vmstats_percpu", { "events" }, REQUIRED, "5.13" },
		[MEMCG_BEFORE] = { "struct memcg_vmstats_percpu", { "events_prev" }, REQUIRED, "5.13" },
	},
};

/* From an enumerator to the index in the array; where there is none, the two are the same. */
static const char *const tables[MEMCG_FAMILIES] = { "mem_cgroup_stats_index",
						    "mem_cgroup_events_index" };

/*
 * Entries of mem_cgroup_events_index and its sister are index plus 1 with 0 for none (6.1
 * to 6.11), or the index with 255 for none (mm/memcontrol.c of 6.12).  Neither table has the
 * mark of the other: the arrays are shorter than 254, and most entries are none.
 */
static enum status read_index(struct dump *d, const char *table, int64_t item, int64_t *ret)
{
	struct layout_buffer raw;
	struct field all, one;
	char name[64];
	bool marked = false;
	uint64_t addr, entry;
	enum status st;

	if (!dump_has_symbol(d, table)) {
		*ret = item;
		return ST_OK;
	}
	snprintf(name, sizeof(name), "%s[0]", table);
	if (dump_ask(d, variable, table, &all) != ST_OK || all.kind != KIND_ARRAY ||
	    dump_ask(d, variable, name, &one) != ST_OK || !one.size || one.size > 4 ||
	    (uint64_t)item >= all.size / one.size)
		return dump_unknown(d, "%s", table);
	st = layout_buffer(d, table, all.size, &raw) ?: dump_symbol(d, table, &addr) ?:
		layout_read(d, addr, &raw, table);
	if (st != ST_OK)
		return st;
	for (size_t i = 0; one.size == 1 && i < all.size; i++)
		marked |= raw.raw[i] == UINT8_MAX;
	entry = le_bytes(raw.raw + item * one.size, one.size);
	if (marked)
		*ret = entry == UINT8_MAX ? -1 : (int64_t)entry;
	else
		*ret = (int64_t)entry - 1;
	return ST_OK;
}

static size_t array_length(const struct memcg_stats *s, enum memcg_family family)
{
	return s->part[family][MEMCG_TOTAL].size / 8;
}

/* The enum that has an enumerator tells which array has its counter. */
static enum memcg_family family_of(struct dump *d, const char *enumerator)
{
	static const struct {
		const char *type;
		enum memcg_family family;
	} types[] = {
		{ "enum node_stat_item", MEMCG_OF_NODE },
		{ "enum memcg_stat_item", MEMCG_OF_NODE },
		{ "enum vm_event_item", MEMCG_OF_CPU },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (dump_ask(d, enumerates, types[i].type, enumerator))
			return types[i].family;
	return MEMCG_FAMILIES;
}

/* The first enumerator of a counter that this kernel has in one of these enums; NULL: none. */
static const char *find_item(struct dump *d, const struct memcg_counter *kind,
			     enum memcg_family *family, int64_t *item)
{
	for (size_t i = 0; i < 2 && kind->enumerators[i]; i++) {
		if (dump_ask(d, enumerator, kind->enumerators[i], item) != ST_OK || *item < 0)
			continue;
		*family = family_of(d, kind->enumerators[i]);
		if (*family != MEMCG_FAMILIES)
			return kind->enumerators[i];
	}
	return NULL;
}

static enum status place_counter(struct memcg_stats *s, const struct memcg_counter *kind, size_t i)
{
	struct dump *d = s->dump;
	enum memcg_family family = MEMCG_FAMILIES;
	int64_t item = -1, index = -1;
	const char *name = find_item(d, kind, &family, &item);
	enum status st;

	if (!name && kind->always)
		dump_expects(d, "counters of cgroups", kind->enumerators[0], kind->always);
	else if (!name && kind->line && memcg_lines_have(d, kind->line))
		dump_lacks(d, "counters of cgroups", ST_UNKNOWN, "unknown layout: no enumerator %s",
			   kind->enumerators[0]);
	if (!name || kind->of_memcg == MEMCG_NEVER ||
	    (kind->of_memcg == MEMCG_IN_TABLE && !dump_has_symbol(d, tables[family])))
		return ST_OK;
	st = read_index(d, tables[family], item, &index);
	if (st != ST_OK || index < 0)
		return st;
	if ((uint64_t)index >= array_length(s, family))
		return dump_corrupt(d, "%s: no counter %ld", tables[family], index);
	s->names[i] = name;
	s->family[i] = family;
	s->index[i] = index;
	decoder_trace(d, "decide %s of a memory cgroup is number %ld", name, index);
	return ST_OK;
}

static enum status find_arrays(struct memcg_stats *s)
{
	struct dump *d = s->dump;
	struct field *total = &s->part[MEMCG_OF_NODE][MEMCG_TOTAL];

	if (s->stats.kind == KIND_ARRAY) {
		if (!s->events.present || s->events.kind != KIND_ARRAY)
			return dump_unknown(d, "events of struct mem_cgroup");
		*total = s->stats;
		s->part[MEMCG_OF_CPU][MEMCG_TOTAL] = s->events;
		return ST_OK;
	}
	if (s->form != MEMCG_BATCHED || !s->percpu.present)
		return dump_unknown(d, "counters of struct mem_cgroup");
	s->form = MEMCG_FLUSHED;
	for (unsigned int i = 0; i < MEMCG_FAMILIES; i++) {
		enum status st = layout_resolve(d, parts[i], MEMCG_PARTS, s->part[i]);

		for (unsigned int j = 0; st == ST_OK && j < MEMCG_PARTS; j++)
			if (s->part[i][j].size != s->part[i][MEMCG_TOTAL].size)
				st = dump_unknown(d, "%s.%s", parts[i][j].type,
						  parts[i][j].names[0]);
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

static enum status find_form(struct memcg_stats *s)
{
	struct dump *d = s->dump;
	enum status st = STRUCTS_OPEN(d, percpu_rows, s);

	s->freed_from = -1;
	for (size_t i = 0; i < ARRAY_SIZE(freed_names); i++)
		if (s->no_percpu.present && s->freed_from < 0 &&
		    dump_ask(d, enumerator, freed_names[i], &s->freed_from) != ST_OK)
			s->freed_from = -1;
	for (size_t i = 0; st == ST_OK && i < ARRAY_SIZE(forms); i++) {
		st = layout_resolve(d, &forms[i].stats, 1, &s->stats);
		if (st != ST_OK || !s->stats.present)
			continue;
		s->form = forms[i].form;
		return layout_resolve(d, &forms[i].events, 1, &s->events) ?: find_arrays(s);
	}
	return st != ST_OK ? st
			   : dump_fail(d, ST_UNKNOWN,
				       "struct mem_cgroup has no member vmstats or stat");
}

/* Room for what is counted, and for a copy of the longest array. */
static enum status take_room(struct memcg_stats *s)
{
	size_t bytes = 0;
	enum status st = ST_OK;

	for (unsigned int i = 0; i < MEMCG_FAMILIES; i++)
		if (s->part[i][MEMCG_TOTAL].size > bytes)
			bytes = s->part[i][MEMCG_TOTAL].size;
	for (unsigned int i = 0; st == ST_OK && i < 2; i++)
		st = layout_buffer(s->dump, "counters of struct mem_cgroup", bytes, &s->raw[i]);
	if (st != ST_OK)
		return st;
	s->names = dump_alloc(s->dump, s->n * sizeof(*s->names));
	s->family = dump_alloc(s->dump, s->n * sizeof(*s->family));
	s->index = dump_alloc(s->dump, s->n * sizeof(*s->index));
	s->values[0] = dump_alloc(s->dump, bytes);
	s->values[1] = dump_alloc(s->dump, bytes);
	return ST_OK;
}

enum status memcg_stats_open(struct dump *d, const struct memcg_counter *kinds, size_t n,
			     struct memcg_stats *ret)
{
	struct memcg_stats s = { .dump = d, .n = n };
	enum status st = find_form(&s) ?: take_room(&s);

	for (size_t i = 0; st == ST_OK && i < n; i++)
		st = place_counter(&s, &kinds[i], i);
	return RESULT(st ?: percpu_open(d, &s.cpus), ret, s);
}

/* Where the parts that are not per CPU are. */
static bool find_base(const struct memcg_stats *s, uint64_t memcg, uint64_t *ret)
{
	const struct field *f = &s->stats;

	if (s->form != MEMCG_FLUSHED) {
		*ret = memcg;
		return true;
	}
	*ret = memcg + f->offset;
	return f->kind != KIND_POINTER || dump_u64(s->dump, *ret, ret, "memory cgroup") == ST_OK;
}

static bool read_array(const struct memcg_stats *s, uint64_t base, const struct field *f,
		       unsigned int copy)
{
	return dump_read(s->dump, base + f->offset, s->raw[copy].raw, f->size,
			 "counters of a memory cgroup") == ST_OK;
}

/* What a memory cgroup has beside the totals of an array and its ancestors' do not have yet. */
static bool read_unflushed(const struct memcg_stats *s, uint64_t memcg, uint64_t base,
			   enum memcg_family family, uint64_t *values)
{
	const struct field *f = s->part[family];
	size_t n = array_length(s, family);
	uint64_t percpu;

	if (dump_u64(s->dump, memcg + s->percpu.offset, &percpu, "memory cgroup") != ST_OK ||
	    !read_array(s, base, &f[MEMCG_PENDING], 0))
		return false;
	for (size_t i = 0; i < n; i++)
		values[i] = le64(s->raw[0].raw + i * 8);
	for (unsigned int cpu = 0; cpu < s->cpus.n; cpu++) {
		uint64_t at = percpu + s->cpus.offset[cpu];

		if (!read_array(s, at, &f[MEMCG_NOW], 0) || !read_array(s, at, &f[MEMCG_BEFORE], 1))
			return false;
		for (size_t i = 0; i < n; i++)
			values[i] += le64(s->raw[0].raw + i * 8) - le64(s->raw[1].raw + i * 8);
	}
	return true;
}

static bool read_totals(const struct memcg_stats *s, uint64_t base, enum memcg_family family,
			uint64_t *values)
{
	if (!read_array(s, base, &s->part[family][MEMCG_TOTAL], 0))
		return false;
	for (size_t i = 0; i < array_length(s, family); i++)
		values[i] = le64(s->raw[0].raw + i * 8);
	return true;
}

enum percpu_state { PERCPU_USED, PERCPU_FREED, PERCPU_UNKNOWN };

static enum percpu_state percpu_state_of(const struct memcg_stats *s, uint64_t memcg)
{
	const struct field *f = &s->no_percpu;
	uint32_t value;

	if (!f->present)
		return PERCPU_USED;
	if (f->size != 4 || dump_u32(s->dump, memcg + f->offset, &value, "memory cgroup") != ST_OK)
		return PERCPU_UNKNOWN;
	if (!value)
		return PERCPU_USED;
	if (s->freed_from < 0)
		return PERCPU_UNKNOWN;
	return value >= s->freed_from ? PERCPU_FREED : PERCPU_USED;
}

/* Values of one family, zeros where they are unknown; *has_more: what is beside the totals is known. */
static bool read_family(const struct memcg_stats *s, uint64_t memcg, enum memcg_family family,
			enum percpu_state state, bool *has_more)
{
	size_t bytes = array_length(s, family) * 8;
	uint64_t base;
	bool has_base = find_base(s, memcg, &base);

	memset(s->values[0], 0, bytes);
	memset(s->values[1], 0, bytes);
	*has_more = s->form != MEMCG_FLUSHED || state == PERCPU_FREED ||
		    (has_base && state == PERCPU_USED &&
		     read_unflushed(s, memcg, base, family, s->values[1]));
	return has_base && read_totals(s, base, family, s->values[0]);
}

void memcg_stats_read(struct memcg_stats *s, uint64_t memcg, struct memcg_stat *ret, bool *keeps)
{
	enum percpu_state state = s->form == MEMCG_FLUSHED ? percpu_state_of(s, memcg)
							   : PERCPU_USED;

	*keeps = state == PERCPU_FREED;
	for (enum memcg_family family = MEMCG_OF_NODE; family < MEMCG_FAMILIES; family++) {
		bool has_more, has_total = read_family(s, memcg, family, state, &has_more);

		for (size_t i = 0; i < s->n; i++) {
			uint64_t total = s->values[0][s->index[i]];

			if (s->family[i] != family)
				continue;
			ret[i] = s->form == MEMCG_ALONE
					 ? (struct memcg_stat){ 0, total, true, has_total }
					 : (struct memcg_stat){ total, s->values[1][s->index[i]],
								has_total, has_more };
		}
	}
}
