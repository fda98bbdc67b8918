// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/slub_track.h"

#define MAX_TRACK_BYTES 256 /* of struct track: 32, up to 5.18 152 with 16 addresses */

static const struct layout_row rows[] = {
	STRUCTURE(struct slub_tracks, track, "struct track"),
	READS(struct slub_track, addr, REQUIRED, "all", "addr"),
	READS(struct slub_track, handle, OPTIONAL, "5.18, CONFIG_STACKDEPOT", "handle"),
	READS(struct slub_track, frames, OPTIONAL, "to 5.17", "addrs"),
	READS(struct slub_track, cpu, REQUIRED, "all", "cpu"),
	READS(struct slub_track, pid, REQUIRED, "all", "pid"),
	READS(struct slub_track, when, REQUIRED, "all", "when"),
};

enum status slub_tracks_open(struct dump *d, struct slub_tracks *ret)
{
	struct slub_tracks t = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &t);

	if (st == ST_OK && (dump_ask(d, type_size, "struct track", &t.bytes) != ST_OK ||
			    t.bytes > MAX_TRACK_BYTES || t.track.end > t.bytes))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: no size of struct track");
	if (st != ST_OK)
		return st;
	jiffies_open(d, &t.jiffies);
	*ret = t;
	return ST_OK;
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
	st = read_info(t, slab, i, freed ? t->bytes : 0, raw, t->bytes)
		     ?: struct_decode(&t->track, slab_object(slab, i), raw, &track);
	if (st != ST_OK || !track.addr)
		return st ?: ST_ABSENT;
	while (track.n < TRACK_FRAMES && track.frames[track.n] &&
	       track.frames[track.n] != UINT64_MAX)
		track.n++;
	/* A time after the panic is corrupt. */
	track.has_age = jiffies_age(&t->jiffies, track.when, &track.age_ns);
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
