// SPDX-License-Identifier: GPL-2.0-or-later
#include "mm/alloc_request.h"

#include <string.h>

#include "kernel/gfp_names.h"

/* These bits have been the same from 4.12 to 7.3 (include/linux/gfp.h, gfp_types.h). */
#define GFP_DMA 0x01
#define GFP_HIGHMEM 0x02
#define GFP_DMA32 0x04
#define GFP_MOVABLE 0x08
#define GFP_RECLAIMABLE 0x10
#define GFP_HIGH 0x20
#define GFP_DIRECT_RECLAIM 0x400
#define GFP_MEMALLOC 0x20000
#define GFP_NOMEMALLOC 0x80000

#define MIGRATE_MOVABLE 1

static int64_t enumerator(struct dump *d, const char *name)
{
	int64_t v;

	return d->ops->enumerator(d->priv, name, &v) == ST_OK && v >= 0 ? v : -1;
}

static uint32_t gfp_flag(const struct names *n, const char *name)
{
	for (unsigned int i = 0; i < n->gfp.n; i++)
		if (!strcmp(n->gfp.flags[i].name, name))
			return n->gfp.flags[i].mask;
	return 0;
}

static bool has_member(struct dump *d, const char *member)
{
	struct field f;

	return d->ops->member(d->priv, "struct zone", member, &f) == ST_OK;
}

/* The function took the order as well when the reserves were sorted anew. */
static enum reserve_rule rule_of(struct dump *d, bool has_atomic, bool has_names)
{
	char text[512];

	if (has_member(d, "nr_free_highatomic") || (has_names && !has_atomic))
		return RESERVES_OF_NONBLOCK;
	if (!d->ops->type_text ||
	    d->ops->type_text(d->priv, "gfp_to_alloc_flags", text, sizeof(text)) != ST_OK ||
	    !strchr(text, '('))
		return RESERVES_UNKNOWN;
	return strchr(text, ',') ? RESERVES_OF_NONBLOCK : RESERVES_OF_ATOMIC;
}

enum status alloc_kernel_open(struct dump *d, const struct names *gfp_names,
			      struct alloc_kernel *ret)
{
	static const char *const rules[] = { "up to 6.2", "6.3", "up to 6.2", "unknown" };
	struct alloc_kernel k = {
		.zone_dma = enumerator(d, "ZONE_DMA"),
		.zone_dma32 = enumerator(d, "ZONE_DMA32"),
		.zone_normal = enumerator(d, "ZONE_NORMAL"),
		.zone_movable = enumerator(d, "ZONE_MOVABLE"),
		.pcp_types = enumerator(d, "MIGRATE_PCPTYPES"),
		.highatomic = enumerator(d, "MIGRATE_HIGHATOMIC"),
		.cma = enumerator(d, "MIGRATE_CMA"),
		.isolate = enumerator(d, "MIGRATE_ISOLATE"),
		.gfp_atomic = gfp_flag(gfp_names, "__GFP_ATOMIC"),
		.has_names = gfp_names->gfp.n,
		.no_mobility = gfp_names->no_mobility,
	};

	if (k.zone_normal < 0 || k.zone_movable < 0 || k.pcp_types < 1)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: enum zone_type or migratetype");
	k.rule = rule_of(d, k.gfp_atomic, k.has_names);
	/* Its bit was not always the same. */
	if (k.rule == RESERVES_OF_ATOMIC && !k.has_names)
		k.rule = RESERVES_UNKNOWN;
	decoder_trace(d, "decide reserves of allocations as %s", rules[k.rule]);
	*ret = k;
	return ST_OK;
}

/* GFP_ZONE_TABLE, without CONFIG_HIGHMEM; a zone that is not built in is the next higher one. */
static bool highest_zone(const struct alloc_kernel *k, uint32_t gfp, unsigned int *ret)
{
	int64_t dma32 = k->zone_dma32 >= 0 ? k->zone_dma32 : k->zone_normal;
	int64_t zone = k->zone_normal;

	if ((gfp & GFP_DMA) && (gfp & (GFP_HIGHMEM | GFP_DMA32)))
		return false;
	if ((gfp & GFP_DMA32) && (gfp & GFP_HIGHMEM))
		return false;
	if (gfp & GFP_DMA)
		zone = k->zone_dma >= 0 ? k->zone_dma : k->zone_normal;
	else if (gfp & GFP_DMA32)
		zone = dma32;
	else if ((gfp & GFP_HIGHMEM) && (gfp & GFP_MOVABLE))
		zone = k->zone_movable;
	*ret = zone;
	return true;
}

static void old_reserves(bool is_atomic, struct alloc_request *r)
{
	bool harder = is_atomic && !(r->gfp & GFP_NOMEMALLOC);

	r->half = r->gfp & GFP_HIGH;
	r->quarter = r->reserves = r->highatomic = harder;
	r->ignores_cpuset = is_atomic;
}

static void new_reserves(struct alloc_request *r)
{
	bool nonblock = r->is_nowait && !(r->gfp & GFP_NOMEMALLOC);

	r->half = r->gfp & GFP_HIGH;
	r->quarter = r->half && nonblock;
	r->reserves = r->half || nonblock;
	r->highatomic = r->half && nonblock && r->order;
	r->ignores_cpuset = r->half && r->is_nowait;
}

bool alloc_request_init(const struct alloc_kernel *k, enum reserve_rule rule, unsigned int order,
			uint32_t gfp, struct alloc_request *ret)
{
	struct alloc_request r = { .order = order, .gfp = gfp };

	if (!highest_zone(k, gfp, &r.highest_zone))
		return false;
	r.is_nowait = !(gfp & GFP_DIRECT_RECLAIM);
	r.no_watermarks = (gfp & GFP_MEMALLOC) && !(gfp & GFP_NOMEMALLOC);
	if (rule == RESERVES_OF_ATOMIC || rule == RESERVES_OF_SET_ATOMIC)
		old_reserves(rule == RESERVES_OF_SET_ATOMIC || (gfp & k->gfp_atomic), &r);
	else
		new_reserves(&r);
	r.cma = k->cma >= 0 && !k->no_mobility &&
		(gfp & (GFP_MOVABLE | GFP_RECLAIMABLE)) == GFP_MOVABLE;
	*ret = r;
	return true;
}
