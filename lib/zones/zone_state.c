// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/zone_state.h"

#include "dump/layout.h"
#include "util/endian.h"

#define MAX_DEFER_SHIFT 6 /* COMPACT_MAX_DEFER_SHIFT in mm/compaction.c */

static const struct layout_row rows[ZONE_FIELDS] = {
	[ZONE_MARKS_AT] = { "struct zone", { "_watermark", "watermark" }, REQUIRED, "5.0, all" },
	[ZONE_BOOST] = { "struct zone", { "watermark_boost" }, OPTIONAL, "5.0" },
	[ZONE_RESERVED_HIGHATOMIC] = { "struct zone",
				       { "nr_reserved_highatomic" },
				       OPTIONAL,
				       "4.4" },
	[ZONE_FREE_HIGHATOMIC] = { "struct zone", { "nr_free_highatomic" }, OPTIONAL, "6.13" },
	[ZONE_RESERVE] = { "struct zone", { "lowmem_reserve" }, REQUIRED, "all" },
	[ZONE_MANAGED] = { "struct zone", { "managed_pages" }, REQUIRED, "all" },
	[ZONE_SPANNED] = { "struct zone", { "spanned_pages" }, REQUIRED, "all" },
	[ZONE_PRESENT] = { "struct zone", { "present_pages" }, REQUIRED, "all" },
	[ZONE_CMA] = { "struct zone", { "cma_pages" }, OPTIONAL, "5.12, CONFIG_CMA" },
	[ZONE_DEFER_SHIFT] = { "struct zone",
			       { "compact_defer_shift" },
			       OPTIONAL,
			       "CONFIG_COMPACTION" },
	[ZONE_CONSIDERED] = { "struct zone",
			      { "compact_considered" },
			      OPTIONAL,
			      "CONFIG_COMPACTION" },
	[ZONE_ORDER_FAILED] = { "struct zone",
				{ "compact_order_failed" },
				OPTIONAL,
				"CONFIG_COMPACTION" },
};

enum status zone_states_open(struct dump *d, struct zone_states *ret)
{
	struct zone_states z = { .dump = d };
	enum status st = layout_resolve(d, rows, ZONE_FIELDS, z.f);

	if (st == ST_OK && (z.f[ZONE_MARKS_AT].size < ZONE_MARKS * 8 ||
			    z.f[ZONE_RESERVE].size / 8 > ZONE_RESERVES))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct zone");
	if (st == ST_OK)
		st = layout_buffer(d, "struct zone", layout_span(z.f, ZONE_FIELDS), &z.copy);
	if (st == ST_OK)
		*ret = z;
	return st;
}

/* What holds in every zone: one figure that breaks it would make all answers of the zone wrong. */
static enum status check(const struct zone_states *z, const struct zone *zone,
			 const struct zone_state *s)
{
	const uint64_t *m = s->marks;

	if (s->managed > s->present || s->present > s->spanned)
		return dump_fail(
			z->dump, ST_CORRUPT,
			"struct zone at %#llx: %llu managed of %llu pages in a span of %llu",
			(unsigned long long)zone->address, (unsigned long long)s->managed,
			(unsigned long long)s->present, (unsigned long long)s->spanned);
	if (m[MARK_MIN] > m[MARK_LOW] || m[MARK_LOW] > m[MARK_HIGH])
		return dump_fail(z->dump, ST_CORRUPT,
				 "struct zone at %#llx: watermarks %llu, %llu, %llu do not rise",
				 (unsigned long long)zone->address, (unsigned long long)m[MARK_MIN],
				 (unsigned long long)m[MARK_LOW], (unsigned long long)m[MARK_HIGH]);
	return ST_OK;
}

enum status zone_state_read(const struct zone_states *z, const struct zone *zone,
			    struct zone_state *ret)
{
	const struct field *f = z->f;
	struct zone_state s = { .reserves = f[ZONE_RESERVE].size / 8 };
	const uint8_t *raw = z->copy.raw;
	enum status st = layout_read(z->dump, zone->address, &z->copy, "struct zone");

	if (st != ST_OK)
		return st;
	/* An atomic_long_t is a structure of a long. */
	s.managed = le64(raw + f[ZONE_MANAGED].offset);
	s.spanned = field_get(&f[ZONE_SPANNED], raw);
	s.present = field_get(&f[ZONE_PRESENT], raw);
	for (unsigned int i = 0; i < ZONE_MARKS; i++)
		s.marks[i] = le64(raw + f[ZONE_MARKS_AT].offset + i * 8);
	for (unsigned int i = 0; i < s.reserves; i++)
		s.reserve[i] = (int64_t)le64(raw + f[ZONE_RESERVE].offset + i * 8);
	s.boost = field_get(&f[ZONE_BOOST], raw);
	s.reserved_highatomic = field_get(&f[ZONE_RESERVED_HIGHATOMIC], raw);
	s.free_highatomic = field_get(&f[ZONE_FREE_HIGHATOMIC], raw);
	s.cma = field_get(&f[ZONE_CMA], raw);
	s.defer_shift = field_get(&f[ZONE_DEFER_SHIFT], raw);
	s.considered = field_get(&f[ZONE_CONSIDERED], raw);
	s.order_failed = field_get_signed(&f[ZONE_ORDER_FAILED], raw);
	st = check(z, zone, &s);
	if (st == ST_OK)
		*ret = s;
	return st;
}

bool zone_defers_compaction(const struct zone_states *z, const struct zone_state *s,
			    unsigned int order)
{
	if (!z->f[ZONE_DEFER_SHIFT].present || !z->f[ZONE_CONSIDERED].present ||
	    !z->f[ZONE_ORDER_FAILED].present || s->defer_shift > MAX_DEFER_SHIFT)
		return false;
	/* The kernel counts this attempt first. */
	return (int64_t)order >= s->order_failed && s->considered + 1 < 1ULL << s->defer_shift;
}
