/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The build-id that a linker put into an image: of the dump's kernel and of its modules. */
#pragma once

#include "dump/dump.h"

#define BUILDID_BYTES 64 /* linkers make 8, 16, 20 or 32 */
#define BUILDID_TEXT 16	 /* of buildid_text() */

struct buildid {
	uint8_t bytes[BUILDID_BYTES];
	unsigned int n; /* bytes */
};

/*
 * Of the running kernel, from the notes in its memory.  *notes, if not NULL, is where
 * these begin.  ST_ABSENT: it has none; ST_UNREADABLE: it is not in this dump.
 */
enum status buildid_kernel(struct dump *d, struct buildid *ret, uint64_t *notes);

/* Of the notes in memory from addr to end; the same answers. */
enum status buildid_in_notes(struct dump *d, uint64_t addr, uint64_t end, struct buildid *ret);

bool buildid_same(const struct buildid *a, const struct buildid *b);

/* The first digits, for messages; returns buf. */
const char *buildid_text(const struct buildid *id, char buf[static BUILDID_TEXT]);
