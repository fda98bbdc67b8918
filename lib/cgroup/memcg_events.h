/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters of vm_events.h for each memory cgroup. */
#pragma once

#include "cgroup/memcg_counts.h"

/* Counters by the index of vm_event_kinds; statuses of memcg_counts_read() and memcg_stats_open(). */
enum status memcg_events_read(struct dump *d, struct memcg_tree *ret);
