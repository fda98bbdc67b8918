/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes to which the memory policy of a task binds it: task_struct.mempolicy, as set_mempolicy() and numactl set it
 * (include/linux/mempolicy.h; CONFIG_NUMA, 5.10 to 7.3). Single mappings may have another one (mbind()).
 */
#pragma once

#include "dump/dump.h"

/*
 * Of the task with this pid, as the kernel prints it with %*pbl: "1"; "": it is bound to none. ST_ABSENT: no such task, or
 * this kernel has no policies.
 */
enum status memory_policy_read(struct dump *d, int32_t pid, char *text, size_t size);
