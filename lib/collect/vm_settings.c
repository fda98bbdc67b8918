// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/vm_settings.h"

#include <stdlib.h>

#include "dump/structure.h"
#include "kernel/dump_info.h"
#include "kernel/jiffies.h"
#include "kernel/percpu_counter.h"
#include "kernel/sysctl.h"
#include "pages/hugetlb.h"
#include "zones/reclaim.h"

#define MAX_SETTINGS 1024 /* a kernel has 60 */

/*
 * What 4.18 to 7.3 have without a configuration or a size of memory that decides it. Those that
 * follow from these, as min_free_kbytes and user_reserve_kbytes, are not here, nor is
 * compaction_proactiveness, which is 20, and 0 in RHEL 8.
 */
static const struct {
	const char *name, *value;
} standards[] = {
	{ "block_dump", "0" },
	{ "compact_memory", "0" },
	{ "defrag_mode", "0" },
	{ "dirty_background_bytes", "0" },
	{ "dirty_background_ratio", "10" },
	{ "dirty_bytes", "0" },
	{ "dirty_expire_centisecs", "3000" },
	{ "dirty_ratio", "20" },
	{ "dirty_writeback_centisecs", "500" },
	{ "dirtytime_expire_seconds", "43200" },
	{ "drop_caches", "0" },
	{ "enable_soft_offline", "1" },
	{ "extfrag_threshold", "500" },
	{ "hugetlb_shm_group", "0" },
	{ "laptop_mode", "0" },
	{ "legacy_va_layout", "0" },
	{ "max_map_count", "65530" },
	{ "memfd_noexec", "0" },
	{ "memory_failure_early_kill", "0" },
	{ "memory_failure_recovery", "1" },
	{ "min_slab_ratio", "5" },
	{ "min_unmapped_ratio", "1" },
	{ "numa_stat", "1" },
	{ "numa_zonelist_order", "Node" },
	{ "oom_dump_tasks", "1" },
	{ "oom_kill_allocating_task", "0" },
	{ "overcommit_kbytes", "0" },
	{ "overcommit_memory", "0" },
	{ "overcommit_ratio", "50" },
	{ "page-cluster", "3" }, /* swap_setup(): 2 below 16 MB of memory */
	{ "page_lock_unfairness", "5" },
	{ "panic_on_oom", "0" },
	{ "percpu_pagelist_fraction", "0" },
	{ "percpu_pagelist_high_fraction", "0" },
	{ "stat_interval", "1" },
	{ "swappiness", "60" },
	{ "vfs_cache_pressure", "100" },
	{ "vfs_cache_pressure_denom", "100" },
	{ "watermark_boost_factor", "15000" },
	{ "watermark_scale_factor", "10" },
	{ "zone_reclaim_mode", "0" },
};

struct collect {
	struct dump *dump;
	struct vm_settings *to;
	size_t room;
	uint64_t tick_ns;
};

static const char *standard_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(standards); i++)
		if (!strcmp(standards[i].name, name))
			return standards[i].value;
	return NULL;
}

/* init_per_zone_wmark_min(): without a user's setting user_min_free_kbytes is -1. */
static void look_at_user(struct dump *d, struct vm_setting *s)
{
	uint64_t at;
	uint32_t user;

	if (strcmp(s->name, "vm.min_free_kbytes") || !dump_has_symbol(d, "user_min_free_kbytes") ||
	    dump_symbol(d, "user_min_free_kbytes", &at) != ST_OK ||
	    dump_u32(d, at, &user, "user_min_free_kbytes") != ST_OK)
		return;
	s->has_changed = true;
	s->changed = user != UINT32_MAX;
}

static enum status add(void *arg, const struct sysctl *from)
{
	struct collect *c = arg;
	struct dump *d = c->dump;
	struct vm_settings *to = c->to;
	char value[SYSCTL_TEXT];
	struct vm_setting *s;
	enum status st;

	if (to->n == c->room)
		return dump_fail(d, ST_CORRUPT, "/proc/sys/vm has more than %d files",
				 MAX_SETTINGS);
	s = &to->all[to->n++];
	*s = (struct vm_setting){ .name = arena_text(d->arena, "vm.%s", from->name),
				  .standard = standard_of(from->name) };
	st = sysctl_value(d, from, c->tick_ns, value);
	if (st == ST_OK)
		s->value = arena_strdup(d->arena, value);
	to->unread += st == ST_UNREADABLE;
	to->unknown += st == ST_UNKNOWN;
	s->has_changed = s->value && s->standard;
	s->changed = s->has_changed && strcmp(s->value, s->standard);
	look_at_user(d, s);
	return ST_OK;
}

enum status vm_settings_collect(struct dump *d, struct vm_settings *ret)
{
	struct collect c = { d, ret, MAX_SETTINGS, 0 };
	struct jiffies jiffies;
	enum status st;

	*ret = (struct vm_settings){ .all = dump_alloc(d, MAX_SETTINGS * sizeof(*ret->all)) };
	jiffies_open(d, &jiffies);
	c.tick_ns = jiffies.tick_ns;
	st = sysctl_walk(d, "vm", add, &c);
	const struct gap gaps[] = {
		{ "the value of %s is not in this dump", ret->unread, "setting of vm.*",
		  "settings of vm.*" },
		{ "how the kernel shows %s is not known", ret->unknown, "setting of vm.*",
		  "settings of vm.*" },
	};

	ret->gaps = GAPS_OF(d, gaps);
	return st;
}

const char *vm_settings_value(const struct vm_settings *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->all[i].name, name))
			return s->all[i].value;
	return NULL;
}

#define MOST_PAGES (1ULL << 52) /* no memory has more: sums of more would wrap */

/* As percpu_counter_sum_positive() has it. */
static enum status read_committed(struct dump *d, struct maybe_u64 *ret)
{
	struct percpu_counters c;
	uint64_t at;
	int64_t sum;
	enum status st = percpu_counters_open(d, &c) ?: dump_symbol(d, "vm_committed_as", &at)
						     ?: percpu_counter_sum(&c, at, &sum);

	if (st != ST_OK)
		return st;
	if (sum >= (int64_t)MOST_PAGES)
		return dump_fail(d, ST_CORRUPT, "vm_committed_as: %ld pages", sum);
	*ret = (struct maybe_u64){ sum > 0 ? (uint64_t)sum : 0, true };
	return ST_OK;
}

struct settings {
	struct dump *dump;
	struct maybe_u64 mode, ratio, kbytes;
};

static enum status find_setting(void *arg, const struct sysctl *s)
{
	struct settings *x = arg;
	const struct {
		const char *name;
		struct maybe_u64 *to;
	} wanted[] = {
		{ "overcommit_memory", &x->mode },
		{ "overcommit_ratio", &x->ratio },
		{ "overcommit_kbytes", &x->kbytes },
	};
	char text[SYSCTL_TEXT];

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!strcmp(s->name, wanted[i].name) && sysctl_value(x->dump, s, 0, text) == ST_OK)
			*wanted[i].to = (struct maybe_u64){ strtoull(text, NULL, 10), true };
	return ST_OK;
}

static enum status add_huge(void *arg, const struct hugetlb_pool *pool)
{
	*(uint64_t *)arg += pool->total << pool->order;
	return ST_OK;
}

/* vm_commit_limit() in mm/util.c */
static enum status read_limit(struct dump *d, const struct settings *x, struct maybe_u64 *ret)
{
	struct swap_totals swap = { 0 };
	uint64_t ram, huge = 0, allowed;
	enum status st;

	if (!x->kbytes.known || !x->ratio.known || x->ratio.n > INT32_MAX)
		return dump_fail(d, ST_UNKNOWN,
				 "vm.overcommit_ratio or overcommit_kbytes is not known");
	/* A kernel without huge pages, or without swap, has none. */
	st = hugetlb_walk(d, add_huge, &huge);
	if (st == ST_OK || st == ST_ABSENT)
		st = swap_totals_read(d, &swap);
	if (st == ST_OK || st == ST_ABSENT)
		st = mem_total_read(d, &ram);
	if (st != ST_OK)
		return st;
	if (ram >= MOST_PAGES || huge > ram || swap.total >= MOST_PAGES)
		return dump_fail(d, ST_CORRUPT, "%lu pages, %lu of them huge, %lu of swap", ram,
				 huge, swap.total);
	allowed = x->kbytes.n ? x->kbytes.n >> (d->page_shift - 10)
			      : (uint64_t)((unsigned __int128)(ram - huge) * x->ratio.n / 100);
	*ret = (struct maybe_u64){ allowed + swap.total, true };
	return ST_OK;
}

void commit_collect(struct dump *d, struct commit *ret)
{
	struct settings x = { .dump = d };
	enum status st;

	*ret = (struct commit){ 0 };
	st = sysctl_walk(d, "vm", find_setting, &x) ?: read_limit(d, &x, &ret->limit);
	ret->mode = x.mode;
	if (st != ST_OK)
		dump_lacks(d, "commit limit", st, "%s", d->error);
	st = read_committed(d, &ret->committed);
	if (st != ST_OK)
		dump_lacks(d, "memory that was promised", st, "%s", d->error);
}
