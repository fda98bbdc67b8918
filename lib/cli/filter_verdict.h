/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether all filters keep a page or a row. One that a filter leaves out because its value is unknown
 * could have the value that was asked for: where no other filter refuses it, this is counted and told.
 */
#pragma once

#include "cli/filter.h"

struct filter_verdict {
	const struct filter *open; /* the first that leaves it out as unknown */
	const struct filter *kept; /* the first of -X that keeps it as unknown */
	bool refused;
};

/* What one filter says; false: no other needs to be asked. */
bool filter_verdict_add(struct filter_verdict *v, const struct filter *f, bool keeps, bool unknown);

/* Whether all of them keep it; if not because it is unknown, it counts as n of unit one or many. */
bool filter_verdict_keeps(const struct filter_verdict *v, uint64_t n, const char *one,
			  const char *many);
