// SPDX-License-Identifier: GPL-2.0-or-later
#include "view.h"

struct cell fault_rate(const struct fault_view *v, uint64_t faults, uint64_t start_ns)
{
	uint64_t life;
	unsigned __int128 rate = (unsigned __int128)faults * 1000000000000ULL;

	/* A life that may have been longer gives a rate that may have been less. */
	if (!start_ns || !age_at_panic(&v->report.info, start_ns, &life) || !life ||
	    end_is_assumed(&v->report.info))
		return (struct cell){ .kind = CELL_NULL };
	rate = (rate + life / 2) / life;
	return cell_if(rate <= INT64_MAX, cell_uint(rate));
}
