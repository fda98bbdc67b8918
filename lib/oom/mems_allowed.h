/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes that a task may use by its cpuset: task_struct.mems_allowed, a nodemask_t
 * (include/linux/nodemask.h; CONFIG_CPUSETS, 5.10 to 7.3).
 */
#pragma once

#include "dump/dump.h"

/*
 * Of the task with this pid, as the kernel prints it with %*pbl: "0-1,3".  ST_ABSENT: no such
 * task, or no cpusets in this kernel; ST_CORRUPT: no node, or the text does not fit.
 */
enum status mems_allowed_read(struct dump *d, int32_t pid, char *text, size_t size);

/* Whether a node is among those of such a text; *bad is set where it is none, and then it is not. */
bool mems_allowed_have(const char *list, uint64_t node, bool *bad);
