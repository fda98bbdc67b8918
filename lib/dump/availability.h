/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why there is no data, or only some: what the summary of a report says. */
#pragma once

#include "dump/dump.h"

enum availability {
	AVAILABLE,
	NOT_BUILT, /* into this kernel */
	OFF_AT_BOOT,
	OFF_LATER, /* there is data, from before it was turned off */
	NOT_IN_DUMP,
	UNKNOWN_LAYOUT,
	CORRUPT, /* a known layout with values that cannot be */
};

/* "ok", "not_built" and so on. */
const char *availability_name(enum availability a);

/* What the failure to open a source means, if nothing is known of it. */
enum availability availability_of(enum status st);

/* Whether there may be data that cannot be shown: not where the kernel has none, or has it all shown. */
bool availability_hides(enum availability a);
