// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of memory cgroups as of 5.13: in struct mem_cgroup, by item, flushed. */
#define RELEASE "5.13.0-memcg"
#define STATS_EMBEDDED
#include "memcgs.h"
