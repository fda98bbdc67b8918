/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles of stacks that page_owner made up (mm/page_owner.c): they say nothing of who allocated.
 */
#ifndef MEMOWNER_MM_SPECIAL_HANDLES_H
#define MEMOWNER_MM_SPECIAL_HANDLES_H

#include "dump/dump.h"

enum blind_kind {
	BLIND_FAILURE, /* the depot was full */
	BLIND_DUMMY,   /* page_owner itself allocated */
	BLIND_EARLY,   /* pages that were in use when it started */
	BLIND_HANDLES
};

struct blind_handles {
	bool known[BLIND_HANDLES];
	uint32_t handles[BLIND_HANDLES];
};

/* What cannot be read is not known; no message. */
void blind_handles_open(struct dump *d, struct blind_handles *ret);

static inline bool blind_handle_is(const struct blind_handles *b, enum blind_kind which,
				   uint32_t handle)
{
	return b->known[which] && b->handles[which] == handle;
}

/* One of them, or 0, which is none. */
bool blind_handle(const struct blind_handles *b, uint32_t handle);

#endif
