// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_total.h"

#include "cgroup/cgroup.h"
#include "cgroup/memcg_counts.h"
#include "oom/mems_allowed.h"
#include "zones/mem_total.h"
#include "zones/zones.h"

static enum status read_swap(struct dump *d, uint64_t *ret)
{
	enum status st = dump_has_both(d, "total_swap_pages", "union swap_header");

	/* Without CONFIG_SWAP it is a constant. */
	*ret = 0;
	if (st == ST_ABSENT)
		return ST_OK;
	return st ?: dump_symbol_u64(d, "total_swap_pages", ret);
}

static enum status total_of_ram(struct dump *d, uint64_t swap, struct oom_total *ret)
{
	uint64_t ram;

	return RESULT(mem_total_sure(d, &ram), ret,
		      (struct oom_total){ ram + swap, "RAM and swap" });
}

static enum status total_of_nodes(struct dump *d, const char *list, uint64_t swap,
				  struct oom_total *ret)
{
	struct oom_total t = { .pages = swap };
	struct zone_states states;
	struct zone_state state;
	struct zones zones;
	bool bad = !*list;
	enum status st = zones_open(d, &zones) ?: zone_states_open(d, &states);

	for (size_t i = 0; st == ST_OK && i < zones.n; i++) {
		if (!mems_allowed_have(list, zones.zones[i].node, &bad))
			continue;
		st = zone_state_read(&states, &zones.zones[i], &state);
		t.pages += st == ST_OK ? state.present : 0;
	}
	if (st != ST_OK)
		return st;
	if (bad)
		return dump_absent(d, "the report does not tell the NUMA nodes");
	t.of = dump_text(d, "nodes %s and swap", list);
	*ret = t;
	return ST_OK;
}

/* Of v1 each cgroup has a swappiness of its own: that of the path, as long as it exists. */
static enum status read_swappiness(struct dump *d, const char *path, uint64_t *ret)
{
	static const struct layout_row row = {
		"struct mem_cgroup", { "swappiness" }, REQUIRED, "all"
	};
	struct memcg_tree tree = { 0 };
	struct field f;
	uint32_t value;
	enum status st = layout_resolve(d, &row, 1, &f) ?: memcg_counts_read(d, NULL, 0, 0, &tree);

	for (const struct memcg_counts *c = tree.first; st == ST_OK && c; c = c->next) {
		if (c->removed || !c->path || strcmp(c->path, path))
			continue;
		st = dump_u32(d, c->address + f.offset, &value, "memory cgroup");
		*ret = value;
		return st;
	}
	return st != ST_OK ? st : dump_absent(d, "the cgroup of the report was removed");
}

/*
 * mem_cgroup_get_max(). v2 limits swap apart and has one swappiness, that of the system; v1 limits
 * the sum of memory and swap. Without swap all are the limit of memory.
 */
static enum status total_of_memcg(struct dump *d, const struct oom_report *r, uint64_t swap,
				  struct oom_total *ret)
{
	bool is_v1 = cgroups_memory_is_v1(d);
	uint64_t swappiness = 0, limit, max;
	enum status st = ST_OK;

	if (!r->memory.limit_kib.known)
		return dump_absent(d, "the report does not tell the limit of the cgroup");
	if (swap && !(is_v1 ? r->memsw : r->swap).limit_kib.known)
		return dump_absent(d, "the report does not tell the swap limit of the cgroup");
	if (swap)
		st = is_v1 ? read_swappiness(d, r->oom_memcg, &swappiness)
			   : dump_value(d, "vm_swappiness", &swappiness);
	if (st != ST_OK)
		return st;
	limit = (is_v1 ? r->memsw : r->swap).limit_kib.value >> (d->page_shift - 10);
	max = r->memory.limit_kib.value >> (d->page_shift - 10);
	if (is_v1)
		limit = limit > max ? limit - max : 0;
	if (swap && swappiness)
		max += limit < swap ? limit : swap;
	*ret = (struct oom_total){ max ? max : 1,
				   dump_text(d, "the limits of %s",
					     *r->oom_memcg ? r->oom_memcg : "the cgroup") };
	return ST_OK;
}

enum status oom_total_read(struct dump *d, const struct oom_report *report, struct oom_total *ret)
{
	uint64_t swap;
	enum status st = read_swap(d, &swap);

	if (st != ST_OK)
		return st;
	if (!report || !strcmp(report->constraint, "CONSTRAINT_NONE"))
		return total_of_ram(d, swap, ret);
	if (!strcmp(report->constraint, "CONSTRAINT_MEMCG") ||
	    (!*report->constraint && report->scope == OOM_SCOPE_MEMCG))
		return total_of_memcg(d, report, swap, ret);
	if (!strcmp(report->constraint, "CONSTRAINT_CPUSET"))
		return total_of_nodes(d, report->mems_allowed, swap, ret);
	if (!strcmp(report->constraint, "CONSTRAINT_MEMORY_POLICY"))
		return total_of_nodes(d, report->nodemask, swap, ret);
	return dump_absent(d, "the report does not tell its constraint");
}

/* What a counter has by which a size in bytes cannot be told is damaged. */
static struct maybe_u64 bytes_of(const struct log_number *n, unsigned int shift)
{
	return (struct maybe_u64){ n->value << shift,
				   n->known && shift && n->value <= (uint64_t)INT64_MAX >> shift };
}

static struct maybe_u64 counter(const struct dump *d, const struct oom_report *r,
				enum mem_counter which)
{
	return bytes_of(&r->mem.pages[which], d->page_shift);
}

struct maybe_u64 oom_report_free(const struct dump *d, const struct oom_report *r)
{
	return counter(d, r, MEM_free);
}

struct maybe_u64 oom_report_free_swap(const struct dump *d NOT_USED, const struct oom_report *r)
{
	return bytes_of(&r->mem.free_swap_kib, 10);
}

struct maybe_u64 oom_report_anon(const struct dump *d, const struct oom_report *r)
{
	const struct maybe_u64 active = counter(d, r, MEM_active_anon),
			       inactive = counter(d, r, MEM_inactive_anon);

	return (struct maybe_u64){ active.n + inactive.n, active.known && inactive.known };
}

struct maybe_u64 oom_report_slab(const struct dump *d, const struct oom_report *r)
{
	return counter(d, r, MEM_slab_unreclaimable);
}

struct maybe_u64 oom_report_victim_anon(const struct oom_report *r)
{
	return bytes_of(&r->victim.anon_rss_kib, 10);
}
