// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of memory cgroups as of 4.18: arrays of the cgroup without its descendants; cgroup v1. */
#define RELEASE "4.18.0-memcg"
#define STATS_ALONE
#define CASE_v1
#include "memcgs.h"
