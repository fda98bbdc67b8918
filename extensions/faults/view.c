// SPDX-License-Identifier: GPL-2.0-or-later
#include "view.h"

#include "util/units.h"

struct cell fault_rate(const struct fault_view *v, uint64_t faults, uint64_t start_ns)
{
	uint64_t life;
	unsigned __int128 rate = (unsigned __int128)faults * 1000000000000ULL;

	if (!start_ns || !age_at_panic(&v->report.info, start_ns, &life) || !life)
		return (struct cell){ .kind = CELL_NULL };
	rate /= life;
	return cell_if(rate <= INT64_MAX, cell_uint(rate));
}

void fault_put_kept(const struct fault_view *v, uint64_t kept, uint64_t of, const char *one,
		    const char *many)
{
	char n[UNITS_BYTES], all[UNITS_PLURAL];

	if (v->in->opts.json || !v->in->filters.n)
		return;
	units_count(n, kept);
	sink_printf(v->out, "filters kept %s of %s\n", n, units_plural(all, of, one, many));
}
