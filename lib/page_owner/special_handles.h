/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles of the stacks that page_owner registers for itself at boot (mm/page_owner.c): they do not
 * tell who allocated.
 */
#pragma once

#include "dump/dump.h"

enum special_kind {
	SPECIAL_FAILURE, /* the depot was full */
	SPECIAL_DUMMY,	 /* page_owner itself allocated */
	SPECIAL_EARLY,	 /* pages that were in use when it started */
	SPECIAL_HANDLES
};

struct special_handles {
	bool known[SPECIAL_HANDLES];
	bool unreadable[SPECIAL_HANDLES]; /* this kernel has it, this dump does not */
	uint32_t handles[SPECIAL_HANDLES];
};

/* What cannot be read is not known; no message. */
void special_handles_open(struct dump *d, struct special_handles *ret);

static inline bool special_handle_is(const struct special_handles *b, enum special_kind which,
				     uint32_t handle)
{
	return b->known[which] && b->handles[which] == handle;
}

/* One of them, or 0, which is none. */
bool special_handle(const struct special_handles *b, uint32_t handle);
