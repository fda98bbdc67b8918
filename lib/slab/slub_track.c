// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/slub_track.h"

#define MAX_TRACK_BYTES 256 /* of struct track: 32, up to 5.18 152 with 16 addresses */

static const struct layout_row rows[TRACK_FIELDS] = {
	[TRACK_ADDR] = { "struct track", { "addr" }, REQUIRED, "all" },
	[TRACK_HANDLE] = { "struct track", { "handle" }, OPTIONAL, "5.18, CONFIG_STACKDEPOT" },
	[TRACK_ADDRS] = { "struct track", { "addrs" }, OPTIONAL, "to 5.17" },
	[TRACK_CPU] = { "struct track", { "cpu" }, REQUIRED, "all" },
	[TRACK_PID] = { "struct track", { "pid" }, REQUIRED, "all" },
	[TRACK_WHEN] = { "struct track", { "when" }, REQUIRED, "all" },
};

enum status slub_tracks_open(struct dump *d, struct slub_tracks *ret)
{
	struct slub_tracks t = { .dump = d };
	enum status st = layout_resolve(d, rows, TRACK_FIELDS, t.f);

	if (st == ST_OK && (dump_ask(d, type_size, "struct track", &t.bytes) != ST_OK ||
			    t.bytes > MAX_TRACK_BYTES || layout_span(t.f, TRACK_FIELDS) > t.bytes))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: no size of struct track");
	if (st != ST_OK)
		return st;
	jiffies_open(d, &t.jiffies);
	*ret = t;
	return ST_OK;
}

static void decode(const struct slub_tracks *t, const uint8_t *raw, struct slub_track *ret)
{
	const struct field *addrs = &t->f[TRACK_ADDRS];

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
	ret->has_age = jiffies_age(&t->jiffies, field_get(&t->f[TRACK_WHEN], raw), &ret->age_ns);
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
