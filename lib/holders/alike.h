/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What memory that no root leads to begins with, and whose memory of that kind and size begins so, too. */
#pragma once

#include "holders/holders.h"

#define ALIKE_BYTES 64u /* a cache line: heads of packets and of structures are in one */

struct alike {
	uint64_t objects, bytes; /* of the size that most of it has */
	uint32_t size;
	uint32_t n; /* bytes from the start that nearly all have in common; 0: none */
	uint8_t start[ALIKE_BYTES]; /* these */
	uint64_t same;		    /* bits: which of them */
	uint16_t
		owner; /* the one module that keeps such memory; OWNER_NOBODY: none, or several do */
};

/* Of h->sums.lost. */
void alike_find(struct holders *h, struct alike *ret);

/* "none: no root that is known leads to 17,870 allocations of direct pages" */
const char *holder_lost_text(struct holders *h, const struct holder_part *lost);

/*
 * "none: no root that is known leads to 17,870 allocations of direct pages; 17,844 have 8.0K each and begin with
 * \"USBC\", as those do that usbx keeps", of what alike_find() found.
 */
const char *alike_text(struct holders *h, const struct alike *a);
