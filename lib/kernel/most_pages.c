// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/most_pages.h"

void most_pages_read(struct dump *d, struct most_pages *ret)
{
	char error[DUMP_ERROR];
	uint64_t swap;

	/* Of the caller, who may be about to tell it. */
	memcpy(error, d->error, sizeof(error));
	*ret = (struct most_pages){ UINT64_MAX, UINT64_MAX };
	if (dump_value(d, "max_pfn", &ret->ram) != ST_OK || !ret->ram || ret->ram > INT64_MAX)
		ret->ram = UINT64_MAX;
	else if (dump_has_symbol(d, "total_swap_pages") &&
		 dump_value(d, "total_swap_pages", &swap) == ST_OK && swap <= INT64_MAX - ret->ram)
		ret->both = ret->ram + swap;
	memcpy(d->error, error, sizeof(error));
}
