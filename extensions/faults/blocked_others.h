/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What faults -b says of a thread that is asked for and is in no page fault. */
#pragma once

#include "cli/filter.h"

void blocked_others_by_pid(struct dump *d, struct other_names *ret);
void blocked_others_by_name(struct dump *d, struct other_names *ret);
