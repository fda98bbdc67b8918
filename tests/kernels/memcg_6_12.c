// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of memory cgroups as of 6.12: tables of u8 for both arrays. */
#define RELEASE "6.12.0-memcg"
#define STATS_IN_TABLE
#include "memcgs.h"
