/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report whose first line names a task. */
#pragma once

#include "oom/oom_report.h"

#define NAMED_HEAD .has_head = true, .has_comm = true
