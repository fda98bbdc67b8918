/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faults -v -g memcg. */
#pragma once

#include "cgroup/memcg_events.h"
#include "view.h"

extern const struct view system_memcg_view;

/* Shows the rows and ends the report. */
enum status system_memcg_show(struct fault_view *v, const struct memcg_tree *e);
