// SPDX-License-Identifier: GPL-2.0-or-later
#include "mm/slub_track.h"

#include "dump/field.h"
#include "util/endian.h"
#include "dump/layout.h"

#define MAX_TRACK_BYTES 256
#define NS_PER_S 1000000000ULL

static const struct layout_row rows[TRACK_FIELDS] = {
	[TRACK_ADDR] = { "struct track", { "addr" }, REQUIRED, "all" },
	[TRACK_HANDLE] = { "struct track", { "handle" }, OPTIONAL, "5.18, CONFIG_STACKDEPOT" },
	[TRACK_ADDRS] = { "struct track", { "addrs" }, OPTIONAL, "to 5.17" },
	[TRACK_CPU] = { "struct track", { "cpu" }, REQUIRED, "all" },
	[TRACK_PID] = { "struct track", { "pid" }, REQUIRED, "all" },
	[TRACK_WHEN] = { "struct track", { "when" }, REQUIRED, "all" },
};

enum { CLOCK_MULT, CLOCK_SHIFT, CLOCK_FIELDS };
static const struct layout_row clock_rows[CLOCK_FIELDS] = {
	[CLOCK_MULT] = { "struct clocksource", { "mult" }, REQUIRED, "all" },
	[CLOCK_SHIFT] = { "struct clocksource", { "shift" }, REQUIRED, "all" },
};

/* The clock that counts jiffies knows how long one is (kernel/time/jiffies.c). */
static uint64_t tick_ns(struct dump *d)
{
	struct field f[CLOCK_FIELDS];
	uint64_t addr;
	uint32_t mult, shift;

	if (layout_resolve(d, clock_rows, CLOCK_FIELDS, f) != ST_OK ||
	    dump_symbol(d, "clocksource_jiffies", &addr) != ST_OK ||
	    dump_u32(d, addr + f[CLOCK_MULT].offset, &mult, "clocksource") != ST_OK ||
	    dump_u32(d, addr + f[CLOCK_SHIFT].offset, &shift, "clocksource") != ST_OK || shift > 31)
		return 0;
	/* HZ is 24 to 1200 on every architecture. */
	return mult >> shift > NS_PER_S / 1201 && mult >> shift < NS_PER_S / 23 ? mult >> shift : 0;
}

enum status slub_tracks_open(struct dump *d, struct slub_tracks *ret)
{
	struct slub_tracks t = { .dump = d };
	enum status st = layout_resolve(d, rows, TRACK_FIELDS, t.f);

	if (st == ST_OK && (d->ops->type_size(d->priv, "struct track", &t.bytes) != ST_OK ||
			    t.bytes > MAX_TRACK_BYTES || layout_span(t.f, TRACK_FIELDS) > t.bytes))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: no size of struct track");
	if (st != ST_OK)
		return st;
	if (dump_value(d, "jiffies", &t.jiffies) == ST_OK ||
	    dump_value(d, "jiffies_64", &t.jiffies) == ST_OK)
		t.tick_ns = tick_ns(d);
	decoder_trace(d, "value  jiffies = %llu, of %llu ns", (unsigned long long)t.jiffies,
		      (unsigned long long)t.tick_ns);
	*ret = t;
	return ST_OK;
}

static void decode(const struct slub_tracks *t, const uint8_t *raw, struct slub_track *ret)
{
	const struct field *addrs = &t->f[TRACK_ADDRS];
	uint64_t when = field_get(&t->f[TRACK_WHEN], raw), age = t->jiffies - when;

	ret->addr = field_get(&t->f[TRACK_ADDR], raw);
	ret->handle = field_get(&t->f[TRACK_HANDLE], raw);
	ret->pid = field_get_signed(&t->f[TRACK_PID], raw);
	ret->cpu = field_get(&t->f[TRACK_CPU], raw);
	ret->n = 0;
	for (unsigned int i = 0; addrs->present && i < TRACK_FRAMES && 8 * i + 8 <= addrs->size;
	     i++) {
		uint64_t frame = le64(raw + addrs->offset + 8 * i);

		if (!frame || frame == UINT64_MAX)
			break;
		ret->frames[ret->n++] = frame;
	}
	/* A time after the panic is corrupt. */
	ret->has_age = t->tick_ns && age < UINT64_MAX / 2 / NS_PER_S;
	ret->age_ns = ret->has_age ? age * t->tick_ns : 0;
}

/* Bytes from the object on, all inside of its slot. */
static enum status read_info(const struct slub_tracks *t, const struct slab *slab, uint32_t i,
			     uint64_t at, void *buf, size_t len)
{
	const struct slab_cache *c = slab->cache;

	if (c->pad + c->info + at + len > c->size)
		return dump_fail(t->dump, ST_CORRUPT, "objects of %s have no room for tracks",
				 c->name ? c->name : "a cache");
	return dump_read(t->dump, slab_object(slab, i) + c->info + at, buf, len, "struct track");
}

enum status slub_track_at(const struct slub_tracks *t, const struct slab *slab, uint32_t i,
			  bool freed, struct slub_track *ret)
{
	uint8_t raw[MAX_TRACK_BYTES];
	struct slub_track track = { 0 };
	enum status st;

	if (!slab->cache->has_tracks)
		return ST_ABSENT;
	st = read_info(t, slab, i, freed ? t->bytes : 0, raw, t->bytes);
	if (st != ST_OK)
		return st;
	decode(t, raw, &track);
	if (!track.addr)
		return ST_ABSENT;
	*ret = track;
	return ST_OK;
}

enum status slub_requested(const struct slub_tracks *t, const struct slab *slab, uint32_t i,
			   uint32_t *ret)
{
	uint8_t raw[4];
	enum status st;

	if (!slab->cache->has_requested)
		return ST_ABSENT;
	/* An unsigned int, by 6.12 a long: sizes are small enough for the former. */
	st = read_info(t, slab, i, 2 * t->bytes, raw, sizeof(raw));
	if (st == ST_OK)
		*ret = le32(raw);
	return st == ST_OK && !*ret ? ST_ABSENT : st;
}
