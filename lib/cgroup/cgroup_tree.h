/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cgroups of the default hierarchy, version 2: whether a controller is on for them or not. */
#pragma once

#include "dump/dump.h"

/*
 * Calls visit with the address of each struct cgroup that has files, a parent before its children. A status of
 * visit but ST_OK ends the walk.  ST_UNREADABLE, ST_CORRUPT: cgroups behind the defect were not visited.
 */
enum status cgroup_tree_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t cgroup),
			     void *arg);
