// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/alloc_request.h"

static bool has_member(struct dump *d, const char *member)
{
	struct field f;

	return dump_ask(d, member, "struct zone", member, &f) == ST_OK;
}

/* The function took the order as well when the reserves were sorted anew. */
static enum reserve_rule rule_of(struct dump *d, const struct gfp_flags *g)
{
	char text[512];

	if (has_member(d, "nr_free_highatomic") || (g->named && !g->bit[GFP_BIT_ATOMIC]))
		return RESERVES_OF_NONBLOCK;
	if (!d->ops->type_text ||
	    dump_ask(d, type_text, "gfp_to_alloc_flags", text, sizeof(text)) != ST_OK ||
	    !strchr(text, '('))
		return RESERVES_UNKNOWN;
	return strchr(text, ',') ? RESERVES_OF_NONBLOCK : RESERVES_OF_ATOMIC;
}

enum status alloc_kernel_open(struct dump *d, const struct names *gfp_names,
			      struct alloc_kernel *ret)
{
	static const char *const rules[] = { "up to 6.2", "6.3", "unknown" };
	struct alloc_kernel k = {
		.zone_dma = dump_enumerator_or(d, "ZONE_DMA", -1),
		.zone_dma32 = dump_enumerator_or(d, "ZONE_DMA32", -1),
		.zone_normal = dump_enumerator_or(d, "ZONE_NORMAL", -1),
		.zone_movable = dump_enumerator_or(d, "ZONE_MOVABLE", -1),
		.pcp_types = dump_enumerator_or(d, "MIGRATE_PCPTYPES", -1),
		.highatomic = dump_enumerator_or(d, "MIGRATE_HIGHATOMIC", -1),
		.cma = dump_enumerator_or(d, "MIGRATE_CMA", -1),
		.isolate = dump_enumerator_or(d, "MIGRATE_ISOLATE", -1),
		.flags = gfp_names->flags,
		.no_mobility = gfp_names->no_mobility,
	};

	if (k.zone_normal < 0 || k.zone_movable < 0 || k.pcp_types < 1)
		return dump_unknown(d, "enum zone_type or migratetype");
	k.rule = rule_of(d, &k.flags);
	decoder_trace(d, "decide reserves of allocations as %s", rules[k.rule]);
	*ret = k;
	return ST_OK;
}

/* Whether a flag is set; an unknown one is named by the request, and taken as clear. */
static bool is_set(const struct alloc_kernel *k, struct alloc_request *r, enum gfp_flag flag)
{
	enum gfp_state state = gfp_state(&k->flags, r->gfp, flag);

	if (state == GFP_UNKNOWN && !r->unknown_flag)
		r->unknown_flag = gfp_flag_name(flag);
	return state == GFP_SET;
}

/* GFP_ZONE_TABLE, without CONFIG_HIGHMEM; a zone that is not built in is the next higher one. */
static bool find_highest_zone(const struct alloc_kernel *k, struct alloc_request *r)
{
	bool dma = is_set(k, r, GFP_BIT_DMA), dma32 = is_set(k, r, GFP_BIT_DMA32);
	bool high = is_set(k, r, GFP_BIT_HIGHMEM), movable = is_set(k, r, GFP_BIT_MOVABLE);
	int64_t zone = k->zone_normal;

	if (r->unknown_flag) {
		r->highest_zone = UINT32_MAX;
		return true;
	}
	if (dma + dma32 + high > 1)
		return false;
	if (dma)
		zone = k->zone_dma >= 0 ? k->zone_dma : k->zone_normal;
	else if (dma32)
		zone = k->zone_dma32 >= 0 ? k->zone_dma32 : k->zone_normal;
	else if (high && movable)
		zone = k->zone_movable;
	r->highest_zone = zone;
	return true;
}

static void old_reserves(const struct alloc_kernel *k, struct alloc_request *r)
{
	bool is_atomic = is_set(k, r, GFP_BIT_ATOMIC);
	bool harder = is_atomic && !is_set(k, r, GFP_BIT_NOMEMALLOC);

	r->half = is_set(k, r, GFP_BIT_HIGH);
	r->quarter = r->reserves = r->highatomic = harder;
	r->ignores_cpuset = r->ignores_boost = is_atomic;
}

static void new_reserves(const struct alloc_kernel *k, struct alloc_request *r)
{
	bool nonblock = r->is_nowait && !is_set(k, r, GFP_BIT_NOMEMALLOC);

	r->half = is_set(k, r, GFP_BIT_HIGH);
	r->quarter = r->half && nonblock;
	r->reserves = r->half || nonblock;
	r->highatomic = r->half && nonblock && r->order;
	r->ignores_cpuset = r->half && r->is_nowait;
	/* Stable releases of 6.1 have __GFP_ATOMIC and the reserves of 6.3. */
	r->ignores_boost = k->flags.bit[GFP_BIT_ATOMIC] ? is_set(k, r, GFP_BIT_ATOMIC) : r->half;
}

bool alloc_request_init(const struct alloc_kernel *k, enum reserve_rule rule, unsigned int order,
			uint32_t gfp, struct alloc_request *ret)
{
	struct alloc_request r = { .order = order, .gfp = gfp };

	if (!find_highest_zone(k, &r))
		return false;
	r.is_nowait = !is_set(k, &r, GFP_BIT_DIRECT_RECLAIM);
	r.no_watermarks = is_set(k, &r, GFP_BIT_MEMALLOC) && !is_set(k, &r, GFP_BIT_NOMEMALLOC);
	if (rule == RESERVES_OF_ATOMIC)
		old_reserves(k, &r);
	else
		new_reserves(k, &r);
	r.cma = k->cma >= 0 && !k->no_mobility && is_set(k, &r, GFP_BIT_MOVABLE) &&
		!is_set(k, &r, GFP_BIT_RECLAIMABLE);
	*ret = r;
	return true;
}
