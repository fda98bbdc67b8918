/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ages at the panic, in steps that tell a leak from a burst. */
#pragma once

#include "cli/table.h"

#define AGES 9

/* The step of an age in nanoseconds, and its name: "10s-1min". */
unsigned int ages_step(uint64_t ns);
const char *ages_name(unsigned int step);
/* The same as a cell, which is sorted by age. */
struct cell ages_cell(unsigned int step);
