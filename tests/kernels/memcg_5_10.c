// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of memory cgroups as of 5.10: totals only. */
#define RELEASE "5.10.0-memcg"
#define STATS_ATOMIC
#include "memcgs.h"
