/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory in a temporary file without a name, for more than main memory is to have: the host writes it out where
 * it needs the memory.  The file is in $TMPDIR, else /var/tmp or /tmp, made when it is first needed; its space on the
 * disk is reserved before it is used.
 */
#pragma once

#include "util/arena.h"

#include <stdint.h>

struct spill {
	struct arena *arena; /* the file is closed with it */
	int fd;		     /* -1: there is none yet */
	uint64_t limit;	     /* bytes that it may have at a time */
	uint64_t used;	     /* of these */
	uint64_t end;	     /* of the file */
	uint8_t *at;	     /* the rest of what small pieces share */
	uint64_t left;
	const char *problem; /* NULL, or why there was no more, of errno */
};

/* *ret stays where it is as long as the arena. */
void spill_init(struct spill *ret, struct arena *arena, uint64_t limit);

/*
 * Memory of bytes zeroed, which lives as long as arena, a small piece as long as that of the spill; NULL: the limit
 * is reached, or the disk has no room.
 */
void *spill_alloc(struct spill *s, struct arena *arena, uint64_t bytes);
