// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/zone_state.h"

#define MAX_DEFER_SHIFT 6 /* COMPACT_MAX_DEFER_SHIFT in mm/compaction.c */

static const struct layout_row rows[] = {
	STRUCTURE(struct zone_states, zone, "struct zone"),
	READS(struct zone_state, marks, REQUIRED, "5.0, all", "_watermark", "watermark"),
	READS_IF(struct zone_state, boost, has_boost, OPTIONAL, "5.0", "watermark_boost"),
	READS_IF(struct zone_state, reserved_highatomic, has_reserved_highatomic, OPTIONAL, "4.4",
		 "nr_reserved_highatomic"),
	READS_IF(struct zone_state, free_highatomic, has_free_highatomic, OPTIONAL, "6.13",
		 "nr_free_highatomic"),
	READS(struct zone_state, reserve, REQUIRED, "all", "lowmem_reserve"),
	/* An atomic_long_t is a structure of a long. */
	READS(struct zone_state, managed, REQUIRED, "all", "managed_pages"),
	READS(struct zone_state, spanned, REQUIRED, "all", "spanned_pages"),
	READS(struct zone_state, present, REQUIRED, "all", "present_pages"),
	READS_IF(struct zone_state, cma, has_cma, OPTIONAL, "5.12, CONFIG_CMA", "cma_pages"),
	READS_IF(struct zone_state, defer_shift, has_deferral, OPTIONAL, "CONFIG_COMPACTION",
		 "compact_defer_shift"),
	READS_IF(struct zone_state, considered, has_considered, OPTIONAL, "CONFIG_COMPACTION",
		 "compact_considered"),
	READS_IF(struct zone_state, order_failed, has_order_failed, OPTIONAL, "CONFIG_COMPACTION",
		 "compact_order_failed"),
};

enum status zone_states_open(struct dump *d, struct zone_states *ret)
{
	struct zone_states z;
	enum status st = STRUCTS_OPEN(d, rows, &z);

	if (st == ST_OK &&
	    (STRUCT_FIELD(&z.zone, struct zone_state, marks)->size < ZONE_MARKS * 8 ||
	     STRUCT_FIELD(&z.zone, struct zone_state, reserve)->size / 8 > ZONE_RESERVES))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct zone");
	if (st == ST_OK)
		*ret = z;
	return st;
}

/* What holds in every zone: one figure that breaks it would make all answers of the zone wrong. */
static enum status check(struct dump *d, const struct zone *zone, const struct zone_state *s)
{
	const uint64_t *m = s->marks;

	if (s->managed > s->present || s->present > s->spanned)
		return dump_fail(d, ST_CORRUPT,
				 "struct zone at %#lx: %lu managed of %lu pages in a span of %lu",
				 zone->address, s->managed, s->present, s->spanned);
	if (m[MARK_MIN] > m[MARK_LOW] || m[MARK_LOW] > m[MARK_HIGH])
		return dump_fail(d, ST_CORRUPT,
				 "struct zone at %#lx: watermarks %lu, %lu, %lu do not rise",
				 zone->address, m[MARK_MIN], m[MARK_LOW], m[MARK_HIGH]);
	return ST_OK;
}

enum status zone_state_read(const struct zone_states *z, const struct zone *zone,
			    struct zone_state *ret)
{
	struct zone_state s = {
		.reserves = STRUCT_FIELD(&z->zone, struct zone_state, reserve)->size / 8
	};
	enum status st = struct_read(&z->zone, zone->address, &s) ?: check(z->zone.dump, zone, &s);

	if (st == ST_OK)
		*ret = s;
	return st;
}

bool zone_defers_compaction(const struct zone_state *s, unsigned int order)
{
	if (!s->has_deferral || !s->has_considered || !s->has_order_failed ||
	    s->defer_shift > MAX_DEFER_SHIFT)
		return false;
	/* The kernel counts this attempt first. */
	return (int64_t)order >= s->order_failed && s->considered + 1 < 1ULL << s->defer_shift;
}
