// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/availability.h"

const char *availability_name(enum availability a)
{
	static const char *const names[] = {
		[AVAILABLE] = "ok",
		[NOT_BUILT] = "not_built",
		[OFF_AT_BOOT] = "off_at_boot",
		[OFF_LATER] = "off_later",
		[NOT_IN_DUMP] = "not_in_dump",
		[UNKNOWN_LAYOUT] = "unknown_layout",
		[CORRUPT] = "corrupt",
	};

	return names[a];
}

enum availability availability_of(enum status st)
{
	switch (st) {
	case ST_OK:
		return AVAILABLE;
	case ST_ABSENT:
		return NOT_BUILT;
	case ST_UNREADABLE:
		return NOT_IN_DUMP;
	case ST_CORRUPT:
		return CORRUPT;
	default:
		return UNKNOWN_LAYOUT;
	}
}

bool availability_hides(enum availability a)
{
	return a == NOT_IN_DUMP || a == UNKNOWN_LAYOUT || a == CORRUPT;
}
