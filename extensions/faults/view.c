// SPDX-License-Identifier: GPL-2.0-or-later
#include "view.h"

#include "collect/fault_load.h"

struct cell fault_rate(const struct fault_view *v, uint64_t faults, uint64_t start_ns)
{
	uint64_t rate = 0;
	bool known = faults_of_life(&v->report.info, faults, start_ns, &rate);

	return cell_if(known, cell_uint(rate));
}
