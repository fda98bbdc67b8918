/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What slub_debug=U keeps behind each object: who allocated it last and who freed it
 * (struct track, mm/slub.c).
 */
#pragma once

#include "dump/structure.h"
#include "kernel/jiffies.h"
#include "slab/slub.h"

#define TRACK_FRAMES 16 /* TRACK_ADDRS_COUNT, to 5.17 */

struct slub_tracks {
	struct dump *dump;
	struct structure track;
	uint64_t bytes; /* of a struct track */
	struct jiffies jiffies;
};

struct slub_track {
	uint64_t addr;	 /* return address of the call into SLUB */
	uint32_t handle; /* of the stack depot; 0: none */
	unsigned int n;	 /* frames of its own, where there is no handle */
	uint64_t frames[TRACK_FRAMES];
	uint64_t when; /* in jiffies */
	int32_t pid;
	uint32_t cpu;
	bool has_age;
	uint64_t age_ns; /* before the panic, to a jiffy */
};

/* ST_UNKNOWN: not built in, or a layout that is not known. */
enum status slub_tracks_open(struct dump *d, struct slub_tracks *ret);

/*
 * Of object i of a slab whose cache has tracks: the last allocation or the last free.
 * ST_ABSENT: never; ST_UNREADABLE; ST_CORRUPT: there is no room for it.
 */
enum status slub_track_at(const struct slub_tracks *t, const struct slab *slab, uint32_t i,
			  bool freed, struct slub_track *ret);

/* Bytes that kmalloc was asked for; ST_ABSENT: it is not kept. */
enum status slub_requested(const struct slub_tracks *t, const struct slab *slab, uint32_t i,
			   uint32_t *ret);
