/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the names of kernel threads that one function starts have in common: "fbgw/" and a star of "fbgw/1", "fbgw/2". */
#pragma once

#include "tasks/task.h"

#define KTHREAD_STEM (TASKS_COMM + 2)

/* The name up to its first digit that is not its first character, and a star; one without is itself. */
const char *kthread_stem(const char *comm, char buf[KTHREAD_STEM]);
