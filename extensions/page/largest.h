/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that has most in RAM and swap, of which the page has more. */
#pragma once

#include "dump/dump.h"

/* Its tgid, where the task list breaks off of those that were found; 0: none, or a log. */
int32_t page_largest_process(struct dump *d);
