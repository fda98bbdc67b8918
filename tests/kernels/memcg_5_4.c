// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of memory cgroups as of 5.4: with descendants, but other items than later ones. */
#define RELEASE "5.4.0-memcg"
#define STATS_OLD_ITEMS
#include "memcgs.h"
