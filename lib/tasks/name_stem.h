/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the names of tasks that differ by a number have in common: "fbgw/" and a star of the kernel threads "fbgw/1",
 * "fbgw/2", "oracle_" and a star of the processes "oracle_17_wms", "oracle_18_wms".
 */
#pragma once

#include "tasks/task.h"

#define NAME_STEM (TASKS_COMM + 2)

/* The name up to its first digit that is not its first character, and a star; one without is itself. */
const char *name_stem(const char *comm, char buf[NAME_STEM]);
