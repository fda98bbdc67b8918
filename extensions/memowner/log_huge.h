/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pools of huge pages, by a report of the log. */
#pragma once

#include "summary.h"

/* As summary_hugetlb() of a dump: rows, and what the verdict says of those that lie free. */
void log_huge_put(struct summary *s, const struct mem_info *m);
