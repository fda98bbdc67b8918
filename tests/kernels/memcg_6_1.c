// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of memory cgroups as of 6.1: a pointer to them, a table of int for events. */
#define RELEASE "6.1.0-memcg"
#define STATS_PLUS_ONE
#include "memcgs.h"
